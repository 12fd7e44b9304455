import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../../src/base/settings.ts';
import { enforceRateLimit } from '../../../src/http/access/rate-limit.ts';
import { fakeLimiter, limitBindings } from '../../support/api/limits.ts';
import { callWithBindings } from '../../support/api/measure.ts';
import { refusal } from '../../support/api/refusal.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { stopClock } from '../../support/stop-clock.ts';

stopClock();

describe('rate limits of the API', () => {
  it('returns 429 with Retry-After, counted per credential, store and tag', async () => {
    const store = await createTestStore();
    const limiter = fakeLimiter(false);
    const bindings = limitBindings({ API_LIMIT: limiter, API_PER_MINUTE: '20' });
    const statuses = [];
    for (let n = 0; n < 3; n += 1) {
      const response = await callWithBindings(store, 'GET /catalog/brands', undefined, bindings);
      statuses.push(response.status);
      if (response.status === 429) {
        expect(response.body).toEqual(refusal(429, 'rate_limited'));
        expect(response.headers.get('Retry-After')).toBe('60');
      }
    }
    expect(statuses).toEqual([200, 200, 429]);
    expect(limiter.keys).toEqual([
      expect.stringMatching(new RegExp(`^api_key:\\d+:${store.id}:Brands$`)),
    ]);
    const other = await callWithBindings(store, 'GET /catalog/products', undefined, bindings);
    expect(other.status).toBe(200);
  });

  it('returns 429 instead of 401 to an address that guesses', async () => {
    const store = await createTestStore();
    const limiter = fakeLimiter(false);
    const bindings = limitBindings({ FAILED_AUTH_LIMIT: limiter, FAILED_AUTH_PER_MINUTE: '1' });
    store.headers['User-Secret-Key'] = 'wrong';
    store.headers['CF-Connecting-IP'] = `192.0.2.${store.id % 250}`;
    const response = await callWithBindings(store, 'GET /catalog/brands', undefined, bindings);
    expect(response.status).toBe(429);
    expect(limiter.keys).toEqual([store.headers['CF-Connecting-IP']]);
  });

  it('attack J5: returns 429 to a busy key although 20,000 others were invented meanwhile', async () => {
    const limiter = fakeLimiter(false);
    const context = {
      env: { ...env, API_LIMIT: limiter },
      limits: { ...settingsOf(env).limits, api: 20 },
      // A window of its own, since this fills the counts of the isolate.
      now: Date.now() + 3_600_000,
    };
    const isLimited = (key: string) =>
      enforceRateLimit(context, 'api', key).then(
        () => false,
        () => true,
      );
    expect([await isLimited('busy'), await isLimited('busy')]).toEqual([false, false]);
    const invented = await Promise.all(
      Array.from({ length: 20_000 }, (_, n) => isLimited(`invented ${n}`)),
    );
    // A key that is not counted any more asks the limiter at once.
    expect(invented.filter(Boolean).length).toBeGreaterThan(9_000);
    expect(await isLimited('busy')).toBe(true);
    expect(limiter.keys.at(-1)).toBe('busy');
  });

  it('names the policies that count a request, and on 429 the one that refused', async () => {
    const store = await createTestStore();
    const limits = { API_PER_MINUTE: '600', STORE_PER_MINUTE: '3000', ME_PER_MINUTE: '60' };
    const bindings = limitBindings({ ...limits, FAILED_AUTH_PER_MINUTE: '60' });
    const policyOf = async (request: string, changed: Partial<Env> = {}) => {
      const { status, headers } = await callWithBindings(store, request, undefined, {
        ...bindings,
        ...changed,
      });
      return [status, headers.get('RateLimit-Policy'), headers.get('RateLimit')];
    };
    const both = '"credential";q=600;w=60, "store";q=3000;w=60';
    expect(await policyOf('GET /catalog/brands')).toEqual([200, both, null]);
    expect(await policyOf('GET /catalog/brands/1')).toEqual([404, both, null]);
    expect(await policyOf('GET /catalog/brands?limit=0')).toEqual([400, both, null]);
    const full = limitBindings({ STORE_PER_MINUTE: '1', STORE_LIMIT: fakeLimiter(false) });
    expect(await policyOf('GET /catalog/brands', full)).toEqual([
      429,
      '"store";q=1;w=60',
      '"store";r=0;t=60',
    ]);
    store.headers['User-Secret-Key'] = 'wrong';
    expect(await policyOf('GET /catalog/brands')).toEqual([401, '"failed-auth";q=60;w=60', null]);
  });

  it.each([
    [1_000, 1],
    [2_000, 1],
    [5_000, 3],
  ])('counts %i a minute with a limiter of 2,000, under %i keys', async (quota, keys) => {
    const counts = new Map<string, number>();
    const limiter: RateLimit = {
      limit: ({ key }) => {
        counts.set(key, (counts.get(key) ?? 0) + 1);
        return Promise.resolve({ success: (counts.get(key) ?? 0) <= 2_000 });
      },
    };
    const context = {
      env: { ...env, STORE_LIMIT: limiter },
      limits: { ...settingsOf(env).limits, store: 2_000 },
      now: Date.now() + 7_200_000,
    };
    let admitted = 0;
    const isAdmitted = () =>
      enforceRateLimit(context, 'store', `own ${quota}`, 1, quota).then(
        () => true,
        () => false,
      );
    while (admitted <= quota * 1.2 && (await isAdmitted())) admitted += 1;
    expect(counts.size).toBe(keys);
    // The tenth that the isolate counts itself comes on top; chance takes some percent of several
    // keys.
    expect(admitted).toBeLessThan(quota * 1.15);
    expect(admitted).toBeGreaterThan(quota * 0.95);
  });

  it('has limits in the local configuration that no test reaches', () => {
    expect(Number(env.API_PER_MINUTE)).toBeGreaterThan(100_000);
  });
});
