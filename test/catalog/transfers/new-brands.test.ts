import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { TableLine } from '../../../src/catalog/transfers/table-lines.ts';
import { cancelTransfer } from '../../../src/catalog/transfers/transfer-queries.ts';
import { shardBinding } from '../../../src/data/core/open-database.ts';
import { flakyDatabase, type BatchLoss } from '../../support/fakes/flaky-database.ts';
import { openStoreDb } from '../../support/fixtures/store-db.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { productLine, upTo } from '../../support/transfers/catalog.ts';
import { errorsOf, exportLines } from '../../support/transfers/transfers.ts';
import { finish, openTransfer, startQuietImport } from '../../support/transfers/work.ts';
import { recordedEvents, subscribeEndpoint } from '../../support/webhooks/recorded-events.ts';

/** A line of a table: a product of this brand. */
const tableLine = (n: number, brand?: string, more: object = {}): TableLine => ({
  product: productLine(n, 0, { brand_id: undefined, ...more }),
  fresh: {},
  rows: [n, n + 1],
  last: n + 1,
  ...(brand !== undefined && { brand }),
});

const startTable = (store: TestStore, lines: readonly TableLine[]) =>
  startQuietImport(store, lines, { from_table: true });

/** The names of the brands of a store, by their ids. */
async function brandsOf(store: TestStore): Promise<string[]> {
  const { body } = await store.api('GET /catalog/brands?limit=100&orderBy=id');
  return body.data.map(({ name }: { name: string }) => name);
}

describe('the brands that a table names', () => {
  it('are created with the products that have them, in the chunk of the first', async () => {
    const store = await createTestStore();
    await subscribeEndpoint(store, ['product.created']);
    await store.api('POST /catalog/brands', { name: 'Sol', active: false });
    const names = ['SOL', 'Ipê', 'ipê', 'Lua', 'IPÊ'];
    const lines = [
      ...names.map((name, at) => tableLine(10 * at + 1, name)),
      tableLine(91, 'Never', { name: '' }),
      tableLine(92),
    ];
    const ended = await finish(store, await startTable(store, lines));
    expect(ended).toMatchObject({ state: 'done', created: 5, failed: 2 });
    expect(await errorsOf(store, ended)).toEqual([
      '6 name: Must not be empty.',
      '7 brand_id: Required.',
    ]);
    // Each once, however it is written; none of a product that has an error.
    expect(await brandsOf(store)).toEqual(['Sol', 'Ipê', 'Lua']);
    const { lines: products } = await exportLines(store);
    const [sol, ipe, , lua] = products.map(({ brand_id: id }) => id);
    expect(products.map(({ brand_id: id }) => id)).toEqual([sol, ipe, ipe, lua, ipe]);
    const events = await recordedEvents(store);
    expect(events[1]?.resource).toMatchObject({ brand: { data: { id: ipe, name: 'Ipê' } } });
    // A later brand has an id of its own.
    const { body } = await store.api('POST /catalog/brands', { name: 'Mar', active: true });
    expect([sol, ipe, lua]).not.toContain(body.data.id);
  });

  it('are given to products that change, and to none that stays as it is', async () => {
    const store = await createTestStore();
    await finish(store, await startTable(store, [tableLine(1, 'Old'), tableLine(2, 'Old')]));
    const again = [tableLine(1, 'New'), tableLine(2, 'old')];
    const ended = await finish(store, await startTable(store, again));
    expect(ended).toMatchObject({ updated: 1, unchanged: 1 });
    expect(await brandsOf(store)).toEqual(['Old', 'New']);
  });

  it('stay away when the import is cancelled before their chunk', async () => {
    const store = await createTestStore();
    const started = await startTable(store, [tableLine(1, 'Ipê')]);
    await cancelTransfer(openStoreDb(store), 'import', started.id);
    await finish(store, started);
    expect(await brandsOf(store)).toEqual([]);
  });

  it('are there once with their products, whichever call of the database was the last', async () => {
    const lines = upTo(40).map((n) => tableLine(10 * n, `Brand ${n % 7}`));
    for (const loss of ['before', 'after'] as const) {
      for (const call of upTo(8)) {
        const store = await createTestStore();
        const started = await startTable(store, lines);
        const losses: BatchLoss[] = [
          ...upTo(call - 1).map(() => undefined),
          loss,
          ...upTo(20).map((): BatchLoss => 'before'),
        ];
        const binding = flakyDatabase(shardBinding(env, store.shard), losses);
        const dying = await openTransfer(store, started, { binding });
        while (dying.isOpen) await dying.nextChunk();
        const { body } = await store.api('GET /catalog/products?limit=1');
        // Brands and products of a chunk are there together.
        expect((await brandsOf(store)).length > 0, `${loss} ${call}`).toBe(body.data.length > 0);
        const ended = await finish(store, started);
        expect(ended, `${loss} ${call}`).toMatchObject({ state: 'done', created: 40, failed: 0 });
        expect((await brandsOf(store)).length, `${loss} ${call}`).toBe(7);
      }
    }
  });

  it('are there once when two workers, or others, create them at once', async () => {
    const store = await createTestStore();
    const lines = upTo(40).map((n) => tableLine(10 * n, `Brand ${n % 30}`));
    const started = await startTable(store, lines);
    const [ended] = await Promise.all([
      finish(store, started),
      finish(store, started),
      ...upTo(10).map((n) =>
        store.api('POST /catalog/brands', { name: `brand ${n}`, active: true }),
      ),
    ]);
    expect(ended).toMatchObject({ state: 'done', created: 40, failed: 0 });
    expect((await brandsOf(store)).length).toBe(30);
  });

  it('are no field of lines that a caller sends', async () => {
    const store = await createTestStore();
    const started = await startQuietImport(store, [
      { ...productLine(1, 0, { brand_id: undefined }), brand: 'Ipê' },
      tableLine(2, 'Ipê'),
    ]);
    expect(await finish(store, started)).toMatchObject({ failed: 2 });
    expect(await brandsOf(store)).toEqual([]);
  });
});
