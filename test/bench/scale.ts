/** Rows that pages of 10 read, at growing sizes of the store and beside other stores. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openShard } from '../../src/db/open.ts';
import { StoreDb } from '../../src/db/store.ts';
import { sections } from '../../src/operations.ts';
import { defaultZone, inZone } from '../../src/wire/zone.ts';
import { bundle } from '../support/node/bundle.ts';
import { migrate, startRuntime } from '../support/node/runtime.ts';
import { fill } from './fill.ts';

const sizes = [100, 10_000, 200_000];

type Query = Record<string, string>;

/** Rows of the API with queries of them; the filtered ones match as many records at every size. */
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

/** Prints the rows read by each page at each size, and how many times as many the largest needs. */
export async function compareSizes(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'store-api-scale-'));
  const built = bundle();
  const runtime = await startRuntime({ script: join(built.folder, 'index.js'), persist: scratch });
  await migrate(runtime);
  // Miniflare's own type names a package that is not published.
  const database = (await runtime.getD1Database('STORE_0')) as unknown as D1Database;
  for (const [index, size] of sizes.entries()) await fill(database, index + 1, size);
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
  await runtime.dispose();
  rmSync(scratch, { recursive: true });
  rmSync(built.folder, { recursive: true });
}

/** Runs the row's own work on a store, and adds up what its statements read. */
async function rowsRead(database: D1Database, id: number, operation: string, query: Query) {
  const row = sections.flatMap(({ operations }) => operations).find((one) => one.id === operation);
  if (!row?.query) throw new Error(`no list ${operation}`);
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
  const db = new StoreDb(store, openShard(counting), { now: 0, wake: () => undefined });
  const asked = inZone(defaultZone, () => row.query?.schema.parse(query));
  const found = (await row.run({ db, query: asked, ids: {} } as Parameters<typeof row.run>[0])) as {
    rows: unknown[];
  };
  if (found.rows.length !== 10) throw new Error(`${operation} found ${found.rows.length} rows`);
  return read;
}
