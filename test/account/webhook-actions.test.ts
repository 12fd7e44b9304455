import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { counting } from '../support/counted.ts';
import { auditOf, endpointOf, fillLog, logOf } from '../support/log.ts';
import { network } from '../support/network.ts';
import { connect } from '../support/partner.ts';
import { store } from '../support/store.ts';
import { merchantWithWebhook, pathOf, setWebhook } from '../support/webhook-pages.ts';

const statesOf = async (id: number) => (await logOf(id)).map(({ state }) => state);

describe('sending a delivery again', () => {
  it('303: one more delivery of the same event, recorded with who did it', async () => {
    const { own, id, browser, path } = await merchantWithWebhook({ count: 2 });
    const answer = await browser.submit(`${path}/deliveries/1`);
    expect([answer.status, answer.location]).toEqual([303, `${path}?done=resent`]);
    const [first, , third] = await logOf(id);
    expect(third).toMatchObject({
      state: 0,
      trigger: 'replay',
      replay_of: 1,
      event_id: first?.event_id,
    });
    expect(await auditOf(id)).toMatchObject([
      { action: 'created' },
      { action: 'replayed', actor: `session:${own.userId}`, user_id: own.userId },
    ]);
    const after = await browser.get(answer.location ?? '');
    expect(after.text).toContain('The delivery is sent again');
    const resent = await browser.get(`${path}/deliveries/3`);
    expect(resent.text).toContain('Sent again from Delivery 1');
  });

  it('303 for a paused webhook: held, and the page says so', async () => {
    const { own, id, browser, path } = await merchantWithWebhook();
    await own.api(`PUT /webhooks/${id}`, { active: false });
    const answer = await browser.submit(`${path}/deliveries/1`);
    expect(await statesOf(id)).toEqual([1, 3]);
    const { text } = await browser.get(answer.location ?? '');
    expect(text).toContain('It goes out when you resume the webhook.');
  });

  it('303 back to its page when the message went away meanwhile, and nothing is added', async () => {
    const { own, id, browser, path } = await merchantWithWebhook();
    const fields = fieldsOf(await browser.get(`${path}/deliveries/1`), `${path}/deliveries/1`);
    await env.STORE_0.prepare('delete from webhook_events where store_id = ?').bind(own.id).run();
    const answer = await browser.post(`${path}/deliveries/1`, fields);
    expect([answer.status, answer.location]).toEqual([303, `${path}/deliveries/1`]);
    expect(await statesOf(id)).toEqual([1]);
  });

  it('costs two trips to the shard', async () => {
    const { browser, path } = await merchantWithWebhook();
    const fields = fieldsOf(await browser.get(`${path}/deliveries/1`), `${path}/deliveries/1`);
    const shard = { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 };
    browser.bindings = { STORE_0: counting(env.STORE_0, shard) };
    await browser.post(`${path}/deliveries/1`, fields);
    expect(shard.trips).toBe(2);
  });
});

describe('pausing', () => {
  it('200 with what comes of it, then 303: what is open is held', async () => {
    const { own, id, browser, path } = await merchantWithWebhook();
    await fillLog(own, id, { count: 1, state: 0 });
    const page = await browser.get(`${path}/pause`);
    expect(page.text).toContain('Pause test? Nothing more is sent to its receiver');
    const answer = await browser.post(`${path}/pause`, fieldsOf(page, `${path}/pause`));
    expect([answer.status, answer.location]).toEqual([303, `${path}?done=paused`]);
    expect(await endpointOf(id)).toMatchObject({ status: 1 });
    expect(await statesOf(id)).toEqual([1, 3]);
    expect((await auditOf(id)).at(-1)).toMatchObject({ action: 'disabled', user_id: own.userId });
    expect((await browser.get(answer.location ?? '')).text).toContain('The webhook is paused.');
  });

  it('303 to the webhook when it is not active, as resuming one that is', async () => {
    const { own, id, browser, path } = await merchantWithWebhook();
    expect((await browser.get(`${path}/resume`)).location).toBe(path);
    await own.api(`PUT /webhooks/${id}`, { active: false });
    expect((await browser.get(`${path}/pause`)).location).toBe(path);
  });
});

/** A webhook with a delivery held for four days and one held for an hour, in a status. */
async function held(status: number) {
  const made = await merchantWithWebhook({ count: 0 });
  const now = Date.now();
  for (const hours of [96, 1]) {
    await fillLog(made.own, made.id, { count: 1, state: 3, since: now - hours * 3_600_000 });
  }
  await setWebhook(made.id, { status });
  return made;
}

