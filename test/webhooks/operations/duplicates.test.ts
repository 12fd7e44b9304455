import { describe, expect, it } from 'vitest';
import { measureRequest } from '../../support/api/measure.ts';
import { Browser } from '../../support/browser/browser.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { connectApp } from '../../support/oauth/partner.ts';

const url = 'https://receiver.example.com/hook?shop=1';
const webhook = (more: object = {}) => ({
  url,
  name: 'ERP',
  events: ['product.created', 'order.paid'],
  ...more,
});

const warningOf = (id: number) =>
  `Duplicate of webhook ${id}: events that both have are sent to this address twice`;

describe('a webhook at the address of another one', () => {
  it.each([
    ['the same again', {}],
    ['one of its events', { events: ['order.paid', 'customer.created'] }],
    ['one that is paused', { active: false }],
    [
      'the host in capitals, with a dot and its port',
      { url: url.replace('receiver.example.com', 'RECEIVER.Example.com.:443') },
    ],
    ['escapes of letters, and dots in the path', { url: url.replace('/hook', '/x/../%68ook') }],
  ])('is created with 201 and named as a duplicate: %s', async (_what, more) => {
    const { api } = await createTestStore();
    const first = await api('POST /webhooks', webhook());
    expect([first.body.data.duplicate_of, first.headers.get('X-Warning')]).toEqual([null, null]);
    const id: number = first.body.data.id;
    const second = await api('POST /webhooks', webhook(more));
    expect([second.status, second.body.data.duplicate_of]).toEqual([201, id]);
    expect(second.headers.get('X-Warning')).toBe(warningOf(id));
    // Each shows the other, wherever it is shown.
    const other: number = second.body.data.id;
    const { body } = await api('GET /webhooks?sort=name');
    const shown = body.data as { id: number; duplicate_of: number | null }[];
    expect(new Map(shown.map((one) => [one.id, one.duplicate_of]))).toEqual(
      new Map([
        [id, other],
        [other, id],
      ]),
    );
    const read = await api(`GET /webhooks/${id}`);
    expect([read.body.data.duplicate_of, read.headers.get('X-Warning')]).toEqual([other, null]);
    await api(`DELETE /webhooks/${other}`);
    expect((await api(`GET /webhooks/${id}`)).body.data.duplicate_of).toBe(null);
  });

  it.each([
    ['another path', { url: `${url}/` }],
    ['another query', { url: url.replace('1', '2') }],
    ['another spelling of a path, which may lead elsewhere', { url: url.replace('hook', 'Hook') }],
    ['other events', { events: ['order.created'] }],
  ])('is none with %s', async (_what, more) => {
    const { api } = await createTestStore();
    await api('POST /webhooks', webhook());
    const { body, headers } = await api('POST /webhooks', webhook(more));
    expect([body.data.duplicate_of, headers.get('X-Warning')]).toEqual([null, null]);
  });

  it.each([
    ['PUT /webhooks', 'its address', { url: `${url}/other` }, { url }],
    [
      'PUT /orders/webhooks',
      'its events',
      { events: ['order.created'] },
      { events: ['order.paid'] },
    ],
    [
      'PUT /webhooks',
      'both while it resumes',
      { active: false, url: `${url}/other` },
      { active: true, url },
    ],
  ])(
    'is named by %s, which changes %s, with an unknown field beside it',
    async (path, _what, first, change) => {
      const { api } = await createTestStore();
      const { body: made } = await api('POST /webhooks', webhook(first));
      const { body: other } = await api('POST /webhooks', webhook());
      expect(other.data.duplicate_of).toBe(null);
      const changed = await api(`${path}/${made.data.id}`, { ...change, unknown: 1 });
      expect([changed.status, changed.body.data.duplicate_of]).toEqual([200, other.data.id]);
      expect(changed.headers.get('X-Warning')).toBe(
        `${warningOf(other.data.id)}, Unknown field ignored: unknown`,
      );
      const read = await api(`GET /webhooks/${made.data.id}`);
      expect(read.body).toEqual(changed.body);
      // No GET has the path of the specification's PUT.
      const tag = path === 'PUT /webhooks' ? read.headers.get('ETag') : null;
      expect(changed.headers.get('ETag')).toBe(tag);
      await api(`PUT /webhooks/${made.data.id}`, { url: `${url}/other` });
      expect((await api(`GET /webhooks/${other.data.id}`)).body.data.duplicate_of).toBe(null);
    },
  );

  it('is not told to an app about the webhook of the store or of another app, nor to a store about that of another', async () => {
    const [shop, otherShop] = [await createTestStore(), await createTestStore()];
    const [app, otherApp] = [await connectApp(shop), await connectApp(shop)];
    const body = webhook({ events: ['product.created'] });
    for (const caller of [shop, otherShop, app, otherApp]) {
      const made = await caller.api('POST /webhooks', body);
      expect([made.status, made.body.data.duplicate_of]).toEqual([201, null]);
      expect(made.headers.get('X-Warning')).toBe(null);
      const put = await caller.api(`PUT /webhooks/${made.body.data.id}`, body);
      expect([put.body.data.duplicate_of, put.headers.get('X-Warning')]).toEqual([null, null]);
    }
    const [first] = (await app.api('GET /webhooks')).body.data;
    const again = await app.api('POST /webhooks', body);
    expect(again.body.data.duplicate_of).toBe(first.id);
  });

  it('costs the round trip of a creation, and is told again to a repetition with the same key', async () => {
    const shop = await createTestStore();
    const { body: made } = await shop.api('POST /webhooks', webhook());
    const { data } = await measureRequest(shop, 'POST /webhooks', webhook());
    expect(data.roundTrips).toBe(1);
    const headers = { 'Idempotency-Key': 'deploy' };
    const first = await shop.api('POST /webhooks', webhook(), headers);
    const again = await shop.api('POST /webhooks', webhook(), headers);
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('X-Warning')).toBe(warningOf(made.data.id));
  });

  it('is named on the page of both, and in the list', async () => {
    const own = await createTestStore();
    const ids: number[] = [];
    for (const name of ['Old', 'New'])
      ids.push((await own.api('POST /webhooks', webhook({ name }))).body.data.id);
    const browser = await new Browser().signIn(own.userId);
    const said = 'sends to the same address. Each event that both have arrives there twice.';
    for (const [index, other] of [
      [0, 'New'],
      [1, 'Old'],
    ] as const) {
      const page = await browser.get(`/account/webhooks/${own.alias}/${ids[index]}`);
      expect(page.text).toContain(`${other} ${said}`);
      expect(page.html).toContain(`href="/account/webhooks/${own.alias}/${ids[1 - index]}"`);
    }
    for (const [language, text] of [
      ['en', 'Two webhooks send to this address'],
      ['pt-BR', 'Dois webhooks enviam para este endereço'],
      ['es', 'Dos webhooks envían a esta dirección'],
    ]) {
      const list = await browser.get(`/account/webhooks?lang=${language}`);
      expect(list.text.split(text!)).toHaveLength(3);
    }
    await own.api(`DELETE /webhooks/${ids[1]}`);
    expect(
      (await browser.get(`/account/webhooks/${own.alias}/${ids[0]}?lang=en`)).text,
    ).not.toContain(said);
  });
});
