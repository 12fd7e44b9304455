import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { shardBinding } from '../../../src/data/core/open-database.ts';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { addTestKey } from '../../support/fixtures/keys.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { createBrand, productLine, upTo } from '../../support/transfers/catalog.ts';
import {
  errorsOf,
  exportLines,
  importLines,
  sendImport,
  workOff,
} from '../../support/transfers/transfers.ts';
import { finish, startQuietImport } from '../../support/transfers/work.ts';
import { recordedEvents, subscribeEndpoint } from '../../support/webhooks/recorded-events.ts';

/** A store with products of two SKUs. */
async function shopWithProducts(count: number) {
  const store = await createTestStore();
  const brand = await createBrand(store);
  const lines = upTo(count).map((n) => productLine(n, brand));
  await importLines(store, lines);
  return { store, brand };
}

/** Imports lines with these parameters. */
async function importWith(store: TestStore, query: string, lines: readonly unknown[]) {
  const { body } = await sendImport(store, lines, {}, query);
  return workOff(store, `/catalog/imports/${body.data.id}`);
}

/** A product as another system knows it: by its SKUs. */
const ownLine = (n: number, brand_id: number, more: object = {}) => {
  const { slug: _, ...line } = productLine(n, brand_id, more);
  return line;
};

const priced = (n: number, price_sale: number) => ({ skus: [{ sku: `s-${n}-a`, price_sale }] });

describe('a line that names no product, but a SKU that the store has', () => {
  it('is an error, changes the product of the SKU, or is left out, by known_skus', async () => {
    const { store, brand } = await shopWithProducts(2);
    const lines = [ownLine(1, brand, priced(1, 77)), ownLine(3, brand)];
    const refused = await importWith(store, '', lines);
    expect(refused).toMatchObject({ created: 1, failed: 1, skipped: 0, known_skus: 'refuse' });
    expect(await errorsOf(store, refused)).toEqual(['1 skus.0.sku: Already taken.']);
    const skipped = await importWith(store, '?known_skus=skip', lines);
    expect(skipped).toMatchObject({ skipped: 2, done: 2, failed: 0, known_skus: 'skip' });
    const changed = await importWith(store, '?known_skus=change', [
      ...lines,
      { skus: [{ sku: 'S-2-B', price_sale: 6 }] },
    ]);
    expect(changed).toMatchObject({ updated: 2, unchanged: 1, created: 0, known_skus: 'change' });
    const { lines: found } = await exportLines(store);
    expect(found).toMatchObject([
      { slug: 'shirt-1', skus: [{ sku: 's-1-a', price_sale: 77 }, { sku: 'S-1-B' }] },
      { slug: 'shirt-2', skus: [{ sku: 'S-2-A' }, { price_sale: 6 }] },
      { slug: 'shirt-3' },
    ]);
  });

  it('is an error if nothing could be made of it, or if its SKUs are of several products', async () => {
    const { store } = await shopWithProducts(2);
    const ended = await importWith(store, '?known_skus=change', [
      { skus: [{ sku: 'NONE', price_sale: 1 }] },
      { skus: [{ sku: 'S-1-A' }, { sku: 'S-2-A' }] },
    ]);
    expect(await errorsOf(store, ended)).toEqual([
      '1 skus.0.sku: No such SKU in this store.',
      '2 skus.1.sku: Already taken.',
    ]);
  });

  it('changes what a line before it did, each once', async () => {
    const { store, brand } = await shopWithProducts(1);
    const ended = await importWith(store, '?known_skus=change&stock=set', [
      ownLine(5, brand),
      ...upTo(4).map((n) => ({ skus: [{ sku: 'S-5-A', price_sale: n, quantity: 10 * n }] })),
      { skus: [{ sku: 'S-5-B', price_sale: 9 }] },
    ]);
    expect(ended).toMatchObject({ created: 1, updated: 5, stocks_set: 4, failed: 0 });
    const { lines } = await exportLines(store);
    expect(lines[1]).toMatchObject({
      skus: [{ price_sale: 4, quantity: 40 }, { price_sale: 9 }],
    });
  });

  it('returns 400 for another word, and starts nothing', async () => {
    const store = await createTestStore();
    const sent = await sendImport(store, ['{}'], {}, '?known_skus=maybe&stock=yes');
    expect([sent.status, Object.keys(sent.body.errors as object)]).toEqual([
      400,
      ['known_skus', 'stock'],
    ]);
  });
});

