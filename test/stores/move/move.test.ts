import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { ShardState } from '../../../src/data/schema/directory/directory-tables.ts';
import { runTimers } from '../../../src/ops/shard-timers.ts';
import { abortMove } from '../../../src/stores/move/abort-move.ts';
import { startMove } from '../../../src/stores/move/start-move.ts';
import { measureRequest } from '../../support/api/measure.ts';
import { operations } from '../../support/api/operations.ts';
import { allRowsOf } from '../../support/copies.ts';
import { createCompleteStore, pathWithIds } from '../../support/fixtures/complete-store.ts';
import { createSellingStore } from '../../support/fixtures/selling-store.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { dyingBindings } from '../../support/jobs.ts';
import { fence, move, rowsOf, runMoves } from '../../support/move/run-moves.ts';

const day = 24 * 60 * 60_000;

const brand = (name: string) => ({ name, active: true });

/** The answers of all GET operations of a store, without values that change by themselves. */
async function readAll(shop: Awaited<ReturnType<typeof createCompleteStore>>) {
  const answers: Record<string, unknown> = {};
  for (const operation of operations) {
    if (operation.method !== 'GET' || !operation.isStoreScoped) continue;
    // It is in the directory, and grows by what this reads.
    if (operation.id === 'listRequests') continue;
    const path = pathWithIds(operation, (kind) => shop.ids[kind] ?? 1);
    const { status, body } = await shop.api(`GET ${path}`);
    const changing = /"(?:oldest_pending_seconds":\d+|request_id":"[\w-]+")/g;
    answers[path] = [status, JSON.stringify(body).replace(changing, '')];
  }
  return answers;
}

