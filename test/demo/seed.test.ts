import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { seed } from '../../src/demo/seed.ts';
import { apiOf, call } from '../support/api.ts';

const ana = { 'User-Token': 'demo-user-token', 'User-Secret-Key': 'sk_demo_secret_key' };
const bruno = { 'User-Token': 'outlet-user-token', 'User-Secret-Key': 'sk_outlet_secret_key' };
const demo = apiOf('demo', ana);

/** A database whose power fails after that many batches. */
function failingAfter(batches: number, database: D1Database): D1Database {
  let left = batches;
  return new Proxy(database, {
    get(target, name: keyof D1Database) {
      if (name === 'batch' && (left -= 1) < 0) throw new Error('power failure');
      const member: unknown = target[name];
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

// The demo has constant names, so one test tells its whole life.
describe('seed', () => {
  it('makes the demo, completes a half-done one, and then changes nothing', async () => {
    for (const batches of [0, 3, 9]) {
      const failing = { ...env, STORE_0: failingAfter(batches, env.STORE_0) };
      await expect(seed(failing, Date.now())).rejects.toThrow('power failure');
      expect((await call('POST', '/v2/auth/me', { headers: ana })).status).toBe(401);
    }
    expect(await seed(env, Date.now())).toBe(true);

    const { body: me } = await call('POST', '/v2/auth/me', { headers: ana });
    expect(me.email).toBe('ana@demo.test');
    const merchants: { alias: string; active: boolean }[] = me.merchants.data;
    expect(merchants.map(({ alias, active }) => [alias, active])).toEqual([
      ['demo', true],
      ['closed', false],
    ]);
    expect((await demo('GET /catalog/brands')).body.data).toHaveLength(4);
    const { body } = await demo('GET /catalog/products?include=skus,brand&limit=50');
    expect(body.data).toHaveLength(10);
    for (const product of body.data) {
      expect(product.brand.data).not.toBeNull();
      expect(product.simple).toBe(product.skus.data.length === 1);
    }
    expect((await apiOf('outlet', bruno)('GET /catalog/products')).body.data).toHaveLength(3);
    expect((await demo('GET /catalog/brands', undefined, bruno)).status).toBe(403);
    expect((await apiOf('closed', ana)('GET /catalog/brands')).status).toBe(403);

    await demo(`DELETE /catalog/products/${body.data[0].id}`);
    expect(await seed(env, Date.now())).toBe(false);
    expect((await demo('GET /catalog/products')).body.data).toHaveLength(9);
  });

  it('refuses a deployed configuration', async () => {
    const deployed = {
      ...env,
      DEPLOYMENT: 'production',
      ALLOW_LOCAL_RECEIVERS: 'false',
      SEALING_KEY: btoa('x'.repeat(32)),
    } as unknown as Env;
    await expect(seed(deployed, Date.now())).rejects.toThrow('local configuration only');
  });
});
