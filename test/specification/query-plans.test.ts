import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { abortWith } from '../../src/data/core/data-errors.ts';
import { callWithBindings } from '../support/api/measure.ts';
import { operations, storeOperations } from '../support/api/operations.ts';
import { fakeDatabase } from '../support/fakes/fake-database.ts';
import '../support/fixtures/first-shard.ts';
import { createCompleteStore, pathWithIds } from '../support/fixtures/complete-store.ts';
import { parallelBodies } from '../support/fixtures/parallel-bodies.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';
import { shared } from '../support/shared.ts';

/**
 * The top-level lists of a store. Lists below a record are short. A store has at most 20 webhooks,
 * and the imports and exports of a week, for which an index would not pay.
 */
const lists = operations
  .filter(
    (operation) => operation.query?.names.includes('orderBy') && operation.pathParams.length === 0,
  )
  .filter(({ id }) => !['listWebhooks', 'listImports', 'listExports'].includes(id));

/**
 * Orders that no index has, since each index costs a written row with every new product or order.
 * Such a list sorts its records, and is refused beyond 10,000 of them.
 */
const sortedLists = new Set([
  'GET /{alias}/catalog/products active',
  'GET /{alias}/catalog/products priority',
  'GET /{alias}/catalog/products rating',
  'GET /{alias}/orders value_total',
  'GET /{alias}/checkout/transactions amount',
  'GET /{alias}/checkout/carts customer_id',
]);

/** A step of a query plan; `parent` is the id of the one around it, 0 for none. */
interface PlanStep {
  id: number;
  parent: number;
  detail: string;
}

/** A statement that a request makes. */
interface Asked {
  sql: string;
  values: unknown[];
}

/** Returns the statements of one request in the store. */
async function statementsOf(testStore: TestStore, request: string, body?: unknown) {
  const statements: Asked[] = [];
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
  await callWithBindings(testStore, request, body, { STORE_0: watchedDatabase });
  return statements;
}

/** Returns the query plan of each of these statements. One round trip. */
async function explain(statements: readonly Asked[]) {
  if (statements.length === 0) return [];
  const plans = await env.STORE_0.batch<PlanStep>(
    statements.map(({ sql, values }) =>
      env.STORE_0.prepare(`explain query plan ${sql}`).bind(...values),
    ),
  );
  return statements.map(({ sql }, index) => ({ sql, steps: plans[index]!.results }));
}

const sharedStore = shared(() => createTestStore({ withPayments: true }));

/**
 * Returns the query plans of a list, without those of subqueries, and whether its length is
 * bounded.
 */
async function plansOf(path: string) {
  const statements = await explain(await statementsOf(await sharedStore(), `GET ${path}`));
  expect(statements).not.toEqual([]);
  const plan = statements.flatMap(({ steps }) => {
    // A page with computed columns is computed once, then measured and returned: see `boundPage`.
    const page = steps.find(({ detail }) => detail === 'MATERIALIZE page')?.id;
    return steps
      .filter(({ parent }) => parent === 0 || parent === page)
      .map(({ detail }) => detail)
      .filter((detail) => detail !== 'SCAN page');
  });
  return {
    plan: plan.join('\n'),
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

/** Whether a step walks along all records of a store for a few ids that the statement knows. */
function isWalkForIds({ parent, detail }: PlanStep, steps: readonly PlanStep[]): boolean {
  if (!/^SEARCH \w+ USING (COVERING )?INDEX \w+ \(store_id=\?\)$/.test(detail)) return false;
  const around = steps.find(({ id }) => id === parent)?.detail ?? '';
  return (
    // SQLite merges sorted ids without repetitions.
    ['LEFT', 'RIGHT'].includes(around) ||
    steps.some((one) => one.parent === parent && one.detail.startsWith('LIST SUBQUERY'))
  );
}

/** The fields that a list can be searched by. */
const searchFields = ({ query }: (typeof storeOperations)[number]): string[] => {
  const search = query?.parameters.find(({ name }) => name === 'search');
  return /Fields: ([\w, ]+)\.$/.exec(search?.description ?? '')?.[1]?.split(', ') ?? [];
};

it('no operation and no search walks along all records of a store to find a few', async () => {
  const shop = await createCompleteStore('walks', 0);
  /** The requests that make a statement. The same text has the same plan. */
  const asked = new Map<string, Asked & { requests: Set<string> }>();
  let searches = 0;
  const sorted = storeOperations
    .filter(({ upload }) => !upload)
    .toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
  for (const operation of sorted) {
    const path = pathWithIds(operation, (kind) => shop.ids[kind] ?? 1);
    const body = parallelBodies[operation.id]?.(shop, 2);
    const fields = searchFields(operation);
    searches += fields.length;
    for (const query of ['', ...fields.map((field) => `?search=${field}:1`)]) {
      const request = `${operation.method} ${path}${query}`;
      for (const statement of await statementsOf(shop, request, body)) {
        const known = asked.get(statement.sql) ?? { ...statement, requests: new Set<string>() };
        asked.set(statement.sql, known);
        known.requests.add(`${operation.id}${query}`);
      }
    }
  }
  const walks = new Set<string>();
  for (const { sql, steps } of await explain([...asked.values()])) {
    const requests = [...asked.get(sql)!.requests].join();
    const found = steps.filter((step) => isWalkForIds(step, steps));
    for (const { detail } of found) walks.add(`${requests}: ${detail}`);
  }
  expect(searches).toBeGreaterThan(100);
  expect([...walks]).toEqual([]);
});
