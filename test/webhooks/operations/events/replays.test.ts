import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createEventId } from '../../../../src/data/core/event-id.ts';
import { DeliveryState } from '../../../../src/data/schema/store/webhooks-tables.ts';
import { withIdempotencyKey } from '../../../support/api/idempotency.ts';
import { measureRequest } from '../../../support/api/measure.ts';
import { createTestStore, type TestStore } from '../../../support/fixtures/store.ts';
import { connectApp } from '../../../support/oauth/partner.ts';
import {
  auditOfEndpoint,
  endpointOf,
  fillDeliveryLog,
  deliveryLogOf,
  createTestWebhook,
} from '../../../support/webhooks/delivery-log.ts';
import '../../../support/fixtures/first-shard.ts';

const replayRequest = (event: string) => `POST /events/${event}/replays`;

/**
 * Creates a product whose event is sent, and returns the id of its event in the log of the webhook.
 */
async function createProductEvent(store: TestStore, webhook: number): Promise<string> {
  const event = await createUnsentEvent(store, webhook);
  await env.STORE_0.prepare(
    'update webhook_deliveries set state = ?, attempts = 1 where event_id = ?',
  )
    .bind(DeliveryState.delivered, event)
    .run();
  return event;
}

/** The same, before any attempt. */
async function createUnsentEvent({ api }: TestStore, webhook: number): Promise<string> {
  const brand = await api('POST /catalog/brands', { name: crypto.randomUUID(), active: true });
  const skus = [{ sku: crypto.randomUUID().slice(0, 20), price_sale: 1, quantity: 1 }];
  const product = { name: 'Shirt', simple: true, active: true, brand_id: brand.body.data.id, skus };
  await api('POST /catalog/products', product);
  return String((await deliveryLogOf(webhook)).at(-1)?.event_id);
}

const replayedDeliveries = async (id: number) =>
  (await deliveryLogOf(id)).filter(({ trigger }) => trigger === 'replay');