describe('resuming', () => {
  it.each([
    ['all', [0, 0]],
    ['72h', [3, 0]],
    ['none', [3, 3]],
  ])('303 after a pause with %s, without a ping', async (resume, states) => {
    const { id, browser, path } = await held(1);
    using outside = network(() => new Response('ok'));
    const page = await browser.get(`${path}/resume`);
    expect(page.text).toContain('Deliveries that are held now: 2.');
    expect(page.html).toMatch(/value="all" checked/);
    const fields = { ...fieldsOf(page, `${path}/resume`), resume };
    const answer = await browser.post(`${path}/resume`, fields);
    expect([answer.status, answer.location]).toEqual([303, `${path}?done=resumed`]);
    expect(await statesOf(id)).toEqual(states);
    expect(await endpointOf(id)).toMatchObject({ status: 0 });
    expect(outside.requests).toEqual([]);
  });

  it('303 for one that was switched off and answers the ping', async () => {
    const { id, browser, path } = await held(2);
    using outside = network(() => new Response('ok'));
    const page = await browser.get(`${path}/resume`);
    expect(page.text).toContain('We first send a ping to 127.0.0.1:9');
    expect(page.html).toMatch(/value="72h" checked/);
    const answer = await browser.submit(`${path}/resume`, { resume: '72h' });
    expect(answer.status).toBe(303);
    expect(outside.requests).toHaveLength(1);
    expect(JSON.parse(outside.requests[0]?.text ?? '')).toMatchObject({ event: 'ping' });
    expect(await statesOf(id)).toEqual([3, 0]);
  });

  it('422 for one that does not answer it, with what came of it, and nothing changes', async () => {
    const { id, browser, path } = await held(2);
    const before = [await endpointOf(id), await logOf(id)];
    using _outside = network(() => new Response('no', { status: 503 }));
    const answer = await browser.submit(`${path}/resume`, { resume: 'all' });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(
      'The ping was not answered with success: 503. The receiver reported a fault of its own. Nothing has changed.',
    );
    expect([await endpointOf(id), await logOf(id)]).toEqual(before);
  });

  it('429 within ten seconds of a ping of the store, and 422 for an address that may not receive', async () => {
    const { id, browser, path } = await held(2);
    using outside = network(() => new Response('no', { status: 500 }));
    await browser.submit(`${path}/resume`, { resume: 'all' });
    const soon = await browser.submit(`${path}/resume`, { resume: 'all' });
    expect([soon.status, soon.headers.get('Retry-After')]).toEqual([429, '10']);
    expect(soon.text).toContain('Not yet: this store had a ping a moment ago.');
    expect(soon.html).toContain(`action="${path}/resume"`);
    await setWebhook(id, { url: 'https://10.0.0.1/in' });
    const refused = await browser.submit(`${path}/resume`, { resume: 'all' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('may not receive at the moment');
    expect(outside.requests).toHaveLength(1);
    expect(await endpointOf(id)).toMatchObject({ status: 2 });
  });

  it('422 while the app that made it is not connected, with no form; 303 once it is again', async () => {
    const own = await store();
    const connected = await connect(own);
    const { body } = await connected.api('POST /webhooks', {
      url: 'https://partner.test/hook',
      name: 'Of an app',
      events: ['product.created'],
    });
    const browser = await new Browser().signedIn(own.userId);
    const path = `${pathOf(own, body.data.id)}/resume`;
    const reason = 'Test App is not connected to this store any more';
    await connected.api(`PUT /webhooks/${body.data.id}`, { active: false });
    const page = await browser.get(path);
    expect(page.text).not.toContain(reason);
    await browser.submit(`/account/apps/${own.alias}/${connected.app.client_id}/disconnect`);
    const shown = await browser.get(path);
    expect([shown.status, shown.text.includes(reason)]).toEqual([200, true]);
    expect(shown.html).not.toContain(`action="${path}"`);
    const fields = { ...fieldsOf(page, path), resume: 'all' };
    const refused = await browser.post(path, fields);
    expect([refused.status, refused.text.includes(reason)]).toEqual([422, true]);
    expect(await endpointOf(body.data.id)).toMatchObject({ status: 1 });
    await connect(own, { app: connected.app });
    expect((await browser.post(path, fields)).location).toBe(
      `${pathOf(own, body.data.id)}?done=resumed`,
    );
    expect(await endpointOf(body.data.id)).toMatchObject({ status: 0 });
  });

  it('422 without a choice, and for one that does not exist', async () => {
    const { id, browser, path } = await held(1);
    for (const fields of [{}, { resume: 'since:2031-03-05 09:04:07' }]) {
      const answer = await browser.submit(`${path}/resume`, fields);
      expect([answer.status, answer.text.includes('Choose what goes out.')]).toEqual([422, true]);
    }
    expect(await statesOf(id)).toEqual([3, 3]);
  });
});

describe('sending a ping', () => {
  it.each([
    [200, 'The ping arrived: 200. Receipt confirmed.'],
    [401, 'The ping did not arrive: 401. The receiver refused it.'],
  ])('200 with what came of it: %i', async (status, words) => {
    const { id, browser, path } = await merchantWithWebhook();
    using outside = network(() => new Response('', { status }));
    const answer = await browser.submit(`${path}/ping`);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(words);
    expect(outside.requests[0]?.headers.get('X-Service-Hmac-SHA256')).toMatch(/^[\w+/]{43}=$/);
    expect(await logOf(id)).toHaveLength(1);
  });

  it('422 for an address that may not receive, 429 within ten seconds', async () => {
    const { id, browser, path } = await merchantWithWebhook();
    using outside = network(() => new Response('ok'));
    await setWebhook(id, { url: 'https://10.0.0.1/in' });
    const refused = await browser.submit(`${path}/ping`);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('No ping was sent');
    const soon = await browser.submit(`${path}/ping`);
    expect([soon.status, soon.headers.get('Retry-After')]).toEqual([429, '10']);
    expect(soon.text).toContain('No ping was sent, as this store had one a moment ago.');
    expect(soon.html).toContain(`action="${path}/ping"`);
    expect(outside.requests).toEqual([]);
  });
});

const addresses = ['', '/deliveries/1', '/ping', '/pause', '/resume'];

describe.each(addresses)('/account/webhooks/{alias}/{id}%s', (rest) => {
  it('404 for a webhook of another store under either alias, and for one that nobody has', async () => {
    const { own, browser } = await merchantWithWebhook();
    const theirs = await merchantWithWebhook();
    await setWebhook(theirs.id, { status: rest === '/resume' ? 1 : 0 });
    for (const path of [
      pathOf(own, theirs.id),
      theirs.path,
      pathOf(own, 999_999_999),
      `/account/webhooks/${own.alias}/0`,
      `/account/webhooks/${own.alias}/x`,
    ]) {
      expect((await browser.get(`${path}${rest}`)).status, path).toBe(404);
    }
  });
});

describe.each(addresses.slice(1))('POST /account/webhooks/{alias}/{id}%s', (rest) => {
  /** Webhooks of two merchants, and the fields of a form of the first. */
  async function ready() {
    const [own, theirs] = [await merchantWithWebhook(), await merchantWithWebhook()];
    for (const { id } of [own, theirs])
      await setWebhook(id, { status: rest === '/resume' ? 1 : 0 });
    const path = `${own.path}${rest}`;
    const fields = { ...fieldsOf(await own.browser.get(path), path), resume: 'all' };
    const picture = async () =>
      JSON.stringify([await endpointOf(theirs.id), await logOf(theirs.id)]);
    return { own, theirs, path, fields, picture };
  }

  it('403 with the store or webhook of somebody else in the address, and nothing is sent or changed', async () => {
    const { own, theirs, fields, picture } = await ready();
    using outside = network(() => new Response('ok'));
    const before = await picture();
    for (const path of [theirs.path, pathOf(own.own, theirs.id), pathOf(theirs.own, own.id)]) {
      expect((await own.browser.post(`${path}${rest}`, fields)).status, path).toBe(403);
    }
    expect(await picture()).toBe(before);
    expect(outside.requests).toEqual([]);
  });

  it('404 when the merchant lost the store after the page was shown', async () => {
    const { own, path, fields } = await ready();
    using outside = network(() => new Response('ok'));
    const before = JSON.stringify([await endpointOf(own.id), await logOf(own.id)]);
    await env.DIRECTORY.prepare('delete from memberships where user_id = ?')
      .bind(own.own.userId)
      .run();
    expect((await own.browser.post(path, fields)).status).toBe(404);
    expect(JSON.stringify([await endpointOf(own.id), await logOf(own.id)])).toBe(before);
    expect(outside.requests).toEqual([]);
  });

  it('404 when the webhook was moved to another store after the page was shown', async () => {
    const { own, path, fields } = await ready();
    using outside = network(() => new Response('ok'));
    await setWebhook(own.id, { store_id: (await store()).id });
    const before = JSON.stringify([await endpointOf(own.id), await logOf(own.id)]);
    expect((await own.browser.post(path, fields)).status).toBe(404);
    expect(JSON.stringify([await endpointOf(own.id), await logOf(own.id)])).toBe(before);
    expect(outside.requests).toEqual([]);
  });
});

describe.each(addresses.slice(1))('a form for /account/webhooks/{alias}/{id}%s', (rest) => {
  it('429 over the limit, with the time to wait and nothing done', async () => {
    const { id, browser, path } = await held(rest === '/resume' ? 1 : 0);
    using outside = network(() => new Response('ok'));
    const before = [await endpointOf(id), await logOf(id)];
    const limiter: RateLimit = { limit: () => Promise.resolve({ success: false }) };
    const perMinute = { ME_PER_MINUTE: '1' } as unknown as Partial<Env>;
    browser.bindings = { ...perMinute, ME_LIMIT: limiter };
    const answer = await browser.submit(`${path}${rest}`, { resume: 'all' });
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([429, '60']);
    expect([await endpointOf(id), await logOf(id)]).toEqual(before);
    expect(outside.requests).toEqual([]);
  });
});
