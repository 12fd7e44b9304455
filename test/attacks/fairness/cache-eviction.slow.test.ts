import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { fakeLimiter, limitBindings } from '../../support/api/limits.ts';
import { callWithBindings, countingDatabase, noCost } from '../../support/api/measure.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';

const statusOf = async (store: TestStore, bindings: Partial<Env>) =>
  (await callWithBindings(store, 'GET /catalog/brands', undefined, bindings)).status;

it('attack J5: more invented aliases than a cache has entries evict no entry of another caller', async () => {
  const [victim, attacker] = [await createTestStore(), await createTestStore()];
  // The entry of the victim must not expire meanwhile.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  expect(await statusOf(victim, {})).toBe(200);
  const bindings = limitBindings({ API_LIMIT: fakeLimiter(true), API_PER_MINUTE: '200' });
  for (let start = 0; start < 5_100; start += 100) {
    await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        statusOf({ ...attacker, alias: `invented-${start + n}` }, bindings),
      ),
    );
  }
  const cost = noCost();
  const DIRECTORY = countingDatabase(env.DIRECTORY, cost);
  expect(await statusOf(victim, { DIRECTORY })).toBe(200);
  vi.useRealTimers();
  expect(cost.roundTrips).toBe(0);
});
