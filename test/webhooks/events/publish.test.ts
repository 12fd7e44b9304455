import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { callWithBindings, measureRequest } from '../../support/api/measure.ts';
import { refusal } from '../../support/api/refusal.ts';
import { fakeDatabase } from '../../support/fakes/fake-database.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { fillDeliveryLog } from '../../support/webhooks/delivery-log.ts';
import { recordedEvents, subscribeEndpoint } from '../../support/webhooks/recorded-events.ts';
import { wakeupBindings } from '../../support/webhooks/wakeup-queues.ts';
import '../../support/fixtures/first-shard.ts';

async function createShop() {
  const made = await createTestStore();
  const { body } = await made.api('POST /catalog/brands', { name: 'Marca', active: true });
  const product = { name: 'p', simple: true, active: true, brand_id: body.data.id };
  return { made, product };
}

/** The database of the store with another `batch`. */
const database = (batch: (statements: D1PreparedStatement[]) => Promise<D1Result[]>) =>
  fakeDatabase({ prepare: (sql: string) => env.STORE_0.prepare(sql), batch });

/** A queue that passes its messages to `send`. */
function queue(send: (bodies: unknown[]) => void) {
  const sendBatch = async (messages: Iterable<MessageSendRequest>) =>
    send(Array.from(messages, ({ body }) => body));
  return { sendBatch } as unknown as Queue;
}

async function rowsOf({ id }: TestStore) {
  return env.STORE_0.prepare(
    `select (select count(*) from products where store_id = ?1) as products,
      (select count(*) from webhook_events where store_id = ?1) as events,
      (select count(*) from webhook_deliveries where endpoint_id in
        (select id from webhook_endpoints where store_id = ?1)) as deliveries,
      (select max(last_seq) from webhook_endpoints where store_id = ?1) as last_seq,
      (select total from totals where store_id = ?1 and kind = 'products') as total`,
  )
    .bind(id)
    .first();
}

