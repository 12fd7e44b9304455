import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { callWithBindings } from '../support/api/measure.ts';
import { createTestStore } from '../support/fixtures/store.ts';

/** Returns a limiter that rejects every request and records its keys. */
function exhaustedLimiter() {
  const keys: string[] = [];
  const limiter: RateLimit = {
    limit: ({ key }) => {
      keys.push(key);
      return Promise.resolve({ success: false });
    },
  };
  return { keys, limiter };
}

describe('rate limits of the API', () => {
  it('returns 429 with Retry-After, counted per credential, store and tag', async () => {
    const store = await createTestStore();
    const { keys, limiter } = exhaustedLimiter();
    const bindings = { API_LIMIT: limiter, API_PER_MINUTE: '20' } as unknown as Partial<Env>;
    const statuses = [];
    for (let n = 0; n < 3; n += 1) {
      const response = await callWithBindings(store, 'GET /catalog/brands', undefined, bindings);
      statuses.push(response.status);
      if (response.status === 429) {
        expect(response.body).toEqual({ message: 'Too Many Requests', status_code: 429 });
        expect(response.headers.get('Retry-After')).toBe('60');
      }
    }
    expect(statuses).toEqual([200, 200, 429]);
    expect(keys).toEqual([
      expect.stringMatching(new RegExp(`^api_key:\\d+:${store.alias}:Brands$`)),
    ]);
    const other = await callWithBindings(store, 'GET /catalog/products', undefined, bindings);
    expect(other.status).toBe(200);
  });

  it('returns 429 instead of 401 to an address that guesses', async () => {
    const store = await createTestStore();
    const { keys, limiter } = exhaustedLimiter();
    const bindings = {
      FAILED_AUTH_LIMIT: limiter,
      FAILED_AUTH_PER_MINUTE: '1',
    } as unknown as Partial<Env>;
    store.headers['User-Secret-Key'] = 'wrong';
    store.headers['CF-Connecting-IP'] = `192.0.2.${store.id % 250}`;
    const response = await callWithBindings(store, 'GET /catalog/brands', undefined, bindings);
    expect(response.status).toBe(429);
    expect(keys).toEqual([store.headers['CF-Connecting-IP']]);
  });

  it('has limits in the local configuration that no test reaches', () => {
    expect(Number(env.API_PER_MINUTE)).toBeGreaterThan(100_000);
  });
});
