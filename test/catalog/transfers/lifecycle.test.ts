import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { firstChunkLines } from '../../../src/catalog/transfers/chunk.ts';
import { keptMs, transferTasks } from '../../../src/catalog/transfers/sweep.ts';
import { cancelTransfer } from '../../../src/catalog/transfers/transfer-queries.ts';
import { handleTransfers } from '../../../src/catalog/transfers/transfer-queue.ts';
import { keptTable } from '../../../src/catalog/transfers/waiting-table.ts';
import { shardBinding } from '../../../src/data/core/open-database.ts';
import { disconnectApp } from '../../../src/oauth/revoke-grants.ts';
import { createApiClient } from '../../support/api/client.ts';
import { interruptedDatabase } from '../../support/fakes/interrupted-database.ts';
import { openStoreDb } from '../../support/fixtures/store-db.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { move } from '../../support/move/run-moves.ts';
import { connectApp } from '../../support/oauth/partner.ts';
import { createBrand, productLine, upTo } from '../../support/transfers/catalog.ts';
import { exportLines, sendImport, toLines, workOff } from '../../support/transfers/transfers.ts';
import {
  finish,
  later,
  openTransfer,
  startQuietExport,
  startQuietImport,
} from '../../support/transfers/work.ts';
import { recordedEvents, subscribeEndpoint } from '../../support/webhooks/recorded-events.ts';

const turnMs = 10_000;

/** A store with a started import of products. */
async function storeWithImport(count: number, options: { shard?: number } = {}) {
  const store = await createTestStore(options);
  const brand = await createBrand(store);
  const started = await startQuietImport(
    store,
    upTo(count).map((n) => productLine(n, brand)),
  );
  return { store, brand, started };
}

