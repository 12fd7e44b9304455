import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { DeliveryState, EndpointStatus } from '../../../src/data/schema/store/webhooks-tables.ts';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { Browser } from '../../support/browser/browser.ts';
import { formActionsOf, hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { mockNetwork } from '../../support/fakes/network.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { connectApp } from '../../support/oauth/partner.ts';
import {
  auditOfEndpoint,
  createTestWebhook,
  endpointOf,
  fillDeliveryLog,
  deliveryLogOf,
} from '../../support/webhooks/delivery-log.ts';
import {
  signInWithWebhook,
  webhookPagePath,
  setEndpointColumns,
} from '../../support/webhooks/pages.ts';
import '../../support/fixtures/first-shard.ts';

const statesOf = async (id: number) => (await deliveryLogOf(id)).map(({ state }) => state);

describe('replaying a delivery from its page', () => {
  it('returns 303 after adding a delivery of the same event and an audit record of the user', async () => {
    const { own, id, browser, path } = await signInWithWebhook({ count: 2 });
    const response = await browser.submit(`${path}/deliveries/1`);
    expect([response.status, response.location]).toEqual([303, `${path}/deliveries/1?again=3`]);
    const [first, , third] = await deliveryLogOf(id);
    expect(third).toMatchObject({
      state: DeliveryState.open,
      trigger: 'replay',
      replay_of: 1,
      event_id: first?.event_id,
    });
    expect(await auditOfEndpoint(id)).toMatchObject([
      { action: 'created' },
      { action: 'replayed', actor_kind: 'user', actor_id: String(own.userId) },
    ]);
    const after = await browser.get(response.location ?? '');
    expect(after.text).toContain(
      'Sent again as Delivery 3. On its way. We send it until it arrives',
    );
    expect(after.html).toContain(`href="${path}/deliveries/3"`);
    const resent = await browser.get(`${path}/deliveries/3`);
    expect(resent.text).toContain('Sent again from Delivery 1');
  });

  it('says when a failing webhook will send it, and Try now makes that now', async () => {
    const { id, browser, path } = await signInWithWebhook();
    await setEndpointColumns(id, {
      consecutive_failures: 4,
      first_failure_at: 1,
      proven_at: 1,
      next_attempt_at: Date.now() + 360_000,
    });
    const page = `${path}/deliveries/1`;
    const { location } = await browser.submit(page);
    const sent = await browser.get(location ?? '');
    expect(sent.text).toContain(
      'Delivery 2 will be sent in 6 min, because the receiver does not accept what we send at the moment. Try now',
    );
    expect((await browser.get(path)).text).toContain('Product created Waiting, next try in 6 min');
    const before = Date.now();
    const tried = await browser.post(page, { ...hiddenFieldsOf(sent, page), action: 'tryNow' });
    expect([tried.status, tried.location]).toEqual([303, `${page}?done=trying`]);
    const { next_attempt_at: next } = (await endpointOf(id)) ?? {};
    expect(Number(next)).toBeGreaterThanOrEqual(before);
    expect(Number(next)).toBeLessThanOrEqual(Date.now());
    expect((await browser.get(`${page}?done=trying`)).text).toContain('We are trying now.');
    const own = await browser.get(`${path}/deliveries/2`);
    expect(own.text).not.toContain('Try now');
  });

  it('offers Try now beside the next attempt of a webhook, and sends it once in ten seconds while it has accepted nothing', async () => {
    const { own, id, browser, path } = await signInWithWebhook();
    await fillDeliveryLog(own, id, { count: 1, state: DeliveryState.open });
    const failing = { consecutive_failures: 4, first_failure_at: 1 };
    const wait = () =>
      setEndpointColumns(id, { ...failing, next_attempt_at: Date.now() + 360_000 });
    await wait();
    expect((await browser.get(path)).text).toContain('Next attempt in 6 min Try now');
    expect((await browser.get(`${path}/deliveries/2`)).text).toContain(
      'Waiting, next try in 6 min. The webhook is failing, so what is new waits for its next try. Try now',
    );
    expect((await browser.submit(path, { action: 'tryNow' })).location).toBe(`${path}?done=trying`);
    expect((await browser.get(path)).text).not.toContain('Try now');
    await wait();
    const { location } = await browser.submit(path, { action: 'tryNow' });
    expect(location).toBe(`${path}?done=triedTooSoon`);
    expect((await browser.get(location ?? '')).text).toContain('Wait ten seconds and try again.');
  });

  it('returns 303 for a paused webhook, holds the new delivery and says so', async () => {
    const { own, id, browser, path } = await signInWithWebhook();
    await own.api(`PUT /webhooks/${id}`, { active: false });
    const response = await browser.submit(`${path}/deliveries/1`);
    expect(await statesOf(id)).toEqual([DeliveryState.delivered, DeliveryState.held]);
    const { text } = await browser.get(response.location ?? '');
    expect(text).toContain('Sent again as Delivery 2. Held. It waits because the webhook is not');
  });

  it('returns 200 with what the receiver has answered since, and says nothing of other deliveries', async () => {
    const { id, browser, path } = await signInWithWebhook({ count: 2 });
    await browser.submit(`${path}/deliveries/1`);
    await env.STORE_0.prepare(
      `update webhook_deliveries set state = 1, attempts = 1, response_status = 204, duration_ms = 5, done_at = created_at
       where endpoint_id = ? and seq = 3`,
    )
      .bind(id)
      .run();
    const answered = await browser.get(`${path}/deliveries/1?again=3`);
    expect(answered.text).toContain('Sent again as Delivery 3. Delivered. 204. Receipt confirmed.');
    for (const other of ['/1?again=2', '/2?again=3', '/1?again=9']) {
      const { status, text } = await browser.get(`${path}/deliveries${other}`);
      expect([status, text.includes('Sent again as')], other).toEqual([200, false]);
    }
    expect((await browser.get(`${path}/deliveries/1?again=x`)).status).toBe(404);
  });

  it('returns 303 to the page of the delivery and adds nothing when the body has been purged', async () => {
    const { own, id, browser, path } = await signInWithWebhook();
    const fields = hiddenFieldsOf(
      await browser.get(`${path}/deliveries/1`),
      `${path}/deliveries/1`,
    );
    await env.STORE_0.prepare('delete from webhook_events where store_id = ?').bind(own.id).run();
    const response = await browser.post(`${path}/deliveries/1`, fields);
    expect([response.status, response.location]).toEqual([303, `${path}/deliveries/1`]);
    expect(await statesOf(id)).toEqual([DeliveryState.delivered]);
  });

  it('costs two round trips to the shard', async () => {
    const { browser, path } = await signInWithWebhook();
    const fields = hiddenFieldsOf(
      await browser.get(`${path}/deliveries/1`),
      `${path}/deliveries/1`,
    );
    const shard = noCost();
    browser.bindings = { STORE_0: countingDatabase(env.STORE_0, shard) };
    await browser.post(`${path}/deliveries/1`, fields);
    expect(shard.roundTrips).toBe(2);
  });
});

describe('pausing a webhook', () => {
  it('returns 303, holds the open deliveries and says how many they are', async () => {
    const { own, id, browser, path } = await signInWithWebhook();
    await fillDeliveryLog(own, id, { count: 1, state: DeliveryState.open });
    const response = await browser.submit(path, { action: 'pause' });
    expect([response.status, response.location]).toEqual([303, `${path}?done=paused`]);
    expect(await endpointOf(id)).toMatchObject({ status: EndpointStatus.paused });
    expect(await statesOf(id)).toEqual([DeliveryState.delivered, DeliveryState.held]);
    expect((await auditOfEndpoint(id)).at(-1)).toMatchObject({
      action: 'disabled',
      actor_id: String(own.userId),
    });
    const { text, html } = await browser.get(response.location ?? '');
    expect(text).toContain('The webhook is paused. Deliveries that are held: 1.');
    expect(html).not.toContain('value="pause"');
  });

  it('returns 422 for another action, and offers none to a viewer', async () => {
    const { own, browser, path } = await signInWithWebhook();
    expect((await browser.submit(path, { action: 'delete' })).status).toBe(422);
    await env.DIRECTORY.prepare("update memberships set role = 'viewer' where user_id = ?")
      .bind(own.userId)
      .run();
    expect(formActionsOf(await browser.get(path))).not.toContain(path);
  });

  it('redirects (303) from resuming to the webhook when it is active', async () => {
    const { browser, path } = await signInWithWebhook();
    expect((await browser.get(`${path}/resume`)).location).toBe(path);
  });
});

/** Creates a webhook in a status with a delivery held for four days and one held for an hour. */
async function createHeldDeliveries(status: number) {
  const webhook = await signInWithWebhook({ count: 0 });
  const now = Date.now();
  for (const hours of [96, 1]) {
    await fillDeliveryLog(webhook.own, webhook.id, {
      count: 1,
      state: DeliveryState.held,
      since: now - hours * 3_600_000,
    });
  }
  await setEndpointColumns(webhook.id, { status });
  return webhook;
}

describe('resuming a webhook', () => {
  it.each([
    ['all', [DeliveryState.open, DeliveryState.open]],
    ['72h', [DeliveryState.held, DeliveryState.open]],
    ['none', [DeliveryState.held, DeliveryState.held]],
  ])('returns 303 after a pause with the choice %s, without a ping', async (resume, states) => {
    const { id, browser, path } = await createHeldDeliveries(EndpointStatus.paused);
    using network = mockNetwork(() => new Response('ok'));
    const page = await browser.get(`${path}/resume`);
    expect(page.text).toContain('Held deliveries: 2.');
    expect(page.html).toMatch(/value="all" checked/);
    const fields = { ...hiddenFieldsOf(page, `${path}/resume`), resume };
    const response = await browser.post(`${path}/resume`, fields);
    expect([response.status, response.location]).toEqual([303, `${path}?done=resumed`]);
    expect(await statesOf(id)).toEqual(states);
    expect(await endpointOf(id)).toMatchObject({ status: EndpointStatus.active });
    expect(network.requests).toEqual([]);
  });

  it('returns 303 for a disabled webhook whose receiver answers the ping', async () => {
    const { id, browser, path } = await createHeldDeliveries(EndpointStatus.autoDisabled);
    using network = mockNetwork(() => new Response('ok'));
    const page = await browser.get(`${path}/resume`);
    expect(page.text).toContain('We first send a ping to 127.0.0.1:9');
    expect(page.html).toMatch(/value="72h" checked/);
    const response = await browser.submit(`${path}/resume`, { resume: '72h' });
    expect(response.status).toBe(303);
    expect(network.requests).toHaveLength(1);
    expect(JSON.parse(network.requests[0]?.text ?? '')).toMatchObject({ event: 'ping' });
    expect(await statesOf(id)).toEqual([DeliveryState.held, DeliveryState.open]);
  });

  it('returns 422 with the outcome and changes nothing when the ping fails', async () => {
    const { id, browser, path } = await createHeldDeliveries(EndpointStatus.autoDisabled);
    const before = [await endpointOf(id), await deliveryLogOf(id)];
    using _network = mockNetwork(() => new Response('no', { status: 503 }));
    const response = await browser.submit(`${path}/resume`, { resume: 'all' });
    expect(response.status).toBe(422);
    expect(response.text).toContain(
      'The ping failed: 503. The receiver reported an error of its own. Nothing has changed.',
    );
    expect([await endpointOf(id), await deliveryLogOf(id)]).toEqual(before);
  });

  it('returns 429 within ten seconds of a ping of the store, and 422 for a URL that is not allowed', async () => {
    const { id, browser, path } = await createHeldDeliveries(EndpointStatus.autoDisabled);
    using network = mockNetwork(() => new Response('no', { status: 500 }));
    await browser.submit(`${path}/resume`, { resume: 'all' });
    const soon = await browser.submit(`${path}/resume`, { resume: 'all' });
    expect([soon.status, soon.headers.get('Retry-After')]).toEqual([429, '10']);
    expect(soon.text).toContain('Not yet: this store had a ping a moment ago.');
    expect(soon.html).toContain(`action="${path}/resume"`);
    await setEndpointColumns(id, { url: 'https://10.0.0.1/in' });
    const refused = await browser.submit(`${path}/resume`, { resume: 'all' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('cannot be used now');
    expect(network.requests).toHaveLength(1);
    expect(await endpointOf(id)).toMatchObject({ status: EndpointStatus.autoDisabled });
  });

  it('returns 422 and shows no form while its app is disconnected, and 303 once it is connected again', async () => {
    const own = await createTestStore();
    const connected = await connectApp(own);
    const { body } = await connected.api('POST /webhooks', {
      url: 'https://partner.test/hook',
      name: 'Of an app',
      events: ['product.created'],
    });
    const browser = await new Browser().signIn(own.userId);
    const path = `${webhookPagePath(own, body.data.id)}/resume`;
    const reason = 'Test App is no longer connected to this store';
    await connected.api(`PUT /webhooks/${body.data.id}`, { active: false });
    const page = await browser.get(path);
    expect(page.text).not.toContain(reason);
    await browser.submit(`/account/apps/${own.alias}/${connected.app.client_id}/disconnect`);
    const shown = await browser.get(path);
    expect([shown.status, shown.text.includes(reason)]).toEqual([200, true]);
    expect(shown.html).not.toContain(`action="${path}"`);
    const fields = { ...hiddenFieldsOf(page, path), resume: 'all', action: 'ping' };
    const refused = await browser.post(path, fields);
    expect([refused.status, refused.text.includes(reason)]).toEqual([422, true]);
    expect(await endpointOf(body.data.id)).toMatchObject({ status: EndpointStatus.paused });
    await connectApp(own, { app: connected.app });
    expect((await browser.post(path, fields)).location).toBe(
      `${webhookPagePath(own, body.data.id)}?done=resumed`,
    );
    expect(await endpointOf(body.data.id)).toMatchObject({ status: EndpointStatus.active });
  });

  it('returns 422 and shows no form while its app lacks the permission for an event', async () => {
    const own = await createTestStore();
    const connected = await connectApp(own);
    const url = 'https://partner.test/hook';
    const webhook = { url, name: 'Of an app', events: ['customer.created'] };
    const { body } = await connected.api('POST /webhooks', webhook);
    const browser = await new Browser().signIn(own.userId);
    const path = `${webhookPagePath(own, body.data.id)}/resume`;
    await connected.api(`PUT /webhooks/${body.data.id}`, { active: false });
    const fields = {
      ...hiddenFieldsOf(await browser.get(path), path),
      resume: 'all',
      action: 'ping',
    };
    await browser.submit(`/account/apps/${own.alias}/${connected.app.client_id}/disconnect`);
    await connectApp(own, { app: { ...connected.app, scopes: 1 } });
    const reason = 'without the permission for every event of this webhook';
    const shown = await browser.get(path);
    expect([shown.status, shown.text.includes(reason)]).toEqual([200, true]);
    expect(shown.html).not.toContain(`action="${path}"`);
    const refused = await browser.post(path, fields);
    expect([refused.status, refused.text.includes(reason)]).toEqual([422, true]);
    expect(await endpointOf(body.data.id)).toMatchObject({ status: EndpointStatus.paused });
  });

  it('returns 422 without a choice and for an unknown choice', async () => {
    const { id, browser, path } = await createHeldDeliveries(EndpointStatus.paused);
    for (const fields of [{}, { resume: 'since:2031-03-05 09:04:07' }]) {
      const response = await browser.submit(`${path}/resume`, fields);
      expect([response.status, response.text.includes('Choose which deliveries to send.')]).toEqual(
        [422, true],
      );
    }
    expect(await statesOf(id)).toEqual([DeliveryState.held, DeliveryState.held]);
  });
});

describe('sending a ping from the page of a webhook', () => {
  it.each([
    [200, 'The ping arrived: 200. Receipt confirmed.'],
    [401, 'The ping did not arrive: 401. The receiver rejected it.'],
  ])(
    'returns 303 to the page, which shows the outcome of the response %i once',
    async (status, words) => {
      const { own, id, browser, path } = await signInWithWebhook();
      const otherPath = webhookPagePath(own, await createTestWebhook(own));
      using network = mockNetwork(() => new Response('', { status }));
      const response = await browser.submit(path, { action: 'ping' });
      expect([response.status, response.location]).toEqual([303, `${path}?done=pinged`]);
      const cookie = browser.cookies.get('__Host-ping') ?? '';
      expect((await browser.get(path)).text).not.toContain(words);
      expect((await browser.get(response.location ?? '')).text).toContain(words);
      expect((await browser.get(response.location ?? '')).text).not.toContain(words);
      browser.cookies.set('__Host-ping', cookie);
      expect((await browser.get(`${otherPath}?done=pinged`)).text).not.toContain(words);
      expect(network.requests).toHaveLength(1);
      expect(network.requests[0]?.headers.get('X-Service-Hmac-SHA256')).toMatch(/^[\w+/]{43}=$/);
      expect(await deliveryLogOf(id)).toHaveLength(1);
    },
  );

  it('returns 422 for a URL that is not allowed, and 429 within ten seconds', async () => {
    const { id, browser, path } = await signInWithWebhook();
    using network = mockNetwork(() => new Response('ok'));
    await setEndpointColumns(id, { url: 'https://10.0.0.1/in' });
    const refused = await browser.submit(path, { action: 'ping' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('No ping was sent');
    const soon = await browser.submit(path, { action: 'ping' });
    expect([soon.status, soon.headers.get('Retry-After')]).toEqual([429, '10']);
    expect(soon.text).toContain('No ping was sent, because this store had one a moment ago.');
    expect(soon.html).toContain(`action="${path}"`);
    expect(network.requests).toEqual([]);
  });
});

const pagePaths = ['', '/deliveries/1', '/resume'];

/**
 * The status in which a webhook offers the form: a paused one to resume, an active one for the
 * others.
 */
const statusBefore = (form: string) =>
  form === '/resume' ? EndpointStatus.paused : EndpointStatus.active;

describe.each(pagePaths)('/account/webhooks/{alias}/{id}%s', (suffix) => {
  it('returns 404 for the webhook of another store under either alias, and for an unknown one', async () => {
    const { own, browser } = await signInWithWebhook();
    const theirs = await signInWithWebhook();
    await setEndpointColumns(theirs.id, { status: statusBefore(suffix) });
    for (const path of [
      webhookPagePath(own, theirs.id),
      theirs.path,
      webhookPagePath(own, 999_999_999),
      `/account/webhooks/${own.alias}/0`,
      `/account/webhooks/${own.alias}/x`,
    ]) {
      expect((await browser.get(`${path}${suffix}`)).status, path).toBe(404);
    }
  });
});

describe.each(pagePaths)('POST /account/webhooks/{alias}/{id}%s', (suffix) => {
  /** Creates webhooks of two users, and reads the form fields of the first one. */
  async function createTwoWebhooks() {
    const [own, theirs] = [await signInWithWebhook(), await signInWithWebhook()];
    for (const { id } of [own, theirs])
      await setEndpointColumns(id, { status: statusBefore(suffix) });
    const path = `${own.path}${suffix}`;
    const fields = {
      ...hiddenFieldsOf(await own.browser.get(path), path),
      resume: 'all',
      action: 'ping',
    };
    const snapshot = async () =>
      JSON.stringify([await endpointOf(theirs.id), await deliveryLogOf(theirs.id)]);
    return { own, theirs, path, fields, snapshot };
  }

  it('returns 403 and sends and changes nothing when the path names the store or webhook of another user', async () => {
    const { own, theirs, fields, snapshot } = await createTwoWebhooks();
    using network = mockNetwork(() => new Response('ok'));
    const before = await snapshot();
    for (const path of [
      theirs.path,
      webhookPagePath(own.own, theirs.id),
      webhookPagePath(theirs.own, own.id),
    ]) {
      expect((await own.browser.post(`${path}${suffix}`, fields)).status, path).toBe(403);
    }
    expect(await snapshot()).toBe(before);
    expect(network.requests).toEqual([]);
  });

  it('returns 404 when the membership has ended since the page was shown', async () => {
    const { own, path, fields } = await createTwoWebhooks();
    using network = mockNetwork(() => new Response('ok'));
    const before = JSON.stringify([await endpointOf(own.id), await deliveryLogOf(own.id)]);
    await env.DIRECTORY.prepare('delete from memberships where user_id = ?')
      .bind(own.own.userId)
      .run();
    expect((await own.browser.post(path, fields)).status).toBe(404);
    expect(JSON.stringify([await endpointOf(own.id), await deliveryLogOf(own.id)])).toBe(before);
    expect(network.requests).toEqual([]);
  });

  it('returns 404 when the webhook has moved to another store since the page was shown', async () => {
    const { own, path, fields } = await createTwoWebhooks();
    using network = mockNetwork(() => new Response('ok'));
    await setEndpointColumns(own.id, { store_id: (await createTestStore()).id });
    const before = JSON.stringify([await endpointOf(own.id), await deliveryLogOf(own.id)]);
    expect((await own.browser.post(path, fields)).status).toBe(404);
    expect(JSON.stringify([await endpointOf(own.id), await deliveryLogOf(own.id)])).toBe(before);
    expect(network.requests).toEqual([]);
  });
});

describe.each(pagePaths)('a form for /account/webhooks/{alias}/{id}%s', (suffix) => {
  it('returns 429 with Retry-After over the limit and does nothing', async () => {
    const { id, browser, path } = await createHeldDeliveries(statusBefore(suffix));
    using network = mockNetwork(() => new Response('ok'));
    const before = [await endpointOf(id), await deliveryLogOf(id)];
    const limiter: RateLimit = { limit: () => Promise.resolve({ success: false }) };
    const perMinute = { ME_PER_MINUTE: '1' } as unknown as Partial<Env>;
    browser.bindings = { ...perMinute, ME_LIMIT: limiter };
    const response = await browser.submit(`${path}${suffix}`, { resume: 'all' });
    expect([response.status, response.headers.get('Retry-After')]).toEqual([429, '60']);
    expect([await endpointOf(id), await deliveryLogOf(id)]).toEqual(before);
    expect(network.requests).toEqual([]);
  });
});
