import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import '../../support/fixtures/first-shard.ts';

let shop: TestStore;
let firstId = 0;
const count = 40;

/** Adds products whose sort values repeat and are null. */
async function insertProducts(store: TestStore, number: number, from: number) {
  await env.STORE_0.prepare(
    `with recursive n(i) as (select ?2 union all select i + 1 from n where i < ?2 + ?3 - 1)
     insert into products (id, store_id, active, searchable, simple, is_digital, custom_shipping, name, name_folded, slug,
       sku, sku_folded, priority, warranty, rating, gift_value, shipping_price, created_at, updated_at)
     select i, ?1, i % 2, 1, 1, 0, 0, 'N' || (i % 5), 'n' || (i % 5), 's' || i, iif(i % 3, 'K' || (i % 4), null),
       iif(i % 3, 'k' || (i % 4), null), i % 7, 0, (i % 3) / 3.0, 0, 0, i % 4, i % 6 from n`,
  )
    .bind(store.id, from, number)
    .run();
}

const idsOf = (body: { data: { id: number }[] }) => body.data.map(({ id }) => id);

/** Follows links of a list from a first page on, and returns the ids of each page. */
async function walk(
  store: TestStore,
  query: string,
  direction: 'next' | 'previous' = 'next',
  between: (page: number) => Promise<unknown> = () => Promise.resolve(),
): Promise<number[][]> {
  const pages: number[][] = [];
  let path = `/catalog/products?${query}`;
  while (path !== '') {
    const { body } = await store.api(`GET ${path}`);
    pages.push(idsOf(body));
    await between(pages.length);
    const link = body.meta.pagination.links[direction];
    path = link === '' ? '' : link.slice(link.indexOf('/catalog'));
  }
  return pages;
}

beforeAll(async () => {
  shop = await createTestStore();
  const last = await env.STORE_0.prepare('select coalesce(max(id), 0) as id from products').first<{
    id: number;
  }>();
  firstId = (last?.id ?? 0) + 1_000_000;
  await insertProducts(shop, count, firstId);
});

const sorts = ['id', 'name', 'slug', 'sku', 'active', 'priority', 'rating', 'created_at'];
const orders = [...sorts, 'updated_at', 'sku;rating', 'active;name', 'sku;name;priority'];
const filters = ['', '&q=n1', '&active=1', '&search=sku:k1'];
// Each order with each filter in one of its directions.
const queries = orders.flatMap((order, index) =>
  filters.map(
    (filter, turn) =>
      `orderBy=${order}&sortedBy=${(index + turn) % 2 ? 'desc' : 'asc'}${turn < 2 || index < 4 ? filter : ''}`,
  ),
);
const differentQueries = [...new Set(queries)];

describe('a walk along links.next', () => {
  it.each(differentQueries)('has every record of one large page once, for %s', async (query) => {
    const { body } = await shop.api(`GET /catalog/products?${query}&limit=100`);
    const pages = await walk(shop, `${query}&limit=13`);
    expect(pages.flat()).toEqual(idsOf(body));
    expect(pages.slice(0, -1).every((page) => page.length === 13)).toBe(true);
  });

  it.each(['', 'orderBy=sku', 'orderBy=sku&sortedBy=desc', 'orderBy=rating&q=n1'])(
    'and back along links.previous has the same pages, for %s',
    async (query) => {
      const forth: string[] = [];
      const pages: number[][] = [];
      for (let path = `/catalog/products?limit=9&${query}`; path !== '';) {
        const { body } = await shop.api(`GET ${path}`);
        forth.push(path);
        pages.push(idsOf(body));
        path = body.meta.pagination.links.next.replace(/^.*(?=\/catalog)/, '');
      }
      const last = forth.at(-1)!.slice('/catalog/products?'.length);
      expect((await walk(shop, last, 'previous')).toReversed()).toEqual(pages);
    },
  );

  it('goes on with current_page, and keeps total and the other parameters', async () => {
    const first = await shop.api('GET /catalog/products?limit=10&orderBy=name');
    const { next } = first.body.meta.pagination.links;
    const second = await shop.api(`GET ${next.slice(next.indexOf('/catalog'))}`);
    const byNumber = await shop.api('GET /catalog/products?limit=10&orderBy=name&page=2');
    expect(second.body.data).toEqual(byNumber.body.data);
    expect(second.body.meta.pagination).toMatchObject({
      total: count,
      count: 10,
      current_page: 2,
      total_pages: 4,
    });
    expect(new URL(second.body.meta.pagination.links.next).searchParams.get('orderBy')).toBe(
      'name',
    );
  });

  it.each(['', 'orderBy=name', 'orderBy=sku&sortedBy=desc', 'orderBy=rating&sortedBy=desc'])(
    'loses and repeats nothing while others insert, update and delete, for %s',
    async (query) => {
      const store = await createTestStore();
      const from = firstId + 1_000 * (1 + orders.length + queries.length);
      const base = from + store.id * 1_000;
      await insertProducts(store, count, base);
      const run = (sql: string, ...values: unknown[]) =>
        env.STORE_0.prepare(sql)
          .bind(store.id, ...values)
          .run();
      const removed = new Set<number>();
      const pages = await walk(store, `limit=6&${query}`, 'next', async (page) => {
        await insertProducts(store, 3, base + 500 + page * 3);
        removed.add(base + page * 5);
        await run('delete from products where store_id = ? and id = ?', base + page * 5);
        await run('update products set priority = priority + 1 where store_id = ?');
      });
      const seen = pages.flat();
      expect(new Set(seen).size).toBe(seen.length);
      const stayed = Array.from({ length: count }, (_, index) => base + index).filter(
        (id) => !removed.has(id),
      );
      expect(stayed.filter((id) => !seen.includes(id))).toEqual([]);
    },
  );
});
