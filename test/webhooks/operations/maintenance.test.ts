import { env } from 'cloudflare:workers';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { importHmacKey, hmacSha256 } from '../../../src/base/crypto/hmac.ts';
import { seal, unseal } from '../../../src/base/crypto/seal.ts';
import { settingsOf } from '../../../src/base/settings.ts';
import { DeliveryState, EndpointStatus } from '../../../src/data/schema/store/webhooks-tables.ts';
import {
  continueReleases,
  releaseBatchSize,
} from '../../../src/webhooks/endpoints/release-deliveries.ts';
import { callWithBindings, measureRequest } from '../../support/api/measure.ts';
import { fakeDatabase } from '../../support/fakes/fake-database.ts';
import { mockNetwork } from '../../support/fakes/network.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import {
  auditOfEndpoint,
  endpointOf,
  fillDeliveryLog,
  deliveryLogOf,
  createTestWebhook,
} from '../../support/webhooks/delivery-log.ts';
import '../../support/fixtures/first-shard.ts';

const hour = 3_600_000;
const url = 'http://127.0.0.1:9/unreachable';

const { open, held } = DeliveryState;

const succeed = () => new Response('ok');
const fail = () => new Response('no', { status: 500 });

const setColumns = (id: number, columns: string) =>
  env.STORE_0.prepare(`update webhook_endpoints set ${columns} where id = ?`).bind(id).run();

/** Puts an endpoint into the state in which the sweep leaves one that failed for days. */
const disable = (id: number) =>
  setColumns(
    id,
    `status = ${EndpointStatus.autoDisabled}, consecutive_failures = 9, failure_count = 12, first_failure_at = 1, warning_level = 2`,
  );

const deliveryStates = async (id: number) => (await deliveryLogOf(id)).map(({ state }) => state);

const auditActions = async (id: number) => (await auditOfEndpoint(id)).map(({ action }) => action);

async function createWithSecret(shop: TestStore): Promise<{ id: number; secret_key: string }> {
  const body = { url, name: 'test', events: ['product.created'] };
  return (await shop.api('POST /webhooks', body)).body.data;
}

describe('POST /{alias}/webhooks/{id}/ping', () => {
  it('returns 200 with delivered true for a 2xx, and sends both signatures and the documented body', async () => {
    const shop = await createTestStore();
    const { id, secret_key: secret } = await createWithSecret(shop);
    using network = mockNetwork(succeed);
    const { status, body } = await shop.api(`POST /webhooks/${id}/ping`);
    expect([status, body.data]).toMatchObject([200, { delivered: true, code: 200, error: null }]);
    const [request] = network.requests;
    const { text } = request!;
    expect(JSON.parse(text)).toMatchObject({
      event: 'ping',
      merchant: { id: shop.id, alias: shop.alias },
      resource: { id, name: 'test', url },
    });
    const { headers } = request!;
    const key = await importHmacKey(new TextEncoder().encode(secret));
    expect(headers.get('X-Service-Hmac-SHA256')).toBe(
      await hmacSha256(key, new TextEncoder().encode(text)),
    );
    new Webhook(secret).verify(text, Object.fromEntries(headers));
    expect(headers.get('X-Service-Topic')).toBe('ping');
    expect(headers.get('X-Service-Sequence')).toBe('1.0');
    expect(await deliveryLogOf(id)).toEqual([]);
  });

  it.each<[string, () => Response, object]>([
    ['a response that is not 2xx', fail, { code: 500, error: 'http_5xx' }],
    ['a redirect', () => new Response(null, { status: 302 }), { code: 302, error: 'redirect' }],
    [
      'no response',
      () => {
        throw new Error('Network connection lost.');
      },
      { code: null, error: 'connect' },
    ],
  ])('returns 200 with delivered false for %s', async (_why, receive, result) => {
    const shop = await createTestStore();
    const { id } = await createWithSecret(shop);
    using _network = mockNetwork(receive);
    const { status, body } = await shop.api(`POST /webhooks/${id}/ping`);
    expect([status, body.data]).toMatchObject([200, { delivered: false, ...result }]);
  });

  it('fault 67: returns 429 within ten seconds of the last ping of the store, and sends nothing', async () => {
    const shop = await createTestStore();
    const [one, other] = [await createTestWebhook(shop), await createTestWebhook(shop)];
    using network = mockNetwork(succeed);
    expect((await shop.api(`POST /webhooks/${one}/ping`)).status).toBe(200);
    const limited = await shop.api(`POST /webhooks/${other}/ping`);
    expect([limited.status, limited.headers.get('Retry-After')]).toEqual([429, '10']);
    expect(network.requests).toHaveLength(1);
    const otherStore = await createTestStore();
    const { id } = await createWithSecret(otherStore);
    expect((await otherStore.api(`POST /webhooks/${id}/ping`)).status).toBe(200);
    await env.STORE_0.prepare('update webhook_pings set at = at - 10000 where store_id = ?')
      .bind(shop.id)
      .run();
    expect((await shop.api(`POST /webhooks/${other}/ping`)).status).toBe(200);
  });

  it('costs one round trip, and a second one when the URL proves itself', async () => {
    const shop = await createTestStore();
    const { id } = await createWithSecret(shop);
    using _network = mockNetwork(succeed);
    const ping = () => measureRequest(shop, `POST /webhooks/${id}/ping`);
    expect((await ping()).data.roundTrips).toBe(2);
    await env.STORE_0.prepare('delete from webhook_pings where store_id = ?').bind(shop.id).run();
    expect((await ping()).data.roundTrips).toBe(1);
  });
});

