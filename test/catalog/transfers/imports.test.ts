import { describe, expect, it } from 'vitest';
import { databaseOf } from '../../support/fixtures/shards.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { createBrand, productLine as product, upTo } from '../../support/transfers/catalog.ts';
import {
  errorsOf,
  exportLines,
  importLines,
  sendImport,
  workOff,
} from '../../support/transfers/transfers.ts';
import { recordedEvents, subscribeEndpoint } from '../../support/webhooks/recorded-events.ts';

describe('an import', () => {
  it('returns 202 with the job and its place, and creates products with their SKUs and stock', async () => {
    const store = await createTestStore();
    const brand = await createBrand(store);
    await subscribeEndpoint(store, ['product.created', 'product.updated']);
    const sent = await sendImport(
      store,
      upTo(25).map((n) => product(n, brand)),
    );
    expect(sent.status).toBe(202);
    expect(sent.body.data).toMatchObject({
      state: 'waiting',
      total: 25,
      done: 0,
      reason: null,
      waits_for: 'worker',
      waits_since: sent.body.data.created_at,
    });
    expect(sent.headers.get('Location')).toBe(
      `/v2/${store.alias}/catalog/imports/${sent.body.data.id}`,
    );
    const done = await workOff(store, `/catalog/imports/${sent.body.data.id}`);
    expect(done).toMatchObject({ state: 'done', done: 25, created: 25, failed: 0, updated: 0 });
    const { body } = await store.api('GET /catalog/products?include=skus&limit=100');
    expect(body.meta.pagination.total).toBe(25);
    const seventh = body.data.find(({ slug }: { slug: string }) => slug === 'shirt-7');
    expect(seventh.skus.data).toMatchObject([
      { sku: 'S-7-A', price_sale: 17, total_in_stock: 7 },
      { sku: 'S-7-B', price_sale: 20.5, total_in_stock: 0 },
    ]);
    const events = await recordedEvents(store);
    expect(events.map(({ event }) => event)).toEqual(upTo(25).map(() => 'product.created'));
  });

  it('sends no event of its products with product_events=false, but one at its end', async () => {
    const store = await createTestStore();
    const brand = await createBrand(store);
    const webhook = await subscribeEndpoint(store, ['product.created', 'catalog.import_completed']);
    const begin = (query: string) => sendImport(store, [product(1, brand)], {}, query);
    const wrong = await begin('?product_events=later');
    expect([wrong.status, wrong.body.errors]).toEqual([
      400,
      { product_events: ['Must be true or false.'] },
    ]);
    const before = await store.api('GET /catalog/products');
    const sent = await begin('?product_events=false');
    expect(sent.body.data).toMatchObject({ state: 'waiting', product_events: false });
    const path = `/catalog/imports/${sent.body.data.id}`;
    expect(await workOff(store, path)).toMatchObject({ created: 1, product_events: false });
    // The tag of lists follows the products, not the events.
    const after = await store.api('GET /catalog/products');
    expect(after.headers.get('ETag')).not.toBe(before.headers.get('ETag'));
    expect(await recordedEvents(store)).toMatchObject([
      { event: 'catalog.import_completed', resource: { created: 1, product_events: false } },
    ]);
    const { body: shown } = await store.api(`GET /webhooks/${webhook}`);
    expect(shown.data.events).toEqual(['product.created', 'catalog.import_completed']);
    const { body: fed } = await store.api('GET /events?event=catalog.import_completed');
    expect(fed.data).toHaveLength(1);
  });

  it('writes no row of events without a webhook for them', async () => {
    const store = await createTestStore();
    const brand = await createBrand(store);
    await subscribeEndpoint(store, ['product.deleted']);
    await importLines(store, [product(1, brand)]);
    expect(await recordedEvents(store)).toEqual([]);
    const { results } = await databaseOf(store)
      .prepare('select bytes from event_budgets where store_id = ?')
      .bind(store.id)
      .all();
    expect(results).toEqual([]);
  });

  it('updates the product with the id or the slug, matches SKUs by id or name, and leaves the rest', async () => {
    const store = await createTestStore();
    const brand = await createBrand(store);
    await importLines(store, [product(1, brand), product(2, brand)]);
    const { lines } = await exportLines(store);
    const [one, two] = lines as { id: number; skus: { id: number }[] }[];
    await subscribeEndpoint(store, ['product.created', 'product.updated']);
    const done = await importLines(store, [
      {
        id: one!.id,
        name: 'Renamed',
        skus: [{ id: one!.skus[0]!.id, sku: 'S-1-X', quantity: 99 }],
      },
      {
        slug: 'shirt-2',
        skus: [
          { sku: 's-2-b', price_sale: 5 },
          { sku: 'S-2-C', price_sale: 1 },
        ],
      },
      { id: two!.id, active: true },
    ]);
    expect(done).toMatchObject({ created: 0, updated: 2, unchanged: 1, failed: 0 });
    const after = await exportLines(store);
    expect(after.lines).toMatchObject([
      { ...one, name: 'Renamed', skus: [{ sku: 'S-1-X', quantity: 1 }, { sku: 'S-1-B' }] },
      {
        slug: 'shirt-2',
        skus: [{ sku: 'S-2-A' }, { sku: 's-2-b', price_sale: 5 }, { sku: 'S-2-C', price_sale: 1 }],
      },
    ]);
    const events = await recordedEvents(store);
    expect(events.map(({ event }) => event)).toEqual(['product.updated', 'product.updated']);
    expect(events[1]!.resource.skus.data.map(({ sku }) => sku)).toEqual([
      'S-2-A',
      's-2-b',
      'S-2-C',
    ]);
  });

  it('lists what does not fit by line, field and sentence, and imports the other lines', async () => {
    const store = await createTestStore();
    const brand = await createBrand(store);
    const done = await importLines(store, [
      product(1, brand),
      '{"name": "Half',
      '',
      '[1]',
      { name: 'Without a brand', simple: true, active: true },
      product(2, brand, { brand_id: 999_999, categories_ids: [7] }),
      product(3, brand, { skus: [{ sku: 'S-1-A', price_sale: 1 }] }),
      { id: 'five' },
      product(4, brand, { skus: [{ sku: 'S-4' }] }),
      product(5, brand),
    ]);
    expect(done).toMatchObject({ total: 9, done: 9, created: 2, failed: 7, errors_left_out: 0 });
    expect(await errorsOf(store, done)).toEqual([
      '2 line: Must be valid JSON.',
      '2 line: At column 10: a text does not end, or has a line break or a wrong escape.',
      '4 line: Must be an object.',
      '5 brand_id: Required.',
      '6 brand_id: No such brand in this store.',
      '6 categories_ids.0: No such category in this store.',
      '7 skus.0.sku: Already taken.',
      '8 id: Must be a positive whole number.',
      '9 skus.0.price_sale: Required.',
    ]);
  });

  it('sees with each line what the lines before it did', async () => {
    const store = await createTestStore();
    const brand = await createBrand(store);
    const done = await importLines(store, [
      product(1, brand),
      { slug: 'shirt-1', slug_: 1, skus: [{ sku: 'S-1-A', price_sale: 3 }] },
      { name: 'Twin', simple: true, active: true, brand_id: brand },
      { name: 'Twin', simple: true, active: true, brand_id: brand },
      // Frees a name that the next line takes.
      { slug: 'shirt-1', skus: [{ sku: 'S-1-B', title: 'x' }] },
      product(2, brand, { skus: [{ sku: 'S-1-B', price_sale: 1 }] }),
      product(3, brand, { slug: 'twin-2' }),
    ]);
    expect(done).toMatchObject({ created: 3, updated: 3, failed: 1 });
    const { lines } = await exportLines(store);
    expect(lines.map(({ slug }) => slug)).toEqual(['shirt-1', 'twin', 'twin-2']);
  });

  it('changes nothing and sends no event when an export is imported again', async () => {
    const store = await createTestStore();
    const brand = await createBrand(store);
    const category = await store.api('POST /catalog/categories', { name: 'Tops', active: true });
    const images = [
      { url: 'https://cdn.test/1.jpg', alt: 'Front' },
      { url: 'https://cdn.test/2.jpg', alt: null },
    ];
    await importLines(
      store,
      upTo(60).map((n) =>
        product(n, brand, {
          images: images.slice(0, n % 3),
          categories_ids: n % 2 ? [category.body.id ?? category.body.data.id] : [],
          description: `Line one\nline “${n}”`,
          gift_value: n / 100,
          erp_id: n % 5 ? `E${n}` : null,
        }),
      ),
    );
    await subscribeEndpoint(store, [
      'product.created',
      'product.updated',
      'product.inventory.updated',
    ]);
    const all = () =>
      store.api('GET /catalog/products?limit=100&include=skus,categories,images,brand');
    const before = await all();
    const { exported, lines } = await exportLines(store);
    expect(exported).toMatchObject({ state: 'done', total: 60, done: 60, with_stock: true });
    const done = await importLines(store, lines);
    expect(done).toMatchObject({ state: 'done', unchanged: 60, updated: 0, created: 0, failed: 0 });
    expect((await all()).body).toEqual(before.body);
    expect(await recordedEvents(store)).toEqual([]);
    const again = await exportLines(store);
    expect(again.lines).toEqual(lines);
  });
});
