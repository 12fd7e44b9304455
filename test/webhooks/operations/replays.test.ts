import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { DeliveryState } from '../../../src/data/schema/store/webhooks-tables.ts';
import { continueReplays, replayBatchSize } from '../../../src/webhooks/replay/replay-run.ts';
import { measureRequest } from '../../support/api/measure.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import {
  auditOfEndpoint,
  endpointOf,
  fillDeliveryLog,
  deliveryLogOf,
  createTestWebhook,
} from '../../support/webhooks/delivery-log.ts';
import '../../support/fixtures/first-shard.ts';

const day = 86_400_000;
const timeAgo = (ms: number) => new Date(Date.now() - ms).toISOString();

const runStep = (db: D1Database = env.STORE_0) =>
  continueReplays({ env, shard: 0, db, now: Date.now, hasTime: () => true });

const replayRequest = (id: number) => `POST /webhooks/${id}/replays`;

async function readReplay(shop: TestStore, id: number, replay: number) {
  return (await shop.api(`GET /webhooks/${id}/replays/${replay}`)).body.data;
}

/** Runs cron until the replay is no longer running. */
async function runUntilDone(shop: TestStore, id: number, replay: number) {
  for (let run = 0; run < 40; run += 1) {
    const replayData = await readReplay(shop, id, replay);
    if (replayData.state !== 'running') return replayData;
    await runStep();
  }
  throw new Error('The replay did not end.');
}

/** The deliveries that replays added, by sequence number. */
async function replayedDeliveries(id: number) {
  const log = await deliveryLogOf(id);
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
  expect((await endpointOf(id))?.last_seq).toBe(log.length);
  return log.filter(({ trigger }) => trigger === 'replay');
}

