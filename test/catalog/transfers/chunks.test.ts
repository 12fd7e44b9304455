import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { shardBinding } from '../../../src/data/core/open-database.ts';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { interruptedDatabase } from '../../support/fakes/interrupted-database.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { createBrand, productLine, upTo } from '../../support/transfers/catalog.ts';
import { finish, startQuietImport } from '../../support/transfers/work.ts';
import { recordedEvents, subscribeEndpoint } from '../../support/webhooks/recorded-events.ts';

/**
 * A database that counts its batches, and fails those in which a value of a statement has this
 * text.
 */
function watchedDatabase(binding: D1Database, poison?: string) {
  const poisoned = new WeakSet<D1PreparedStatement>();
  const calls = { batches: 0, failed: 0, largest: 0 };
  const watch = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get: (target, name) => {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== 'function') return value;
        if (name !== 'bind') return value.bind(target) as unknown;
        return (...values: unknown[]) => {
          const bound = target.bind(...values);
          if (poison && values.some((one) => String(one).includes(poison))) poisoned.add(bound);
          return bound;
        };
      },
    });
  const database = new Proxy(binding, {
    get: (target, name) => {
      if (name === 'prepare') return (text: string) => watch(target.prepare(text));
      if (name === 'batch') {
        return (statements: D1PreparedStatement[]) => {
          calls.batches += 1;
          calls.largest = Math.max(calls.largest, statements.length);
          if (!statements.some((one) => poisoned.has(one))) return target.batch(statements);
          calls.failed += 1;
          return Promise.reject(new Error('a fault'));
        };
      }
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { database, calls };
}

async function importCounted(
  store: TestStore,
  lines: readonly unknown[],
  { poison, longChunkMs = Infinity }: { poison?: string; longChunkMs?: number } = {},
) {
  const { database, calls } = watchedDatabase(shardBinding(env, store.shard), poison);
  const started = await startQuietImport(store, lines);
  const ended = await finish(store, started, { binding: database, longChunkMs });
  return { ended, calls };
}

describe('the chunks of an import', () => {
  it('hold sixteen lines, then twice as many each, whether they write or not', async () => {
    const store = await createTestStore();
    const brand = await createBrand(store);
    const lines = upTo(100).map((n) => productLine(n, brand));
    const first = await importCounted(store, lines);
    expect(first.ended).toMatchObject({ state: 'done', created: 100 });
    // 16, 32 and 52 lines: chunks of two round trips, and a reservation of ids.
    expect(first.calls.batches).toBe(7);
    const again = await importCounted(store, lines);
    expect(again.ended).toMatchObject({ state: 'done', unchanged: 100 });
    expect(again.calls.batches).toBe(6);
    const renamed = lines.map((line, n) => ({ ...line, name: `New ${n % 3 === 0 ? n : ''}` }));
    const changed = await importCounted(store, renamed);
    expect(changed.ended).toMatchObject({ state: 'done', updated: 100 });
    expect(changed.calls.batches).toBe(6);
  });

  it('hold half as many lines after one on which the shard worked for long', async () => {
    const store = await createTestStore();
    const brand = await createBrand(store);
    const lines = upTo(35).map((n) => productLine(n, brand));
    const { ended, calls } = await importCounted(store, lines, { longChunkMs: -1 });
    expect(ended).toMatchObject({ state: 'done', created: 35 });
    // 16, 8, 4, 2, and five times one line; ids are reserved once.
    expect(calls.batches).toBe(19);
  });

  it('have as many statements for sixteen lines as for two', async () => {
    const store = await createTestStore();
    const brand = await createBrand(store);
    await subscribeEndpoint(store, ['product.created', 'product.updated']);
    const statements = async (lines: readonly unknown[]) =>
      (await importCounted(store, lines)).calls.largest;
    const few = upTo(2).map((n) => productLine(n, brand));
    const many = upTo(16).map((n) => productLine(10 + n, brand));
    expect(await statements(many)).toBe(await statements(few));
    const renamed = (line: object) => ({ ...line, name: 'New', active: false });
    expect(await statements(many.map(renamed))).toBe(await statements(few.map(renamed)));
  });

  it('read no more rows in a store that has many products', async () => {
    const store = await createTestStore();
    const brand = await createBrand(store);
    const rowsRead = async (from: number, count: number) => {
      const cost = noCost();
      const lines = upTo(count).map((n) => productLine(from + n, brand));
      const binding = countingDatabase(shardBinding(env, store.shard), cost);
      await finish(store, await startQuietImport(store, lines), { binding, longChunkMs: Infinity });
      return cost.rowsRead;
    };
    const first = await rowsRead(100, 30);
    await rowsRead(200, 500);
    // The index of texts varies a little.
    expect(await rowsRead(700, 30)).toBeLessThan(first * 1.1);
  });

  it('hold fewer lines of products that have many records', async () => {
    const store = await createTestStore();
    const brand = await createBrand(store);
    const lines = upTo(6).map((n) =>
      productLine(n, brand, {
        skus: upTo(80).map((sku) => ({ sku: `${n}-${sku}`, price_sale: sku })),
      }),
    );
    const first = await importCounted(store, lines);
    expect(first.ended).toMatchObject({ state: 'done', created: 6 });
    // Two chunks of three lines, and a reservation of ids.
    expect(first.calls.batches).toBe(5);
    const changed = await importCounted(
      store,
      upTo(6).map((n) => ({ slug: `shirt-${n}`, name: 'New' })),
    );
    expect(changed.ended).toMatchObject({ state: 'done', updated: 6 });
    expect(changed.calls.batches).toBe(4);
  });

  it('end behind the line that fills 1 MiB', async () => {
    const store = await createTestStore();
    const long = `{"name": "${'x'.repeat(600_000)}`;
    const { ended, calls } = await importCounted(store, [long, long, long, '', '{']);
    expect(ended).toMatchObject({ state: 'done', done: 4, failed: 4 });
    // Two chunks, which read what they refer to and commit.
    expect(calls.batches).toBe(4);
  });

  it('are halved when the database refuses them, until one line is left', async () => {
    const store = await createTestStore();
    const brand = await createBrand(store);
    const lines = upTo(12).map((n) =>
      productLine(n, brand, { name: n === 7 ? 'Poison' : `Hat ${n}` }),
    );
    const { ended, calls } = await importCounted(store, lines, { poison: 'Poison' });
    expect(ended).toMatchObject({ state: 'done', done: 12, created: 11, failed: 1 });
    // Twelve lines, six, three, two, then five attempts at one.
    expect(calls.failed).toBe(9);
  });

  it('record events for an endpoint that subscribes between reading and writing', async () => {
    const store = await createTestStore();
    const brand = await createBrand(store);
    const started = await startQuietImport(store, [productLine(1, brand), productLine(2, brand)]);
    // Facts, ids, and then the lines.
    const binding = interruptedDatabase(shardBinding(env, store.shard), 3, () =>
      subscribeEndpoint(store, ['product.created']),
    );
    expect(await finish(store, started, { binding })).toMatchObject({ state: 'done', created: 2 });
    expect(await recordedEvents(store)).toHaveLength(2);
  });

  it('change nothing of a product that is changed between reading and writing, and then plan it again', async () => {
    const store = await createTestStore();
    const brand = await createBrand(store);
    const { body } = await store.api('POST /catalog/products', productLine(1, brand));
    const { id } = body.data;
    const lines = [{ slug: 'shirt-1', active: false }, productLine(2, brand)];
    const started = await startQuietImport(store, lines);
    const binding = interruptedDatabase(shardBinding(env, store.shard), 3, () =>
      store.api(`PUT /catalog/products/${id}`, { name: 'Renamed' }),
    );
    const ended = await finish(store, started, { binding });
    expect(ended).toMatchObject({ state: 'done', created: 1, updated: 1, failed: 0 });
    const after = await store.api(`GET /catalog/products/${id}`);
    expect(after.body.data).toMatchObject({ name: 'Renamed', active: false });
  });

  it('write what single requests write: columns, SKUs, categories and images', async () => {
    const store = await createTestStore();
    const brand = await createBrand(store);
    const category = async (name: string) => {
      const { body } = await store.api('POST /catalog/categories', { name, active: true });
      return (body.id ?? body.data.id) as number;
    };
    const [tops, coats] = [await category('Tops'), await category('Coats')];
    const image = (n: number, alt: string | null = null) => ({ url: `https://cdn.test/${n}`, alt });
    const before = [1, 2, 3, 4, 5, 6].map((n) =>
      productLine(n, brand, { categories_ids: [tops], images: [image(1), image(2, 'Back')] }),
    );
    const changes = [
      { categories_ids: [coats, tops] },
      { categories_ids: [], images: [image(2, 'Back'), image(3), image(1)] },
      { name: 'Ação “nova”', active: false, gift_value: 1.5 },
      { brand_id: null, images: [] },
      { slug: 'shirt-moved', description: 'Line one\nline two' },
      { warranty: 7, images: [image(2, 'Behind')] },
    ];
    const seen = async (events: { event: string; resource: object }[]) => {
      const { body } = await store.api(
        'GET /catalog/products?include=skus,brand,categories,images&limit=100',
      );
      const rows = (body.data as { slug: string }[]).toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
      return JSON.parse(
        JSON.stringify({ rows, events }, (key, value: unknown) =>
          /^(id|product_id|created_at|updated_at|time)$/.test(key) ? null : value,
        ),
      ) as unknown;
    };
    const eventsSince = async (count: number) => (await recordedEvents(store)).slice(count);
    await subscribeEndpoint(store, ['product.created', 'product.updated']);
    const ids: number[] = [];
    for (const line of before) {
      const { body } = await store.api('POST /catalog/products', line);
      ids.push(body.data.id as number);
    }
    const created = await seen(await eventsSince(0));
    for (const [n, change] of changes.entries()) {
      await store.api(`PUT /catalog/products/${ids[n]}`, change);
    }
    const changed = await seen(await eventsSince(6));
    for (const id of ids) await store.api(`DELETE /catalog/products/${id}`);

    await finish(store, await startQuietImport(store, before));
    expect(await seen(await eventsSince(12))).toEqual(created);
    const { body } = await store.api('GET /catalog/products?sort=id&limit=100');
    const bySlug = new Map(
      (body.data as { id: number; slug: string }[]).map(({ id, slug }) => [slug, id]),
    );
    const lines = changes.map((change, n) => ({ ...change, id: bySlug.get(`shirt-${n + 1}`) }));
    await finish(store, await startQuietImport(store, lines));
    expect(await seen(await eventsSince(18))).toEqual(changed);
  });

  it('store the rows that single requests store, in every table and column', async () => {
    const rowsAfter = async (isImport: boolean) => {
      const store = await createTestStore({ shard: 0 });
      const brand = await createBrand(store);
      const { body } = await store.api('POST /catalog/categories', { name: 'Tops', active: true });
      const category = (body.id ?? body.data.id) as number;
      const images = [{ url: 'https://cdn.test/1', alt: null }];
      const lines = [
        productLine(1, brand, { name: 'Ação', categories_ids: [category], images }),
        productLine(2, brand, { description: 'Line one\nline two', gift_value: 1.5, warranty: 7 }),
      ];
      const changes = lines.map(({ slug }, n) => ({ slug, name: `New ${n}`, active: false }));
      if (isImport) {
        for (const file of [lines, changes]) {
          const ended = await finish(store, await startQuietImport(store, file));
          expect(ended).toMatchObject({ state: 'done', failed: 0 });
        }
      } else {
        for (const [n, line] of lines.entries()) {
          const created = await store.api('POST /catalog/products', line);
          const { slug: _, ...change } = changes[n]!;
          await store.api(`PUT /catalog/products/${created.body.data.id}`, change);
        }
      }
      return storedRows(store.id);
    };
    const single = await rowsAfter(false);
    expect(Object.keys(single)).toEqual(
      expect.arrayContaining(['category_products', 'product_images', 'products', 'skus', 'stocks']),
    );
    expect(await rowsAfter(true)).toEqual(single);
  });
});

/** Columns that differ between stores: ids and times. */
const isOwn = (column: string) => column === 'id' || /_(?:id|at)$/.test(column);

/** The rows about products in all tables of a store, each value with its storage class. */
async function storedRows(storeId: number): Promise<Record<string, string[]>> {
  const { results } = await env.STORE_0.prepare(
    `select name, sql like '%store_id%' as hasStore from sqlite_master
      where type = 'table' and (name = 'products' or sql like '%product_id%')`,
  ).all<{ name: string; hasStore: number }>();
  const found: Record<string, string[]> = {};
  for (const { name, hasStore } of results) {
    const from = `from "${name}" where ${hasStore ? 'store_id = ?' : 'product_id in (select id from products where store_id = ?)'}`;
    const first = await env.STORE_0.prepare(`select * ${from}`).bind(storeId).first();
    if (!first) continue;
    const columns = Object.keys(first).filter((column) => !isOwn(column));
    const values = columns.map((one) => `'${one} ' || typeof("${one}") || ' ' || quote("${one}")`);
    const rows = await env.STORE_0.prepare(`select json_array(${values.join()}) as text ${from}`)
      .bind(storeId)
      .all<{ text: string }>();
    found[name] = rows.results.map(({ text }) => text).toSorted();
  }
  return found;
}
