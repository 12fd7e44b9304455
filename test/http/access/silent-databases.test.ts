import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { evictApiKeysOfUser } from '../../../src/http/access/api-key.ts';
import { callWithBindings } from '../../support/api/measure.ts';
import { stalledDatabase } from '../../support/fakes/stalled-database.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';

let isStalled = false;
/** Calls of a database that got no answer. */
let unanswered = 0;
const stalls = () => {
  if (isStalled) unanswered += 1;
  return isStalled;
};
const silentDirectory = { DIRECTORY: stalledDatabase(env.DIRECTORY, stalls) };

interface CallOptions {
  body?: object | undefined;
  bindings?: Partial<Env>;
  limitMs?: number;
}

/** The status of a request, and whether it waited. The clock moves only while a database stalls. */
async function call(
  store: TestStore,
  operation = 'GET /catalog/brands',
  { body, bindings = silentDirectory, limitMs = 3_000 }: CallOptions = {},
) {
  const before = unanswered;
  let status: number | undefined;
  const answer = callWithBindings(store, operation, body, bindings).then(
    (response) => void (status = response.status),
  );
  let seen = before;
  while (status === undefined) {
    if (unanswered > seen) {
      seen = unanswered;
      await vi.advanceTimersByTimeAsync(limitMs - 1);
      // The limit has a timer until then.
      expect(vi.getTimerCount()).toBeGreaterThan(0);
      await vi.advanceTimersByTimeAsync(1);
    }
    await scheduler.wait(1);
  }
  await answer;
  return { status, isAtOnce: unanswered === before };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
afterEach(() => {
  isStalled = false;
  vi.useRealTimers();
});

describe('a directory that does not answer', () => {
  it('admits keys that this isolate has verified within a minute', async () => {
    const store = await createTestStore();
    expect(await call(store)).toEqual({ status: 200, isAtOnce: true });
    isStalled = true;
    expect(await call(store)).toEqual({ status: 200, isAtOnce: true });
    vi.setSystemTime(Date.now() + 31_000);
    // One request asks, and the next ones do not wait.
    expect(await call(store)).toEqual({ status: 200, isAtOnce: false });
    expect(await call(store)).toEqual({ status: 200, isAtOnce: true });
    const brand = { name: 'Silent', active: true };
    expect(await call(store, 'POST /catalog/brands', { body: brand })).toEqual({
      status: 201,
      isAtOnce: true,
    });
    vi.setSystemTime(Date.now() + 30_000);
    expect(await call(store)).toEqual({ status: 503, isAtOnce: false });
    isStalled = false;
    expect(await call(store)).toEqual({ status: 200, isAtOnce: true });
  });

  it('is a 503 for a key that this isolate does not know, or no longer', async () => {
    const [known, unknown] = [await createTestStore(), await createTestStore()];
    await call(known);
    vi.setSystemTime(Date.now() + 31_000);
    isStalled = true;
    expect((await call(unknown)).status).toBe(503);
    expect((await call(known)).status).toBe(200);
    evictApiKeysOfUser(known.userId);
    expect((await call(known)).status).toBe(503);
  });
});

describe('a shard that does not answer', () => {
  it.each([
    ['GET /catalog/brands', undefined, 3_000],
    ['POST /catalog/brands', { name: 'Silent', active: true }, 10_000],
  ])('is a 503 for %s', async (operation, body, limitMs) => {
    const store = await createTestStore({ shard: 0 });
    const bindings = { STORE_0: stalledDatabase(env.STORE_0, stalls) };
    expect(await call(store, operation, { body, bindings })).toMatchObject({ isAtOnce: true });
    isStalled = true;
    const stalled = await call(store, operation, { body, bindings, limitMs });
    expect(stalled).toEqual({ status: 503, isAtOnce: false });
  });
});
