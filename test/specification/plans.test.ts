import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { sections } from '../../src/operations.ts';
import { callWith } from '../support/counted.ts';
import { store } from '../support/store.ts';

/**
 * The lists at the top of a store: those below a record are as long as that record's, and a store has at most 20
 * webhooks, which no index would pay for.
 */
const lists = sections
  .flatMap((section) => section.operations)
  .filter((row) => row.query?.names.includes('orderBy') && row.idNames.length === 0)
  .filter((row) => row.id !== 'listWebhooks');

/** How SQLite will run the statements of one request; what it does once per row is not part of it. */
async function plansOf(path: string): Promise<string[]> {
  const shop = await store({ withPayments: true });
  const ran: { sql: string; values: unknown[] }[] = [];
  const watched = {
    prepare: (sql: string) => {
      const statement = env.STORE_0.prepare(sql);
      return {
        bind: (...values: unknown[]) => {
          ran.push({ sql, values });
          return statement.bind(...values);
        },
      };
    },
    batch: (statements: D1PreparedStatement[]) => env.STORE_0.batch(statements),
  } as unknown as D1Database;
  await callWith(shop, `GET ${path}`, undefined, { STORE_0: watched });
  const plans = await Promise.all(
    ran.map(async ({ sql, values }) => {
      const explained = env.STORE_0.prepare(`explain query plan ${sql}`).bind(...values);
      const { results } = await explained.all<{ parent: number; detail: string }>();
      return results.filter(({ parent }) => parent === 0).map(({ detail }) => detail);
    }),
  );
  return plans.flat();
}

describe.each(lists.map((row) => [row.route, row] as const))('%s', (_route, row) => {
  const documented = row.query?.parameters.find(({ name }) => name === 'orderBy');
  const columns = /: ([\w, ]+)\./.exec(documented?.description ?? '')?.[1]?.split(', ') ?? [];

  it.each(columns)('is sorted by %s along an index', async (column) => {
    for (const direction of ['asc', 'desc']) {
      const path = row.path.replace('/{alias}', '');
      const plan = await plansOf(`${path}?orderBy=${column}&sortedBy=${direction}`);
      expect(plan.join('\n')).not.toMatch(/TEMP B-TREE|^SCAN /m);
    }
  });
});
