import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { shardBinding } from '../../../src/data/core/open-database.ts';
import { followDirectory } from '../../../src/ops/follow-directory.ts';
import { callWithBindings, countingDatabase, noCost } from '../../support/api/measure.ts';
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
  it('costs one call of the directory and none of the shard in a quiet minute', async () => {
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
    // Other tests may have left changes, also of stores that are still moving, which stay.
    await env.DIRECTORY.prepare('delete from store_changes').run();
    const { directory, data } = await follow();
    expect(directory).toEqual({ roundTrips: 1, statements: 1, rowsRead: 0, rowsWritten: 0 });
    expect(data.roundTrips).toBe(0);
  });
});

describe('an API key', () => {
  it('costs one call of the directory when it is cold, and none when it is warm', async () => {
    const store = await createTestStore();
    expect(await countLookups(store)).toEqual([200, 1]);
    expect(await countLookups(store)).toEqual([200, 0]);
  });

  it('that is wrong costs one call in 30 seconds', async () => {
    const store = await createTestStore();
    store.headers['User-Secret-Key'] = 'wrong';
    expect(await countLookups(store)).toEqual([401, 1]);
    expect(await countLookups(store)).toEqual([401, 0]);
    vi.setSystemTime(Date.now() + minute / 2);
    expect(await countLookups(store)).toEqual([401, 1]);
  });

  it('that another isolate revoked works here for 30 seconds at most', async () => {
    const store = await createTestStore();
    expect(await countLookups(store)).toEqual([200, 1]);
    await env.DIRECTORY.prepare('update api_keys set revoked_at = 1 where user_id = ?')
      .bind(store.userId)
      .run();
    vi.setSystemTime(Date.now() + minute / 2 - 1);
    expect(await countLookups(store)).toEqual([200, 0]);
    vi.setSystemTime(Date.now() + 1);
    expect(await countLookups(store)).toEqual([401, 1]);
  });
});