describe('a transfer', () => {
  it('is cancelled between two chunks, keeps finished lines, and stays as it is when cancelled again', async () => {
    const { store, started } = await storeWithImport(25);
    await subscribeEndpoint(store, ['catalog.import_completed']);
    const opened = await openTransfer(store, started);
    await opened.nextChunk();
    const cancelled = await store.api(`DELETE /catalog/imports/${started.id}`);
    expect([cancelled.status, cancelled.body.data]).toMatchObject([
      200,
      { state: 'cancelled', reason: 'requested', done: firstChunkLines, created: firstChunkLines },
    ]);
    await opened.nextChunk();
    expect(opened.isOpen).toBe(false);
    expect(await env.ARCHIVE.head(started.file)).toBeNull();
    const again = await store.api(`DELETE /catalog/imports/${started.id}`);
    expect(again.body).toEqual(cancelled.body);
    const { id, created_at, finished_at, updated_at } = cancelled.body.data;
    const events = (await recordedEvents(store)).map(({ resource }) => resource);
    expect(events).toEqual([
      {
        id,
        state: 'cancelled',
        reason: 'requested',
        bytes: started.bytes,
        total: 25,
        done: firstChunkLines,
        created: firstChunkLines,
        updated: 0,
        unchanged: 0,
        failed: 0,
        errors_left_out: 0,
        skipped: 0,
        stocks_set: 0,
        stocks_left: 0,
        known_skus: 'refuse',
        stock: 'keep',
        product_events: true,
        begun_by: { kind: 'api_key', id: '1' },
        created_at,
        finished_at,
        updated_at,
      },
    ]);
    const { body } = await store.api('GET /catalog/products');
    expect(body.meta.pagination.total).toBe(firstChunkLines);
  });

  it('records one event when it is cancelled while it goes on or ends, with the counts of its lines', async () => {
    for (const ends of [false, true]) {
      const { store, started } = await storeWithImport(25);
      await subscribeEndpoint(store, ['catalog.import_completed']);
      const opened = await openTransfer(store, started);
      // Between reading and cancelling.
      const binding = interruptedDatabase(shardBinding(env, store.shard), 2, () =>
        ends ? finish(store, started) : opened.nextChunk(),
      );
      const db = openStoreDb(store, later(), { binding });
      const cancelled = await cancelTransfer(db, 'import', started.id);
      const left = ends
        ? { state: 'done', done: 25, created: 25 }
        : { state: 'cancelled', done: firstChunkLines, created: firstChunkLines };
      expect(cancelled).toMatchObject(left);
      const events = (await recordedEvents(store)).map(({ resource }) => resource);
      expect(events).toMatchObject([{ id: started.id, ...left }]);
    }
  });

  it('without events of its products waits for no turn beyond the event budget, nor does its end', async () => {
    const { store, brand, started } = await storeWithImport(60);
    await subscribeEndpoint(store, ['product.created', 'catalog.import_completed']);
    // All in one turn, since the next one has room again; late enough for the imports to be due.
    const now = later() + 120_000;
    const full = { eventBudget: 600, now: () => now };
    expect(await finish(store, started, full)).toMatchObject({ reason: 'event_budget' });
    const [again, other] = [
      await startQuietImport(store, ['{}'], { product_events: false }),
      await startQuietImport(store, [productLine(90, brand)], { product_events: false }),
    ];
    expect(await finish(store, again, full)).toMatchObject({ state: 'done', failed: 1 });
    expect(await finish(store, other, full)).toMatchObject({ state: 'done', created: 1 });
    await (await openTransfer(store, started, full)).endAccess();
    const summaries = (await recordedEvents(store)).filter(
      ({ event }) => event === 'catalog.import_completed',
    );
    expect(summaries.map(({ resource }) => resource)).toMatchObject([
      { id: again.id, state: 'done' },
      { id: other.id, state: 'done' },
      { id: started.id, state: 'cancelled', reason: 'access_ended' },
    ]);
    const day = await shardBinding(env, store.shard)
      .prepare('select bytes from event_budgets where store_id = ?')
      .bind(store.id)
      .first<number>('bytes');
    expect(day).toBeGreaterThan(full.eventBudget);
  });

  it('ends with the grant of the app that asked for it', async () => {
    const own = await connectApp(await createTestStore(), {
      scopes: ['catalog.write', 'webhooks.read'],
    });
    const { store } = own;
    const brand = await createBrand(store);
    const lines = toLines(upTo(25).map((n) => productLine(n, brand)));
    await subscribeEndpoint(store, ['catalog.import_completed']);
    const { body } = await sendImport({ alias: store.alias, headers: own.headers }, lines);
    const binding = shardBinding(env, store.shard);
    await binding
      .prepare('update transfers set due_at = ? where id = ?')
      .bind(later(), body.data.id)
      .run();
    // Another step in this shard may have found it before.
    const opened = await openTransfer(store, { kind: 'import', id: body.data.id });
    await opened.nextChunk();
    await disconnectApp(env, store, own.app.client_id, Date.now());
    await opened.nextChunk();
    const { body: ended } = await store.api(`GET /catalog/imports/${body.data.id}`);
    expect(ended.data).toMatchObject({ state: 'cancelled', reason: 'access_ended' });
    expect(ended.data.done).toBeLessThan(25);
    expect(await recordedEvents(store)).toMatchObject([
      { resource: { id: body.data.id, begun_by: { kind: 'app', id: own.app.client_id } } },
    ]);
  });

  it('ends with the API key that asked for it', async () => {
    const store = await createTestStore();
    const { body } = await sendImport(store, ['{}']);
    await env.DIRECTORY.prepare('update api_keys set revoked_at = 1 where user_id = ?')
      .bind(store.userId)
      .run();
    // This isolate knows the key for a moment.
    const ended = await workOff(store, `/catalog/imports/${body.data.id}`);
    expect(ended).toMatchObject({ state: 'cancelled', reason: 'access_ended', done: 0 });
  });

  it('pauses for seconds when a turn beyond the event budget is full, and then goes on', async () => {
    const { store, started } = await storeWithImport(60);
    await subscribeEndpoint(store, ['product.created']);
    let now = later();
    const goOn = () => finish(store, started, { eventBudget: 6_000, now: () => now });
    const paused = await goOn();
    expect(paused).toMatchObject({ state: 'paused', reason: 'event_budget', failed: 0 });
    expect(paused.done).toBeGreaterThan(0);
    expect(paused.done).toBeLessThan(60);
    expect(paused.due_at! % turnMs).toBe(0);
    expect(paused.due_at! - now).toBeLessThanOrEqual(turnMs);
    let ended = paused;
    for (let turn = 0; turn < 60 && ended.state === 'paused'; turn += 1) {
      now = ended.due_at!;
      const next = await goOn();
      expect(next.done).toBeGreaterThan(ended.done);
      ended = next;
    }
    expect(ended).toMatchObject({ state: 'done', created: 60, reason: null });
    expect(await recordedEvents(store)).toHaveLength(60);
  });

  it('says what it waits for and since when, and once it runs how fast it is and how long it takes', async () => {
    const { store, brand, started } = await storeWithImport(60);
    const queued = await sendImport(store, [productLine(50, brand)]);
    const show = async (id: number) =>
      (await store.api(`GET /catalog/imports/${id}`)).body.data as Record<string, unknown>;
    const { id, created_at } = queued.body.data;
    expect(queued.body.data).toMatchObject({ waits_for: 'earlier', waits_since: created_at });
    expect(await show(id)).toMatchObject({ waits_for: 'earlier', per_second: null });
    // It is due later, so that only this test works on it.
    expect(await show(started.id)).toMatchObject({ waits_for: 'retry', seconds_left: null });
    let now = later();
    const opened = await openTransfer(store, started, { now: () => now });
    await opened.nextChunk();
    now += 4_000;
    await opened.nextChunk();
    // 48 lines in four seconds, and twelve more.
    expect(await show(started.id)).toMatchObject({ state: 'running', per_second: 12 });
    expect((await show(started.id)).seconds_left).toBe(1);
    const { body } = await store.api('GET /catalog/imports');
    expect(body.data.map((one: Record<string, unknown>) => one.waits_for)).toContain('earlier');
    now += 1_000;
    await opened.nextChunk();
    expect(await show(started.id)).toMatchObject({
      state: 'done',
      waits_for: null,
      waits_since: null,
      per_second: 12,
      seconds_left: null,
    });
    expect(await show(id)).not.toMatchObject({ waits_for: 'earlier' });
  });

  it('fails when its file is lost', async () => {
    const { store, started } = await storeWithImport(3);
    await subscribeEndpoint(store, ['catalog.import_completed']);
    await env.ARCHIVE.delete(started.file);
    const ended = await finish(store, started);
    expect(ended).toMatchObject({ state: 'failed', reason: 'file_lost', due_at: null });
    expect(await recordedEvents(store)).toMatchObject([
      { resource: { id: started.id, state: 'failed', reason: 'file_lost', done: 0 } },
    ]);
  });

  it('goes on in the shard that its store moves to', async () => {
    const { store, started } = await storeWithImport(25, { shard: 0 });
    const opened = await openTransfer(store, started);
    await opened.nextChunk();
    await move(store, 0, 1);
    await opened.nextChunk();
    expect(opened.isOpen).toBe(false);
    const ended = await finish({ ...store, shard: 1 }, started);
    expect(ended).toMatchObject({ state: 'done', done: 25, created: 25, failed: 0 });
    const { body } = await store.api('GET /catalog/products');
    expect(body.meta.pagination.total).toBe(25);
  });

  it('returns 409 too_many_transfers for a sixth one that is unfinished', async () => {
    const { store } = await storeWithImport(1);
    for (const _ of upTo(4)) await startQuietImport(store, ['{}']);
    const refused = await sendImport(store, ['{}']);
    expect([refused.status, refused.body.code]).toEqual([409, 'too_many_transfers']);
    const files = await env.ARCHIVE.list({ prefix: `imports/${store.id}/` });
    expect(files.objects).toHaveLength(5);
    // Exports are counted apart.
    for (const _ of upTo(5)) await startQuietExport(store);
    const sixth = await store.api('POST /catalog/exports');
    expect([sixth.status, sixth.body.code]).toEqual([409, 'too_many_transfers']);
  });

  it('is found by the sweep without a message, and deleted with its files a week after its end', async () => {
    const store = await createTestStore();
    const brand = await createBrand(store);
    await sendImport(store, [productLine(1, brand), '{}']);
    const db = shardBinding(env, store.shard);
    const sent: unknown[] = [];
    const TRANSFERS = {
      sendBatch: (messages: MessageSendRequest[]) =>
        Promise.resolve(void sent.push(...messages.map(({ body }) => body))),
    };
    const world = { ...env, TRANSFERS } as unknown as Env;
    const context = { env: world, shard: store.shard, db, now: Date.now, hasTime: () => true };
    const [wake, purge] = transferTasks;
    await db.prepare('update transfers set due_at = 0 where store_id = ?').bind(store.id).run();
    await wake!.run(context);
    const batch = { queue: 'transfers', messages: [{ body: sent[0] }], ackAll: () => undefined };
    await handleTransfers(batch as unknown as MessageBatch, world);
    const { exported } = await exportLines(store);
    const path = `/catalog/exports/${exported.id}/file`;
    expect((await store.api(`GET ${path}`)).body).toHaveLength(1);
    // The table of an import whose rows failed.
    const file = await db
      .prepare(`select file from transfers where store_id = ? and kind = 'import'`)
      .bind(store.id)
      .first<string>('file');
    await env.ARCHIVE.put(keptTable(file ?? ''), 'x');
    const week = { ...context, now: () => Date.now() + keptMs + 1_000 };
    while ((await purge!.run(week)) > 0);
    expect((await store.api(`GET ${path}`)).status).toBe(404);
    const left = await Promise.all(
      ['imports', 'exports'].map((kind) => env.ARCHIVE.list({ prefix: `${kind}/${store.id}/` })),
    );
    expect(left.map(({ objects }) => objects)).toEqual([[], []]);
    const rows = await db
      .prepare('select count(*) as n from transfer_errors where store_id = ?')
      .bind(store.id)
      .first('n');
    expect(rows).toBe(0);
  });
});

