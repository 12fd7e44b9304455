import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { DeliveryState } from '../../../src/data/schema/store/webhooks-tables.ts';
import { continueReplays } from '../../../src/webhooks/replay/replay-run.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import {
  archive,
  archiveWith,
  bodiesLeft,
  bodyOfLength,
  fillOldLog,
} from '../../support/webhooks/archive.ts';
import { createConsumer, respondOk } from '../../support/webhooks/consumer.ts';
import {
  createTestWebhook,
  deliveryLogOf,
  endpointOf,
} from '../../support/webhooks/delivery-log.ts';
import { sweepContextAt } from '../../support/webhooks/sweep-context.ts';
import '../../support/fixtures/first-shard.ts';

const body = bodyOfLength(500);

/** Creates a webhook with three delivered events whose bodies are in the archive. */
async function createArchivedLog() {
  const shop = await createTestStore();
  const webhook = await createTestWebhook(shop);
  await fillOldLog(shop, webhook, { count: 3, body });
  await env.STORE_0.prepare('update webhook_endpoints set proven_at = 1 where id = ?')
    .bind(webhook)
    .run();
  expect(await archive()).toBe(1);
  return { shop, webhook };
}

const replaysOf = async (webhook: number) =>
  (await deliveryLogOf(webhook)).filter(({ trigger }) => trigger === 'replay');

it('a replay sends the archived bytes again, and writes no body back', async () => {
  const { shop, webhook } = await createArchivedLog();
  const [{ event_id: event } = {}] = await deliveryLogOf(webhook);
  expect((await shop.api(`POST /webhooks/${webhook}/replays`, { seq: 2 })).status).toBe(201);
  expect((await shop.api(`POST /events/${String(event)}/replays`)).status).toBe(201);
  const hour = 3_600_000;
  const [from, to] = [11 * 24 * hour, 9 * 24 * hour].map((ms) =>
    new Date(Date.now() - ms).toISOString().slice(0, 19).replace('T', ' '),
  );
  expect((await shop.api(`POST /webhooks/${webhook}/replays`, { from, to })).status).toBe(201);
  await continueReplays(sweepContextAt(Date.now()));
  const consumer = createConsumer(respondOk);
  consumer.clock.now = Date.now() + 1_000;
  await consumer.deliver(webhook);
  const sent = await Promise.all(consumer.requests.map((request) => request.text()));
  expect(sent).toEqual([body, body, body, body, body]);
  const states = (await replaysOf(webhook)).map(({ state }) => state);
  expect(states).toEqual(states.map(() => DeliveryState.delivered));
  expect(await bodiesLeft(shop)).toBe(0);
});

it('a delivery whose body cannot be read waits a minute and is not a failure of the endpoint', async () => {
  const { shop, webhook } = await createArchivedLog();
  await shop.api(`POST /webhooks/${webhook}/replays`, { seq: 1 });
  const down = archiveWith({ get: () => Promise.reject(new Error('R2: internal error')) });
  const failing = createConsumer(respondOk, undefined, { archive: down });
  const now = (failing.clock.now = Date.now() + 1_000);
  await failing.deliver(webhook);
  expect(failing.requests).toEqual([]);
  expect(await replaysOf(webhook)).toMatchObject([{ state: DeliveryState.open, attempts: 0 }]);
  expect(await endpointOf(webhook)).toMatchObject({
    next_attempt_at: now + 60_000,
    consecutive_failures: 0,
    failure_count: 0,
  });
  const consumer = createConsumer(respondOk);
  consumer.clock.now = now + 60_000;
  await consumer.deliver(webhook);
  expect(await Promise.all(consumer.requests.map((request) => request.text()))).toEqual([body]);
  expect(await replaysOf(webhook)).toMatchObject([{ state: DeliveryState.delivered }]);
});
