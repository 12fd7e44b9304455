import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { DeliveryState, EndpointStatus } from '../../../src/data/schema/store/webhooks-tables.ts';
import { closeInactiveDeliveries } from '../../../src/webhooks/sweep/inactive.ts';
import { mockNetwork } from '../../support/fakes/network.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { connectApp } from '../../support/oauth/partner.ts';
import {
  auditOfEndpoint,
  createTestWebhook,
  deliveryLogOf,
  endpointOf,
  fillDeliveryLog,
} from '../../support/webhooks/delivery-log.ts';
import { setEndpointColumns } from '../../support/webhooks/pages.ts';
import { sweepContextAt } from '../../support/webhooks/sweep-context.ts';
import '../../support/fixtures/first-shard.ts';

/** A paused webhook with held deliveries. */
async function pausedWebhook(count = 1) {
  const own = await createTestStore();
  const id = await createTestWebhook(own);
  await fillDeliveryLog(own, id, { count, state: DeliveryState.held });
  await own.api(`PUT /webhooks/${id}`, { active: false });
  return { own, id, send: (seq: number) => own.api(`POST /webhooks/${id}/deliveries/${seq}/send`) };
}

const statesOf = async (id: number) => (await deliveryLogOf(id)).map(({ state }) => state);

describe('POST /webhooks/{id}/deliveries/{seq}/send', () => {
  it('returns 200 and sends this delivery alone, signed, under its own number; a resume does not send it again', async () => {
    const { own, id, send } = await pausedWebhook(2);
    using network = mockNetwork(() => new Response('thanks'));
    const { status, body } = await send(1);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ seq: 1, state: 'delivered', attempts: 1, code: 200 });
    expect(network.requests).toHaveLength(1);
    expect(network.requests[0]?.headers.get('X-Service-Sequence')).toBe('1.1');
    expect(network.requests[0]?.headers.get('X-Service-Hmac-SHA256')).toBeTruthy();
    expect(await statesOf(id)).toEqual([DeliveryState.delivered, DeliveryState.held]);
    const endpoint = await endpointOf(id);
    expect(endpoint?.last_success_at).toBeGreaterThan(0);
    expect(endpoint?.proven_at).toBeGreaterThan(0);
    expect((await auditOfEndpoint(id)).at(-1)).toMatchObject({ action: 'delivery_sent' });
    await own.api(`POST /webhooks/${id}/resume`, { resume: 'all' });
    expect(await statesOf(id)).toEqual([DeliveryState.delivered, DeliveryState.open]);
  });

  it('returns 200 and 409 (not_held): of parallel requests one sends', async () => {
    const { id, send } = await pausedWebhook();
    using network = mockNetwork(() => new Response('ok'));
    const responses = await Promise.all([1, 2, 3].map(() => send(1)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(2);
    expect(responses.find(({ status }) => status === 409)?.body.code).toBe('not_held');
    expect(network.requests).toHaveLength(1);
    expect((await send(1)).body.code).toBe('not_held');
    expect(await statesOf(id)).toEqual([DeliveryState.delivered]);
  });

  it('returns 200 with the attempt when the receiver refuses: it stays held and can be sent again', async () => {
    const { id, send } = await pausedWebhook();
    using network = mockNetwork(() => new Response('no', { status: 503 }));
    const { status, body } = await send(1);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ state: 'held', attempts: 1, code: 503, error: 'http_5xx' });
    expect(body.data.log.data).toMatchObject([{ number: 1, code: 503 }]);
    expect((await send(1)).body.data).toMatchObject({ state: 'held', attempts: 2 });
    expect(network.requests).toHaveLength(2);
    expect((await deliveryLogOf(id))[0]).toMatchObject({ due_at: 0, done_at: null });
  });

  it('is not doubled by a resume while it is being sent', async () => {
    const { own, id, send } = await pausedWebhook();
    using _network = mockNetwork(async () => {
      await own.api(`POST /webhooks/${id}/resume`, { resume: 'all' });
      const [delivery] = await deliveryLogOf(id);
      expect(delivery).toMatchObject({ state: DeliveryState.open });
      // No worker takes it before this time.
      expect(delivery?.due_at).toBeGreaterThan(Date.now() + 20_000);
      return new Response('ok');
    });
    expect((await send(1)).body.data).toMatchObject({ state: 'delivered' });
    expect(await statesOf(id)).toEqual([DeliveryState.delivered]);
  });

  it('returns 200 for a delivery whose retry was to come hours later when its webhook was switched off', async () => {
    const own = await createTestStore();
    const id = await createTestWebhook(own);
    await fillDeliveryLog(own, id, { count: 1, state: DeliveryState.open });
    const later = Date.now() + 5 * 3_600_000;
    await env.STORE_0.prepare('update webhook_deliveries set due_at = ? where endpoint_id = ?')
      .bind(later, id)
      .run();
    await setEndpointColumns(id, { status: EndpointStatus.autoDisabled, next_attempt_at: 1 });
    await closeInactiveDeliveries(sweepContextAt(Date.now()));
    using _network = mockNetwork(() => new Response('ok'));
    const { status, body } = await own.api(`POST /webhooks/${id}/deliveries/1/send`);
    expect([status, body.data?.state]).toEqual([200, 'delivered']);
  });

  it('returns 404 for an unknown delivery and a webhook of another store', async () => {
    const { id, send } = await pausedWebhook();
    const other = await createTestStore();
    const foreign = await other.api(`POST /webhooks/${id}/deliveries/1/send`);
    expect([(await send(9)).status, foreign.status]).toEqual([404, 404]);
  });

  it('returns 410 when the body is no longer stored', async () => {
    const { own, send } = await pausedWebhook();
    await env.STORE_0.prepare('delete from webhook_events where store_id = ?').bind(own.id).run();
    expect((await send(1)).status).toBe(410);
  });

  it('returns 422 for a URL that is not allowed, and sends nothing', async () => {
    const { id, send } = await pausedWebhook();
    await setEndpointColumns(id, { url: 'https://10.0.0.1/in' });
    using network = mockNetwork(() => new Response('ok'));
    expect((await send(1)).status).toBe(422);
    expect(network.requests).toEqual([]);
    expect(await statesOf(id)).toEqual([DeliveryState.held]);
  });

  it('returns 403 for an event that the app of the webhook may not receive', async () => {
    const own = await createTestStore();
    const connected = await connectApp(own);
    const { body } = await connected.api('POST /webhooks', {
      url: 'https://partner.test/hook',
      name: 'Of an app',
      events: ['product.created'],
    });
    const id: number = body.data.id;
    await fillDeliveryLog(own, id, { count: 1, state: DeliveryState.held });
    await env.STORE_0.prepare('update oauth_grants set scopes = 4 where store_id = ?')
      .bind(own.id)
      .run();
    using network = mockNetwork(() => new Response('ok'));
    expect((await own.api(`POST /webhooks/${id}/deliveries/1/send`)).status).toBe(403);
    expect(network.requests).toEqual([]);
    expect(await statesOf(id)).toEqual([DeliveryState.held]);
  });
});