describe('the file of an export', () => {
  it('returns 409 until it is complete, has stock with inventory.read only, and 404 as an import', async () => {
    const own = await connectApp(await createTestStore(), { scopes: ['catalog.write'] });
    const brand = await createBrand(own.store);
    await finish(own.store, await startQuietImport(own.store, [productLine(1, brand)]));
    const app = { ...own.store, api: createApiClient(own.store.alias, own.headers) };
    const { lines } = await exportLines(app);
    expect(lines).toMatchObject([{ slug: 'shirt-1', skus: [{ sku: 'S-1-A' }, { sku: 'S-1-B' }] }]);
    expect(JSON.stringify(lines)).not.toContain('quantity"');
    const { exported, lines: all } = await exportLines(own.store);
    expect(all).toMatchObject([{ skus: [{ quantity: 1 }, { quantity: 0 }] }]);
    const refused = await app.api(`GET /catalog/exports/${exported.id}/file`);
    expect([refused.status, refused.body.errors]).toEqual([
      403,
      { scope: ['Requires inventory.read.'] },
    ]);
    const { id } = await startQuietExport(own.store);
    // An export is no import.
    expect((await own.store.api(`GET /catalog/imports/${id}/errors`)).status).toBe(404);
    const early = await own.store.api(`GET /catalog/exports/${id}/file`);
    expect([early.status, early.body.code]).toEqual([409, 'export_not_ready']);
  });
});
