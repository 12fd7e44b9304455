import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { eventNames } from '../../../src/data/grants/event-catalogue.ts';
import { DeliveryState } from '../../../src/data/schema/store/webhooks-tables.ts';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { Browser } from '../../support/browser/browser.ts';
import { formActionsOf, hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { mockNetwork } from '../../support/fakes/network.ts';
import { addTestMember } from '../../support/fixtures/members.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import {
  auditOfEndpoint,
  deliveryLogOf,
  endpointOf,
  fillDeliveryLog,
} from '../../support/webhooks/delivery-log.ts';
import { signInWithWebhook } from '../../support/webhooks/pages.ts';
import '../../support/fixtures/first-shard.ts';

const url = 'https://receiver.example/in?token=mine';
const filled = { name: 'ERP', url, events: ['order.paid', 'product.created'] };
const secretOf = (html: string) => /<code>(whsec_[^<]+)<\/code>/.exec(html)?.[1];

describe('creating a webhook in the pages', () => {
  it('returns 303 to the page that shows the secret once; the webhook is that of the API', async () => {
    const own = await createTestStore();
    const browser = await new Browser().signIn(own.userId);
    const list = await browser.get('/account/webhooks');
    expect(list.html).toContain(`href="/account/webhooks/${own.alias}/new"`);
    const created = await browser.submit(`/account/webhooks/${own.alias}/new`, filled);
    const id = Number(/\/(\d+)\/secret/.exec(created.location ?? '')?.[1]);
    expect([created.status, created.location]).toEqual([
      303,
      `/account/webhooks/${own.alias}/${id}/secret?done=created`,
    ]);
    const shown = await browser.get(created.location ?? '');
    expect(secretOf(shown.html)).toBeDefined();
    expect((await endpointOf(id))?.secret_current).not.toContain(secretOf(shown.html));
    const reloaded = await browser.get(created.location ?? '');
    expect(reloaded.text).toContain('This secret was already shown');
    const { body } = await own.api(`GET /webhooks/${id}`);
    expect(body.data).toMatchObject({ ...filled, active: true });
    expect(await auditOfEndpoint(id)).toMatchObject([
      { action: 'created', actor_kind: 'user', actor_id: String(own.userId) },
    ]);
    const details = await browser.get(`/account/webhooks/${own.alias}/${id}`);
    expect(details.text).toContain(`Goes to ${url}`);
    const activity = `/account/stores/${own.alias}/activity?actor_kind=user&actor_id=${own.userId}`;
    expect(details.text).toContain('Created by Test Owner');
    expect(details.html).toContain(`href="${activity.replace('&', '&amp;')}"`);
    expect((await browser.get(activity)).text).toContain('Created webhook ERP');
  });

  it.each([
    ['no name', { name: ' ' }, 'name', 'Enter a name.'],
    ['a long name', { name: 'x'.repeat(101) }, 'name', 'more than 100 characters'],
    ['no address', { url: '' }, 'url', 'Enter the address.'],
    ['half an address', { url: 'receiver.example' }, 'url', 'not a complete address'],
    ['an address of our own network', { url: 'https://10.0.0.1/' }, 'url', 'cannot send to this'],
    ['no event', { events: [] }, 'events', 'Choose at least one event.'],
    ['an unknown event', { events: ['order.eaten'] }, 'events', 'Choose at least one event.'],
  ])(
    'returns 422 for %s, keeps the typed values and creates nothing',
    async (_what, typed, field, text) => {
      const own = await createTestStore();
      const browser = await new Browser().signIn(own.userId);
      const path = `/account/webhooks/${own.alias}/new`;
      const page = await browser.submit(path, { ...filled, ...typed });
      expect(page.status).toBe(422);
      expect(page.text).toContain(text);
      expect(page.html).toContain(`href="#${field}"`);
      if (field !== 'name') expect(page.html).toContain('value="ERP"');
      if (field !== 'events') expect(page.html).toMatch(/value="order.paid" checked/);
      const { body } = await own.api('GET /webhooks');
      expect(body.data).toEqual([]);
    },
  );

  it('returns 422 with the errors in the order of the fields', async () => {
    const own = await createTestStore();
    const browser = await new Browser().signIn(own.userId);
    const path = `/account/webhooks/${own.alias}/new`;
    const page = await browser.submit(path, { name: '', url: '', events: [] });
    expect(page.status).toBe(422);
    const links = page.html.matchAll(/href="#(name|url|events)"/g);
    expect([...links].map(([, field]) => field)).toEqual(['name', 'url', 'events']);
  });

  it('returns 303 for all events, and ticks each of them when it is edited', async () => {
    const own = await createTestStore();
    const browser = await new Browser().signIn(own.userId);
    const made = await browser.submit(`/account/webhooks/${own.alias}/new`, {
      ...filled,
      events: ['all'],
    });
    expect(made.status).toBe(303);
    const { body } = await own.api('GET /webhooks');
    const [{ id, events }] = body.data;
    expect(events.toSorted()).toEqual([...eventNames].toSorted());
    const { html } = await browser.get(`/account/webhooks/${own.alias}/${id}/edit`);
    expect(html).toMatch(/value="all" checked/);
    for (const name of eventNames) expect(html).toContain(`value="${name}" checked`);
  });

  it('returns 303 for a webhook that keeps the order; its page says so, and its form ends it', async () => {
    const own = await createTestStore();
    const browser = await new Browser().signIn(own.userId);
    const made = await browser.submit(`/account/webhooks/${own.alias}/new`, {
      ...filled,
      ordered: 'yes',
    });
    const id = Number(/\/(\d+)\/secret/.exec(made.location ?? '')?.[1]);
    const path = `/account/webhooks/${own.alias}/${id}`;
    expect((await browser.get(path)).text).toContain('Order One event at a time, in order');
    const edit = await browser.get(`${path}/edit`);
    expect(edit.html).toMatch(/name="ordered"[^>]*checked|checked[^>]*name="ordered"/);
    expect(edit.text).toContain('an event that fails holds up all behind it');
    await browser.submit(`${path}/edit`, filled);
    expect((await own.api(`GET /webhooks/${id}`)).body.data.ordered).toBe(false);
    expect((await browser.get(path)).text).not.toContain('One event at a time');
  });

  it('returns 422 when the store has twenty already', async () => {
    const own = await createTestStore();
    const browser = await new Browser().signIn(own.userId);
    await env.STORE_0.prepare(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < 20)
       insert into webhook_endpoints (store_id, url, url_folded, name, name_folded, secret_current, created_at, updated_at)
       select ?, 'https://x.example', '', 'x', 'x', '', 0, 0 from n`,
    )
      .bind(own.id)
      .run();
    const page = await browser.submit(`/account/webhooks/${own.alias}/new`, filled);
    expect(page.status).toBe(422);
    expect(page.text).toContain('This store has 20 webhooks, the maximum.');
    await env.STORE_0.prepare('delete from webhook_endpoints where store_id = ?')
      .bind(own.id)
      .run();
  });
});

describe('the pages of a viewer', () => {
  it('returns 200 without forms and without the whole URL, and 403 for every page with a form', async () => {
    const { own, path } = await signInWithWebhook();
    const viewer = await new Browser().signIn((await addTestMember(own, 'viewer')).userId);
    const details = await viewer.get(path);
    expect(details.status).toBe(200);
    expect(details.text).toContain('Goes to 127.0.0.1:9 ');
    expect(details.html).not.toContain('unreachable');
    expect(formActionsOf(details)).toEqual([]);
    expect((await viewer.get('/account/webhooks')).html).not.toContain(`${own.alias}/new"`);
    expect(formActionsOf(await viewer.get(`${path}/deliveries/1`))).toEqual([]);
    for (const page of ['edit', 'rotate', 'secret', 'delete', 'resume'])
      expect([page, (await viewer.get(`${path}/${page}`)).status]).toEqual([page, 403]);
    expect((await viewer.get(`/account/webhooks/${own.alias}/new`)).status).toBe(403);
  });
});

