import { env } from 'cloudflare:workers';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { hmacKey, hmacSha256 } from '../../src/crypto/hmac.ts';
import { advanceReleases, releaseStep } from '../../src/events/release.ts';
import { auditOf, endpointOf, fillLog, logOf, webhookOf } from '../support/log.ts';
import { network } from '../support/network.ts';
import { measured } from '../support/counted.ts';
import { store, type TestStore } from '../support/store.ts';

const hour = 3_600_000;
const url = 'http://127.0.0.1:9/nobody';

const ok = () => new Response('ok');
const broken = () => new Response('no', { status: 500 });

const set = (id: number, columns: string) =>
  env.STORE_0.prepare(`update webhook_endpoints set ${columns} where id = ?`).bind(id).run();

/** As the sweep leaves an endpoint that failed for days. */
const disable = (id: number) =>
  set(id, 'status = 2, fail_streak = 9, fail_count = 12, first_fail_at = 1, warn_level = 2');

const states = async (id: number) => (await logOf(id)).map(({ state }) => state);

const actions = async (id: number) => (await auditOf(id)).map(({ action }) => action);

async function created(shop: TestStore): Promise<{ id: number; secret_key: string }> {
  const body = { url, name: 'test', events: ['product.created'] };
  return (await shop.api('POST /webhooks', body)).body.data;
}

describe('POST /{alias}/webhooks/{id}/ping', () => {
  it('200 delivered for a 2xx, with both signatures and the documented body', async () => {
    const shop = await store();
    const { id, secret_key: secret } = await created(shop);
    using outside = network(ok);
    const { status, body } = await shop.api(`POST /webhooks/${id}/ping`);
    expect([status, body.data]).toMatchObject([200, { delivered: true, code: 200, error: null }]);
    const [request] = outside.requests;
    const { text } = request!;
    expect(JSON.parse(text)).toMatchObject({
      event: 'ping',
      merchant: { id: shop.id, alias: shop.alias },
      resource: { id, name: 'test', url },
    });
    const { headers } = request!;
    const key = await hmacKey(new TextEncoder().encode(secret));
    expect(headers.get('X-Service-Hmac-SHA256')).toBe(
      await hmacSha256(key, new TextEncoder().encode(text)),
    );
    new Webhook(secret).verify(text, Object.fromEntries(headers));
    expect(headers.get('X-Service-Topic')).toBe('ping');
    expect(headers.get('X-Service-Sequence')).toBe('1.0');
    expect(await logOf(id)).toEqual([]);
  });

  it.each<[string, () => Response, object]>([
    ['an answer that is no 2xx', broken, { code: 500, error: 'http_5xx' }],
    ['a redirect', () => new Response(null, { status: 302 }), { code: 302, error: 'redirect' }],
    [
      'no answer',
      () => {
        throw new Error('Network connection lost.');
      },
      { code: null, error: 'connect' },
    ],
  ])('200 not delivered for %s', async (_why, receive, told) => {
    const shop = await store();
    const { id } = await created(shop);
    using _outside = network(receive);
    const { status, body } = await shop.api(`POST /webhooks/${id}/ping`);
    expect([status, body.data]).toMatchObject([200, { delivered: false, ...told }]);
  });

  it('429, fault 67: within ten seconds of the last ping of the store, and nothing is sent', async () => {
    const shop = await store();
    const [one, other] = [await webhookOf(shop), await webhookOf(shop)];
    using outside = network(ok);
    expect((await shop.api(`POST /webhooks/${one}/ping`)).status).toBe(200);
    const refused = await shop.api(`POST /webhooks/${other}/ping`);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '10']);
    expect(outside.requests).toHaveLength(1);
    const stranger = await store();
    const { id } = await created(stranger);
    expect((await stranger.api(`POST /webhooks/${id}/ping`)).status).toBe(200);
    await env.STORE_0.prepare('update webhook_pings set at = at - 10000 where store_id = ?')
      .bind(shop.id)
      .run();
    expect((await shop.api(`POST /webhooks/${other}/ping`)).status).toBe(200);
  });

  it('costs one round trip', async () => {
    const shop = await store();
    const { id } = await created(shop);
    using _outside = network(ok);
    expect((await measured(shop, `POST /webhooks/${id}/ping`)).data.trips).toBe(1);
  });
});

