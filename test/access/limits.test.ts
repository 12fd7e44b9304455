import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { callWith } from '../support/counted.ts';
import { store } from '../support/store.ts';

/** A limiter that has had enough, and notes who asked. */
function exhausted() {
  const keys: string[] = [];
  const limiter: RateLimit = {
    limit: ({ key }) => {
      keys.push(key);
      return Promise.resolve({ success: false });
    },
  };
  return { keys, limiter };
}

describe('rate limits', () => {
  it('429 with the time to wait, counted by credential, store and resource', async () => {
    const shop = await store();
    const { keys, limiter } = exhausted();
    const bindings = { API_LIMIT: limiter, API_PER_MINUTE: '20' } as unknown as Partial<Env>;
    const statuses = [];
    for (let n = 0; n < 3; n += 1) {
      const answer = await callWith(shop, 'GET /catalog/brands', undefined, bindings);
      statuses.push(answer.status);
      if (answer.status === 429) {
        expect(answer.body).toEqual({ message: 'Too Many Requests', status_code: 429 });
        expect(answer.headers.get('Retry-After')).toBe('60');
      }
    }
    expect(statuses).toEqual([200, 200, 429]);
    expect(keys).toEqual([expect.stringMatching(new RegExp(`^pair:\\d+:${shop.alias}:Brands$`))]);
    const other = await callWith(shop, 'GET /catalog/products', undefined, bindings);
    expect(other.status).toBe(200);
  });

  it('429 instead of 401 for an address that guesses', async () => {
    const shop = await store();
    const { keys, limiter } = exhausted();
    const bindings = { REFUSED_LIMIT: limiter, REFUSED_PER_MINUTE: '1' } as unknown as Partial<Env>;
    shop.headers['User-Secret-Key'] = 'wrong';
    shop.headers['CF-Connecting-IP'] = `192.0.2.${shop.id % 250}`;
    const answer = await callWith(shop, 'GET /catalog/brands', undefined, bindings);
    expect(answer.status).toBe(429);
    expect(keys).toEqual([shop.headers['CF-Connecting-IP']]);
  });

  it('the local configuration does not get in the way', () => {
    expect(Number(env.API_PER_MINUTE)).toBeGreaterThan(100_000);
  });
});
