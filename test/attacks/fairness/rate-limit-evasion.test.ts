import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import {
  createSite,
  fakeLimiter,
  limitBindings,
  newAddress,
  statusesOf,
} from '../../support/api/limits.ts';
import {
  callPathWithBindings,
  callWithBindings,
  countingDatabase,
  noCost,
} from '../../support/api/measure.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { connectApp } from '../../support/oauth/partner.ts';
import { stopClock } from '../../support/stop-clock.ts';

stopClock();

// An isolate allows a tenth of a limit on its own count, before it asks the limiter.
const listBrands = 'GET /catalog/brands';

const countedDirectory = () => {
  const cost = noCost();
  return { cost, DIRECTORY: countingDatabase(env.DIRECTORY, cost) };
};

const statusOf = async (store: TestStore, request: string, bindings: Partial<Env>) =>
  (await callWithBindings(store, request, undefined, bindings)).status;

describe('attack J5: invented aliases', () => {
  it('return 429 together, since all that a credential cannot reach count as one', async () => {
    const store = await createTestStore();
    const API_LIMIT = fakeLimiter(false);
    const bindings = limitBindings({ API_LIMIT, API_PER_MINUTE: '20' });
    const statuses = await statusesOf(5, (n) =>
      statusOf({ ...store, alias: `invented-${n}` }, listBrands, bindings),
    );
    expect(statuses).toEqual([403, 403, 429, 429, 429]);
    expect(new Set(API_LIMIT.keys).size).toBe(1);
    expect(await statusOf(store, listBrands, bindings)).toBe(200);
  });

  it('count as one for an access token as well, which gets 429', async () => {
    const store = await createTestStore();
    const { headers } = await connectApp(store);
    const API_LIMIT = fakeLimiter(false);
    const bindings = limitBindings({ API_LIMIT, API_PER_MINUTE: '20' });
    const statuses = await statusesOf(4, (n) =>
      statusOf({ ...store, headers, alias: `invented-${n}` }, listBrands, bindings),
    );
    expect(statuses).toEqual([403, 403, 429, 429]);
  });

  it('are no longer looked up beyond the limit (429)', async () => {
    const store = await createTestStore();
    const { cost, DIRECTORY } = countedDirectory();
    const API_LIMIT = fakeLimiter(false);
    const bindings = limitBindings({ API_LIMIT, API_PER_MINUTE: '10', DIRECTORY });
    const statuses = await statusesOf(40, (n) =>
      statusOf({ ...store, alias: `invented-${n}` }, listBrands, bindings),
    );
    expect(statuses.at(-1)).toBe(429);
    expect(cost.roundTrips).toBeLessThanOrEqual(11);
  });
});

describe('attack J5: wrong credentials', () => {
  const guess = (store: TestStore, address: string, bindings: Partial<Env>, secret = 'wrong') => {
    const headers = {
      ...store.headers,
      'User-Secret-Key': secret,
      'CF-Connecting-IP': address,
    };
    return statusOf({ ...store, headers }, listBrands, bindings);
  };

  it('return 429 to all addresses of one /64 of IPv6', async () => {
    const store = await createTestStore();
    const site = createSite();
    const FAILED_AUTH_LIMIT = fakeLimiter(false);
    const bindings = limitBindings({ FAILED_AUTH_LIMIT, FAILED_AUTH_PER_MINUTE: '20' });
    const statuses = await statusesOf(4, (n) => guess(store, `${site}:7::${n}`, bindings));
    expect(statuses).toEqual([401, 401, 429, 429]);
    expect(new Set(FAILED_AUTH_LIMIT.keys)).toEqual(new Set([`${site}:7::/64`]));
  });

  it('return 429 to all networks of one /48, after ten times as many', async () => {
    const store = await createTestStore();
    const site = createSite();
    const FAILED_AUTH_WIDE_LIMIT = fakeLimiter(false);
    const bindings = limitBindings({ FAILED_AUTH_WIDE_LIMIT, FAILED_AUTH_PER_MINUTE: '2' });
    const statuses = await statusesOf(4, (n) => guess(store, `${site}:${n}::1`, bindings));
    expect(statuses).toEqual([401, 401, 429, 429]);
    expect(await guess(store, newAddress(), bindings)).toBe(401);
  });

  it('return 429 whether an IPv4 address is written as such or inside IPv6', async () => {
    const store = await createTestStore();
    const FAILED_AUTH_LIMIT = fakeLimiter(false);
    const bindings = limitBindings({ FAILED_AUTH_LIMIT, FAILED_AUTH_PER_MINUTE: '10' });
    expect(await guess(store, '198.51.100.201', bindings)).toBe(401);
    expect(await guess(store, '::ffff:198.51.100.201', bindings)).toBe(429);
    expect(await guess(store, '::ffff:c633:64c9', bindings)).toBe(429);
  });

  it('are looked up once, and not at all from a network that floods (429)', async () => {
    const [store, neighbour] = [await createTestStore(), await createTestStore()];
    const address = '198.51.100.202';
    const { cost, DIRECTORY } = countedDirectory();
    const FAILED_AUTH_LIMIT = fakeLimiter(false);
    const bindings = limitBindings({ FAILED_AUTH_LIMIT, FAILED_AUTH_PER_MINUTE: '2', DIRECTORY });
    await statusesOf(3, () => guess(store, address, bindings, 'the same'));
    expect(cost.roundTrips).toBe(1);
    expect(await statusOf(neighbour, listBrands, {})).toBe(200);
    const statuses = await statusesOf(40, (n) => guess(store, address, bindings, `wrong-${n}`));
    expect(statuses.at(-1)).toBe(429);
    expect(cost.roundTrips).toBeLessThanOrEqual(21);
    // A caller that the isolate knows is not affected by such a neighbour.
    neighbour.headers['CF-Connecting-IP'] = address;
    expect(await statusOf(neighbour, listBrands, bindings)).toBe(200);
  });
});