describe('POST /{alias}/webhooks/{id}/rotate-secret', () => {
  const rotate = (id: number) => `POST /webhooks/${id}/rotate-secret`;

  it('200 with the new secret once; the old one goes on for 24 hours', async () => {
    const shop = await store();
    const { id, secret_key: old } = await created(shop);
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
    expect(await actions(id)).toEqual(['created', 'secret rotated']);
  });

  it('signs with both during the overlap, and with the new one first after the commit', async () => {
    const shop = await store();
    const { id, secret_key: old } = await created(shop);
    const { body } = await shop.api(rotate(id), { overlap_hours: 2 });
    const fresh: string = body.data.secret_key;
    const seen = async () => {
      using outside = network(ok);
      await env.STORE_0.prepare('delete from webhook_pings where store_id = ?').bind(shop.id).run();
      await shop.api(`POST /webhooks/${id}/ping`);
      const [request] = outside.requests;
      const { text } = request!;
      const headers = Object.fromEntries(request!.headers);
      // Whoever knows either secret accepts it.
      for (const secret of [old, fresh]) new Webhook(secret).verify(text, headers);
      const bytes = new TextEncoder().encode(text);
      const by = async (secret: string) =>
        hmacSha256(await hmacKey(new TextEncoder().encode(secret)), bytes);
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
    expect(await actions(id)).toEqual(['created', 'secret rotated', 'secret committed']);
  });

  it('409, fault 53: while two secrets live, after the commit too, and for all but one that come at once', async () => {
    const shop = await store();
    const { id } = await created(shop);
    const answers = await Promise.all([1, 2, 3].map(() => shop.api(rotate(id), {})));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('rotation_under_way');
    await shop.api(`${rotate(id)}/commit`);
    expect((await shop.api(rotate(id), {})).status).toBe(409);
    await set(id, `secret_previous_until = ${Date.now() - 1}`);
    expect((await shop.api(rotate(id), {})).status).toBe(200);
  });

  it.each([{ immediate: true }, { overlap_hours: 0 }])(
    '200, fault 54: for %j, which ends the old secret at once, even amid a rotation',
    async (body) => {
      const shop = await store();
      const { id } = await created(shop);
      await shop.api(rotate(id), {});
      const answer = await shop.api(rotate(id), body);
      expect([answer.status, answer.body.data.state, answer.body.data.until]).toEqual([
        200,
        'single',
        null,
      ]);
      expect(await endpointOf(id)).toMatchObject({ secret_mode: 0, secret_previous: null });
    },
  );

  it.each([-1, 169, 1.5, '24', null])('422 for an overlap of %j', async (overlap_hours) => {
    const shop = await store();
    const { id } = await created(shop);
    const { status, body } = await shop.api(rotate(id), { overlap_hours });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['overlap_hours']]);
  });
});

describe('POST /{alias}/webhooks/{id}/rotate-secret/commit', () => {
  it('200 once there is a rotation; 409 without one, and for the second commit', async () => {
    const shop = await store();
    const { id } = await created(shop);
    const commit = `POST /webhooks/${id}/rotate-secret/commit`;
    expect((await shop.api(commit)).body).toMatchObject({ status_code: 409, code: 'no_rotation' });
    await shop.api(`POST /webhooks/${id}/rotate-secret`, {});
    expect((await shop.api(commit)).status).toBe(200);
    expect((await shop.api(commit)).status).toBe(409);
  });
});