describe('POST /{alias}/events/{event_id}/replays', () => {
  it('returns 201 with a replay for each webhook of the event, under new numbers, in two round trips', async () => {
    const shop = await createTestStore();
    const [one, other] = [await createTestWebhook(shop), await createTestWebhook(shop)];
    const otherStore = await createTestWebhook(shop, ['order.paid']);
    await fillDeliveryLog(shop, other, { count: 3 });
    const event = await createProductEvent(shop, one);
    const late = await createTestWebhook(shop);
    const before = [await deliveryLogOf(one), await deliveryLogOf(other)];
    const { response, data } = await measureRequest(shop, replayRequest(event));
    expect([response.status, data.roundTrips]).toEqual([201, 2]);
    const replay = { event_id: event, state: 'done', total: 1, done: 1 };
    expect(response.body.data).toMatchObject([
      { webhook_id: one, ...replay },
      { webhook_id: other, ...replay },
    ]);
    expect(await deliveryLogOf(one)).toMatchObject([
      ...before[0]!,
      {
        seq: 2,
        event_id: event,
        state: DeliveryState.open,
        replay_of: 1,
        trigger: 'replay',
        attempts: 0,
      },
    ]);
    expect(await replayedDeliveries(other)).toMatchObject([
      { seq: 5, event_id: event, replay_of: 4 },
    ]);
    for (const id of [one, other]) {
      expect((await endpointOf(id))?.next_attempt_at).toBeGreaterThan(0);
      expect((await auditOfEndpoint(id)).at(-1)?.action).toBe('replayed');
    }
    for (const id of [otherStore, late]) expect(await deliveryLogOf(id)).toEqual([]);
    const { body } = await shop.api(`GET /webhooks/${other}/replays`);
    expect(body.data[0].id).toBe(response.body.data[1].id);
  });

  it('returns 409 before the first attempt, also while paused, and 201 once another webhook got the event', async () => {
    const shop = await createTestStore();
    const [one, other] = [await createTestWebhook(shop), await createTestWebhook(shop)];
    const event = await createUnsentEvent(shop, one);
    const refuse = async () => {
      const { status, body } = await shop.api(replayRequest(event));
      expect([status, body.code]).toEqual([409, 'not_sent_yet']);
    };
    await refuse();
    await shop.api(`PUT /webhooks/${one}`, { active: false });
    await refuse();
    await env.STORE_0.prepare('update webhook_deliveries set attempts = 1 where endpoint_id = ?')
      .bind(other)
      .run();
    const { status, body } = await shop.api(replayRequest(event));
    expect([status, body.data.length, body.data[0].webhook_id]).toEqual([201, 1, other]);
    expect(await replayedDeliveries(one)).toEqual([]);
  });

  it('returns 201 with new replays for a second request, but not under the same idempotency key', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    const event = await createProductEvent(shop, id);
    const caller = withIdempotencyKey(shop);
    for (const api of [shop.api, caller.api, caller.api]) {
      expect((await api(replayRequest(event))).status).toBe(201);
    }
    expect(await replayedDeliveries(id)).toMatchObject([{ seq: 2 }, { seq: 3 }]);
  });

  it('returns 201, holds the delivery where a webhook is paused, and leaves out deleted webhooks', async () => {
    const shop = await createTestStore();
    const [paused, deleted] = [await createTestWebhook(shop), await createTestWebhook(shop)];
    const event = await createProductEvent(shop, paused);
    await shop.api(`PUT /webhooks/${paused}`, { active: false });
    await shop.api(`DELETE /webhooks/${deleted}`);
    const { status, body } = await shop.api(replayRequest(event));
    expect([status, body.data.length]).toEqual([201, 1]);
    expect(await replayedDeliveries(paused)).toMatchObject([{ state: DeliveryState.held }]);
    expect(await replayedDeliveries(deleted)).toEqual([]);
    await shop.api(`DELETE /webhooks/${paused}`);
    expect((await shop.api(replayRequest(event))).status).toBe(404);
  });

  it('returns 201 for the webhooks of an app, 404 when it has none, and all webhooks for an API key', async () => {
    const shop = await createTestStore();
    const [mine, other] = [await connectApp(shop), await connectApp(shop)];
    const own = await createTestWebhook({ ...shop, api: mine.api });
    const ofStore = await createTestWebhook(shop);
    const event = await createProductEvent(shop, own);
    expect((await mine.api(replayRequest(event))).body.data).toMatchObject([{ webhook_id: own }]);
    expect((await other.api(replayRequest(event))).status).toBe(404);
    expect(
      [await replayedDeliveries(own), await replayedDeliveries(ofStore)].map(
        ({ length }) => length,
      ),
    ).toEqual([1, 0]);
    expect((await shop.api(replayRequest(event))).body.data).toHaveLength(2);
  });

  it('returns 404 for an event of another store, and for an unknown event', async () => {
    const [shop, other] = [await createTestStore(), await createTestStore()];
    const [id, foreign] = [await createTestWebhook(shop), await createTestWebhook(other)];
    const event = await createProductEvent(other, foreign);
    await createProductEvent(shop, id);
    for (const unknown of [event, createEventId(shop.id, Date.now()), 'evt_1', '1']) {
      expect((await shop.api(replayRequest(unknown))).status).toBe(404);
    }
    expect([await replayedDeliveries(id), await replayedDeliveries(foreign)]).toEqual([[], []]);
  });

  it('fault 51: returns 410 once the body is purged, and adds nothing', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    const event = await createProductEvent(shop, id);
    await env.STORE_0.prepare('delete from webhook_events where id = ?').bind(event).run();
    const { status, body } = await shop.api(replayRequest(event));
    expect([status, Object.keys(body.errors)]).toEqual([410, ['event_id']]);
    expect(await replayedDeliveries(id)).toEqual([]);
  });

  it('returns 201 for an event in the middle of a long log, reading two minutes of it', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    // One per second, so that two minutes hold 120.
    await fillDeliveryLog(shop, id, { count: 10_000 });
    const event = String((await deliveryLogOf(id))[5_000]?.event_id);
    const { response, data } = await measureRequest(shop, replayRequest(event));
    expect(response.status).toBe(201);
    expect(await replayedDeliveries(id)).toMatchObject([
      { seq: 10_001, event_id: event, replay_of: 5_001 },
    ]);
    expect(data.rowsRead).toBeLessThan(600);
  });
});
