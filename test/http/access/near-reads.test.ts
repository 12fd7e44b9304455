import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import { requestHeartbeatStatement } from '../../../src/data/shards/heartbeat.ts';
import { evictApiKeysOfUser } from '../../../src/http/access/api-key.ts';
import { mayReadNear } from '../../../src/http/access/near-reads.ts';
import type { Operation } from '../../../src/http/operation.ts';
import type { ApiResponse } from '../../support/api/conform.ts';
import { callPathWithBindings } from '../../support/api/measure.ts';
import { operations } from '../../support/api/operations.ts';
import {
  createCompleteStore,
  pathWithIds,
  type CompleteStore,
} from '../../support/fixtures/complete-store.ts';
import '../../support/fixtures/first-shard.ts';
import { connectApp, createTestApp } from '../../support/oauth/partner.ts';
import { replicateStores, type ReplicatedDatabase } from '../../support/replica.ts';

const nearest = { Prefer: 'read=nearest' };
const reads = operations.filter(({ method, isStoreScoped }) => method === 'GET' && isStoreScoped);

let store: CompleteStore;
let shard: ReplicatedDatabase;
let appHeaders: Record<string, string>;

/** Calls the API; the only shard is the replicated one. */
const call = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
  callPathWithBindings(method, `/v2/${store.alias}${path}`, {
    headers: { ...store.headers, ...headers },
    body,
    bindings: { STORE_0: shard.binding },
  });

/** Counts the batches that `work` runs at the primary and at the replica. */
async function countBatches<T>(work: () => Promise<T>) {
  const before = { ...shard.batches };
  const response = await work();
  const primary = shard.batches.primary - before.primary;
  const replica = shard.batches.replica - before.replica;
  return { response, primary, replica };
}

const pathOf = (operation: Operation) => pathWithIds(operation, (kind) => store.ids[kind] ?? 1);
const brandPath = () => `/catalog/brands/${store.ids.brands}`;
const rename = (name: string) => call('PUT', brandPath(), {}, { name, active: true });
const nameOf = ({ body }: { body: { name: string } }) => body.name;

beforeAll(async () => {
  store = await createCompleteStore('near', 0);
  const app = await createTestApp({ scopes: ['catalog.read', 'orders.read'] });
  await setNearReads('apps', 'client_id', app.client_id, true);
  appHeaders = (await connectApp(store, { app })).headers;
  shard = await replicateStores([store.id]);
  // A reader of another file may have renewed the heartbeat of this shard's number lately, so this isolate would not
  // request one.
  const database = openDatabase(shard.binding);
  await database.batch([requestHeartbeatStatement(database, Date.now())]);
});

describe('a read', () => {
  it.each(reads.map((operation) => [operation.id, operation] as const))(
    '%s changes nothing in one round trip, and answers 200 near the caller only where it may',
    async (_id, operation) => {
      const path = pathOf(operation);
      shard.isReadOnly = true;
      const plain = await countBatches(() => call('GET', path));
      const near = await countBatches(() => call('GET', path, nearest));
      shard.isReadOnly = false;
      const { status } = plain.response;
      // The path of some configurations is of another store.
      expect([200, 404]).toContain(status);
      expect(near.response.status).toBe(status);
      expect([plain.replica, plain.response.headers.get('Preference-Applied')]).toEqual([0, null]);
      expect(plain.primary).toBeLessThanOrEqual(1);
      const isNear = mayReadNear('GET', operation.access) && status === 200 && plain.primary > 0;
      expect(near.response.headers.get('Preference-Applied')).toBe(isNear ? 'read=nearest' : null);
      expect(near.primary).toBe(isNear ? 0 : plain.primary);
      if (!isNear) return;
      expect(near.replica).toBe(plain.primary);
      expect(near.response.body).toEqual(plain.response.body);
    },
  );

  it('of a list has a tag once the primary has made its version odd, and is 304 near the caller', async () => {
    const path = '/catalog/brands';
    await rename('Untagged');
    const first = await call('GET', path, nearest);
    expect([first.status, first.headers.get('ETag')]).toEqual([200, null]);
    const second = await call('GET', path, nearest);
    const tag = second.headers.get('ETag')!;
    const poll = () => countBatches(() => call('GET', path, { ...nearest, 'If-None-Match': tag }));
    const same = await poll();
    expect([same.response.status, same.primary, same.replica]).toEqual([304, 0, 1]);
    // An old replica still shows what the caller has.
    shard.delayMs = 10_000;
    await rename('Tagged');
    expect((await poll()).response.status).toBe(304);
    const primary = await call('GET', path, { 'If-None-Match': tag });
    expect(primary.status).toBe(200);
    shard.delayMs = 0;
    expect((await poll()).response.status).toBe(200);
  });

  it('of personal data, money and deliveries is never answered by a replica', () => {
    const near = reads.filter(({ method, access }) => mayReadNear(method, access));
    const areas = new Set(near.map(({ access }) => access.replace('.read', '')));
    expect([...areas].sort()).toEqual(['catalog', 'config', 'inventory']);
  });
});

