import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { DeliveryState, EndpointStatus } from '../../../src/data/schema/store/webhooks-tables.ts';
import { mockNetwork } from '../../support/fakes/network.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import {
  approveConsent,
  connectApp,
  postToken,
  redemptionForm,
} from '../../support/oauth/partner.ts';
import {
  auditOfEndpoint,
  endpointOf,
  fillDeliveryLog,
  deliveryLogOf,
} from '../../support/webhooks/delivery-log.ts';
import '../../support/fixtures/first-shard.ts';

const url = 'http://127.0.0.1:9/unreachable';

/** Creates a paused webhook of an app, with a held delivery. */
async function createPausedAppWebhook() {
  const shop = await createTestStore();
  const connected = await connectApp(shop);
  const created = await connected.api('POST /webhooks', {
    url,
    name: 'test',
    events: ['product.created'],
  });
  const id: number = created.body.data.id;
  await connected.api(`PUT /webhooks/${id}`, { active: false });
  await fillDeliveryLog(shop, id, { count: 1, state: DeliveryState.held });
  const snapshot = async () => [
    await endpointOf(id),
    await deliveryLogOf(id),
    await auditOfEndpoint(id),
  ];
  return { shop, connected, id, snapshot };
}

const endGrants = (storeId: number, change: string) =>
  env.STORE_0.prepare(`update oauth_grants set ${change} where store_id = ?`).bind(storeId).run();

const grantEndings = [
  ['was disconnected', 'revoked_at = 1'],
  ['has not refreshed for too long', 'expires_at = 1'],
] as const;

const activations = [
  ['PUT', (id: number) => `PUT /webhooks/${id}`, { active: true }],
  [
    'PUT of the order webhook',
    (id: number) => `PUT /orders/webhooks/${id}`,
    { active: true, name: 'new' },
  ],
  ['resume', (id: number) => `POST /webhooks/${id}/resume`, { resume: 'all' }],
] as const;

describe('the webhook of an app that is disconnected from the store', () => {
  it.each(
    grantEndings.flatMap((end) => activations.map((way) => [way[0], end[0], end[1], way] as const)),
  )(
    'returns 422 and stays inactive for %s with an API key when the app %s',
    async (_name, _why, change, [, request, body]) => {
      const { shop, id, snapshot } = await createPausedAppWebhook();
      await endGrants(shop.id, change);
      const before = await snapshot();
      const response = await shop.api(request(id), body);
      expect([response.status, response.body.errors]).toEqual([
        422,
        { active: ['The app that made this webhook is not connected to the store any more.'] },
      ]);
      expect(await snapshot()).toEqual(before);
    },
  );

  it('returns 422 for a new URL after it was disabled automatically, and sends no ping', async () => {
    const { shop, id, snapshot } = await createPausedAppWebhook();
    await env.STORE_0.prepare(
      `update webhook_endpoints set status = ${EndpointStatus.autoDisabled} where id = ?`,
    )
      .bind(id)
      .run();
    await endGrants(shop.id, 'revoked_at = 1');
    using network = mockNetwork(() => new Response('ok'));
    const before = await snapshot();
    const newUrl = { url: 'http://127.0.0.1:9/other' };
    expect((await shop.api(`PUT /webhooks/${id}`, newUrl)).status).toBe(422);
    expect(await snapshot()).toEqual(before);
    expect(network.requests).toEqual([]);
  });

  it('can be resumed once the app has redeemed a new consent, and not by the consent only', async () => {
    const { shop, connected, id } = await createPausedAppWebhook();
    await endGrants(shop.id, 'revoked_at = 1');
    const approved = await approveConsent(shop, connected.app);
    expect((await shop.api(`POST /webhooks/${id}/resume`, {})).status).toBe(422);
    expect((await postToken(redemptionForm(approved))).status).toBe(200);
    expect((await shop.api(`POST /webhooks/${id}/resume`, {})).status).toBe(200);
    expect(await deliveryLogOf(id)).toMatchObject([{ state: DeliveryState.open }]);
  });

  it('still accepts pausing, renaming, reading its log and deleting', async () => {
    const { shop, id } = await createPausedAppWebhook();
    await endGrants(shop.id, 'revoked_at = 1');
    for (const [request, body] of [
      [`PUT /webhooks/${id}`, { active: false, name: 'renamed' }],
      [`PUT /webhooks/${id}`, { url: 'http://127.0.0.1:9/other' }],
      [`GET /webhooks/${id}/deliveries`, undefined],
      [`DELETE /webhooks/${id}`, undefined],
    ] as const) {
      expect((await shop.api(request, body)).status, request).toBe(200);
    }
  });
});
