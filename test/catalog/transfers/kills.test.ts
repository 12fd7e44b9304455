import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { cancelTransfer } from '../../../src/catalog/transfers/transfer-queries.ts';
import { shardBinding } from '../../../src/data/core/open-database.ts';
import { flakyDatabase, type BatchLoss } from '../../support/fakes/flaky-database.ts';
import { openStoreDb } from '../../support/fixtures/store-db.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { isSlow } from '../../support/slow.ts';
import { createBrand, productLine, upTo } from '../../support/transfers/catalog.ts';
import { errorsOf, exportLines } from '../../support/transfers/transfers.ts';
import {
  finish,
  openTransfer,
  startQuietExport,
  startQuietImport,
} from '../../support/transfers/work.ts';
import { recordedEvents, subscribeEndpoint } from '../../support/webhooks/recorded-events.ts';

/** Three chunks of every kind of line: new, changed, unchanged, and wrong. */
const fileOf = (brand: number) => [
  ...upTo(20).map((n) => productLine(n, brand)),
  '{"name": ',
  ...upTo(12).map((n) => productLine(100 + n, brand)),
  { slug: 'old', name: 'Renamed', skus: [{ sku: 'OLD-2', price_sale: 2 }] },
  { slug: 'shirt-1', name: 'Renamed as well' },
  { slug: 'shirt-2', name: 'Shirt 2' },
  productLine(200, brand, { brand_id: 0 }),
];

const counts = { state: 'done', done: 37, created: 32, updated: 2, unchanged: 1, failed: 2 };

/** How many calls of the database a process makes, and how its last one is lost. */
interface Death {
  call: number;
  loss: BatchLoss;
  /** The calls that have an effect. */
  done: number;
}

/**
 * A process that dies before a call leaves what it leaves after the one before, so each number of
 * calls is here once.
 */
const deaths: readonly Death[] = [
  { call: 1, loss: 'before', done: 0 },
  ...upTo(7).map((call): Death => ({ call, loss: 'after', done: call })),
];

const noDeath: Death = { call: 100, loss: undefined, done: 100 };

const nameOf = ({ loss, call }: Death) => `${loss} ${call}`;

/** The database until a call is lost, and none after it: the process has died. */
const dyingDatabase = (binding: D1Database, call: number, loss: BatchLoss) =>
  flakyDatabase(binding, [
    ...upTo(call - 1).map(() => undefined),
    loss,
    ...upTo(20).map((): BatchLoss => 'before'),
  ]);

