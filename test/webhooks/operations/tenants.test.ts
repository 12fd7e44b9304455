import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { DeliveryState } from '../../../src/data/schema/store/webhooks-tables.ts';
import type { Operation } from '../../../src/http/operation.ts';
import { callApi } from '../../support/api/client.ts';
import { operations } from '../../support/api/operations.ts';
import { allRowsOf } from '../../support/copies.ts';
import { mockNetwork } from '../../support/fakes/network.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { connectApp } from '../../support/oauth/partner.ts';
import '../../support/fixtures/first-shard.ts';
import { shared } from '../../support/shared.ts';
import {
  auditOfEndpoint,
  createTestWebhook,
  fillDeliveryLog,
} from '../../support/webhooks/delivery-log.ts';

const webhookOperations = operations.filter(({ path }) => path.includes('webhooks/{id}'));

const bodies: Record<string, object> = {
  createWebhookReplay: { seq: 1 },
  updateWebhook: { name: 'mine', active: false },
  updateOrderWebhook: { name: 'mine', active: false },
};

/** Creates a webhook with a log and a replay. */
async function createWebhookWithHistory(shop: TestStore) {
  const id = await createTestWebhook(shop);
  await fillDeliveryLog(shop, id, { count: 2 });
  await fillDeliveryLog(shop, id, { count: 1, state: DeliveryState.held });
  const { body } = await shop.api(`POST /webhooks/${id}/replays`, { seq: 1 });
  return { id, replay: body.data.id as number };
}

/**
 * A store with webhooks of the merchant and of an app, another app of it, and another store. Nobody
 * may change anything.
 */
const sharedWorld = shared(async () => {
  const [owner, otherStore] = [await createTestStore(), await createTestStore()];
  const [own, ofApp] = [
    await createWebhookWithHistory(owner),
    await createWebhookWithHistory(owner),
  ];
  await setCreator(ofApp.id, 'another');
  const { headers } = await connectApp(owner);
  // The audit lines of all stores, since another one may have left one.
  const snapshot = async () => ({
    rows: await allRowsOf(env.STORE_0, owner.id),
    audit: await Promise.all([own.id, ofApp.id].map(auditOfEndpoint)),
  });
  return { owner, otherStore, own, ofApp, headers, snapshot, before: await snapshot() };
});

const pathOf = ({ path }: Operation, id: number, replay: number) =>
  path
    .replace('/{alias}', '')
    .replace('{id}', String(id))
    .replace('{seq}', '1')
    .replace('{replayId}', String(replay));

const setCreator = (id: number, clientId: string | null) =>
  env.STORE_0.prepare('update webhook_endpoints set client_id = ? where id = ?')
    .bind(clientId, id)
    .run();

describe.each(webhookOperations.map((operation) => [operation.route, operation] as const))(
  '%s',
  (_route, operation) => {
    it('fault 66: returns 404 for the webhook of another store, which stays unchanged', async () => {
      const { otherStore, own, snapshot, before } = await sharedWorld();
      using network = mockNetwork(() => new Response('ok'));
      const response = await otherStore.api(
        `${operation.method} ${pathOf(operation, own.id, own.replay)}`,
        operation.body ? (bodies[operation.id] ?? {}) : undefined,
      );
      expect([response.status, response.body.errors]).toEqual([404, undefined]);
      expect(await snapshot()).toEqual(before);
      expect(network.requests).toEqual([]);
    });

    it('returns 404 for an app when the merchant or another app created the webhook', async () => {
      const { owner, own, ofApp, headers, snapshot, before } = await sharedWorld();
      using network = mockNetwork(() => new Response('ok'));
      for (const { id, replay } of [own, ofApp]) {
        const response = await callApi(
          operation.method,
          `/v2/${owner.alias}${pathOf(operation, id, replay)}`,
          {
            headers,
            ...(operation.body && { body: bodies[operation.id] ?? {} }),
          },
        );
        expect([response.status, response.body.errors]).toEqual([404, undefined]);
      }
      expect(await snapshot()).toEqual(before);
      expect(network.requests).toEqual([]);
    });
  },
);

describe('GET /{alias}/webhooks/{id}/replays/{replayId}', () => {
  it('returns 404 for the replay of another webhook of the same store', async () => {
    const owner = await createTestStore();
    const { replay } = await createWebhookWithHistory(owner);
    const other = await createTestWebhook(owner);
    expect((await owner.api(`GET /webhooks/${other}/replays/${replay}`)).status).toBe(404);
  });
});

describe('an app', () => {
  it('reads the log of its own webhook', async () => {
    const owner = await createTestStore();
    const { id } = await createWebhookWithHistory(owner);
    const { headers, app } = await connectApp(owner);
    await setCreator(id, app.client_id);
    const path = `/v2/${owner.alias}/webhooks/${id}/deliveries`;
    const { status, body } = await callApi('GET', path, { headers });
    expect(status).toBe(200);
    expect(body.data.map(({ seq }: { seq: number }) => seq)).toEqual([4, 3, 2, 1]);
  });
});