describe('editing a webhook in the pages', () => {
  it('returns 303 after changing it, in one batch, and shows what is stored', async () => {
    const { own, id, browser, path } = await signInWithWebhook();
    const page = await browser.get(`${path}/edit`);
    expect(page.html).toContain('value="http://127.0.0.1:9/unreachable"');
    expect(page.html).toMatch(/value="product.created" checked/);
    const shard = noCost();
    browser.bindings = { STORE_0: countingDatabase(env.STORE_0, shard) };
    const fields = { ...hiddenFieldsOf(page, `${path}/edit`), ...filled };
    const response = await browser.post(`${path}/edit`, fields);
    expect([response.status, response.location]).toEqual([303, `${path}?done=edited`]);
    expect(shard.roundTrips).toBe(2);
    const { body } = await own.api(`GET /webhooks/${id}`);
    expect(body.data).toMatchObject(filled);
    expect((await auditOfEndpoint(id)).at(-1)).toMatchObject({ action: 'edited' });
    expect((await browser.get(`${path}?done=edited`)).text).toContain('Your changes are saved.');
  });

  it('returns 422 for a bad address and 404 for a webhook of another store', async () => {
    const { own, id, browser, path } = await signInWithWebhook();
    const refused = await browser.submit(`${path}/edit`, { ...filled, url: 'nowhere' });
    expect([refused.status, refused.html.includes('value="nowhere"')]).toEqual([422, true]);
    const other = await signInWithWebhook();
    const foreign = await other.browser.get(`/account/webhooks/${own.alias}/${id}/edit`);
    const mixed = await other.browser.get(`/account/webhooks/${other.own.alias}/${id}/edit`);
    expect([foreign.status, mixed.status]).toEqual([404, 404]);
  });
});

