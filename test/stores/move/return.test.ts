import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import { movedTables } from '../../../src/data/shards/moved-tables.ts';
import { runJobs } from '../../../src/ops/jobs/run-jobs.ts';
import { abortMove } from '../../../src/stores/move/abort-move.ts';
import { findOutgoingMove } from '../../../src/stores/move/outgoing-move.ts';
import { makeStep } from '../../../src/stores/move/steps.ts';
import { callWithBindings } from '../../support/api/measure.ts';
import {
  allRowsOf,
  comparableRows,
  copyingEnv,
  prepareCopiedShards,
} from '../../support/copies.ts';
import { type CompleteStore, createCompleteStore } from '../../support/fixtures/complete-store.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { fence, move, runMoves } from '../../support/move/run-moves.ts';

const day = 86_400_000;
const bindings = copyingEnv;
/**
 * A shard that a store leaves and comes back to, and the one in between. No other file has a store
 * in them.
 */
const [home, abroad] = [
  { shard: 40, db: env.COPIED_0 },
  { shard: 41, db: env.COPIED_1 },
] as const;

beforeAll(prepareCopiedShards);

const call = (store: Parameters<typeof callWithBindings>[0], request: string, body?: object) =>
  callWithBindings(store, request, body, bindings);

const totalsOf = async (db: D1Database, { id }: CompleteStore) =>
  (
    await db
      .prepare('select kind, total from totals where store_id = ? and total > 0 order by kind')
      .bind(id)
      .all()
  ).results;

const contextOf = (now: number) => ({
  ...home,
  env: bindings,
  now: () => now,
  hasTime: () => true,
});

/** A store with a record of every kind at home. */
async function createStore(mark: string, now: number) {
  const shop = await createCompleteStore(mark, 1);
  await move(shop, 1, home.shard, { now, bindings });
  return shop;
}

/** Changes, deletes and adds records, so that what lies at home is old. */
async function changeAbroad(shop: CompleteStore) {
  const { brands, banners } = shop.ids;
  for (const [request, body] of [
    [`PUT /catalog/brands/${brands}`, { name: 'Changed abroad', active: true }],
    [`DELETE /catalog/banners/${banners}`],
    ['POST /catalog/brands', { name: 'Made abroad', active: true }],
  ] as const) {
    expect((await call(shop, request, body)).status, request).toBeLessThan(300);
  }
}

/** The rows of a store without what each move of it changes. */
const movedRows = (all: Awaited<ReturnType<typeof allRowsOf>>) =>
  comparableRows(all, ['lease_generation']);

const names = async (shop: CompleteStore) => {
  const { body } = await call(shop, 'GET /catalog/brands');
  return (body.data as { name: string }[]).map(({ name }) => name).toSorted();
};

describe('a store that comes back to a shard with its old data', () => {
  it('has what it had abroad, and none of what lay there, also when the old data would be deleted', async () => {
    const now = Date.now();
    const shop = await createStore('returning', now);
    await move(shop, home.shard, abroad.shard, { now, bindings });
    const old = await allRowsOf(home.db, shop.id);
    await changeAbroad(shop);
    const present = await allRowsOf(abroad.db, shop.id);
    const totals = await totalsOf(abroad.db, shop);
    expect(await allRowsOf(home.db, shop.id)).toEqual(old);
    expect(Object.keys(present).length).toBeGreaterThan(movedTables.length / 2);
    // A run of the sweep that found the old data, and is late.
    const found = await findOutgoingMove(openDatabase(home.db), shop.id);

    await move(shop, abroad.shard, home.shard, { now: now + day, bindings });
    const back = await allRowsOf(home.db, shop.id);
    expect(movedRows(back)).toEqual(movedRows(present));
    expect(await totalsOf(home.db, shop)).toEqual(totals);
    expect(await names(shop)).toEqual(['Brand', 'Changed abroad', 'Made abroad']);
    expect((await call(shop, `GET /catalog/banners/${shop.ids.banners}`)).status).toBe(404);

    expect(await makeStep(contextOf(now + 31 * day), found!)).toBe(false);
    for (const { shard } of [home, abroad]) await runMoves(shard, now + 33 * day, bindings);
    expect(await allRowsOf(home.db, shop.id)).toEqual(back);
    expect(Object.keys(await allRowsOf(abroad.db, shop.id))).toEqual([]);
    expect((await call(shop, 'POST /catalog/brands', { name: 'Home', active: true })).status).toBe(
      201,
    );
  });

  it('stays abroad with all its data when the return is given up, and may try it again', async () => {
    const now = Date.now();
    const shop = await createStore('hesitating', now);
    await move(shop, home.shard, abroad.shard, { now, bindings });
    await changeAbroad(shop);
    const present = await allRowsOf(abroad.db, shop.id);
    await fence(shop, abroad.shard, home.shard, now, bindings);
    expect(await abortMove(bindings, shop.id, { now })).toEqual({ ok: true });
    await runMoves(abroad.shard, now, bindings);
    expect(movedRows(await allRowsOf(abroad.db, shop.id))).toEqual(movedRows(present));
    expect(Object.keys(await allRowsOf(home.db, shop.id))).toEqual([]);
    expect(await names(shop)).toEqual(['Brand', 'Changed abroad', 'Made abroad']);
    await move(shop, abroad.shard, home.shard, { now, bindings });
    expect(movedRows(await allRowsOf(home.db, shop.id))).toEqual(movedRows(present));
    expect(await names(shop)).toEqual(['Brand', 'Changed abroad', 'Made abroad']);
  });

  it('keeps its data when the move that left the old ones is purged then (200)', async () => {
    const now = Date.now();
    const { headers } = await createTestOperator();
    const shop = await createStore('purged', now);
    const operator = { ...shop, headers };
    const path = `/operator/stores/${shop.id}/moves`;
    const reason = 'Full';
    const { status, body } = await call(operator, `POST ${path}`, { shard: abroad.shard, reason });
    expect(status).toBe(202);
    await runJobs(contextOf(Date.now()));
    await move(shop, abroad.shard, home.shard, { bindings });
    const back = await allRowsOf(home.db, shop.id);
    const purged = await call(operator, `POST ${path}/${body.data.id}/purge`, { reason });
    expect([purged.status, purged.body.data.state]).toEqual([200, 'done']);
    await runMoves(home.shard, Date.now(), bindings);
    expect(await allRowsOf(home.db, shop.id)).toEqual(back);
    const audit = `select count(*) as n from audit where store_id = ? and action = 'store.old_data_purged'`;
    expect(await env.DIRECTORY.prepare(audit).bind(shop.id).first('n')).toBe(0);
  });
});
