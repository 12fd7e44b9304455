import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { keyedRequest } from '../../src/access/keyed-request.ts';
import { Once } from '../../src/access/once.ts';
import { settingsOf } from '../../src/settings.ts';
import { callWith } from '../support/counted.ts';
import { dbOf } from '../support/db.ts';
import { eventsOf, subscribe } from '../support/events.ts';
import { flaky, type Loss } from '../support/flaky.ts';
import { dateKeys, keyed, keysOf } from '../support/keyed.ts';
import { sellingStore } from '../support/selling.ts';
import { store, type TestStore } from '../support/store.ts';

const newProduct = async (shop: TestStore) => {
  const brand = await shop.api('POST /catalog/brands', { name: 'Aurora', active: true });
  const skus = [{ sku: 'S', price_sale: 1, quantity: 1 }];
  return { name: 'Shirt', simple: true, active: true, brand_id: brand.body.data.id, skus };
};

const listed = async ({ api }: TestStore, path: string): Promise<unknown[]> =>
  (await api(`GET ${path}?limit=100`)).body.data;

/** Calls a row while the database loses these batches: the look for the key, those of the row, the answer's. */
const losing = (shop: TestStore, row: string, body: unknown, losses: Loss[]) =>
  callWith(shop, row, body, { STORE_0: flaky(env.STORE_0, losses) });

describe('fault 5: a response that is lost, and a request that comes again under its key', () => {
  it('makes one change and one event, and answers what was lost', async () => {
    const shop = await store();
    await subscribe(shop, ['product.created']);
    const product = await newProduct(shop);
    const caller = keyed(shop);
    // Nobody reads the answer.
    const { body } = await caller.api('POST /catalog/products', product);
    const again = await caller.api('POST /catalog/products', product);
    expect([again.status, again.body]).toEqual([201, body]);
    expect(await listed(shop, '/catalog/products')).toHaveLength(1);
    expect(await eventsOf(shop)).toHaveLength(1);
  });

  it('409 after the database lost its answer to the change, which is there, with one event', async () => {
    const shop = await store();
    await subscribe(shop, ['product.created']);
    const product = await newProduct(shop);
    const caller = keyed(shop);
    const row = 'POST /catalog/products';
    const losses: Loss[] = [undefined, undefined, 'after'];
    expect((await losing(caller, row, product, losses)).status).toBe(503);
    const soon = await caller.api(row, product);
    expect([soon.status, soon.body.code]).toEqual([409, 'request_under_way']);
    expect(soon.headers.get('Retry-After')).toBe('1');
    await dateKeys(shop, Date.now() - 30_000);
    const late = await caller.api(row, product);
    expect([late.status, late.body.code]).toEqual([409, 'answer_lost']);
    expect(late.body.errors['Idempotency-Key'][0]).toContain('was carried out');
    expect(await listed(shop, '/catalog/products')).toHaveLength(1);
    expect(await eventsOf(shop)).toHaveLength(1);
  });

  it('makes the change when it was lost before its commit', async () => {
    const shop = await store();
    await subscribe(shop, ['product.created']);
    const product = await newProduct(shop);
    const caller = keyed(shop);
    const row = 'POST /catalog/products';
    const losses: Loss[] = [undefined, undefined, 'before'];
    expect((await losing(caller, row, product, losses)).status).toBe(503);
    expect(await keysOf(shop)).toEqual([]);
    expect((await caller.api(row, product)).status).toBe(201);
    expect(await eventsOf(shop)).toHaveLength(1);
  });

  it('answers a deletion even then, since its answer is kept with the change', async () => {
    const shop = await store();
    const { body } = await shop.api('POST /catalog/brands', { name: 'Aurora', active: true });
    const caller = keyed(shop);
    const row = `DELETE /catalog/brands/${body.data.id}`;
    expect((await losing(caller, row, undefined, [undefined, 'after'])).status).toBe(503);
    const again = await caller.api(row);
    expect([again.status, again.body]).toEqual([200, {}]);
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
  });

  it('answers the first caller although its answer could not be kept', async () => {
    const shop = await store();
    const caller = keyed(shop);
    const sent = { name: 'Aurora', active: true };
    const losses: Loss[] = [undefined, undefined, 'before'];
    const first = await losing(caller, 'POST /catalog/brands', sent, losses);
    expect([first.status, first.body.data.name]).toEqual([201, 'Aurora']);
    expect((await caller.api('POST /catalog/brands', sent)).status).toBe(409);
    expect(await listed(shop, '/catalog/brands')).toHaveLength(1);
  });

  it('503 while nobody can tell whether it was carried out', async () => {
    const caller = keyed(await store());
    const answer = await losing(caller, 'POST /catalog/brands', { name: 'Aurora', active: true }, [
      'before',
    ]);
    expect(answer.status).toBe(503);
    expect(await keysOf(caller)).toEqual([]);
  });
});