describe('publish', () => {
  it('fault 1: writes neither the change nor its event when the last statement fails', async () => {
    const { made, product } = await createShop();
    await subscribeEndpoint(made, ['product.created']);
    let batches = 0;
    const failing = database((statements) => {
      batches += 1;
      const last = env.STORE_0.prepare(`select json('not json')`);
      return env.STORE_0.batch(batches === 1 ? statements : [...statements, last]);
    });
    const answer = await callWithBindings(made, 'POST /catalog/products', product, {
      STORE_0: failing,
    });
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual(refusal(500, 'internal_error'));
    expect(batches).toBe(2);
    expect(await rowsOf(made)).toMatchObject({
      products: 0,
      events: 0,
      deliveries: 0,
      last_seq: 0,
    });
    expect((await made.api('POST /catalog/products', product)).status).toBe(201);
    expect(await rowsOf(made)).toEqual({
      products: 1,
      events: 1,
      deliveries: 1,
      last_seq: 1,
      total: 1,
    });
  });

  it('fault 2: writes no event and wakes no endpoint without a subscriber', async () => {
    const { made, product } = await createShop();
    await subscribeEndpoint(made, ['product.deleted']);
    const sent: unknown[] = [];
    const bindings = wakeupBindings(() => queue((bodies) => sent.push(...bodies)));
    const answer = await callWithBindings(made, 'POST /catalog/products', product, bindings);
    expect(answer.status).toBe(201);
    expect(sent).toEqual([]);
    expect(await rowsOf(made)).toMatchObject({ events: 0, deliveries: 0, last_seq: 0 });
  });

  it('sends wake-ups with only shard and endpoint', async () => {
    const { made, product } = await createShop();
    const endpoint = await subscribeEndpoint(made, ['product.created']);
    const sent: unknown[] = [];
    const bindings = wakeupBindings(() => queue((bodies) => sent.push(...bodies)));
    await callWithBindings(made, 'POST /catalog/products', product, bindings);
    expect(sent).toEqual([{ v: 1, shard: 0, endpoint }]);
  });

  it('fault 20: wakes an endpoint again whose wake-up was lost long ago', async () => {
    const { made, product } = await createShop();
    const endpoint = await subscribeEndpoint(made, ['product.created']);
    const setLease = (nextAttemptAt: number, leaseUntil: number) =>
      env.STORE_0.prepare(
        'update webhook_endpoints set next_attempt_at = ?, lease_until = ? where id = ?',
      )
        .bind(nextAttemptAt, leaseUntil, endpoint)
        .run();
    const sent: unknown[] = [];
    const bindings = wakeupBindings(() => queue((bodies) => sent.push(...bodies)));
    const now = Date.now();
    await callWithBindings(made, 'POST /catalog/products', product, bindings);
    expect(sent.splice(0)).toEqual([{ v: 1, shard: 0, endpoint }]);
    await setLease(now - 5_000, 0);
    await callWithBindings(made, 'POST /catalog/products', product, bindings);
    await setLease(now - 60_000, now + 60_000);
    await callWithBindings(made, 'POST /catalog/products', product, bindings);
    expect(sent).toEqual([]);
    await setLease(now - 60_000, 0);
    await callWithBindings(made, 'POST /catalog/products', product, bindings);
    expect(sent).toEqual([{ v: 1, shard: 0, endpoint }]);
  });

  it('fault 6: returns success when the queue rejects the wake-up', async () => {
    const { made, product } = await createShop();
    const endpoint = await subscribeEndpoint(made, ['product.created']);
    const bindings = wakeupBindings(() =>
      queue(() => {
        throw new Error('Too Many Requests');
      }),
    );
    const answer = await callWithBindings(made, 'POST /catalog/products', product, bindings);
    expect(answer.status).toBe(201);
    const row = await env.STORE_0.prepare(
      'select next_attempt_at from webhook_endpoints where id = ?',
    )
      .bind(endpoint)
      .first<{ next_attempt_at: number }>();
    expect(row?.next_attempt_at).toBeLessThanOrEqual(Date.now());
  });

  it('fault 18: returns 503 when the database is overloaded', async () => {
    const { made, product } = await createShop();
    const overloaded = database(() =>
      Promise.reject(new Error('D1_ERROR: D1 DB is overloaded. Requests queued for too long.')),
    );
    const answer = await callWithBindings(made, 'POST /catalog/products', product, {
      STORE_0: overloaded,
    });
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '2']);
  });

  it('fault 68: leaves no gap in sequence numbers under concurrency', async () => {
    const { made, product } = await createShop();
    const endpoint = await subscribeEndpoint(made, ['product.created']);
    await Promise.all(
      Array.from({ length: 10 }, () => made.api('POST /catalog/products', product)),
    );
    const { results } = await env.STORE_0.prepare(
      'select seq from webhook_deliveries where endpoint_id = ? order by seq',
    )
      .bind(endpoint)
      .all<{ seq: number }>();
    expect(results.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('writes a body with four members in order that survives a JavaScript round trip', async () => {
    const { made, product } = await createShop();
    await subscribeEndpoint(made, ['product.created']);
    const name = 'Açaí / "x" \u2028 😀';
    await made.api('POST /catalog/products', { ...product, name });
    const [event] = await recordedEvents(made);
    expect(Object.keys(event!)).toEqual(['event', 'time', 'merchant', 'resource']);
    expect(event!.time).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(event!.merchant).toEqual({ id: made.id, alias: made.alias });
    const body = await env.STORE_0.prepare('select body from webhook_events where store_id = ?')
      .bind(made.id)
      .first<string>('body');
    expect(JSON.stringify(JSON.parse(body!))).toBe(body);
  });

  it('writes six rows for one subscriber, and reads few', async () => {
    const { made, product } = await createShop();
    const { body } = await made.api('POST /catalog/products', product);
    const path = `PUT /catalog/products/${body.data.id}`;
    const without = await measureRequest(made, path, { priority: 1 });
    await subscribeEndpoint(made, ['product.updated']);
    const withOne = await measureRequest(made, path, { priority: 2 });
    expect(withOne.data.rowsWritten - without.data.rowsWritten).toBeLessThanOrEqual(6);
    // Two of them only if the event is one of those that are counted against the budget.
    expect(withOne.data.rowsRead - without.data.rowsRead).toBeLessThanOrEqual(14);
    expect(withOne.data.roundTrips).toBe(2);
  });

  it('reads no more rows in a store with ten thousand events', async () => {
    const { made, product } = await createShop();
    const { body } = await made.api('POST /catalog/products', product);
    const path = `PUT /catalog/products/${body.data.id}`;
    const endpoint = await subscribeEndpoint(made, ['product.updated']);
    await made.api(path, { priority: 1 });
    /**
     * The rows of a change of which the budget of events counts nothing: it counts small events at
     * random, with one row more.
     */
    const leastRows = async (priorities: readonly number[]) => {
      const costs = [];
      for (const priority of priorities) {
        costs.push((await measureRequest(made, path, { priority })).data);
      }
      return {
        read: Math.min(...costs.map(({ rowsRead }) => rowsRead)),
        written: Math.min(...costs.map(({ rowsWritten }) => rowsWritten)),
      };
    };
    const withOne = await leastRows([2, 3, 4, 5, 6]);
    await fillDeliveryLog(made, endpoint, { count: 10_000 });
    expect(await leastRows([7, 8, 9, 10, 11])).toEqual(withOne);
  });

  it('keeps the stores of two shards apart', async () => {
    const far = await createTestStore({ shard: 1 });
    const made = await far.api('POST /catalog/brands', { name: 'Longe', active: true });
    expect(made.status).toBe(201);
    const here = await env.STORE_0.prepare('select count(*) as n from brands where store_id = ?')
      .bind(far.id)
      .first('n');
    const there = await env.STORE_1.prepare('select count(*) as n from brands where store_id = ?')
      .bind(far.id)
      .first('n');
    expect([here, there]).toEqual([0, 1]);
  });
});
