import { describe, expect, it } from 'vitest';
import { DeliveryState } from '../../../src/data/schema/store/webhooks-tables.ts';
import { mockNetwork } from '../../support/fakes/network.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { createConsumer, db, respondOk } from '../../support/webhooks/consumer.ts';
import {
  createTestWebhook,
  deliveryLogOf,
  endpointOf,
  fillDeliveryLog,
} from '../../support/webhooks/delivery-log.ts';
import { setEndpointColumns } from '../../support/webhooks/pages.ts';
import '../../support/fixtures/first-shard.ts';

const { open, delivered, held } = DeliveryState;
const minute = 60_000;

const states = async (id: number) => (await deliveryLogOf(id)).map(({ state }) => state);

const nextAttemptOf = async (id: number) => Number((await endpointOf(id))?.next_attempt_at);

/**
 * A verified webhook with five deliveries whose receiver has failed so often that the next attempt
 * is ten minutes away.
 */
async function createFailing({ isProven = true, ordered = false, status = 500 } = {}) {
  const shop = await createTestStore();
  const id = await createTestWebhook(shop);
  await fillDeliveryLog(shop, id, { count: 5, state: open });
  const start = Date.now();
  const proven = isProven ? start - minute : null;
  await setEndpointColumns(id, {
    next_attempt_at: start,
    proven_at: proven,
    ordered: ordered ? 1 : 0,
  });
  const failing = createConsumer(() => new Response('no', { status }));
  failing.clock.now = start;
  for (let attempt = 0; attempt < 4; attempt += 1) {
    failing.clock.now = Math.max(failing.clock.now, await nextAttemptOf(id));
    await failing.deliver(id);
  }
  expect(await nextAttemptOf(id)).toBe(failing.clock.now + 10 * minute);
  /** Lets the workers send what is due at this moment of the API. */
  const deliver = async (receive = respondOk) => {
    const consumer = createConsumer(receive);
    consumer.clock.now = Date.now();
    for (let run = 0; run < 3; run += 1) await consumer.deliver(id);
    return consumer.requests.length;
  };
  return { shop, id, deliver, failedAt: failing.clock.now };
}

describe('a ping that a failing webhook answers with 2xx', () => {
  it.each([
    ['verified', {}],
    ['unverified', { isProven: false }],
    ['ordered', { ordered: true }],
  ])('makes a webhook that is %s well, and what waits arrives at once', async (_what, options) => {
    const { shop, id, deliver } = await createFailing(options);
    expect(await deliver()).toBe(0);
    using _network = mockNetwork(() => new Response('ok'));
    expect((await shop.api(`POST /webhooks/${id}/ping`)).body.data.delivered).toBe(true);
    expect(await endpointOf(id)).toMatchObject({
      consecutive_failures: 0,
      failure_count: 0,
      first_failure_at: null,
      warning_level: 0,
    });
    expect(await deliver()).toBe(5);
    expect(await states(id)).toEqual(Array(5).fill(delivered));
  });

  it('changes nothing while the answer is no 2xx', async () => {
    const { shop, id } = await createFailing();
    const before = await endpointOf(id);
    using _network = mockNetwork(() => new Response('no', { status: 503 }));
    await shop.api(`POST /webhooks/${id}/ping`);
    expect(await endpointOf(id)).toEqual(before);
  });

  it('sends deliveries that were rejected, but not one that a request is sending', async () => {
    const { shop, id, deliver } = await createFailing();
    const now = Date.now();
    await setEndpointColumns(id, { consecutive_failures: 0, next_attempt_at: now + 20_000 });
    const setDue = db.prepare(
      'update webhook_deliveries set attempts = ?, due_at = ? where endpoint_id = ? and seq = ?',
    );
    await db.batch([1, 2, 3, 4].map((seq) => setDue.bind(3, now + 50 * minute, id, seq)));
    await setDue.bind(0, now + 20_000, id, 5).run();
    using _network = mockNetwork(() => new Response('ok'));
    await shop.api(`POST /webhooks/${id}/ping`);
    expect(await deliver()).toBe(4);
    expect(await states(id)).toEqual([...Array(4).fill(delivered), open]);
  });
});

describe('POST /{alias}/webhooks/{id}/resume of an active webhook that fails', () => {
  const resume = (id: number) => `POST /webhooks/${id}/resume`;

  it('makes the next attempt at once, and the others follow it', async () => {
    const { shop, id, deliver } = await createFailing();
    expect((await shop.api(resume(id), { resume: 'none' })).status).toBe(200);
    expect(await deliver()).toBe(5);
    expect(await states(id)).toEqual(Array(5).fill(delivered));
  });

  it('takes no step of the schedule: after a failure the delay is the one that was cut short', async () => {
    const { shop, id, deliver, failedAt } = await createFailing();
    for (let time = 0; time < 3; time += 1) {
      await shop.api(resume(id), { resume: 'none' });
      const at = Date.now();
      expect(await deliver(() => new Response('no', { status: 500 }))).toBe(1);
      const next = await nextAttemptOf(id);
      expect(next - at).toBeGreaterThanOrEqual(10 * minute);
      expect(next).toBeLessThan(failedAt + 11 * minute);
    }
  });

  it('counts as a ping while nothing was accepted at its URL: 429 within ten seconds', async () => {
    const { shop, id, deliver } = await createFailing({ isProven: false });
    expect((await shop.api(resume(id), { resume: 'none' })).status).toBe(200);
    const fail = () => new Response('no', { status: 500 });
    expect(await deliver(fail)).toBe(1);
    const again = await shop.api(resume(id), { resume: 'none' });
    expect([again.status, again.headers.get('Retry-After')]).toEqual([429, '10']);
    expect(await deliver(fail)).toBe(0);
  });
});

it('a webhook that is active already goes on with its release when active true is sent', async () => {
  const shop = await createTestStore();
  const id = await createTestWebhook(shop);
  await fillDeliveryLog(shop, id, { count: 2, state: held, since: Date.now() - 100 * 60 * minute });
  await setEndpointColumns(id, { resume_from_seq: 1, next_attempt_at: Date.now() + 9 * minute });
  const before = await endpointOf(id);
  expect((await shop.api(`PUT /webhooks/${id}`, { active: true })).status).toBe(200);
  expect(await states(id)).toEqual([held, held]);
  expect({ ...(await endpointOf(id)), updated_at: 0 }).toEqual({ ...before, updated_at: 0 });
});