describe('attack J5: requests for one store', () => {
  it('return 429 over the limit of the store, whatever credentials they use', async () => {
    const store = await createTestStore();
    const { headers } = await connectApp(store);
    const STORE_LIMIT = fakeLimiter(false);
    const bindings = limitBindings({ STORE_LIMIT, STORE_PER_MINUTE: '20' });
    const statuses = await statusesOf(4, (n) =>
      statusOf(n % 2 === 0 ? store : { ...store, headers }, listBrands, bindings),
    );
    expect(statuses).toEqual([200, 200, 429, 429]);
    expect(new Set(STORE_LIMIT.keys)).toEqual(new Set([`${store.id}`]));
  });

  it('count for the store only if their own limit admits them, and never for strangers', async () => {
    const [store, stranger] = [await createTestStore(), await createTestStore()];
    const { headers } = await connectApp(store);
    const STORE_LIMIT = fakeLimiter(false);
    const API_LIMIT = fakeLimiter(false);
    const bindings = limitBindings({ STORE_LIMIT, STORE_PER_MINUTE: '20' });
    const limited = { ...bindings, ...limitBindings({ API_LIMIT, API_PER_MINUTE: '1' }) };
    const ofStranger = { ...store, headers: stranger.headers };
    await statusesOf(3, () => statusOf(ofStranger, listBrands, bindings));
    await statusesOf(3, () => statusOf({ ...store, headers }, listBrands, limited));
    expect(await statusOf(store, listBrands, bindings)).toBe(200);
    expect(await statusOf(store, listBrands, bindings)).toBe(200);
    expect(await statusOf(store, listBrands, bindings)).toBe(429);
  });
});

describe('attack J5: searches', () => {
  it('return 429 after a fifth of the requests that others may send', async () => {
    const store = await createTestStore();
    const API_LIMIT = fakeLimiter(false);
    const bindings = limitBindings({ API_LIMIT, API_PER_MINUTE: '100' });
    const search = `${listBrands}?search=name:x`;
    const statuses = await statusesOf(3, () => statusOf(store, search, bindings));
    expect(statuses).toEqual([200, 200, 429]);
    expect(API_LIMIT.keys).toHaveLength(5);
  });
});

describe('a warm cache', () => {
  it('costs a request no round trip to the directory and asks no limiter', async () => {
    const store = await createTestStore();
    await statusOf(store, listBrands, {});
    const { cost, DIRECTORY } = countedDirectory();
    const limiters = ['API_LIMIT', 'STORE_LIMIT', 'FAILED_AUTH_LIMIT', 'ME_LIMIT'];
    const limiter = fakeLimiter(true);
    const bindings = Object.fromEntries(limiters.map((name) => [name, limiter]));
    expect(await statusOf(store, listBrands, { ...bindings, DIRECTORY })).toBe(200);
    const { status } = await callPathWithBindings('POST', '/v2/auth/me', {
      headers: store.headers,
      bindings,
    });
    expect(status).toBe(200);
    expect([cost.roundTrips, limiter.keys]).toEqual([0, []]);
  });
});