describe('POST /{alias}/webhooks/{id}/resume', () => {
  const resume = (id: number) => `POST /webhooks/${id}/resume`;

  /** One delivery of five days ago, one of two days ago, one of an hour ago; all held. */
  async function missed(shop: TestStore, id: number) {
    for (const hours of [120, 48, 1]) {
      await fillLog(shop, id, { count: 1, state: 3, since: Date.now() - hours * hour });
    }
  }

  it.each<[string, object, number[]]>([
    ['nothing is said', {}, [3, 0, 0]],
    ['72h is', { resume: '72h' }, [3, 0, 0]],
    ['all is', { resume: 'all' }, [0, 0, 0]],
    ['none is', { resume: 'none' }, [3, 3, 3]],
    [
      'a moment is',
      { resume: `since:${new Date(Date.now() - 10 * hour).toISOString()}` },
      [3, 3, 0],
    ],
  ])('200, fault 44: with those let go that %s', async (_why, body, expected) => {
    const shop = await store();
    const id = await webhookOf(shop);
    await missed(shop, id);
    await disable(id);
    using outside = network(ok);
    const answer = await shop.api(resume(id), body);
    expect([answer.status, answer.body.data.active]).toEqual([200, true]);
    expect(outside.requests).toHaveLength(1);
    expect(await states(id)).toEqual(expected);
    expect(await endpointOf(id)).toMatchObject({
      status: 0,
      fail_streak: 0,
      fail_count: 0,
      first_fail_at: null,
      warn_level: 0,
      release_from: null,
    });
    expect(await actions(id)).toEqual(['created', 'resumed']);
  });

  it('422 when the ping is not answered with 2xx, and nothing changes', async () => {
    const shop = await store();
    const id = await webhookOf(shop);
    await missed(shop, id);
    await disable(id);
    const before = await endpointOf(id);
    using _outside = network(broken);
    const { status, body } = await shop.api(resume(id), { resume: 'all' });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['url']]);
    expect(await states(id)).toEqual([3, 3, 3]);
    expect(await endpointOf(id)).toEqual(before);
    expect((await shop.api(resume(id), {})).status).toBe(429);
  });

  it('200 without a ping for one that was paused, and for an active one again', async () => {
    const shop = await store();
    const id = await webhookOf(shop);
    await missed(shop, id);
    await shop.api(`PUT /webhooks/${id}`, { active: false });
    using outside = network(broken);
    expect((await shop.api(resume(id), { resume: 'none' })).body.data.active).toBe(true);
    expect(await states(id)).toEqual([3, 3, 3]);
    expect((await shop.api(resume(id), { resume: 'all' })).status).toBe(200);
    expect(await states(id)).toEqual([0, 0, 0]);
    expect(outside.requests).toEqual([]);
  });

  it('lets go step by step, and cron does the rest', async () => {
    const shop = await store();
    const id = await webhookOf(shop);
    const count = releaseStep * 2 + 3;
    await fillLog(shop, id, { count, state: 3 });
    await shop.api(`PUT /webhooks/${id}`, { active: false });
    await shop.api(resume(id), { resume: 'all' });
    const open = async () => (await states(id)).filter((state) => state === 0).length;
    expect(await open()).toBe(releaseStep);
    const step = () =>
      advanceReleases({
        env,
        shard: 0,
        db: env.STORE_0,
        now: Date.now,
        mayGoOn: () => true,
      });
    await step();
    expect(await open()).toBe(releaseStep * 2);
    await shop.api(`PUT /webhooks/${id}`, { active: false });
    await step();
    expect(await open()).toBe(0);
    await shop.api(resume(id), { resume: 'all' });
    await step();
    await step();
    expect(await open()).toBe(count);
    expect((await endpointOf(id))?.release_from).toBeNull();
  });

  it.each(['yesterday', 'since:', 'since:soon', '24h', 72, null, true])(
    '422 for %j',
    async (sent) => {
      const shop = await store();
      const { status, body } = await shop.api(resume(await webhookOf(shop)), { resume: sent });
      expect([status, Object.keys(body.errors)]).toEqual([422, ['resume']]);
    },
  );

  it('costs two round trips', async () => {
    const shop = await store();
    const { data } = await measured(shop, resume(await webhookOf(shop)), {});
    expect(data.trips).toBe(2);
  });
});