describe('the stock of an import', () => {
  it('stays, and is counted; with stock=set it is set, or moved by what differs from quantity_before', async () => {
    const { store } = await shopWithProducts(4);
    await subscribeEndpoint(store, ['product.updated', 'product.inventory.updated']);
    const skus = [
      { sku: 'S-1-A', quantity: 5 },
      { sku: 'S-1-B', quantity: 0 },
    ];
    const lines = [
      { slug: 'shirt-1', skus },
      { slug: 'shirt-2', name: 'Other', skus: [{ sku: 'S-2-A', quantity: 9, quantity_before: 4 }] },
      { slug: 'shirt-3', skus: [{ sku: 'S-3-A', quantity: 8, quantity_before: 8 }] },
      { slug: 'shirt-4', skus: [{ sku: 'S-4-C', price_sale: 1, quantity: 6, quantity_before: 1 }] },
    ];
    const kept = await importWith(store, '', lines.slice(0, 3));
    expect(kept).toMatchObject({ updated: 1, unchanged: 2, stocks_left: 2, stocks_set: 0 });
    const set = await importWith(store, '?stock=set', lines);
    expect(set).toMatchObject({ updated: 3, unchanged: 1, stocks_left: 0, stocks_set: 2 });
    const { lines: found } = await exportLines(store);
    expect(found).toMatchObject([
      { skus: [{ quantity: 5 }, { quantity: 0 }] },
      { skus: [{ quantity: 7 }, { quantity: 0 }] },
      { skus: [{ quantity: 3 }, { quantity: 0 }] },
      { skus: [{ quantity: 4 }, { quantity: 0 }, { sku: 'S-4-C', quantity: 6 }] },
    ]);
    const events = await recordedEvents(store);
    expect(events.filter(({ event }) => event === 'product.inventory.updated')).toMatchObject([
      { resource: { quantity: 5, sku: { data: { sku: 'S-1-A', total_in_stock: 5 } } } },
      { resource: { quantity: 7, sku: { data: { sku: 'S-2-A', total_in_stock: 7 } } } },
    ]);
    // What is said to have come comes again, unless the stock is that of the file.
    const again = await importWith(store, '?stock=set&product_events=false', lines);
    expect(again).toMatchObject({ updated: 1, unchanged: 3, stocks_set: 1 });
    expect(await recordedEvents(store)).toHaveLength(events.length);
  });

  it('shows the new stock in the event of a product that changes with it', async () => {
    const { store } = await shopWithProducts(1);
    await subscribeEndpoint(store, ['product.updated']);
    const skus = [{ sku: 'S-1-A', quantity: 30 }];
    await importWith(store, '?stock=set', [{ slug: 'shirt-1', name: 'New', skus }]);
    expect(await recordedEvents(store)).toMatchObject([
      {
        event: 'product.updated',
        resource: { name: 'New', skus: { data: [{ total_in_stock: 30 }, { total_in_stock: 0 }] } },
      },
    ]);
  });

  it('never goes below what orders have reserved, nor beyond its largest', async () => {
    const { store } = await shopWithProducts(2);
    await shardBinding(env, store.shard)
      .prepare('update stocks set reserved = 1 where store_id = ? and quantity = 1')
      .bind(store.id)
      .run();
    const ended = await importWith(store, '?stock=set', [
      { slug: 'shirt-1', skus: [{ sku: 'S-1-A', quantity: 0 }] },
      { slug: 'shirt-2', skus: [{ sku: 'S-2-A', quantity: 1e9, quantity_before: 0 }] },
      { slug: 'shirt-2', skus: [{ sku: 'S-2-B', quantity: 3 }] },
    ]);
    expect(ended).toMatchObject({ failed: 2, updated: 1, stocks_set: 1 });
    const text = 'Must leave at least the reserved quantity, and at most 1,000,000,000.';
    expect(await errorsOf(store, ended)).toEqual([
      `1 skus.0.quantity: ${text}`,
      `2 skus.0.quantity: ${text}`,
    ]);
  });

  it('needs inventory.write to be set: else 403, and nothing is imported', async () => {
    const { store } = await shopWithProducts(1);
    const headers = await addTestKey(store.userId, { scopes: ['catalog.read', 'catalog.write'] });
    const caller = { alias: store.alias, headers };
    const lines = [{ slug: 'shirt-1', skus: [{ sku: 'S-1-A', quantity: 30 }] }];
    const refused = await sendImport(caller, lines, {}, '?stock=set');
    expect([refused.status, refused.body.errors]).toEqual([
      403,
      { scope: ['Requires inventory.write.'] },
    ]);
    expect((await sendImport(caller, lines)).status).toBe(202);
  });

  it('costs as many round trips as without, whether products are found by slug or by SKU', async () => {
    const { store, brand } = await shopWithProducts(100);
    const batchesOf = async (
      line: (n: number) => object,
      choices: Parameters<typeof startQuietImport>[2],
    ) => {
      const cost = noCost();
      const binding = countingDatabase(shardBinding(env, store.shard), cost);
      const started = await startQuietImport(store, upTo(100).map(line), choices);
      const ended = await finish(store, started, { binding });
      expect(ended).toMatchObject({ updated: 100, failed: 0 });
      return cost.roundTrips;
    };
    const bySlug = await batchesOf((n) => ({ slug: `shirt-${n}`, name: `A ${n}` }), {});
    expect(bySlug).toBe(6);
    const bySku = await batchesOf(
      (n) =>
        ownLine(n, brand, { name: `B ${n}`, skus: [{ sku: `S-${n}-A`, quantity: 1_000 + n }] }),
      { known_skus: 'change', stock: 'set' },
    );
    expect(bySku).toBe(bySlug);
  });
});