describe('a store that moves', () => {
  it('answers every GET operation as before, from its new shard, in 200 as in 404', async () => {
    const shop = await createCompleteStore('moving', 0);
    const before = await readAll(shop);
    await move(shop, 0, 1);
    expect(await readAll(shop)).toEqual(before);
    const { response, data } = await measureRequest(shop, 'GET /catalog/brands');
    expect([response.status, data.roundTrips]).toEqual([200, 1]);
  });

  it('refuses changes with 503 and Retry-After while it leaves, and answers reads', async () => {
    const shop = await createTestStore({ shard: 0 });
    await shop.api('POST /catalog/brands', brand('Before'));
    await fence(shop, 0, 1);
    const refused = await shop.api('POST /catalog/brands', brand('During'));
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '2']);
    const list = await shop.api('GET /catalog/brands');
    expect([list.status, list.body.data.length]).toEqual([200, 1]);
    await runMoves(0, Date.now());
    expect((await shop.api('POST /catalog/brands', brand('During'))).status).toBe(201);
    expect((await shop.api('GET /catalog/brands')).body.data).toHaveLength(2);
  });

  it('costs an isolate with old knowledge one look-up, and the next request none', async () => {
    const shop = await createTestStore({ shard: 0 });
    await shop.api('GET /catalog/brands');
    await move(shop, 0, 1);
    const first = await measureRequest(shop, 'GET /catalog/brands');
    // The old shard refuses, reports that it does not forward further than the directory knows, and
    // the new one answers.
    expect([first.response.status, first.directory.roundTrips]).toEqual([200, 1]);
    expect(first.data.roundTrips).toBeLessThanOrEqual(3);
    const second = await measureRequest(shop, 'GET /catalog/brands');
    expect([second.directory.roundTrips, second.data.roundTrips]).toEqual([0, 1]);
  });

  it('stays with all its data when the move is aborted, and the new shard forgets them', async () => {
    const shop = await createCompleteStore('staying', 0);
    const before = await allRowsOf(env.STORE_0, shop.id);
    await fence(shop, 0, 1);
    expect(await abortMove(env, shop.id, { now: Date.now() })).toEqual({ ok: true });
    expect(await allRowsOf(env.STORE_0, shop.id)).toEqual(before);
    expect((await shop.api('POST /catalog/brands', brand('At once'))).status).toBe(201);
    await runMoves(0, Date.now());
    expect(await rowsOf(1, shop.id)).toEqual({});
    expect(await rowsOf(0, shop.id)).not.toHaveProperty('outgoing_moves');
    const after = await allRowsOf(env.STORE_0, shop.id);
    for (const [table, rows] of Object.entries(before)) {
      expect(after[table], table).toEqual(expect.arrayContaining(rows));
    }
    expect(await abortMove(env, shop.id, { now: Date.now() })).toMatchObject({ ok: false });
    await move(shop, 0, 1);
    expect((await shop.api('GET /catalog/brands')).status).toBe(200);
  });

  it('leaves old data for 30 days, then only what forwards its old tokens', async () => {
    const shop = await createCompleteStore('leaving', 0);
    const before = await rowsOf(0, shop.id);
    const movedAt = await move(shop, 0, 1);
    await runMoves(0, movedAt + 29 * day);
    expect(await rowsOf(0, shop.id)).toMatchObject(before);
    await runMoves(0, movedAt + 31 * day);
    expect(await rowsOf(0, shop.id)).toEqual({ placements: 1 });
    expect((await shop.api('GET /catalog/brands')).status).toBe(200);
  });

  it('takes tables of more than one chunk, and of long texts, in few round trips', async () => {
    const shop = await createTestStore({ shard: 0 });
    // So that a table of many rows follows one of few.
    await shop.api('POST /catalog/categories', { name: 'One', active: true });
    const insert = env.STORE_0.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?3)
        insert into brands (store_id, name, name_key, name_folded, description, active, featured, created_at, updated_at)
        select ?1, ?2 || i, ?2 || i, ?2 || i, replace(hex(zeroblob(?4 / 2)), '0', 'x'), 1, 0, i, i from n`,
    );
    await env.STORE_0.batch([
      insert.bind(shop.id, 'short', 1_300, 10),
      insert.bind(shop.id, 'long', 30, 30_000),
    ]);
    const before = await allRowsOf(env.STORE_0, shop.id);
    expect(before['brands']).toHaveLength(1_330);
    const { bindings, calls } = dyingBindings(Infinity);
    await move(shop, 0, 1, { bindings });
    // The first rows of all tables together, then the chunks of this one.
    expect(calls.count).toBeLessThan(50);
    expect(await allRowsOf(env.STORE_1, shop.id)).toEqual(before);
    await runMoves(0, Date.now() + 31 * day);
    expect(await rowsOf(0, shop.id)).toEqual({ placements: 1 });
  });

  it('has its timers in its new shard only', async () => {
    const shop = await createSellingStore({ shard: 0 });
    const items = shop.skuIds.map((sku_id) => ({ sku_id, quantity: 1 }));
    const { body } = await shop.api('POST /checkout/carts', { items });
    const cart = body.data.id as number;
    const now = Date.now();
    await env.STORE_0.prepare('update carts set due_at = ? where id = ?').bind(now, cart).run();
    await fence(shop, 0, 1, now - 120_000);
    const timersOf = (shard: number, db: D1Database) =>
      runTimers({ env, shard, db, now: () => now + 1, hasTime: () => true });
    const dueIn = (db: D1Database) =>
      db.prepare('select due_at from carts where id = ?').bind(cart).first('due_at');
    await timersOf(0, env.STORE_0);
    expect(await dueIn(env.STORE_0)).toBe(now);
    await runMoves(0, now - 60_000);
    await timersOf(0, env.STORE_0);
    expect([await dueIn(env.STORE_0), await dueIn(env.STORE_1)]).toEqual([now, now]);
    await timersOf(1, env.STORE_1);
    expect(await dueIn(env.STORE_1)).not.toBe(now);
  });
});

describe('the move of a store is refused', () => {
  it('with the reason', async () => {
    const shop = await createTestStore({ shard: 0 });
    await env.DIRECTORY.batch([
      env.DIRECTORY.prepare(
        `insert into shards (number, state, bytes) values (900, 2, 0), (902, 1, 0),
          (903, 0, 6000000000) on conflict do nothing`,
      ),
    ]);
    const bindings = {
      ...env,
      STORE_902: env.STORE_1,
      STORE_903: env.STORE_1,
    };
    const name = { moveId: 'refused', now: 0 };
    const refusals = [
      [0, 'The store is in shard 0 already.'],
      [7, 'There is no shard 7.'],
      [900, 'There is no shard 900.'],
      [902, 'Shard 902 is closed.'],
      [903, 'Shard 903 is full.'],
    ] as const;
    for (const [shard, reason] of refusals) {
      expect(await startMove(bindings, shop.id, shard, name)).toEqual({ ok: false, reason });
    }
    expect(await startMove(env, 0, 1, name)).toEqual({
      ok: false,
      reason: 'There is no such store.',
    });
    const restoring = { ...env, RESTORING_SHARDS: '1' } as unknown as Env;
    expect(await startMove(restoring, shop.id, 1, name)).toMatchObject({ ok: false });
    // A dedicated shard gets no new stores, but those that move there.
    const setState = (state: number) =>
      env.DIRECTORY.prepare('update shards set state = ? where number = 1').bind(state).run();
    await setState(ShardState.dedicated);
    expect(await startMove(env, shop.id, 1, name)).toEqual({ ok: true });
    await setState(ShardState.open);
    expect(await startMove(env, shop.id, 1, name)).toEqual({
      ok: false,
      reason: 'A move of this store is under way.',
    });
    await abortMove(env, shop.id, { now: 0 });
    await runMoves(0, 0);
    await env.DIRECTORY.prepare('delete from shards where number >= 900').run();
  });
});