describe('replacing the secret in the pages', () => {
  it('returns 303 in both steps: both secrets are valid, then the new one is the main one', async () => {
    const { id, browser, path } = await signInWithWebhook();
    const before = await endpointOf(id);
    const first = await browser.get(`${path}/rotate`);
    expect(first.text).toContain('How long should the old secret stay valid?');
    const started = await browser.submit(`${path}/rotate`, { overlap: 'week', step: 'start' });
    expect([started.status, started.location]).toEqual([303, `${path}/secret`]);
    expect(secretOf((await browser.get(`${path}/secret`)).html)).toBeDefined();
    expect(await endpointOf(id)).toMatchObject({
      secret_mode: 1,
      secret_previous: before?.secret_current,
    });
    const details = await browser.get(path);
    expect(details.text).toContain('New secret Both secrets are valid. From ');
    expect(details.html).toMatch(/href="[^"]+\/rotate">\s*Use the new secret/);
    expect(details.text).not.toContain('Replace the secret');
    const second = await browser.get(`${path}/rotate`);
    expect(second.text).not.toContain('Replace the secret');
    expect(second.text).toContain('Both secrets are valid.');
    const finished = await browser.submit(`${path}/rotate`, { step: 'finish' });
    expect([finished.status, finished.location]).toEqual([303, `${path}?done=rotated`]);
    expect(await endpointOf(id)).toMatchObject({ secret_mode: 2 });
    expect((await browser.get(`${path}/rotate`)).text).toContain('The new secret is the main one.');
    const finishing = await browser.get(path);
    expect(finishing.text).toContain('The new secret is the main one. The old one ends on ');
    expect(finishing.html).not.toContain('/rotate"');
    expect((await auditOfEndpoint(id)).map(({ action }) => action)).toEqual([
      'created',
      'secret_rotated',
      'secret_committed',
    ]);
  });

  it('has one winner: of two parallel forms one shows a secret, and the other leads back (303)', async () => {
    const { browser, path } = await signInWithWebhook();
    const page = await browser.get(`${path}/rotate`);
    const fields = { ...hiddenFieldsOf(page, `${path}/rotate`), overlap: 'day', step: 'start' };
    const responses = await Promise.all([1, 2].map(() => browser.post(`${path}/rotate`, fields)));
    expect(responses.map(({ location }) => String(location)).toSorted()).toEqual([
      `${path}/rotate`,
      `${path}/secret`,
    ]);
  });

  it('returns 422 without a choice', async () => {
    const { browser, path } = await signInWithWebhook();
    const page = await browser.submit(`${path}/rotate`, { overlap: 'never', step: 'start' });
    expect([page.status, page.text.includes('Choose how long')]).toEqual([422, true]);
  });
});

describe('deleting a webhook in the pages', () => {
  it('asks (200), then returns 303 and cancels what waits', async () => {
    const { own, id, browser, path } = await signInWithWebhook();
    await fillDeliveryLog(own, id, { count: 1, state: DeliveryState.held });
    const page = await browser.get(`${path}/delete`);
    expect(page.text).toContain('Delete test? Nothing more is sent to it');
    const response = await browser.post(`${path}/delete`, hiddenFieldsOf(page, `${path}/delete`));
    expect([response.status, response.location]).toEqual([303, '/account/webhooks?done=deleted']);
    expect((await deliveryLogOf(id)).map(({ state }) => state)).toEqual([
      DeliveryState.delivered,
      DeliveryState.cancelled,
    ]);
    const list = await browser.get(response.location ?? '');
    expect(list.text).toContain('The webhook is deleted.');
    expect((await browser.get(path)).status).toBe(404);
  });
});

describe('sending a held delivery from its page', () => {
  it('returns 303 and says that it arrived; the page then offers to send it again', async () => {
    const { own, id, browser, path } = await signInWithWebhook({ count: 0 });
    await fillDeliveryLog(own, id, { count: 1, state: DeliveryState.held });
    await own.api(`PUT /webhooks/${id}`, { active: false });
    using network = mockNetwork(() => new Response('ok'));
    const delivery = `${path}/deliveries/1`;
    const page = await browser.get(delivery);
    expect(page.text).toContain('Send now');
    const fields = { ...hiddenFieldsOf(page, delivery), action: 'sendNow' };
    const responses = await Promise.all([1, 2].map(() => browser.post(delivery, fields)));
    expect(responses.map(({ location }) => String(location)).toSorted()).toEqual([
      delivery,
      `${delivery}?done=sent`,
    ]);
    expect(network.requests).toHaveLength(1);
    const after = await browser.get(`${delivery}?done=sent`);
    expect(after.text).toContain('The delivery has arrived.');
    expect(after.text).toContain('Send again');
  });

  it('returns 303 and says that it stays held when the receiver refuses it', async () => {
    const { own, id, browser, path } = await signInWithWebhook({ count: 0 });
    await fillDeliveryLog(own, id, { count: 1, state: DeliveryState.held });
    using _network = mockNetwork(() => new Response('no', { status: 500 }));
    const response = await browser.submit(`${path}/deliveries/1`, { action: 'sendNow' });
    expect(response.location).toBe(`${path}/deliveries/1?done=notSent`);
    const after = await browser.get(response.location ?? '');
    expect(after.text).toContain('did not arrive and stays held');
    expect(after.text).toContain('Send now');
  });
});