describe('the same request several times at once', () => {
  it.each([1, 2, 3])('makes one change and one event, and no other answer (round %i)', async () => {
    const shop = await store();
    await subscribe(shop, ['product.created']);
    const product = await newProduct(shop);
    const caller = keyed(shop);
    const tries = Array.from({ length: 12 }, () => caller.api('POST /catalog/products', product));
    const answers = await Promise.all(tries);
    const made = answers.filter(({ status }) => status === 201);
    const waiting = answers.filter(({ status }) => status !== 201);
    expect(new Set(made.map(({ body }) => body.data.id)).size).toBe(1);
    expect(made.filter(({ headers }) => !headers.has('Idempotent-Replayed'))).toHaveLength(1);
    expect(waiting.every(({ body }) => body.code === 'request_under_way')).toBe(true);
    expect(await listed(shop, '/catalog/products')).toHaveLength(1);
    expect(await eventsOf(shop)).toHaveLength(1);
  });

  it('answers as the first did when that is why it would be refused', async () => {
    const shop = await sellingStore();
    const order = { customer_id: shop.customerId, shipping_address_id: shop.addressId };
    const items = [{ sku_id: shop.skuIds[0], quantity: 10 }];
    const caller = keyed(shop);
    const row = 'POST /orders';
    const sent = { ...order, items };
    // The second has looked for the key when the first one takes the last units.
    const before = (batch: number, work: () => Promise<unknown>) => {
      let batches = 0;
      return {
        prepare: (sql: string) => env.STORE_0.prepare(sql),
        batch: async (statements: D1PreparedStatement[]) => {
          batches += 1;
          if (batches === batch) await work();
          return env.STORE_0.batch(statements);
        },
      } as unknown as D1Database;
    };
    for (const batch of [2, 3]) {
      const own = keyed(shop);
      await shop.api(`PUT /catalog/skus/${shop.skuIds[0]}/stocks/1`, {
        quantity: 10 * (batch - 1),
      });
      let first = await caller.api('GET /orders');
      const late = before(batch, async () => {
        first = await own.api(row, sent);
      });
      const second = await callWith(own, row, sent, { STORE_0: late });
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(second.body).toEqual(first.body);
      expect(second.headers.get('Idempotent-Replayed')).toBe('true');
    }
    expect(await listed(shop, '/orders')).toHaveLength(2);
  });
});

describe('an answer of more than a megabyte', () => {
  it.each([
    ['is kept up to there', 999_000, undefined],
    ['409 when its request comes again later', 1_000_001, 'answer_lost'],
  ])('%s', async (_why, length, code) => {
    const shop = await store();
    const { sealingKey } = settingsOf(env);
    const sent = { idempotencyKey: 'k', method: 'POST', address: '/', body: new Uint8Array() };
    const request = await keyedRequest({ key: 'pair:1' }, sent, sealingKey);
    const at = (now: number) => new Once(dbOf(shop, now), request, sealingKey);
    const answer = { status: 200, headers: {}, body: 'x'.repeat(length), warnings: [] };
    const first = at(Date.now() - 30_000);
    expect(await first.carryOut(() => Promise.resolve(answer), undefined)).toBe(answer);
    const again = at(Date.now()).recalled();
    if (code === undefined) expect((await again)?.body).toBe(answer.body);
    else await expect(again).rejects.toMatchObject({ status: 409, code });
  });
});
