import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { openDatabase, shardBinding } from '../../../src/data/core/open-database.ts';
import { authenticateApiKey } from '../../../src/http/access/api-key.ts';
import { followDirectory } from '../../../src/platform/follow-directory.ts';
import { callWithBindings, countingDatabase, noCost } from '../../support/api/measure.ts';
import { fakeDatabase } from '../../support/fakes/fake-database.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { connectApp } from '../../support/oauth/partner.ts';
import { stopClock } from '../../support/stop-clock.ts';
import { followChanges } from '../../support/sweep.ts';

const minute = 60_000;

/** The calls of the directory that a request waits for, with its status. */
async function countLookups(store: Pick<TestStore, 'alias' | 'headers'>) {
  const cost = noCost();
  const { status } = await callWithBindings(store as TestStore, 'GET /catalog/brands', undefined, {
    DIRECTORY: countingDatabase(env.DIRECTORY, cost),
  });
  return [status, cost.roundTrips];
}

const changeStore = ({ id }: TestStore, change: string) =>
  env.DIRECTORY.prepare(`update stores set ${change} where id = ?`).bind(id).run();

/** A store with an app; `headers` are those of its access token. */
async function connect() {
  const store = await createTestStore();
  const { headers, api } = await connectApp(store, { scopes: ['catalog.write'] });
  return { store, headers, api, byToken: { alias: store.alias, headers } };
}

stopClock();

describe('an access token', () => {
  it('costs no call of the directory, cold or warm, and 401 and 403 cost one', async () => {
    const { store, byToken } = await connect();
    vi.setSystemTime(Date.now() + minute);
    expect(await countLookups(byToken)).toEqual([200, 0]);
    expect(await countLookups(byToken)).toEqual([200, 0]);
    const other = await createTestStore();
    expect(await countLookups({ ...byToken, alias: other.alias })).toEqual([403, 1]);
    await changeStore(store, 'active = 0');
    await followChanges(env, store);
    vi.setSystemTime(Date.now() + minute);
    expect(await countLookups(byToken)).toEqual([403, 1]);
  });

  it('shows times in the new zone of the store after the next sweep, and then asks the directory twice a minute', async () => {
    const { store, byToken, api } = await connect();
    const zoneOfNew = async () => {
      const brand = { name: crypto.randomUUID(), active: true };
      return (await api('POST /catalog/brands', brand)).body.data.created_at.timezone;
    };
    expect(await zoneOfNew()).toBe('America/Sao_Paulo');
    await changeStore(store, "zone = 'Asia/Tokyo'");
    await followChanges(env, store);
    vi.setSystemTime(Date.now() + minute);
    expect(await zoneOfNew()).toBe('Asia/Tokyo');
    expect(await countLookups(byToken)).toEqual([200, 0]);
    vi.setSystemTime(Date.now() + minute / 2);
    expect(await countLookups(byToken)).toEqual([200, 1]);
  });

  it.each([
    ['a membership that ended', 'delete from memberships where user_id = ?'],
    ['a user who was deactivated', 'update users set active = 0 where id = ?'],
  ])('of %s gets 401 after the next sweep', async (_name, sql) => {
    const { store, byToken } = await connect();
    await env.DIRECTORY.prepare(sql).bind(store.userId).run();
    await followChanges(env, store);
    expect(await countLookups(byToken)).toEqual([401, 0]);
  });

  it('of a store that is moving keeps the changes that its shard must receive until it can', async () => {
    const { store, byToken } = await connect();
    const setState = (state: number) =>
      shardBinding(env, store.shard)
        .prepare('update placements set state = ? where store_id = ?')
        .bind(state, store.id)
        .run();
    await setState(1);
    await env.DIRECTORY.prepare('delete from memberships where user_id = ?')
      .bind(store.userId)
      .run();
    await followChanges(env, store);
    await setState(0);
    expect(await countLookups(byToken)).toEqual([200, 0]);
    await followChanges(env, store);
    expect(await countLookups(byToken)).toEqual([401, 0]);
  });
});