/** Sets whether a key or an app reads from near copies. */
async function setNearReads(table: string, column: string, value: unknown, isNear: boolean) {
  await env.DIRECTORY.prepare(`update ${table} set near_reads = ? where ${column} = ?`)
    .bind(Number(isNear), value)
    .run();
  evictApiKeysOfUser(store.userId);
}

describe('a credential that reads from near copies', () => {
  const used = async (work: () => Promise<ApiResponse>) => {
    const { response, primary, replica } = await countBatches(work);
    return [response.status, primary, replica, response.headers.get('Preference-Applied')];
  };
  const near = [200, 0, 1, 'read=nearest'];
  const newest = [200, 1, 0, null];

  it.each(['an API key', 'an app'])('%s needs no header, and a header wins', async (kind) => {
    const isKey = kind === 'an API key';
    const own = isKey ? store.headers : appHeaders;
    if (isKey) await setNearReads('api_keys', 'user_id', store.userId, true);
    const read = (path: string, headers = {}) =>
      used(() =>
        callPathWithBindings('GET', `/v2/${store.alias}${path}`, {
          headers: { ...own, ...headers },
          bindings: { STORE_0: shard.binding },
        }),
      );
    expect(await read(brandPath())).toEqual(near);
    expect(await read(brandPath(), nearest)).toEqual(near);
    expect(await read(brandPath(), { Prefer: 'read=newest' })).toEqual(newest);
    expect(await read(brandPath(), { Prefer: 'handling=strict, read="newest"' })).toEqual(newest);
    // Personal data and money are not near for anyone.
    expect(await read(`/orders/${store.ids.orders}`)).toEqual(newest);
    if (!isKey) return;
    await setNearReads('api_keys', 'user_id', store.userId, false);
    expect(await read(brandPath())).toEqual(newest);
    expect(await read(brandPath(), nearest)).toEqual(near);
  });
});

describe('X-Bookmark', () => {
  it('names the shard and the epoch, and shows at least the change that it was returned for', async () => {
    shard.delayMs = 30_000;
    const changed = await rename('Renamed');
    const bookmark = changed.headers.get('X-Bookmark') ?? '';
    expect(bookmark).toMatch(/^0\.0\.version-\d+$/);
    const { response, primary, replica } = await countBatches(() =>
      call('GET', brandPath(), { 'X-Bookmark': bookmark }),
    );
    expect([nameOf(response), primary, replica]).toEqual(['Renamed', 0, 1]);
    expect(response.headers.has('Preference-Applied')).toBe(false);
  });

  it.each([
    ['another shard', '1.0.version-0'],
    ['nothing', ''],
    ['no bookmark', 'latest'],
    ['another way to start', '0.0.first-unconstrained'],
    ['an endless text', '0.0.'.padEnd(4_000, 'a')],
  ])('of %s is ignored: the primary answers 200', async (_name, bookmark) => {
    const { response, primary, replica } = await countBatches(() =>
      call('GET', brandPath(), { 'X-Bookmark': bookmark }),
    );
    expect([response.status, primary, replica]).toEqual([200, 1, 0]);
  });

  it.each([
    ['another epoch', '0.1.version-0'],
    ['a state that was never reached', '0.0.version-999999'],
    ['another kind of database', '0.0.unknown'],
  ])('of %s costs one more trip, and the primary answers 200', async (_name, bookmark) => {
    const { response, primary } = await countBatches(() =>
      call('GET', brandPath(), { 'X-Bookmark': bookmark }),
    );
    expect([response.status, primary]).toEqual([200, 1]);
  });
});