describe('POST /{alias}/webhooks/{id}/rotate-secret', () => {
  const rotate = (id: number) => `POST /webhooks/${id}/rotate-secret`;

  it('returns 200 with the new secret once; the old secret stays valid for 24 hours', async () => {
    const shop = await createTestStore();
    const { id, secret_key: old } = await createWithSecret(shop);
    const before = await endpointOf(id);
    const { status, body } = await shop.api(rotate(id), {});
    expect(status).toBe(200);
    expect(body.data.secret_key).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(body.data.secret_key).not.toBe(old);
    expect(body.data.state).toBe('overlap');
    const after = await endpointOf(id);
    expect(after).toMatchObject({
      secret_mode: 1,
      secret_previous: before?.secret_current,
      secret_overlap_ms: 24 * hour,
    });
    expect(Number(after?.secret_previous_until) - Date.now()).toBeGreaterThan(23.9 * hour);
    expect(JSON.stringify(after)).not.toContain(body.data.secret_key);
    expect(await auditActions(id)).toEqual(['created', 'secret_rotated']);
  });

  it('signs with both secrets during the overlap, and with the new one first after the commit', async () => {
    const shop = await createTestStore();
    const { id, secret_key: old } = await createWithSecret(shop);
    const { body } = await shop.api(rotate(id), { overlap_hours: 2 });
    const fresh: string = body.data.secret_key;
    const seen = async () => {
      using network = mockNetwork(succeed);
      await env.STORE_0.prepare('delete from webhook_pings where store_id = ?').bind(shop.id).run();
      await shop.api(`POST /webhooks/${id}/ping`);
      const [request] = network.requests;
      const { text } = request!;
      const headers = Object.fromEntries(request!.headers);
      // A receiver that knows either secret accepts it.
      for (const secret of [old, fresh]) new Webhook(secret).verify(text, headers);
      const bytes = new TextEncoder().encode(text);
      const by = async (secret: string) =>
        hmacSha256(await importHmacKey(new TextEncoder().encode(secret)), bytes);
      return { headers, old: await by(old), fresh: await by(fresh) };
    };
    const during = await seen();
    expect(during.headers['x-service-hmac-sha256']).toBe(during.old);
    expect(during.headers['x-service-hmac-sha256-next']).toBe(during.fresh);
    const { status, body: committed } = await shop.api(`${rotate(id)}/commit`);
    expect([status, committed.data.state]).toEqual([200, 'committed']);
    const after = await seen();
    expect(after.headers['x-service-hmac-sha256']).toBe(after.fresh);
    expect(after.headers['x-service-hmac-sha256-previous']).toBe(after.old);
    expect(await auditActions(id)).toEqual(['created', 'secret_rotated', 'secret_committed']);
  });

  it('returns 200 while the sweep seals the same secret with another key', async () => {
    const shop = await createTestStore();
    const { id } = await createWithSecret(shop);
    const { sealingKeys } = settingsOf(env);
    const place = `webhook-secret:${shop.id}`;
    let isResealed = false;
    const STORE_0 = fakeDatabase({
      prepare: (text: string) => env.STORE_0.prepare(text),
      batch: async (statements: D1PreparedStatement[]) => {
        const results = await env.STORE_0.batch(statements);
        if (isResealed) return results;
        isResealed = true;
        const row = await endpointOf(id);
        const again = await seal(
          sealingKeys,
          await unseal(sealingKeys, String(row?.secret_current), place),
          place,
        );
        await setColumns(id, `secret_current = '${again}'`);
        return results;
      },
    });
    const { status } = await callWithBindings(shop, rotate(id), {}, { STORE_0 });
    expect([status, isResealed]).toEqual([200, true]);
    expect(await auditActions(id)).toEqual(['created', 'secret_rotated']);
  });

  it('fault 53: returns 409 while two secrets are valid, also after the commit and for concurrent requests', async () => {
    const shop = await createTestStore();
    const { id } = await createWithSecret(shop);
    const responses = await Promise.all([1, 2, 3].map(() => shop.api(rotate(id), {})));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409,
    ]);
    expect(responses.find(({ status }) => status === 409)?.body.code).toBe('rotation_under_way');
    await shop.api(`${rotate(id)}/commit`);
    expect((await shop.api(rotate(id), {})).status).toBe(409);
    await setColumns(id, `secret_previous_until = ${Date.now() - 1}`);
    expect((await shop.api(rotate(id), {})).status).toBe(200);
  });

  it.each([{ immediate: true }, { overlap_hours: 0 }])(
    'fault 54: returns 200 for %j, which ends the old secret at once, even during a rotation',
    async (body) => {
      const shop = await createTestStore();
      const { id } = await createWithSecret(shop);
      await shop.api(rotate(id), {});
      const response = await shop.api(rotate(id), body);
      expect([response.status, response.body.data.state, response.body.data.until]).toEqual([
        200,
        'single',
        null,
      ]);
      expect(await endpointOf(id)).toMatchObject({ secret_mode: 0, secret_previous: null });
    },
  );

  it.each([-1, 169, 1.5, '24', null])('returns 422 for an overlap of %j', async (overlap_hours) => {
    const shop = await createTestStore();
    const { id } = await createWithSecret(shop);
    const { status, body } = await shop.api(rotate(id), { overlap_hours });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['overlap_hours']]);
  });
});

