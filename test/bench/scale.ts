import { defaultZone, runInZone } from '../../src/base/codecs/fields/zone.ts';
/** Measures the database rows that a page of 10 reads, in growing stores next to other stores. */
import type { Listing, ListPosition } from '../../src/base/codecs/listing/options.ts';
import { HttpError } from '../../src/base/errors.ts';
import { openDatabase } from '../../src/data/core/open-database.ts';
import { StoreDb } from '../../src/data/core/store-db.ts';
import { operations } from '../support/api/operations.ts';
import { startService } from '../support/node/runtime/service.ts';
import { fillStore } from './fill.ts';

const sizes = (process.env.BENCH_SIZES ?? '1000,100000,1000000').split(',').map(Number);

type Query = Record<string, string>;

const sorts = ['id', 'name', 'slug', 'sku', 'active', 'priority', 'rating', 'created_at'];

/**
 * Queries of the list of products. `first` is the first id of the store, `some` the number of a
 * product.
 */
const queries: [name: string, query: (first: number, some: number) => Query][] = [
  ...sorts.map((orderBy): [string, () => Query] => [`by ${orderBy}`, () => ({ orderBy })]),
  ['by name, descending', () => ({ orderBy: 'name', sortedBy: 'desc' })],
  ['by two keys', () => ({ orderBy: 'active;name' })],
  ['page 5', () => ({ page: '5' })],
  ['page 1,000', () => ({ page: '1000' })],
  ['q with one match', (_first, some) => ({ q: `produto ${some}` })],
  ['q with many matches', () => ({ q: 'produto' })],
  ['q with many, by name', () => ({ q: 'produto', orderBy: 'name' })],
  ['q of two characters', () => ({ q: 'od' })],
  ['q of two characters, none matches', () => ({ q: 'zz' })],
  ['search in one column', () => ({ search: 'sku:u99' })],
  ['one brand', (first) => ({ brand_id: `${first}` })],
  ['one brand, by name', (first) => ({ brand_id: `${first}`, orderBy: 'name' })],
  ['two brands', (first) => ({ brand_id: `${first},${first + 1}` })],
  ['half of all: active', () => ({ active: '1' })],
  ['active, by name', () => ({ active: '1', orderBy: 'name' })],
  ['one brand and active', (first) => ({ brand_id: `${first}`, active: '1' })],
  ['created since 1970', () => ({ date: 'created_at:1970-01-01|2100-01-01' })],
];

/** A number without repeated digits, which few other numbers contain. */
const someOf = (size: number) => Math.floor(size * 0.735_219);

interface Cost {
  page: number;
  count: number;
}

/**
 * Prints the rows that a page and its total read at each size, for the first page and for one that
 * a cursor leads to.
 */
export async function compareSizes(): Promise<void> {
  const service = await startService();
  // Miniflare's types import an unpublished package.
  const database = (await service.runtime.getD1Database('STORE_0')) as unknown as D1Database;
  for (const [index, size] of sizes.entries()) await fillStore(database, index + 1, size);
  console.log(`rows read by 10 products and their total, of ${sizes.join(', ')} products`);
  console.log('(first page, then the page after it; at most some 30,000 in all)');
  for (const [name, query] of queries) {
    const costs = [];
    for (const [index, size] of sizes.entries()) {
      costs.push(
        await readTwoPages(database, index + 1, query((index + 1) * 1_000_000, someOf(size))),
      );
    }
    console.log(`  ${name.padEnd(36)}${costs.map((cost) => cost.padStart(32)).join('')}`);
  }
  const walked = await walk(database, sizes.length, 100);
  console.log(`  the 100th page of a walk by name: ${walked.page} rows`);
  await service.stop();
}

async function readTwoPages(database: D1Database, store: number, query: Query): Promise<string> {
  try {
    const [first, next] = await readPage(database, store, query);
    const texts = [show(first)];
    if (next) texts.push(show((await readPage(database, store, query, next))[0]));
    return texts.join(', ');
  } catch (error) {
    if (error instanceof HttpError && error.status === 400) return 'refused';
    throw error;
  }
}

const show = ({ page, count }: Cost) => `${page} + ${count}`;

/** Follows the cursors of a list, and returns the cost of its last page. */
async function walk(database: D1Database, store: number, pages: number): Promise<Cost> {
  let [cost, next] = await readPage(database, store, { orderBy: 'name' });
  for (let page = 1; page < pages; page += 1) {
    [cost, next] = await readPage(database, store, { orderBy: 'name' }, next);
  }
  return cost;
}

/**
 * Lists products of a store. Returns the rows that the two statements read, and where the next page
 * starts.
 */
async function readPage(
  database: D1Database,
  id: number,
  query: Query,
  position?: ListPosition,
): Promise<[Cost, ListPosition | undefined]> {
  const operation = operations.find((one) => one.id === 'listProducts');
  if (!operation?.query) throw new Error('no list of products');
  let rows: number[] = [];
  const counting = {
    prepare: (text: string) => database.prepare(text),
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await database.batch(statements);
      rows = results.map(({ meta }) => meta.rows_read);
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
  const parsed = runInZone(defaultZone, () => operation.query?.schema.parse(query)) as Listing;
  const listing = position ? { ...parsed, position, page: position.page } : parsed;
  const found = (await operation.run({ db, query: listing, ids: {} } as unknown as Parameters<
    typeof operation.run
  >[0])) as { next: ListPosition | undefined };
  return [{ page: rows.at(-2) ?? 0, count: rows.at(-1) ?? 0 }, found.next];
}