describe('POST /{alias}/webhooks/{id}/replays', () => {
  it('fault 49: returns 201 for one delivery: the same event under a new number, the original unchanged', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await fillDeliveryLog(shop, id, { count: 2 });
    const before = (await deliveryLogOf(id))[0];
    const { status, body } = await shop.api(replayRequest(id), { seq: 1 });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ seq: 1, state: 'done', total: 1, done: 1, from: null });
    expect((await deliveryLogOf(id))[0]).toEqual(before);
    expect(await replayedDeliveries(id)).toMatchObject([
      { seq: 3, event_id: before?.event_id, state: DeliveryState.open, replay_of: 1, attempts: 0 },
    ]);
    expect((await endpointOf(id))?.next_attempt_at).toBeGreaterThan(0);
    expect((await auditOfEndpoint(id)).at(-1)?.action).toBe('replayed');
  });

  it('returns 201 for one event, even if it was not delivered to this webhook', async () => {
    const shop = await createTestStore();
    const [one, other] = [await createTestWebhook(shop), await createTestWebhook(shop)];
    await fillDeliveryLog(shop, one, { count: 1 });
    const event_id = String((await deliveryLogOf(one))[0]?.event_id);
    const { body } = await shop.api(replayRequest(other), { event_id });
    expect(body.data).toMatchObject({ event_id, state: 'done', done: 1 });
    expect(await replayedDeliveries(other)).toMatchObject([{ event_id, seq: 1, replay_of: null }]);
  });

  it('returns 201 and holds the delivery while the webhook is paused', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await fillDeliveryLog(shop, id, { count: 1 });
    await shop.api(`PUT /webhooks/${id}`, { active: false });
    await shop.api(replayRequest(id), { seq: 1 });
    expect(await replayedDeliveries(id)).toMatchObject([{ state: DeliveryState.held }]);
  });

  it('returns 201 and says in X-Warning that a failing or paused webhook sends it later', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await fillDeliveryLog(shop, id, { count: 1 });
    const event = String((await deliveryLogOf(id))[0]?.event_id);
    const warnings = async () => [
      (await shop.api(replayRequest(id), { seq: 1 })).headers.get('X-Warning'),
      (await shop.api(`POST /events/${event}/replays`)).headers.get('X-Warning'),
    ];
    expect(await warnings()).toEqual([null, null]);
    await env.STORE_0.prepare(
      'update webhook_endpoints set consecutive_failures = 4, next_attempt_at = ? where id = ?',
    )
      .bind(Date.now() + 360_000, id)
      .run();
    const failing = expect.stringMatching(
      new RegExp(`^Webhook ${id} is failing: sent after its next attempt, in 3[56]\\d seconds; `),
    );
    expect(await warnings()).toEqual([failing, failing]);
    await shop.api(`PUT /webhooks/${id}`, { active: false });
    const paused = `Webhook ${id} is not active: held until it is resumed`;
    expect(await warnings()).toEqual([paused, paused]);
  });

  it('returns 404 for an unknown delivery, and for an event of another kind or another store', async () => {
    const [shop, other] = [await createTestStore(), await createTestStore()];
    const [id, foreign] = [await createTestWebhook(shop), await createTestWebhook(other)];
    await fillDeliveryLog(shop, id, { count: 1, event: 'order.paid' });
    await fillDeliveryLog(other, foreign, { count: 1 });
    for (const webhook of [id, foreign]) {
      const event_id = (await deliveryLogOf(webhook))[0]?.event_id;
      const response = await shop.api(replayRequest(id), { event_id });
      expect([response.status, Object.keys(response.body.errors)]).toEqual([404, ['event_id']]);
    }
    expect((await shop.api(replayRequest(id), { seq: 2 })).status).toBe(404);
    expect(await replayedDeliveries(id)).toEqual([]);
  });

  it('fault 51: returns 410 once the body is purged, and adds nothing', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await fillDeliveryLog(shop, id, { count: 1, body: null });
    const { status, body } = await shop.api(replayRequest(id), { seq: 1 });
    expect([status, Object.keys(body.errors)]).toEqual([410, ['seq']]);
    expect(await replayedDeliveries(id)).toEqual([]);
  });

  it.each<[string, object, string[]]>([
    ['nothing is sent', {}, ['seq', 'event_id', 'from']],
    ['two selectors are sent', { seq: 1, from: timeAgo(day) }, ['seq', 'from']],
    ['the range is too old', { from: timeAgo(31 * day) }, ['from']],
    ['the range ends before it starts', { from: timeAgo(day), to: timeAgo(2 * day) }, ['from']],
    ['a state is unknown', { from: timeAgo(day), states: ['open'] }, ['states.0']],
    ['an event is unknown', { from: timeAgo(day), events: ['product.sold'] }, ['events.0']],
    ['the number is invalid', { seq: 0 }, ['seq']],
  ])('returns 422 when %s', async (_why, body, fields) => {
    const shop = await createTestStore();
    const response = await shop.api(replayRequest(await createTestWebhook(shop)), body);
    expect([response.status, Object.keys(response.body.errors)]).toEqual([422, fields]);
  });

  it('returns 422 for a range of more than 10,000 deliveries, and accepts 10,000', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await fillDeliveryLog(shop, id, { count: 10_000, since: Date.now() - 5 * day });
    const { body } = await shop.api(replayRequest(id), { from: timeAgo(6 * day) });
    expect(body.data).toMatchObject({ state: 'running', total: 10_000, done: 0 });
    // Otherwise cron would send them all in the following tests.
    await shop.api(`DELETE /webhooks/${id}`);
    const more = await createTestWebhook(shop);
    await fillDeliveryLog(shop, more, { count: 10_001, since: Date.now() - 5 * day });
    expect((await shop.api(replayRequest(more), { from: timeAgo(6 * day) })).status).toBe(422);
  });

  it('returns 409 while another range is running, also for concurrent requests', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await fillDeliveryLog(shop, id, { count: 3 });
    const responses = await Promise.all(
      [1, 2, 3].map(() => shop.api(replayRequest(id), { from: timeAgo(day) })),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 409, 409,
    ]);
    const rejected = responses.find(({ status }) => status === 409);
    expect(rejected?.body.code).toBe('replay_under_way');
  });

  it('sends each matching delivery of a range once, oldest first, without replays of replays', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await fillDeliveryLog(shop, id, { count: 2, since: Date.now() - 10 * day });
    await fillDeliveryLog(shop, id, { count: 2, since: Date.now() - 3 * day });
    await fillDeliveryLog(shop, id, {
      count: 1,
      state: DeliveryState.gaveUp,
      since: Date.now() - 3 * day + 9_000,
    });
    await fillDeliveryLog(shop, id, { count: 1, body: null, since: Date.now() - 3 * day + 20_000 });
    await fillDeliveryLog(shop, id, { count: 1, event: 'order.paid', since: Date.now() - 2 * day });
    await shop.api(replayRequest(id), { seq: 3 });
    const range = { from: timeAgo(4 * day), to: timeAgo(day) };
    const { body } = await shop.api(replayRequest(id), range);
    expect(body.data).toMatchObject({
      state: 'running',
      total: 5,
      states: ['delivered', 'gave_up'],
    });
    expect(await runUntilDone(shop, id, body.data.id)).toMatchObject({
      state: 'done',
      done: 4,
      skipped: 1,
    });
    expect((await replayedDeliveries(id)).map(({ replay_of }) => replay_of)).toEqual([
      3, 3, 4, 5, 7,
    ]);
    const second = await shop.api(replayRequest(id), { ...range, states: ['gave_up'] });
    await runUntilDone(shop, id, second.body.data.id);
    expect((await replayedDeliveries(id)).slice(5).map(({ replay_of }) => replay_of)).toEqual([5]);
    const third = await shop.api(replayRequest(id), { ...range, events: ['order.paid'] });
    await runUntilDone(shop, id, third.body.data.id);
    expect((await replayedDeliveries(id)).slice(6).map(({ replay_of }) => replay_of)).toEqual([7]);
  });

  it('is done at once when a range is empty', async () => {
    const shop = await createTestStore();
    const { body } = await shop.api(replayRequest(await createTestWebhook(shop)), {
      from: timeAgo(day),
    });
    expect(body.data).toMatchObject({ state: 'done', total: 0 });
  });

  it('costs two round trips', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await fillDeliveryLog(shop, id, { count: 3 });
    expect((await measureRequest(shop, replayRequest(id), { seq: 1 })).data.roundTrips).toBe(2);
    expect(
      (await measureRequest(shop, replayRequest(id), { from: timeAgo(day) })).data.roundTrips,
    ).toBe(2);
  });
});

