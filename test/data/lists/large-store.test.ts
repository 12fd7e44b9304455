import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { maxSkipped } from '../../../src/base/codecs/listing/parse-parameters.ts';
import { rowBudgets } from '../../../src/http/operation-limits.ts';
import { measureRequest } from '../../support/api/measure.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import '../../support/fixtures/first-shard.ts';

/** More than a list looks at. */
const size = 12_000;
const lookedAt = 10_000;

let shop: TestStore;
let firstBrand = 0;

/** Fills a store with brands: the last one is the only one that is featured. */
beforeAll(async () => {
  shop = await createTestStore();
  await env.STORE_0.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)
     insert into brands (store_id, name, name_key, name_folded, active, featured, created_at, updated_at)
     select ?1, 'Marca ' || i, 'marca ' || i, 'marca ' || i, i % 2, i = ?2, i, i from n`,
  )
    .bind(shop.id, size)
    .run();
  const first = await env.STORE_0.prepare('select min(id) as id from brands where store_id = ?')
    .bind(shop.id)
    .first<{ id: number }>();
  firstBrand = first?.id ?? 0;
  await shop.api('POST /catalog/brands', { name: 'Ação única', active: true });
});

const list = (query: string) => measureRequest(shop, `GET /catalog/brands?${query}`);

const cappedHeader = (headers: Headers) => headers.get('X-Total-Capped');

describe('a list of a large store', () => {
  it.each(['', 'orderBy=name&sortedBy=desc', 'orderBy=created_at'])(
    'reads no more for a page in the middle than for the first, with ?%s',
    async (query) => {
      const first = await list(query);
      let next: string = first.response.body.meta.pagination.links.next;
      for (let page = 0; page < 3; page += 1) {
        const { response, data } = await measureRequest(
          shop,
          `GET ${next.slice(next.indexOf('/catalog'))}`,
        );
        next = response.body.meta.pagination.links.next;
        expect([data.roundTrips, data.statements]).toEqual([1, 2]);
        expect(data.rowsRead).toBeLessThan(first.data.rowsRead + 60);
      }
      expect(first.response.body.meta.pagination.total).toBe(size + 1);
      expect(cappedHeader(first.response.headers)).toBeNull();
    },
  );

  it('reads one row for each record that a page number skips, in its budget up to the last number', async () => {
    const { response, data } = await list('page=100&limit=100');
    expect([response.status, response.body.data.length]).toEqual([200, 100]);
    expect(data.rowsRead).toBeGreaterThan(maxSkipped);
    // A number of 100,000 records would read four times the budget.
    expect(data.rowsRead).toBeLessThan(rowBudgets.list);
    expect((await list('page=101&limit=100')).response.status).toBe(400);
  });

  it('finds one text among many with few rows, without case and accents', async () => {
    const { response, data } = await list('name=ACAO+UN');
    expect(response.body.data.map(({ name }: { name: string }) => name)).toEqual(['Ação única']);
    expect(response.body.meta.pagination.total).toBe(1);
    expect(data.rowsRead).toBeLessThan(40);
  });

  it('counts many matches up to a bound, once for a walk', async () => {
    const { response, data } = await list('name=marca&orderBy=name');
    expect([response.status, cappedHeader(response.headers)]).toEqual([200, 'true']);
    expect(response.body.meta.pagination).toMatchObject({ total: 1_000, total_pages: 100 });
    expect(data.rowsRead).toBeLessThan(6_000);
    const { next } = response.body.meta.pagination.links;
    const second = await measureRequest(shop, `GET ${next.slice(next.indexOf('/catalog'))}`);
    expect(second.response.body.meta.pagination).toMatchObject({
      total: 1_000,
      current_page: 2,
    });
    expect(second.data.rowsRead).toBeLessThan(5_000);
  });

  it('looks at a bounded number of records for a rare value without an index, and goes on', async () => {
    const first = await list('search=name:a&searchFields=name:like&featured=1');
    expect(first.data.rowsRead).toBeLessThan(3 * lookedAt);
    let { body } = (await list('search=featured:1;name:ma&orderBy=updated_at')).response;
    let pages = 1;
    while (body.data.length === 0) {
      const { next } = body.meta.pagination.links;
      expect(next).not.toBe('');
      ({ body } = await shop.api(`GET ${next.slice(next.indexOf('/catalog'))}`));
      pages += 1;
    }
    expect([pages, body.data[0].id]).toEqual([pages > 2 ? 2 : pages, firstBrand + size - 1]);
    expect(body.meta.pagination.links.next).toBe('');
  });

  it('returns 400 for an order of several keys, unless a filter leaves few records', async () => {
    const { response, data } = await list('orderBy=active;name');
    expect([response.status, response.body.errors]).toEqual([
      400,
      {
        orderBy: [
          'Too many records to sort in this order: at most 10,000. Add a filter, or order by id.',
        ],
      },
    ]);
    expect(data.rowsRead).toBeLessThan(2 * lookedAt);
    const filtered = await list('orderBy=active;name&name=1234');
    expect(filtered.response.status).toBe(200);
    expect(filtered.response.body.data[0].name).toBe('Marca 11234');
  });
});

describe('a list of payments without an index on each of its filters', () => {
  let shop: TestStore;
  /**
   * The customer of one payment. Files share the database, so its id is what the insert returns.
   */
  let customer = 0;

  /**
   * One payment in twelve thousand has three instalments, and one was captured. The last is the
   * only one of its customer.
   */
  beforeAll(async () => {
    shop = await createTestStore({ withPayments: true });
    const numbers = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)';
    const at = Date.UTC(2026, 0, 1);
    customer =
      (await env.STORE_0.prepare(
        "insert into customers (store_id, first_name, type, created_at, updated_at) values (?, 'Ana', 'f', 0, 0) returning id",
      )
        .bind(shop.id)
        .first<number>('id')) ?? 0;
    await env.STORE_0.batch(
      [
        `insert into orders (id, store_id, number, customer_id, status, value_products, value_shipment, value_discount,
           value_tax, value_total, buyer_value_total, metadata, created_at, updated_at)
         ${numbers} select ?1 * 1000000 + i, ?1, i, iif(i = ?2, ?4, ?4 + 1000000), 'paid', i, 0, 0, 0, i, i, '[]', ?3, ?3 from n`,
        `insert into transactions (id, store_id, order_id, customer_id, payment_id, amount, buyer_amount, installments,
           installment_value, buyer_installment_value, status, sent_to_antifraud, total_logs, captured_at, metadata,
           holder_name, created_at, updated_at)
         ${numbers} select ?1 * 1000000 + i, ?1, ?1 * 1000000 + i, iif(i = ?2, ?4, ?4 + 1000000),
           (select min(id) from payments where store_id = ?1), i, i, 1 + 2 * (i = ?2), i, i, 'paid', 0, 0,
           iif(i = ?2, ?3, null), '[]', 'Ana', ?3, ?3 from n`,
      ].map((sql) => env.STORE_0.prepare(sql).bind(shop.id, size, at, customer)),
    );
  });

  const read = (path: string) =>
    measureRequest(shop, `GET ${path.replace('CUSTOMER', String(customer))}`);

  it.each([
    'search=installments:3',
    'search=customer_id:CUSTOMER;installments:3&searchJoin=and',
    'search=customer_id:CUSTOMER',
    'date=captured_at:2025-12-31|2026-01-02',
  ])(
    'finds what ?%s leaves within two pages, and looks at a bounded number of records',
    async (query) => {
      let { response, data } = await read(`/checkout/transactions?${query}`);
      expect([response.status, data.roundTrips]).toEqual([200, 1]);
      // Each record that the walk looks at is read from an index and from the table, and once more
      // to count.
      expect(data.rowsRead).toBeLessThan(3.2 * lookedAt);
      if (response.body.data.length === 0) {
        const { next } = response.body.meta.pagination.links;
        ({ response, data } = await read(next.slice(next.indexOf('/checkout'))));
      }
      expect(response.body.data.map(({ id }: { id: number }) => id)).toEqual([
        shop.id * 1_000_000 + size,
      ]);
    },
  );

  it.each(['/checkout/transactions?orderBy=amount', '/orders?orderBy=value_total'])(
    'returns 400 for %s of all, and sorts those of a status by it',
    async (path) => {
      const { response, data } = await read(path);
      expect([response.status, Object.keys(response.body.errors)]).toEqual([400, ['orderBy']]);
      expect(data.rowsRead).toBeLessThan(2 * lookedAt);
      expect((await read(`${path}&status=refused`)).response.status).toBe(200);
    },
  );

  it('finds orders by the number of a status as by its word', async () => {
    const [byNumber, byWord] = [
      await read('/orders?status_id=4,9'),
      await read('/orders?status=paid,refused'),
    ];
    expect(byNumber.response.body.data).toHaveLength(10);
    expect(byNumber.response.body.data).toEqual(byWord.response.body.data);
    expect(byNumber.data.rowsRead).toBe(byWord.data.rowsRead);
    expect((await read('/orders?status_id=77')).response.status).toBe(400);
  });

  it('finds the payments of a customer by the orders', async () => {
    const { response, data } = await measureRequest(shop, `DELETE /customers/${customer}`);
    expect(response.status).toBe(200);
    expect(data.rowsRead).toBeLessThan(200);
    const { results } = await env.STORE_0.prepare(
      'select customer_id as customer from transactions where store_id = ? and holder_name is null',
    )
      .bind(shop.id)
      .all();
    expect(results).toEqual([{ customer }]);
  });
});

describe('the customers of a city', () => {
  it('are found by their addresses, however many others there are', async () => {
    const shop = await createTestStore();
    const numbers = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)';
    await env.STORE_0.batch(
      [
        `insert into customers (id, store_id, first_name, type, created_at, updated_at)
         ${numbers} select ?1 * 1000000 + i, ?1, 'Ana', 'f', 0, 0 from n`,
        `insert into addresses (id, store_id, customer_id, city, city_folded, state, state_folded, country, created_at, updated_at)
         ${numbers} select ?1 * 1000000 + i, ?1, ?1 * 1000000 + i, 'X', iif(i > ?2 - 2, 'xapuri', 'rio branco'), 'X',
           iif(i > ?2 - 3, 'ac', 'sp'), 'BR', 0, 0 from n`,
      ].map((sql) => env.STORE_0.prepare(sql).bind(shop.id, size)),
    );
    for (const [query, total, most] of [
      ['city=Xapuri', 2, 60],
      ['state=AC', 3, 80],
      ['city=Xapuri&state=AC', 2, 80],
      ['city=Rio Branco', 1_000, 2 * lookedAt],
    ] as const) {
      const { response, data } = await measureRequest(shop, `GET /customers?${query}`);
      expect([query, response.body.meta.pagination.total]).toEqual([query, total]);
      expect(data.rowsRead).toBeLessThan(most);
    }
  });
});

describe('a search', () => {
  it('reads nothing of another store, and sees each change of a text', async () => {
    const small = await createTestStore();
    const find = async (text: string) => {
      const { response, data } = await measureRequest(small, `GET /catalog/brands?name=${text}`);
      return [response.body.meta.pagination.total, data.rowsRead < 30];
    };
    const { body } = await small.api('POST /catalog/brands', {
      name: 'Marca d’Água',
      active: true,
    });
    const brand = `/catalog/brands/${body.data.id}`;
    expect(await find('marca')).toEqual([1, true]);
    await small.api(`PUT ${brand}`, { name: 'Outra água', active: true });
    expect([await find('marca'), await find('agua')]).toEqual([
      [0, true],
      [1, true],
    ]);
    await small.api(`DELETE ${brand}`);
    expect(await find('agua')).toEqual([0, true]);
  });

  it('keeps no part of the name of an anonymized customer', async () => {
    const { id } = await createTestStore();
    const trigrams = async () => {
      const row = await env.STORE_0.prepare(
        `select count(*) as count from text_index where text_index match ?`,
      )
        .bind(`n2s${id}x616E61`)
        .first<{ count: number }>();
      return row?.count;
    };
    await env.STORE_0.prepare(
      `insert into customers (id, store_id, first_name, first_name_folded, type, created_at, updated_at)
       values (?1 + 900000000, ?1, 'Ana', 'ana', 'f', 0, 0)`,
    )
      .bind(id)
      .run();
    expect(await trigrams()).toBe(1);
    await env.STORE_0.prepare(
      'update customers set first_name = null, first_name_folded = null where store_id = ?',
    )
      .bind(id)
      .run();
    expect(await trigrams()).toBe(0);
  });
});
