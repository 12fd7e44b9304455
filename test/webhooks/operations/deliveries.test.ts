import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { DeliveryState } from '../../../src/data/schema/store/webhooks-tables.ts';
import { calculateStats } from '../../../src/webhooks/log/stats.ts';
import { measureRequest } from '../../support/api/measure.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { fillDeliveryLog, createTestWebhook } from '../../support/webhooks/delivery-log.ts';
import '../../support/fixtures/first-shard.ts';

const hour = 3_600_000;

/** Reads all sequence numbers by following the cursor. */
async function readAllSequenceNumbers(shop: TestStore, path: string): Promise<number[]> {
  const seen: number[] = [];
  let cursor = '';
  for (let page = 0; page < 50; page += 1) {
    const { body } = await shop.api(`GET ${path}${cursor && `&cursor=${cursor}`}`);
    seen.push(...body.data.map(({ seq }: { seq: number }) => seq));
    cursor = body.meta.cursor.next;
    if (cursor === '') return seen;
  }
  throw new Error('no end');
}

const descending = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, at) => from - at);

describe('GET /{alias}/webhooks/{id}/deliveries', () => {
  it('returns 200 newest first, with every delivery once by following the cursor', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await fillDeliveryLog(shop, id, { count: 25 });
    expect(await readAllSequenceNumbers(shop, `/webhooks/${id}/deliveries?limit=10`)).toEqual(
      descending(25, 1),
    );
    expect(await readAllSequenceNumbers(shop, `/webhooks/${id}/deliveries?limit=25`)).toEqual(
      descending(25, 1),
    );
    const { body, headers } = await shop.api(`GET /webhooks/${id}/deliveries?limit=1`);
    expect(body.data[0]).toMatchObject({
      seq: 25,
      event: 'product.created',
      state: 'delivered',
      trigger: 'event',
      attempts: 1,
      code: 200,
      next_attempt_at: null,
    });
    expect(headers.get('Link')).toContain('cursor=25');
  });

  it('returns 200 with an empty list for a webhook without deliveries', async () => {
    const shop = await createTestStore();
    const { body } = await shop.api(`GET /webhooks/${await createTestWebhook(shop)}/deliveries`);
    expect(body).toEqual({ data: [], meta: { cursor: { count: 0, next: '' } } });
  });

  it('returns 200 with deliveries by event, state and date, however far apart', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    const since = Date.parse('2026-03-10T15:00:00Z');
    await fillDeliveryLog(shop, id, { count: 3, since: since - 48 * hour });
    await fillDeliveryLog(shop, id, {
      count: 2,
      state: DeliveryState.gaveUp,
      event: 'product.deleted',
      since,
    });
    await fillDeliveryLog(shop, id, { count: 1_500, since: since + 24 * hour });
    await fillDeliveryLog(shop, id, {
      count: 1,
      state: DeliveryState.open,
      since: since + 48 * hour,
    });
    const path = `/webhooks/${id}/deliveries?limit=100`;
    expect(await readAllSequenceNumbers(shop, `${path}&event=product.deleted`)).toEqual([5, 4]);
    expect(await readAllSequenceNumbers(shop, `${path}&state=gave_up`)).toEqual([5, 4]);
    expect(await readAllSequenceNumbers(shop, `${path}&state=open`)).toEqual([1_506]);
    expect(await readAllSequenceNumbers(shop, `${path}&date=created_at:2026-03-10`)).toEqual([
      5, 4,
    ]);
    expect(
      await readAllSequenceNumbers(shop, `${path}&date=created_at:2026-03-01|2026-03-08`),
    ).toEqual([3, 2, 1]);
    expect(
      await readAllSequenceNumbers(shop, `${path}&state=delivered&date=created_at:2026-03-10`),
    ).toEqual([]);
  });

  it.each([
    ['state=lost', 'state'],
    ['event=product.sold', 'event'],
    ['date=created_at:yesterday', 'date'],
    ['cursor=-1', 'cursor'],
    ['limit=0', 'limit'],
    ['limit=1&limit=2', 'limit'],
  ])('returns 400 for %s', async (query, name) => {
    const shop = await createTestStore();
    const { status, body } = await shop.api(
      `GET /webhooks/${await createTestWebhook(shop)}/deliveries?${query}`,
    );
    expect([status, Object.keys(body.errors)]).toEqual([400, [name]]);
  });

  it('returns 200 with every delivery whose last attempt failed, in whatever state, without reading those that arrived', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await fillDeliveryLog(shop, id, { count: 5_000 });
    for (const state of [DeliveryState.open, DeliveryState.held, DeliveryState.gaveUp]) {
      await fillDeliveryLog(shop, id, { count: 3, state });
    }
    await fillDeliveryLog(shop, id, { count: 5_000 });
    const failed = [5_001, 5_004, 5_007];
    const all = JSON.stringify([1, ...failed]);
    await env.STORE_0.batch([
      env.STORE_0.prepare(`update webhook_deliveries set error = 'http_5xx', attempts = 2
        where endpoint_id = ? and seq in (select value from json_each(?))`).bind(
        id,
        JSON.stringify(failed),
      ),
      // The first of them arrived at its third attempt.
      env.STORE_0.prepare(`insert into webhook_attempts (endpoint_id, seq, number, at, error, duration_ms, host)
        select ?, s.value, n.value, 1, 'http_5xx', 1, 'h' from json_each(?) s, json_each('[1,2]') n`).bind(
        id,
        all,
      ),
    ]);
    const path = `/webhooks/${id}/deliveries?state=failed`;
    expect(await readAllSequenceNumbers(shop, `${path}&limit=2`)).toEqual(failed.toReversed());
    expect(await readAllSequenceNumbers(shop, `${path}&event=product.deleted`)).toEqual([]);
    expect((await measureRequest(shop, `GET ${path}`)).data.rowsRead).toBeLessThan(60);
  });

  it('costs one round trip that reads as many rows as the page holds, whatever the size of the log', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await fillDeliveryLog(shop, id, { count: 5_000 });
    await fillDeliveryLog(shop, id, { count: 20, state: DeliveryState.gaveUp });
    await fillDeliveryLog(shop, id, { count: 5_000 });
    const read = async (query: string) =>
      (await measureRequest(shop, `GET /webhooks/${id}/deliveries?limit=10${query}`)).data;
    expect(await read('')).toMatchObject({ roundTrips: 1, statements: 3 });
    expect((await read('')).rowsRead).toBeLessThan(100);
    expect((await read('&cursor=4000')).rowsRead).toBeLessThan(100);
    expect((await read('&state=gave_up')).rowsRead).toBeLessThan(100);
    expect((await read('&event=product.deleted')).rowsRead).toBeLessThan(4_200);
    expect((await read('&date=created_at:2020-01-01')).rowsRead).toBeLessThan(250);
  });
});

