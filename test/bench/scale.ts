import { defaultZone, runInZone } from '../../src/codecs/time/zone.ts';
/** Measures the database rows that a page of 10 reads, in growing stores next to other stores. */
import { openDatabase } from '../../src/db/core/open.ts';
import { StoreDb } from '../../src/db/core/store-db.ts';
import { operationGroups } from '../../src/operations.ts';
import { startService } from '../support/node/runtime/service.ts';
import { fillStore } from './fill.ts';

const sizes = [100, 10_000, 200_000];

type Query = Record<string, string>;

/** Lists of the API with queries; a filter matches the same number of records at every size. */
const pages: [operation: string, name: string, query: (firstId: number) => Query][] = [
  ['listBrands', 'first page', () => ({})],
  ['listBrands', 'by name, descending', () => ({ orderBy: 'name', sortedBy: 'desc' })],
  ['listBrands', 'two keys without an index (may grow)', () => ({ orderBy: 'active;name' })],
  ['listBrands', 'page 5', () => ({ page: '5' })],
  ['listProducts', 'first page', () => ({})],
  ['listProducts', 'by name', () => ({ orderBy: 'name' })],
  ['listProducts', 'one brand of 50', (firstId) => ({ brand_id: `${firstId}` })],
  ['listCategories', 'first page', () => ({ limit: '10' })],
  [
    'listCategories',
    'by order, with parents',
    () => ({ limit: '10', orderBy: 'order', include: 'parent' }),
  ],
  ['listComments', 'first page', () => ({})],
  ['listComments', 'by name, with products', () => ({ orderBy: 'name', include: 'product' })],
];

/** Prints the rows that each page reads at each size, and the ratio of the largest to the smallest. */
export async function compareSizes(): Promise<void> {
  const service = await startService();
  // Miniflare's types import an unpublished package.
  const database = (await service.runtime.getD1Database('STORE_0')) as unknown as D1Database;
  for (const [index, size] of sizes.entries()) await fillStore(database, index + 1, size);
  console.log(`rows read by a page of 10 at ${sizes.join(', ')} records (aim: within 2x)`);
  for (const [operation, name, query] of pages) {
    const costs = [];
    for (const index of sizes.keys()) {
      const store = index + 1;
      costs.push(await rowsRead(database, store, operation, query(store * 1_000_000)));
    }
    const ratio = Math.max(...costs) / Math.min(...costs);
    const columns = costs.map((cost) => String(cost).padStart(8)).join('');
    console.log(`  ${`${operation}: ${name}`.padEnd(50)}${columns}  ${ratio.toFixed(2)}x`);
  }
  await service.stop();
}

/** Runs an operation on a store, and returns the rows that its statements read. */
async function rowsRead(database: D1Database, id: number, operation: string, query: Query) {
  const listOperation = operationGroups
    .flatMap(({ operations }) => operations)
    .find((one) => one.id === operation);
  if (!listOperation?.query) throw new Error(`no list ${operation}`);
  let read = 0;
  const counting = {
    prepare: (text: string) => database.prepare(text),
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await database.batch(statements);
      read += results.reduce((sum, { meta }) => sum + meta.rows_read, 0);
      return results;
    },
  } as unknown as D1Database;
  const store = {
    id,
    alias: 'x',
    shard: 0,
    zone: defaultZone,
    base_url: '',
    active: true,
    test: false,
  };
  const db = new StoreDb(store, openDatabase(counting), { now: 0, wakeEndpoints: () => undefined });
  const parsedQuery = runInZone(defaultZone, () => listOperation.query?.schema.parse(query));
  const found = (await listOperation.run({ db, query: parsedQuery, ids: {} } as Parameters<
    typeof listOperation.run
  >[0])) as {
    rows: unknown[];
  };
  if (found.rows.length !== 10) throw new Error(`${operation} found ${found.rows.length} rows`);
  return read;
}
