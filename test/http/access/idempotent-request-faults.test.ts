import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { settingsOf } from '../../../src/base/settings.ts';
import { rawStatement } from '../../../src/data/core/raw.ts';
import {
  fingerprintRequest,
  IdempotentRequest,
  type SerializedResponse,
} from '../../../src/http/access/idempotent-request.ts';
import {
  backdateIdempotencyKeys,
  withIdempotencyKey,
  idempotencyKeysOf,
} from '../../support/api/idempotency.ts';
import { callWithBindings } from '../../support/api/measure.ts';
import { fakeDatabase } from '../../support/fakes/fake-database.ts';
import { flakyDatabase, type BatchLoss } from '../../support/fakes/flaky-database.ts';
import { createSellingStore } from '../../support/fixtures/selling-store.ts';
import { openStoreDb } from '../../support/fixtures/store-db.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { recordedEvents, subscribeEndpoint } from '../../support/webhooks/recorded-events.ts';
import '../../support/fixtures/first-shard.ts';

const newProduct = async (store: TestStore) => {
  const brand = await store.api('POST /catalog/brands', { name: 'Aurora', active: true });
  const skus = [{ sku: 'S', price_sale: 1, quantity: 1 }];
  return { name: 'Shirt', simple: true, active: true, brand_id: brand.body.data.id, skus };
};

const listAll = async ({ api }: TestStore, path: string): Promise<unknown[]> =>
  (await api(`GET ${path}?limit=100`)).body.data;

/**
 * Calls an operation while the database loses batches, in order: the operation's own, the
 * response's.
 */
const callWithLosses = (store: TestStore, operation: string, body: unknown, losses: BatchLoss[]) =>
  callWithBindings(store, operation, body, { STORE_0: flakyDatabase(env.STORE_0, losses) });