describe('GET /{alias}/webhooks/{id}/deliveries/{seq}', () => {
  it('returns 200 with the exact body and every attempt', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    const body = '{"event":"product.created","resource":{"name":"Calça “R$ 1/2”"}}';
    await fillDeliveryLog(shop, id, { count: 1, state: DeliveryState.open, body });
    await env.STORE_0.prepare(
      `insert into webhook_attempts (endpoint_id, seq, number, at, response_status, error, duration_ms, response_headers,
         response_body, key_id, host) values
       (?1, 1, 1, 1000, 500, 'http_5xx', 12, '{"server":"x"}', '{"text":"no","encoding":"utf-8","truncated":false}',
        'abcd', 'a.example'), (?1, 1, 2, 9000, null, 'timeout', 5000, null, null, 'abcd', 'a.example')`,
    )
      .bind(id)
      .run();
    const { data } = (await shop.api(`GET /webhooks/${id}/deliveries/1`)).body;
    expect(data.body).toBe(body);
    expect(data.state).toBe('open');
    expect(data.next_attempt_at).not.toBeNull();
    expect(data.log.data).toMatchObject([
      { number: 1, code: 500, response_body: { text: 'no' }, response_headers: { server: 'x' } },
      { number: 2, code: null, error: 'timeout', response_body: null },
    ]);
  });

  it('returns 200 with one attempt for a first one that succeeded, and without a body once that is purged', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await fillDeliveryLog(shop, id, { count: 1, body: null });
    const { data } = (await shop.api(`GET /webhooks/${id}/deliveries/1`)).body;
    expect(data).toMatchObject({ event: null, body: null });
    expect(data.log.data).toMatchObject([{ number: 1, code: 200, duration_ms: 40 }]);
    expect((await shop.api(`GET /webhooks/${id}/deliveries/2`)).status).toBe(404);
  });

  it('returns 200 for the log of a deleted webhook', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await fillDeliveryLog(shop, id, { count: 1 });
    await shop.api(`DELETE /webhooks/${id}`);
    expect((await shop.api(`GET /webhooks/${id}/deliveries`)).body.data).toHaveLength(1);
    expect((await shop.api(`GET /webhooks/${id}/deliveries/1`)).status).toBe(200);
    expect((await shop.api(`GET /webhooks/${id}`)).status).toBe(404);
  });
});

describe('GET /{alias}/webhooks/{id}/stats', () => {
  it('returns 200 with the statistics of a webhook', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await fillDeliveryLog(shop, id, { count: 3 });
    await fillDeliveryLog(shop, id, { count: 1, state: DeliveryState.gaveUp });
    await fillDeliveryLog(shop, id, {
      count: 2,
      state: DeliveryState.open,
      since: Date.now() - 90_000,
    });
    const { data } = (await shop.api(`GET /webhooks/${id}/stats`)).body;
    expect(data).toMatchObject({
      sampled: 6,
      states: { open: 2, delivered: 3, gave_up: 1, held: 0, cancelled: 0 },
      success_rate: 0.75,
      duration_ms: { p50: 40, p95: 40 },
      lag_ms: { p50: 60, p95: 60 },
      pending: 2,
    });
    expect(data.oldest_pending_seconds).toBeGreaterThanOrEqual(88);
    expect(data.oldest_pending_seconds).toBeLessThan(120);
  });

  it('returns 200 with nulls when there are no deliveries', async () => {
    const shop = await createTestStore();
    const { body } = await shop.api(`GET /webhooks/${await createTestWebhook(shop)}/stats`);
    expect(body.data).toMatchObject({
      sampled: 0,
      success_rate: null,
      duration_ms: { p50: null, p95: null },
      pending: 0,
      oldest_pending_seconds: null,
    });
  });

  it('costs one round trip that reads a bounded number of rows', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await fillDeliveryLog(shop, id, { count: 20_000 });
    const { data, response } = await measureRequest(shop, `GET /webhooks/${id}/stats`);
    expect(response.body.data.sampled).toBe(1_000);
    expect(data.roundTrips).toBe(1);
    expect(data.rowsRead).toBeLessThan(1_100);
  });
});

describe('calculateStats', () => {
  it('takes percentiles by nearest rank', () => {
    const samples = Array.from({ length: 20 }, (_, at) => ({
      state: DeliveryState.delivered,
      duration_ms: (at + 1) * 10,
      created_at: 0,
      done_at: at + 1,
    }));
    const stats = calculateStats(samples);
    expect(stats.duration_ms).toEqual({ p50: 100, p95: 190 });
    expect(stats.lag_ms).toEqual({ p50: 10, p95: 19 });
  });
});