describe('Prefer: read=nearest', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('may return an old state, which other reads never do', async () => {
    shard.delayMs = 30_000;
    await rename('New');
    const { response: old, replica } = await countBatches(() => call('GET', brandPath(), nearest));
    expect([old.status, replica]).toEqual([200, 1]);
    expect(nameOf(old)).not.toBe('New');
    expect(nameOf(await call('GET', brandPath()))).toBe('New');
  });

  it('returns 404 only after the primary was asked', async () => {
    shard.delayMs = 30_000;
    const body = { name: 'Fresh', active: true };
    const { id } = (await call('POST', '/catalog/brands', {}, body)).body.data;
    const found = await countBatches(() => call('GET', `/catalog/brands/${id}`, nearest));
    expect([found.response.status, found.primary, found.replica]).toEqual([200, 1, 1]);
    expect(found.response.headers.has('Preference-Applied')).toBe(false);
    const missing = await countBatches(() => call('GET', `/catalog/brands/${id + 1}`, nearest));
    expect([missing.response.status, missing.primary]).toEqual([404, 1]);
  });

  /** How long a replica is waited for alone. */
  const hedgeMs = 300;

  /**
   * Reads the brand while databases do not answer, until the replica has been waited for. Resolves them by `release`, or lets
   * the read fail by `fail`.
   */
  async function readHeld(names: readonly ('primary' | 'replica')[], path = brandPath()) {
    const held = names.map((name) => [name, Promise.withResolvers<void>()] as const);
    for (const [name, { promise }] of held) shard.holds[name] = promise;
    const asked = { ...shard.batches };
    const answer = countBatches(() => call('GET', path, nearest));
    while (shard.batches.replica === asked.replica) await scheduler.wait(1);
    await vi.advanceTimersByTimeAsync(hedgeMs - 1);
    expect(shard.batches.primary).toBe(asked.primary);
    await vi.advanceTimersByTimeAsync(1);
    expect(shard.batches.primary).toBe(asked.primary + 1);
    const release = (name: 'primary' | 'replica') => {
      delete shard.holds[name];
      new Map(held).get(name)?.resolve();
    };
    const fail = (name: 'primary' | 'replica', message: string) => {
      delete shard.holds[name];
      new Map(held).get(name)?.reject(new Error(`D1_ERROR: ${message}`));
    };
    return { answer, release, fail };
  }

  it('is answered by the primary if the replica has not answered after 300 ms', async () => {
    const { answer, release } = await readHeld(['replica']);
    const { response, primary, replica } = await answer;
    release('replica');
    expect([response.status, primary, replica]).toEqual([200, 1, 1]);
    expect(response.headers.has('Preference-Applied')).toBe(false);
  });

  it('is answered by a late replica if the primary is later', async () => {
    const { answer, release } = await readHeld(['primary', 'replica']);
    release('replica');
    const { response } = await answer;
    release('primary');
    expect([response.status, response.headers.get('Preference-Applied')]).toEqual([
      200,
      'read=nearest',
    ]);
  });

  it.each([
    { late: 'replica', failed: 'primary', applied: 'read=nearest' },
    { late: 'primary', failed: 'replica', applied: null },
  ] as const)(
    'is answered by a late $late with 200 if the $failed has failed before',
    async (one) => {
      const { answer, release, fail } = await readHeld(['primary', 'replica']);
      fail(one.failed, 'D1 DB is overloaded. Too many requests queued.');
      release(one.late);
      const { response } = await answer;
      expect([response.status, response.headers.get('Preference-Applied')]).toEqual([
        200,
        one.applied,
      ]);
    },
  );

  it('returns no 404 of a late replica', async () => {
    shard.delayMs = 30_000;
    const body = { name: 'Later', active: true };
    const { id } = (await call('POST', '/catalog/brands', {}, body)).body.data;
    const { answer, release } = await readHeld(['primary', 'replica'], `/catalog/brands/${id}`);
    const before = shard.batches.primary;
    release('replica');
    // Its rows are there before those of the primary, which is asked once more.
    while (shard.batches.primary === before) await scheduler.wait(1);
    release('primary');
    const { response, primary } = await answer;
    expect([response.status, primary]).toEqual([200, 2]);
  });

  it('is not applied to a change, which starts at the primary', async () => {
    const { response, replica } = await countBatches(() =>
      call('POST', '/catalog/brands', nearest, { name: 'Changed', active: true }),
    );
    expect([response.status, replica]).toEqual([201, 0]);
    expect(response.headers.has('Preference-Applied')).toBe(false);
  });
});
