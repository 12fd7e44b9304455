import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { abortWith } from '../../src/data/core/data-errors.ts';
import { callWithBindings } from '../support/api/measure.ts';
import { operations } from '../support/api/operations.ts';
import { fakeDatabase } from '../support/fakes/fake-database.ts';
import '../support/fixtures/first-shard.ts';
import { createTestStore } from '../support/fixtures/store.ts';

/**
 * The top-level lists of a store. Lists below a record are short. A store has at most 20 webhooks, and the imports
 * and exports of a week, for which an index would not pay.
 */
const lists = operations
  .filter(
    (operation) => operation.query?.names.includes('orderBy') && operation.pathParams.length === 0,
  )
  .filter(({ id }) => !['listWebhooks', 'listImports', 'listExports'].includes(id));

/**
 * Orders that no index has, since each index costs a written row with every new product or order. Such a list sorts its records, and
 * is refused beyond 10,000 of them.
 */
const sortedLists = new Set([
  'GET /{alias}/catalog/products active',
  'GET /{alias}/catalog/products priority',
  'GET /{alias}/catalog/products rating',
  'GET /{alias}/orders value_total',
  'GET /{alias}/checkout/transactions amount',
  'GET /{alias}/checkout/carts customer_id',
]);

/** Returns the query plans of all statements of one request, without those of subqueries, and whether its length is bounded. */
async function plansOf(path: string) {
  const testStore = await createTestStore({ withPayments: true });
  const statements: { sql: string; values: unknown[] }[] = [];
  const watchedDatabase = fakeDatabase({
    prepare: (sql: string) => {
      const statement = env.STORE_0.prepare(sql);
      return {
        bind: (...values: unknown[]) => {
          // Every batch begins with the guard, which reads one row.
          if (!sql.includes(' placements ')) statements.push({ sql, values });
          return statement.bind(...values);
        },
      };
    },
    batch: (statements: D1PreparedStatement[]) => env.STORE_0.batch(statements),
  });
  await callWithBindings(testStore, `GET ${path}`, undefined, { STORE_0: watchedDatabase });
  const plans = await Promise.all(
    statements.map(async ({ sql, values }) => {
      const explained = env.STORE_0.prepare(`explain query plan ${sql}`).bind(...values);
      const { results } = await explained.all<{ id: number; parent: number; detail: string }>();
      // A page with computed columns is computed once, then measured and returned: see `boundPage`.
      const page = results.find(({ detail }) => detail === 'MATERIALIZE page')?.id;
      return results
        .filter(({ parent }) => parent === 0 || parent === page)
        .map(({ detail }) => detail)
        .filter((detail) => detail !== 'SCAN page');
    }),
  );
  return {
    plan: plans.flat().join('\n'),
    isBounded: statements.some(({ sql }) => sql.includes(abortWith('list_too_long'))),
  };
}

describe.each(lists.map((operation) => [operation.route, operation] as const))(
  '%s',
  (_route, operation) => {
    const documented = operation.query?.parameters.find(({ name }) => name === 'orderBy');
    const columns = /: ([\w, ]+)\./.exec(documented?.description ?? '')?.[1]?.split(', ') ?? [];

    it.each(columns)('sorts by %s with an index, or a bounded list', async (column) => {
      for (const direction of ['asc', 'desc']) {
        const path = operation.path.replace('/{alias}', '');
        const { plan, isBounded } = await plansOf(
          `${path}?orderBy=${column}&sortedBy=${direction}`,
        );
        expect(isBounded).toBe(sortedLists.has(`${operation.route} ${column}`));
        if (!isBounded) expect(plan).not.toMatch(/TEMP B-TREE|^SCAN /m);
      }
    });
  },
);