describe('a running replay of a range', () => {
  it('continues after an abort in any batch, with each event once', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    const count = replayBatchSize * 3 + 7;
    await fillDeliveryLog(shop, id, { count });
    const { body } = await shop.api(replayRequest(id), { from: timeAgo(day) });
    let batches = 0;
    // Of three batches, the first fails before it is written and the second after.
    const failingDb = {
      prepare: (sql: string) => env.STORE_0.prepare(sql),
      batch: async (statements: D1PreparedStatement[]) => {
        batches += 1;
        if (batches % 3 === 1) throw new Error('failure before the commit');
        const results = await env.STORE_0.batch(statements);
        if (batches % 3 === 2) throw new Error('failure after the commit');
        return results;
      },
    } as unknown as D1Database;
    for (let run = 0; run < 40; run += 1) await runStep(failingDb).catch(() => undefined);
    expect(await runUntilDone(shop, id, body.data.id)).toMatchObject({ done: count, skipped: 0 });
    const numbers = (await replayedDeliveries(id)).map(({ replay_of }) => replay_of);
    expect(numbers).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  });

  it('is safe under concurrent runs', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    const count = replayBatchSize * 2 + 1;
    await fillDeliveryLog(shop, id, { count });
    const { body } = await shop.api(replayRequest(id), { from: timeAgo(day) });
    for (let run = 0; run < 3; run += 1) await Promise.all([runStep(), runStep(), runStep()]);
    expect(await runUntilDone(shop, id, body.data.id)).toMatchObject({
      state: 'done',
      done: count,
    });
    expect(await replayedDeliveries(id)).toHaveLength(count);
  });

  it('does one bounded step in each run, and wakes the endpoint', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await fillDeliveryLog(shop, id, { count: replayBatchSize + 1 });
    const { body } = await shop.api(replayRequest(id), { from: timeAgo(day) });
    await runStep();
    expect(await readReplay(shop, id, body.data.id)).toMatchObject({
      state: 'running',
      done: replayBatchSize,
    });
    expect((await endpointOf(id))?.next_attempt_at).toBeGreaterThan(0);
  });

  it('is cancelled when its webhook is deleted', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await fillDeliveryLog(shop, id, { count: 3 });
    const { body } = await shop.api(replayRequest(id), { from: timeAgo(day) });
    await shop.api(`DELETE /webhooks/${id}`);
    expect(await runUntilDone(shop, id, body.data.id)).toMatchObject({
      state: 'cancelled',
      done: 0,
    });
    expect(await deliveryLogOf(id)).toHaveLength(3);
  });
});

describe('GET /{alias}/webhooks/{id}/replays', () => {
  it('returns 200 newest first, with each replay once by following the cursor', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await fillDeliveryLog(shop, id, { count: 1 });
    for (let n = 0; n < 3; n += 1) await shop.api(replayRequest(id), { seq: 1 });
    const { body } = await shop.api(`GET /webhooks/${id}/replays?limit=2`);
    expect(body.data).toHaveLength(2);
    const next = `GET /webhooks/${id}/replays?limit=2&cursor=${body.meta.cursor.next}`;
    const { body: rest } = await shop.api(next);
    const ids = [...body.data, ...rest.data].map((one: { id: number }) => one.id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect([ids.length, rest.meta.cursor.next]).toEqual([3, '']);
    const { data } = await measureRequest(shop, `GET /webhooks/${id}/replays`);
    expect(data.roundTrips).toBe(1);
  });
});

describe('GET /{alias}/webhooks/{id}/replays/{replayId}', () => {
  it('returns 200 with its progress', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await fillDeliveryLog(shop, id, { count: 1 });
    const { data: made } = (await shop.api(replayRequest(id), { seq: 1 })).body;
    const { status, body } = await shop.api(`GET /webhooks/${id}/replays/${made.id}`);
    expect([status, body.data]).toEqual([200, made]);
  });
});