describe('the task that follows the directory', () => {
  it('costs one call of each database and writes no row in a quiet minute', async () => {
    const store = await createTestStore();
    const follow = async () => {
      const [directory, data] = [noCost(), noCost()];
      await followDirectory({
        env: { ...env, DIRECTORY: countingDatabase(env.DIRECTORY, directory) },
        shard: store.shard,
        db: countingDatabase(shardBinding(env, store.shard), data),
        now: Date.now,
        hasTime: () => true,
      });
      return { directory, data };
    };
    // Other tests may have left changes, also of stores that are still moving, which stay, and near reads of the last hour.
    await env.DIRECTORY.prepare('delete from store_changes').run();
    await shardBinding(env, store.shard).prepare('delete from heartbeats').run();
    const { directory, data } = await follow();
    expect(directory).toEqual({ roundTrips: 1, statements: 1, rowsRead: 0, rowsWritten: 0 });
    expect(data).toMatchObject({ roundTrips: 1, statements: 1, rowsWritten: 0 });
    expect(data.rowsRead).toBeLessThanOrEqual(1);
  });

  it('writes the heartbeat of a shard for an hour after a near read, and not without one', async () => {
    const store = await createTestStore();
    const db = shardBinding(env, store.shard);
    const heartbeats = () => db.prepare('select at from heartbeats').first<number>('at');
    await db.prepare('delete from heartbeats').run();
    await followChanges(env, store);
    expect(await heartbeats()).toBeNull();
    const nearHeaders = { ...store.headers, Prefer: 'read=nearest' };
    // A half minute in which no other test of this isolate reads nearby.
    vi.setSystemTime(Date.now() + 437 * minute);
    await callWithBindings(
      { ...store, headers: nearHeaders },
      'GET /catalog/brands',
      undefined,
      {},
    );
    expect(await heartbeats()).toBe(Date.now());
    vi.setSystemTime(Date.now() + 59 * minute);
    await followChanges(env, store);
    expect(await heartbeats()).toBe(Date.now());
    const last = Date.now();
    vi.setSystemTime(last + 2 * minute);
    await followChanges(env, store);
    expect(await heartbeats()).toBe(last);
  });
});

describe('an API key', () => {
  /** Looks a key up; the nearest copy is the directory with another heartbeat, or a copy without data. */
  async function lookUp(store: TestStore, near: D1Database) {
    const costs = { near: noCost(), primary: noCost() };
    const context = createExecutionContext();
    const key = {
      token: store.headers['User-Token'] ?? '',
      secret: store.headers['User-Secret-Key'] ?? '',
    };
    const found = await authenticateApiKey(
      openDatabase(countingDatabase(env.DIRECTORY, costs.primary)),
      key,
      store.alias,
      {
        now: Date.now(),
        isFresh: false,
        near: () => openDatabase(countingDatabase(near, costs.near), 'nearest'),
        defer: (work) => context.waitUntil(work),
        beforeLookup: () => undefined,
      },
    );
    await waitOnExecutionContext(context);
    return [found?.reached?.store.id, costs.near.roundTrips, costs.primary.roundTrips];
  }

  /** The directory as a copy shows it that has not changed for so long. */
  const withHeartbeat = (at: number) =>
    fakeDatabase({
      prepare: (sql: string) =>
        env.DIRECTORY.prepare(sql.replace(/coalesce\(\(select .*?\), 0\)/, `${at}`)),
    });
  const unreachable = fakeDatabase({
    prepare: (sql: string) => env.DIRECTORY.prepare(`${sql} limit 0`),
  });
  const copy = (ageMs: number) => withHeartbeat(Date.now() - ageMs);

  it('costs one call of the nearest copy when it is cold, and none when it is warm', async () => {
    const store = await createTestStore();
    expect(await lookUp(store, copy(1_000))).toEqual([store.id, 1, 0]);
    expect(await lookUp(store, copy(1_000))).toEqual([store.id, 0, 0]);
  });

  it('is believed for no longer than a minute after the state of the copy', async () => {
    const store = await createTestStore();
    expect(await lookUp(store, copy(50_000))).toEqual([store.id, 1, 0]);
    vi.setSystemTime(Date.now() + 9_000);
    expect(await lookUp(store, copy(59_000))).toEqual([store.id, 0, 0]);
    vi.setSystemTime(Date.now() + 1_500);
    expect(await lookUp(store, copy(60_500))).toEqual([store.id, 1, 1]);
  });

  it('is refused by the primary only: a copy may not know it yet', async () => {
    const store = await createTestStore();
    expect(await lookUp(store, unreachable)).toEqual([store.id, 1, 1]);
    await env.DIRECTORY.prepare('update api_keys set revoked_at = 1 where user_id = ?')
      .bind(store.userId)
      .run();
    vi.setSystemTime(Date.now() + minute);
    expect(await lookUp(store, copy(1_000))).toEqual([undefined, 1, 1]);
  });
});