const withoutIds = (_key: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { ...value, id: 0 }
    : value;

/** The events of an import. */
const subscribed = ['product.created', 'product.updated', 'catalog.import_completed'];

async function importAfter({ call, loss }: Death, productEvents = true) {
  const store = await createTestStore();
  const brand = await createBrand(store);
  await store.api('POST /catalog/products', productLine(0, brand, { name: 'Old', slug: 'old' }));
  await subscribeEndpoint(store, subscribed);
  const started = await startQuietImport(store, fileOf(brand), { product_events: productEvents });
  const binding = dyingDatabase(shardBinding(env, store.shard), call, loss);
  const dying = await openTransfer(store, started, { binding });
  while (dying.isOpen) await dying.nextChunk();
  const ended = await finish(store, started);
  const { lines } = await exportLines(store);
  const events = await recordedEvents(store);
  const summary = events.at(-1)?.resource;
  return {
    ended,
    summary,
    lines: JSON.stringify(lines, withoutIds).replaceAll(`"brand_id":${brand}`, ''),
    events: events.map(({ event }) => event),
    errors: await errorsOf(store, ended),
  };
}

describe('an import whose process dies', () => {
  it('applies each line once, whichever call of the database was the last', async () => {
    const clean = await importAfter(noDeath);
    expect(clean.ended).toMatchObject(counts);
    expect(clean.summary).toMatchObject({ ...counts, id: clean.ended.id, product_events: true });
    expect(clean.events.toSorted()).toEqual([
      'catalog.import_completed',
      ...upTo(32).map(() => 'product.created'),
      'product.updated',
      'product.updated',
    ]);
    expect(clean.errors).toEqual([
      '21 line: Must be valid JSON.',
      '21 line: At column 10: the text ends too early.',
      '37 brand_id: Must be a positive whole number.',
    ]);
    for (const death of isSlow ? deaths : deaths.filter(({ done }) => done % 2 === 0)) {
      const { ended, summary, ...found } = await importAfter(death);
      expect(ended, nameOf(death)).toMatchObject(counts);
      expect(summary, nameOf(death)).toMatchObject({ ...counts, id: ended.id });
      expect(found, nameOf(death)).toEqual({
        lines: clean.lines,
        events: clean.events,
        errors: clean.errors,
      });
    }
  });

  it('records one event at its end and none of its products, if it was begun so', async () => {
    const { lines } = await importAfter(noDeath);
    for (const death of isSlow ? deaths : deaths.filter(({ done }) => [1, 5, 7].includes(done))) {
      const found = await importAfter(death, false);
      expect(found.ended, nameOf(death)).toMatchObject(counts);
      expect(found.lines, nameOf(death)).toBe(lines);
      expect(found.events, nameOf(death)).toEqual(['catalog.import_completed']);
      const { id } = found.ended;
      expect(found.summary).toMatchObject({ ...counts, id, product_events: false });
    }
  });

  it('records one event when it is ended early, by whichever call', async () => {
    for (const loss of ['before', 'after'] as const) {
      for (const call of upTo(2)) {
        const store = await createTestStore();
        await subscribeEndpoint(store, subscribed);
        const started = await startQuietImport(store, ['{}', '{}'], { product_events: false });
        const binding = dyingDatabase(shardBinding(env, store.shard), call, loss);
        const dying = await openTransfer(store, started, { binding });
        await dying.endAccess().catch(() => undefined);
        const next = await openTransfer(store, started);
        if (next.isOpen) await next.endAccess();
        const other = await startQuietImport(store, ['{}'], { product_events: false });
        const lost = dyingDatabase(shardBinding(env, store.shard), call, loss);
        const db = openStoreDb(store, Date.now(), { binding: lost });
        await cancelTransfer(db, 'import', other.id).catch(() => undefined);
        await cancelTransfer(openStoreDb(store), 'import', other.id);
        const events = await recordedEvents(store);
        expect(events, `${loss} ${call}`).toMatchObject([
          { event: 'catalog.import_completed', resource: { id: started.id, state: 'cancelled' } },
          { event: 'catalog.import_completed', resource: { id: other.id, state: 'cancelled' } },
        ]);
      }
    }
  });

  it('stays the same when two workers import it at once', async () => {
    const store = await createTestStore();
    const brand = await createBrand(store);
    await subscribeEndpoint(store, subscribed);
    const started = await startQuietImport(
      store,
      upTo(35).map((n) => productLine(n, brand)),
    );
    const ended = await Promise.all([finish(store, started), finish(store, started)]);
    expect(ended[0]).toMatchObject({ state: 'done', done: 35, created: 35, failed: 0 });
    expect(ended[1]).toEqual(ended[0]);
    const names = (await recordedEvents(store)).map(({ event }) => event);
    expect(names).toEqual([...upTo(35).map(() => 'product.created'), 'catalog.import_completed']);
  });
});

describe('an export whose process dies', () => {
  it('has each product once, whichever call was the last', async () => {
    const store = await createTestStore();
    const brand = await createBrand(store);
    await finish(
      store,
      await startQuietImport(
        store,
        upTo(40).map((n) => productLine(n, brand)),
      ),
    );
    const { lines } = await exportLines(store);
    expect(lines).toHaveLength(40);
    for (const loss of ['before', 'after'] as const) {
      for (const call of upTo(3)) {
        const started = await startQuietExport(store);
        const binding = dyingDatabase(shardBinding(env, store.shard), call, loss);
        const dying = await openTransfer(store, started, { binding });
        // One page, then what is read is stored.
        await dying.nextChunk();
        await dying.flush();
        while (dying.isOpen) await dying.nextChunk();
        const ended = await finish(store, started);
        expect(ended, `${loss} ${call}`).toMatchObject({ state: 'done', done: 40, total: 40 });
        const file = await store.api(`GET /catalog/exports/${started.id}/file`);
        expect(file.body, `${loss} ${call}`).toEqual(lines);
      }
    }
  });
});
