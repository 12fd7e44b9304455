import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { seed } from '../../src/demo/seed.ts';
import { apiOf } from '../support/api.ts';
import { call } from '../support/api.ts';

const ana = { 'User-Token': 'demo-user-token', 'User-Secret-Key': 'sk_demo_secret_key' };
const bruno = { 'User-Token': 'outlet-user-token', 'User-Secret-Key': 'sk_outlet_secret_key' };
const demo = apiOf('demo', ana);

const credentials = (token: string) =>
  env.DIRECTORY.prepare(`select count(*) as n from credentials where last_four = ?`)
    .bind(token.slice(-4))
    .first('n');

describe('seed', () => {
  it('refuses a deployed configuration', async () => {
    const deployed = {
      ...env,
      DEPLOYMENT: 'production',
      ALLOW_LOCAL_RECEIVERS: 'false',
      SEALING_KEY: btoa('x'.repeat(32)),
    } as unknown as Env;
    await expect(seed(deployed, Date.now())).rejects.toThrow('local configuration only');
  });

  it('makes the demo once, and leaves it as its users left it', async () => {
    expect(await seed(env, Date.now())).toBe(true);
    const me = await call('POST', '/v2/auth/me', { headers: ana });
    const { email, merchants } = me.body;
    expect(email).toBe('ana@demo.test');
    expect(
      merchants.data.map(({ alias, active }: { alias: string; active: boolean }) => [alias, active]),
    ).toEqual([
      ['demo', true],
      ['closed', false],
    ]);
    const brands = await demo('GET /catalog/brands');
    expect(brands.body.meta?.pagination?.total ?? brands.body.data.length).toBe(4);
    const { body } = await demo('GET /catalog/products?include=skus,brand&per_page=50');
    expect(body.data).toHaveLength(10);
    for (const product of body.data) {
      expect(product.brand.data).not.toBeNull();
      expect(product.simple).toBe(product.skus.data.length === 1);
    }
    const outlet = await apiOf('outlet', bruno)('GET /catalog/products');
    expect(outlet.body.data).toHaveLength(3);
    expect((await apiOf('demo', bruno)('GET /catalog/brands')).status).toBe(403);
    expect((await apiOf('closed', ana)('GET /catalog/brands')).status).toBe(403);

    await demo(`DELETE /catalog/products/${body.data[0].id}`);
    expect(await seed(env, Date.now())).toBe(false);
    expect((await demo('GET /catalog/products')).body.data).toHaveLength(9);
  });

  it('completes a demo that was half done', async () => {
    await env.DIRECTORY.prepare(`delete from credentials where name = 'Demo'`).run();
    const { body } = await demo('GET /catalog/products', undefined, bruno);
    expect(body).toBeDefined();
    expect(await seed(env, Date.now())).toBe(true);
    const { results } = await env.STORE_0.prepare(
      `select count(*) as n from products where store_id =
        (select max(store_id) from products) union all select 0`,
    ).all();
    expect(results).toHaveLength(2);
    expect(await credentials('_key')).toBeGreaterThan(0);
    expect((await demo('GET /catalog/brands')).body.data).toHaveLength(4);
    expect((await demo('GET /catalog/products?per_page=50')).body.data).toHaveLength(10);
    expect(await seed(env, Date.now())).toBe(false);
  });
});