describe('PUT /{alias}/webhooks/{id}', () => {
  it('makes one that was disabled automatically active only when its new URL answers a ping', async () => {
    const shop = await store();
    const id = await webhookOf(shop);
    await disable(id);
    const body = { active: true, name: 'new', url: 'http://127.0.0.1:9/other' };
    {
      using _outside = network(broken);
      expect((await shop.api(`PUT /webhooks/${id}`, body)).status).toBe(422);
      expect(await endpointOf(id)).toMatchObject({ status: 2, name: 'test', url });
    }
    await env.STORE_0.prepare('delete from webhook_pings where store_id = ?').bind(shop.id).run();
    using outside = network(ok);
    const answer = await shop.api(`PUT /webhooks/${id}`, body);
    expect(answer.body.data).toMatchObject(body);
    expect(outside.requests.map((request) => request.url)).toEqual([body.url]);
    expect(await actions(id)).toEqual(['created', 'edited', 'enabled']);
  });
});

describe('a webhook that was disabled automatically', () => {
  it('comes back with a new URL that answers a ping, and with what it missed', async () => {
    const shop = await store();
    const id = await webhookOf(shop);
    await disable(id);
    await fillLog(shop, id, { count: 2, state: 3 });
    const moved = 'http://127.0.0.1:9/other';
    {
      using outside = network(broken);
      expect((await shop.api(`PUT /webhooks/${id}`, { url: moved })).status).toBe(422);
      expect(outside.requests).toHaveLength(1);
      expect(await endpointOf(id)).toMatchObject({ status: 2, url });
    }
    await env.STORE_0.prepare('delete from webhook_pings where store_id = ?').bind(shop.id).run();
    using outside = network(ok);
    const answer = await shop.api(`PUT /webhooks/${id}`, { url: moved });
    expect(answer.body.data).toMatchObject({ url: moved, active: true });
    expect(outside.requests.map((request) => request.url)).toEqual([moved]);
    expect(await states(id)).toEqual([0, 0]);
    expect(await actions(id)).toEqual(['created', 'edited', 'enabled']);
  });

  it('stays so, and hears no ping, when its URL stays or it is told to be inactive', async () => {
    const shop = await store();
    const id = await webhookOf(shop);
    await disable(id);
    using outside = network(ok);
    await shop.api(`PUT /webhooks/${id}`, { url, name: 'renamed' });
    await shop.api(`PUT /webhooks/${id}`, { url: 'http://127.0.0.1:9/other', active: false });
    expect(outside.requests).toEqual([]);
    expect(await endpointOf(id)).toMatchObject({ status: 2, name: 'renamed' });
  });

  it('a new URL of one that is active costs two round trips', async () => {
    const shop = await store();
    const id = await webhookOf(shop);
    const { data } = await measured(shop, `PUT /webhooks/${id}`, { url: 'http://127.0.0.1:9/x' });
    expect(data.trips).toBe(2);
  });
});

describe('the audit of webhooks', () => {
  it('has who did what, once for each change and not for what changed nothing', async () => {
    const shop = await store();
    const { id } = await created(shop);
    await shop.api(`PUT /webhooks/${id}`, { name: 'test' });
    await shop.api(`PUT /webhooks/${id}`, { name: 'other', active: false });
    await shop.api(`PUT /webhooks/${id}`, { active: false });
    await shop.api(`PUT /webhooks/${id}`, { active: true });
    await shop.api(`PUT /webhooks/${id}`, { active: true });
    await shop.api(`PUT /webhooks/${id}`, { events: ['order.paid'] });
    await shop.api(`DELETE /webhooks/${id}`);
    await shop.api(`DELETE /webhooks/${id}`);
    const audit = await auditOf(id);
    expect(audit.map(({ action }) => action)).toEqual([
      'created',
      'edited',
      'disabled',
      'enabled',
      'edited',
      'deleted',
    ]);
    for (const row of audit) {
      expect(row).toMatchObject({ store_id: shop.id, user_id: shop.userId });
      expect(row.actor).toMatch(/^pair:\d+$/);
    }
  });
});