describe('POST /{alias}/webhooks/{id}/rotate-secret/commit', () => {
  it('returns 200 once there is a rotation, and 409 without one and for the second commit', async () => {
    const shop = await createTestStore();
    const { id } = await createWithSecret(shop);
    const commit = `POST /webhooks/${id}/rotate-secret/commit`;
    expect((await shop.api(commit)).body).toMatchObject({ status_code: 409, code: 'no_rotation' });
    await shop.api(`POST /webhooks/${id}/rotate-secret`, {});
    expect((await shop.api(commit)).status).toBe(200);
    expect((await shop.api(commit)).status).toBe(409);
  });
});

describe('POST /{alias}/webhooks/{id}/resume', () => {
  const resume = (id: number) => `POST /webhooks/${id}/resume`;

  /** Adds held deliveries of five days ago, two days ago and one hour ago. */
  async function addMissedDeliveries(shop: TestStore, id: number) {
    for (const hours of [120, 48, 1]) {
      await fillDeliveryLog(shop, id, {
        count: 1,
        state: DeliveryState.held,
        since: Date.now() - hours * hour,
      });
    }
  }

  it.each<[string, object, number[]]>([
    ['no resume', {}, [held, open, open]],
    ['72h', { resume: '72h' }, [held, open, open]],
    ['all', { resume: 'all' }, [open, open, open]],
    ['none', { resume: 'none' }, [held, held, held]],
    [
      'since',
      { resume: `since:${new Date(Date.now() - 10 * hour).toISOString()}` },
      [held, held, open],
    ],
  ])(
    'fault 44: returns 200 and releases deliveries when the body has %s',
    async (_why, body, expected) => {
      const shop = await createTestStore();
      const id = await createTestWebhook(shop);
      await addMissedDeliveries(shop, id);
      await disable(id);
      using network = mockNetwork(succeed);
      const response = await shop.api(resume(id), body);
      expect([response.status, response.body.data.active]).toEqual([200, true]);
      expect(network.requests).toHaveLength(1);
      expect(await deliveryStates(id)).toEqual(expected);
      expect(await endpointOf(id)).toMatchObject({
        status: EndpointStatus.active,
        consecutive_failures: 0,
        failure_count: 0,
        first_failure_at: null,
        warning_level: 0,
        resume_from_seq: null,
      });
      expect(await auditActions(id)).toEqual(['created', 'resumed']);
    },
  );

  it('returns 422 when the ping is not answered with 2xx, and changes nothing', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await addMissedDeliveries(shop, id);
    await disable(id);
    const before = await endpointOf(id);
    using _network = mockNetwork(fail);
    const { status, body } = await shop.api(resume(id), { resume: 'all' });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['url']]);
    expect(await deliveryStates(id)).toEqual([held, held, held]);
    expect(await endpointOf(id)).toEqual(before);
    expect((await shop.api(resume(id), {})).status).toBe(429);
  });

  it('returns 200 without a ping for a paused webhook, and for one that is active already', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await addMissedDeliveries(shop, id);
    await shop.api(`PUT /webhooks/${id}`, { active: false });
    using network = mockNetwork(fail);
    expect((await shop.api(resume(id), { resume: 'none' })).body.data.active).toBe(true);
    expect(await deliveryStates(id)).toEqual([held, held, held]);
    expect((await shop.api(resume(id), { resume: 'all' })).status).toBe(200);
    expect(await deliveryStates(id)).toEqual([open, open, open]);
    expect(network.requests).toEqual([]);
  });

  it('releases the first deliveries at once, and cron releases the rest', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    const count = releaseBatchSize * 2 + 3;
    await fillDeliveryLog(shop, id, { count, state: DeliveryState.held });
    await shop.api(`PUT /webhooks/${id}`, { active: false });
    await shop.api(resume(id), { resume: 'all' });
    const openCount = async () =>
      (await deliveryStates(id)).filter((state) => state === open).length;
    expect(await openCount()).toBe(releaseBatchSize);
    const step = () =>
      continueReleases({
        env,
        shard: 0,
        db: env.STORE_0,
        now: Date.now,
        hasTime: () => true,
      });
    await step();
    expect(await openCount()).toBe(releaseBatchSize * 2);
    await shop.api(`PUT /webhooks/${id}`, { active: false });
    await step();
    expect(await openCount()).toBe(0);
    await shop.api(resume(id), { resume: 'all' });
    await step();
    await step();
    expect(await openCount()).toBe(count);
    expect((await endpointOf(id))?.resume_from_seq).toBeNull();
  });

  it.each(['yesterday', 'since:', 'since:soon', '24h', 72, null, true])(
    'returns 422 for %j',
    async (sent) => {
      const shop = await createTestStore();
      const { status, body } = await shop.api(resume(await createTestWebhook(shop)), {
        resume: sent,
      });
      expect([status, Object.keys(body.errors)]).toEqual([422, ['resume']]);
    },
  );

  it('costs two round trips', async () => {
    const shop = await createTestStore();
    const { data } = await measureRequest(shop, resume(await createTestWebhook(shop)), {});
    expect(data.roundTrips).toBe(2);
  });
});