describe('a repeated request after a lost response', () => {
  it('applies one change and one event, and returns the lost response', async () => {
    const store = await createTestStore();
    await subscribeEndpoint(store, ['product.created']);
    const product = await newProduct(store);
    const caller = withIdempotencyKey(store);
    // The client never receives this response.
    const { body } = await caller.api('POST /catalog/products', product);
    const again = await caller.api('POST /catalog/products', product);
    expect([again.status, again.body]).toEqual([201, body]);
    expect(await listAll(store, '/catalog/products')).toHaveLength(1);
    expect(await recordedEvents(store)).toHaveLength(1);
  });

  it('returns 409 when the response was lost by the database, whose change and event are there', async () => {
    const store = await createTestStore();
    await subscribeEndpoint(store, ['product.created']);
    const product = await newProduct(store);
    const caller = withIdempotencyKey(store);
    const operation = 'POST /catalog/products';
    const losses: BatchLoss[] = [undefined, 'after'];
    expect((await callWithLosses(caller, operation, product, losses)).status).toBe(503);
    const soon = await caller.api(operation, product);
    expect([soon.status, soon.body.code]).toEqual([409, 'request_under_way']);
    expect(soon.headers.get('Retry-After')).toBe('1');
    await backdateIdempotencyKeys(store, Date.now() - 30_000);
    const late = await caller.api(operation, product);
    expect([late.status, late.body.code]).toEqual([409, 'answer_lost']);
    expect(late.body.errors['Idempotency-Key'][0]).toContain('was executed');
    expect(await listAll(store, '/catalog/products')).toHaveLength(1);
    expect(await recordedEvents(store)).toHaveLength(1);
  });

  it('executes the request when the batch was lost before its commit', async () => {
    const store = await createTestStore();
    await subscribeEndpoint(store, ['product.created']);
    const product = await newProduct(store);
    const caller = withIdempotencyKey(store);
    const operation = 'POST /catalog/products';
    const losses: BatchLoss[] = [undefined, 'before'];
    expect((await callWithLosses(caller, operation, product, losses)).status).toBe(503);
    expect(await idempotencyKeysOf(store)).toEqual([]);
    expect((await caller.api(operation, product)).status).toBe(201);
    expect(await recordedEvents(store)).toHaveLength(1);
  });

  it('replays a deletion, whose response is stored with the change', async () => {
    const store = await createTestStore();
    const { body } = await store.api('POST /catalog/brands', { name: 'Aurora', active: true });
    const caller = withIdempotencyKey(store);
    const operation = `DELETE /catalog/brands/${body.data.id}`;
    expect((await callWithLosses(caller, operation, undefined, ['after'])).status).toBe(503);
    const again = await caller.api(operation);
    expect([again.status, again.body]).toEqual([200, {}]);
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
  });

  it('returns the response to the first caller although it could not be stored', async () => {
    const store = await createTestStore();
    const caller = withIdempotencyKey(store);
    const sent = { name: 'Aurora', active: true };
    const losses: BatchLoss[] = [undefined, 'before'];
    const first = await callWithLosses(caller, 'POST /catalog/brands', sent, losses);
    expect([first.status, first.body.data.name]).toEqual([201, 'Aurora']);
    expect((await caller.api('POST /catalog/brands', sent)).status).toBe(409);
    expect(await listAll(store, '/catalog/brands')).toHaveLength(1);
  });

  it('returns 201 before its response is stored', async () => {
    const store = await createTestStore();
    const { promise: answered, resolve } = Promise.withResolvers<void>();
    let batches = 0;
    const database = fakeDatabase({
      prepare: (sql: string) => env.STORE_0.prepare(sql),
      batch: async (statements: D1PreparedStatement[]) => {
        batches += 1;
        // The batch that stores the response.
        if (batches === 2) await answered;
        return env.STORE_0.batch(statements);
      },
    });
    const context = createExecutionContext();
    const caller = withIdempotencyKey(store);
    const request = new Request(`https://api.test/v2/${store.alias}/catalog/brands`, {
      method: 'POST',
      headers: { ...caller.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Aurora', active: true }),
    });
    const response = await createApp().fetch(request, { ...env, STORE_0: database }, context);
    expect(response.status).toBe(201);
    expect(await idempotencyKeysOf(store)).toMatchObject([{ response: null }]);
    resolve();
    await waitOnExecutionContext(context);
    expect(await idempotencyKeysOf(store)).toMatchObject([{ response: expect.any(String) }]);
  });

  it('returns 503 while the first batch fails, which looks for the key', async () => {
    const caller = withIdempotencyKey(await createTestStore());
    const response = await callWithLosses(
      caller,
      'POST /catalog/brands',
      { name: 'Aurora', active: true },
      ['before', 'before'],
    );
    expect(response.status).toBe(503);
    expect(await idempotencyKeysOf(caller)).toEqual([]);
  });
});

describe('concurrent duplicates of a request', () => {
  it.each([1, 2, 3])('make one change and one event, and get one response (round %i)', async () => {
    const store = await createTestStore();
    await subscribeEndpoint(store, ['product.created']);
    const product = await newProduct(store);
    const caller = withIdempotencyKey(store);
    const tries = Array.from({ length: 12 }, () => caller.api('POST /catalog/products', product));
    const responses = await Promise.all(tries);
    const created = responses.filter(({ status }) => status === 201);
    const waiting = responses.filter(({ status }) => status !== 201);
    expect(new Set(created.map(({ body }) => body.data.id)).size).toBe(1);
    expect(created.filter(({ headers }) => !headers.has('Idempotent-Replayed'))).toHaveLength(1);
    expect(waiting.every(({ body }) => body.code === 'request_under_way')).toBe(true);
    expect(await listAll(store, '/catalog/products')).toHaveLength(1);
    expect(await recordedEvents(store)).toHaveLength(1);
  });

  it('get the first response when the first request is why they would be rejected', async () => {
    const store = await createSellingStore();
    const order = { customer_id: store.customerId, shipping_address_id: store.addressId };
    const items = [{ sku_id: store.skuIds[0], quantity: 10 }];
    const caller = withIdempotencyKey(store);
    const operation = 'POST /orders';
    const sent = { ...order, items };
    // The first request takes the last units before the second one looks for the key, or after
    // that.
    const runBeforeBatch = (batch: number, work: () => Promise<unknown>) => {
      let batches = 0;
      return fakeDatabase({
        prepare: (sql: string) => env.STORE_0.prepare(sql),
        batch: async (statements: D1PreparedStatement[]) => {
          batches += 1;
          if (batches === batch) await work();
          return env.STORE_0.batch(statements);
        },
      });
    };
    for (const batch of [1, 2]) {
      const duplicate = withIdempotencyKey(store);
      await store.api(`PUT /catalog/skus/${store.skuIds[0]}/stocks/1`, {
        quantity: 10 * batch,
      });
      let first = await caller.api('GET /orders');
      const interleavedDatabase = runBeforeBatch(batch, async () => {
        first = await duplicate.api(operation, sent);
      });
      const second = await callWithBindings(duplicate, operation, sent, {
        STORE_0: interleavedDatabase,
      });
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(second.body).toEqual(first.body);
      expect(second.headers.get('Idempotent-Replayed')).toBe('true');
    }
    expect(await listAll(store, '/orders')).toHaveLength(2);
  });
});

describe('two requests of one key at once, while the check key changes', () => {
  it('make one change: the later one finds the claim by the former key, and returns its response', async () => {
    const store = await createTestStore();
    const { checkKey, sealingKeys } = settingsOf(env);
    const sent = { idempotencyKey: 'k', method: 'POST', address: '/', body: new Uint8Array() };
    const response = { status: 200, headers: {}, body: 'done', warnings: [] };
    const execute = async (key: string, former: string[]) => {
      const db = openStoreDb(store, Date.now());
      const request = await fingerprintRequest({ key: 'api_key:1' }, sent, key, former);
      return await new IdempotentRequest(db, request, sealingKeys).execute(
        async () => {
          await db.batch([
            rawStatement(
              db,
              sql`insert into totals (store_id, kind, total) values (${store.id}, 'claims', 1)
              on conflict do update set total = total + 1`,
            ),
          ]);
          return response;
        },
        response,
        () => undefined,
      );
    };
    const newer = btoa('y'.repeat(32));
    await execute(checkKey, []);
    expect(await execute(newer, [btoa('x'.repeat(32)), checkKey])).toMatchObject({
      body: 'done',
      headers: { 'Idempotent-Replayed': 'true' },
    });
    const changes = () =>
      env.STORE_0.prepare("select total from totals where store_id = ? and kind = 'claims'")
        .bind(store.id)
        .first('total');
    expect(await changes()).toBe(1);
    await execute(newer, []);
    expect(await changes()).toBe(2);
  });
});

describe('a response of more than a megabyte', () => {
  it.each([
    ['is stored up to one megabyte', 999_000, undefined],
    ['returns 409 to a repeated request later', 1_000_001, 'answer_lost'],
  ])('%s', async (_outcome, length, code) => {
    const store = await createTestStore();
    const { checkKey, sealingKeys } = settingsOf(env);
    const sent = { idempotencyKey: 'k', method: 'POST', address: '/', body: new Uint8Array() };
    const request = await fingerprintRequest({ key: 'api_key:1' }, sent, checkKey);
    const requestAt = (now: number) =>
      new IdempotentRequest(openStoreDb(store, now), request, sealingKeys);
    const response = { status: 200, headers: {}, body: 'x'.repeat(length), warnings: [] };
    const first = requestAt(Date.now() - 30_000);
    const execute = async (one: IdempotentRequest, work: () => Promise<SerializedResponse>) => {
      const storing: Promise<void>[] = [];
      const executed = await one.execute(work, undefined, (stored) => storing.push(stored));
      await Promise.all(storing);
      return executed;
    };
    expect(await execute(first, () => Promise.resolve(response))).toBe(response);
    const later = openStoreDb(store, Date.now());
    const again = execute(new IdempotentRequest(later, request, sealingKeys), async () => {
      await later.batch([]);
      return response;
    });
    if (code === undefined) {
      expect(await again).toMatchObject({
        body: response.body,
        headers: { 'Idempotent-Replayed': 'true' },
      });
    } else await expect(again).rejects.toMatchObject({ status: 409, code });
  });
});
