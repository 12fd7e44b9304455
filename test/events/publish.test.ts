import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { callWith, measured } from '../support/counted.ts';
import { eventsOf, subscribe } from '../support/events.ts';
import { fillLog } from '../support/log.ts';
import { hintsTo } from '../support/queues.ts';
import { store, type TestStore } from '../support/store.ts';

async function shop() {
  const made = await store();
  const { body } = await made.api('POST /catalog/brands', { name: 'Marca', active: true });
  const product = { name: 'p', simple: true, active: true, brand_id: body.data.id };
  return { made, product };
}

/** The store's database, with something done to its batches. */
const database = (batch: (statements: D1PreparedStatement[]) => Promise<D1Result[]>) =>
  ({ prepare: (sql: string) => env.STORE_0.prepare(sql), batch }) as unknown as D1Database;

/** A queue that remembers what it was sent. */
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

describe('publishing', () => {
  it('fault 1: a failing last statement leaves neither the change nor its event', async () => {
    const { made, product } = await shop();
    await subscribe(made, ['product.created']);
    let batches = 0;
    const failing = database((statements) => {
      batches += 1;
      const last = env.STORE_0.prepare(`select json('not json')`);
      return env.STORE_0.batch(batches === 1 ? statements : [...statements, last]);
    });
    const answer = await callWith(made, 'POST /catalog/products', product, { STORE_0: failing });
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({ message: '500 Internal Server Error', status_code: 500 });
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

  it('fault 2: without a subscriber no event is written and nobody is woken', async () => {
    const { made, product } = await shop();
    await subscribe(made, ['product.deleted']);
    const sent: unknown[] = [];
    const bindings = hintsTo(() => queue((bodies) => sent.push(...bodies)));
    const answer = await callWith(made, 'POST /catalog/products', product, bindings);
    expect(answer.status).toBe(201);
    expect(sent).toEqual([]);
    expect(await rowsOf(made)).toMatchObject({ events: 0, deliveries: 0, last_seq: 0 });
  });

  it('hints carry the shard and the endpoint, and nothing else', async () => {
    const { made, product } = await shop();
    const endpoint = await subscribe(made, ['product.created']);
    const sent: unknown[] = [];
    const bindings = hintsTo(() => queue((bodies) => sent.push(...bodies)));
    await callWith(made, 'POST /catalog/products', product, bindings);
    expect(sent).toEqual([{ v: 1, shard: 0, endpoint }]);
  });

  it('fault 20: an event for a lane whose hint was lost long ago calls for it again', async () => {
    const { made, product } = await shop();
    const endpoint = await subscribe(made, ['product.created']);
    const lane = (wakeAt: number, leaseUntil: number) =>
      env.STORE_0.prepare('update webhook_endpoints set wake_at = ?, lease_until = ? where id = ?')
        .bind(wakeAt, leaseUntil, endpoint)
        .run();
    const sent: unknown[] = [];
    const bindings = hintsTo(() => queue((bodies) => sent.push(...bodies)));
    const now = Date.now();
    await lane(now - 5_000, 0);
    await callWith(made, 'POST /catalog/products', product, bindings);
    await lane(now - 60_000, now + 60_000);
    await callWith(made, 'POST /catalog/products', product, bindings);
    expect(sent).toEqual([]);
    await lane(now - 60_000, 0);
    await callWith(made, 'POST /catalog/products', product, bindings);
    expect(sent).toEqual([{ v: 1, shard: 0, endpoint }]);
  });

  it('fault 6: a queue that takes nothing costs the caller nothing', async () => {
    const { made, product } = await shop();
    const endpoint = await subscribe(made, ['product.created']);
    const bindings = hintsTo(() =>
      queue(() => {
        throw new Error('Too Many Requests');
      }),
    );
    const answer = await callWith(made, 'POST /catalog/products', product, bindings);
    expect(answer.status).toBe(201);
    const lane = await env.STORE_0.prepare('select wake_at from webhook_endpoints where id = ?')
      .bind(endpoint)
      .first<{ wake_at: number }>();
    expect(lane?.wake_at).toBeLessThanOrEqual(Date.now());
  });

  it('fault 18: an overloaded database is a 503 and nothing is half done', async () => {
    const { made, product } = await shop();
    const overloaded = database(() =>
      Promise.reject(new Error('D1_ERROR: D1 DB is overloaded. Requests queued for too long.')),
    );
    const answer = await callWith(made, 'POST /catalog/products', product, { STORE_0: overloaded });
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '2']);
  });

  it('fault 68: sequence numbers have no gap, whoever publishes at the same time', async () => {
    const { made, product } = await shop();
    const endpoint = await subscribe(made, ['product.created']);
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

  it('the body has its four members in order and survives a JavaScript round trip', async () => {
    const { made, product } = await shop();
    await subscribe(made, ['product.created']);
    const name = 'Açaí / "x" \u2028 😀';
    await made.api('POST /catalog/products', { ...product, name });
    const [event] = await eventsOf(made);
    expect(Object.keys(event!)).toEqual(['event', 'time', 'merchant', 'resource']);
    expect(event!.time).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(event!.merchant).toEqual({ id: made.id, alias: made.alias });
    const body = await env.STORE_0.prepare('select body from webhook_events where store_id = ?')
      .bind(made.id)
      .first<string>('body');
    expect(JSON.stringify(JSON.parse(body!))).toBe(body);
  });

  it('writes five rows for one subscriber, and reads few', async () => {
    const { made, product } = await shop();
    const { body } = await made.api('POST /catalog/products', product);
    const path = `PUT /catalog/products/${body.data.id}`;
    const without = await measured(made, path, { priority: 1 });
    await subscribe(made, ['product.updated']);
    const withOne = await measured(made, path, { priority: 2 });
    expect(withOne.data.rowsWritten - without.data.rowsWritten).toBeLessThanOrEqual(5);
    expect(withOne.data.rowsRead - without.data.rowsRead).toBeLessThanOrEqual(12);
    expect(withOne.data.trips).toBe(2);
  });

  it('reads no more of a store with ten thousand events', async () => {
    const { made, product } = await shop();
    const { body } = await made.api('POST /catalog/products', product);
    const path = `PUT /catalog/products/${body.data.id}`;
    const endpoint = await subscribe(made, ['product.updated']);
    await made.api(path, { priority: 1 });
    const withOne = await measured(made, path, { priority: 2 });
    await fillLog(made, endpoint, { count: 10_000 });
    const withMany = await measured(made, path, { priority: 3 });
    expect(withMany.data.rowsRead).toBe(withOne.data.rowsRead);
    expect(withMany.data.rowsWritten).toBe(withOne.data.rowsWritten);
  });

  it('keeps the stores of two shards apart', async () => {
    const far = await store({ shard: 1 });
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