describe('PUT /{alias}/webhooks/{id}', () => {
  it('activates a webhook that was disabled automatically only when its new URL answers a ping', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await disable(id);
    const body = { active: true, name: 'new', url: 'http://127.0.0.1:9/other' };
    {
      using _network = mockNetwork(fail);
      expect((await shop.api(`PUT /webhooks/${id}`, body)).status).toBe(422);
      expect(await endpointOf(id)).toMatchObject({
        status: EndpointStatus.autoDisabled,
        name: 'test',
        url,
      });
    }
    await env.STORE_0.prepare('delete from webhook_pings where store_id = ?').bind(shop.id).run();
    using network = mockNetwork(succeed);
    const response = await shop.api(`PUT /webhooks/${id}`, body);
    expect(response.body.data).toMatchObject(body);
    expect(network.requests.map((request) => request.url)).toEqual([body.url]);
    expect(await auditActions(id)).toEqual(['created', 'edited', 'enabled']);
  });
});

describe('a webhook that was disabled automatically', () => {
  it('is enabled by a new URL that answers a ping, and receives what it missed', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await disable(id);
    await fillDeliveryLog(shop, id, { count: 2, state: DeliveryState.held });
    const newUrl = 'http://127.0.0.1:9/other';
    {
      using network = mockNetwork(fail);
      expect((await shop.api(`PUT /webhooks/${id}`, { url: newUrl })).status).toBe(422);
      expect(network.requests).toHaveLength(1);
      expect(await endpointOf(id)).toMatchObject({ status: EndpointStatus.autoDisabled, url });
    }
    await env.STORE_0.prepare('delete from webhook_pings where store_id = ?').bind(shop.id).run();
    using network = mockNetwork(succeed);
    const response = await shop.api(`PUT /webhooks/${id}`, { url: newUrl });
    expect(response.body.data).toMatchObject({ url: newUrl, active: true });
    expect(network.requests.map((request) => request.url)).toEqual([newUrl]);
    expect(await deliveryStates(id)).toEqual([open, open]);
    expect(await auditActions(id)).toEqual(['created', 'edited', 'enabled']);
  });

  it('stays disabled and gets no ping when its URL stays or active is false', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await disable(id);
    using network = mockNetwork(succeed);
    await shop.api(`PUT /webhooks/${id}`, { url, name: 'renamed' });
    await shop.api(`PUT /webhooks/${id}`, { url: 'http://127.0.0.1:9/other', active: false });
    expect(network.requests).toEqual([]);
    expect(await endpointOf(id)).toMatchObject({
      status: EndpointStatus.autoDisabled,
      name: 'renamed',
    });
  });

  it('gets a new URL in two round trips while it is active', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    const { data } = await measureRequest(shop, `PUT /webhooks/${id}`, {
      url: 'http://127.0.0.1:9/x',
    });
    expect(data.roundTrips).toBe(2);
  });
});

describe('the audit log of webhooks', () => {
  it('has the actor and the action once for each change, and nothing when nothing changed', async () => {
    const shop = await createTestStore();
    const { id } = await createWithSecret(shop);
    await shop.api(`PUT /webhooks/${id}`, { name: 'test' });
    await shop.api(`PUT /webhooks/${id}`, { name: 'other', active: false });
    await shop.api(`PUT /webhooks/${id}`, { active: false });
    await shop.api(`PUT /webhooks/${id}`, { active: true });
    await shop.api(`PUT /webhooks/${id}`, { active: true });
    await shop.api(`PUT /webhooks/${id}`, { events: ['order.paid'] });
    await shop.api(`DELETE /webhooks/${id}`);
    await shop.api(`DELETE /webhooks/${id}`);
    const audit = await auditOfEndpoint(id);
    expect(audit.map(({ action }) => action)).toEqual([
      'created',
      'edited',
      'disabled',
      'enabled',
      'edited',
      'deleted',
    ]);
    for (const row of audit) {
      expect(row).toMatchObject({ store_id: shop.id, actor_kind: 'api_key' });
      expect(row.actor_id).toMatch(/^\d+$/);
    }
  });
});
