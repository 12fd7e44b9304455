import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { newEventId } from '../../src/events/event-id.ts';
import { measured } from '../support/counted.ts';
import { keyed } from '../support/keyed.ts';
import { auditOf, endpointOf, fillLog, logOf, webhookOf } from '../support/log.ts';
import { connect } from '../support/partner.ts';
import { store, type TestStore } from '../support/store.ts';

const row = (event: string) => `POST /events/${event}/replays`;

/** Makes a product, and tells the id of the event that the first of these webhooks was sent of it. */
async function happen({ api }: TestStore, webhook: number): Promise<string> {
  const brand = await api('POST /catalog/brands', { name: crypto.randomUUID(), active: true });
  const skus = [{ sku: crypto.randomUUID().slice(0, 20), price_sale: 1, quantity: 1 }];
  const product = { name: 'Shirt', simple: true, active: true, brand_id: brand.body.data.id, skus };
  await api('POST /catalog/products', product);
  return String((await logOf(webhook)).at(-1)?.event_id);
}

const resent = async (id: number) =>
  (await logOf(id)).filter(({ trigger }) => trigger === 'replay');

describe('POST /{alias}/events/{event_id}/replays', () => {
  it('201 to each webhook that it was meant for, with numbers of their own; two round trips', async () => {
    const shop = await store();
    const [one, other] = [await webhookOf(shop), await webhookOf(shop)];
    const stranger = await webhookOf(shop, ['order.paid']);
    await fillLog(shop, other, { count: 3 });
    const event = await happen(shop, one);
    const late = await webhookOf(shop);
    const before = [await logOf(one), await logOf(other)];
    const { answer, data } = await measured(shop, row(event));
    expect([answer.status, data.trips]).toEqual([201, 2]);
    const replay = { event_id: event, state: 'done', total: 1, done: 1 };
    expect(answer.body.data).toMatchObject([
      { webhook_id: one, ...replay },
      { webhook_id: other, ...replay },
    ]);
    expect(await logOf(one)).toMatchObject([
      ...before[0]!,
      { seq: 2, event_id: event, state: 0, replay_of: 1, trigger: 'replay', attempts: 0 },
    ]);
    expect(await resent(other)).toMatchObject([{ seq: 5, event_id: event, replay_of: 4 }]);
    for (const id of [one, other]) {
      expect((await endpointOf(id))?.wake_at).toBeGreaterThan(0);
      expect((await auditOf(id)).at(-1)?.action).toBe('replayed');
    }
    for (const id of [stranger, late]) expect(await logOf(id)).toEqual([]);
    const { body } = await shop.api(`GET /webhooks/${other}/replays`);
    expect(body.data[0].id).toBe(answer.body.data[1].id);
  });

  it('201 once more when it is asked for once more, and once under one idempotency key', async () => {
    const shop = await store();
    const id = await webhookOf(shop);
    const event = await happen(shop, id);
    const caller = keyed(shop);
    for (const api of [shop.api, caller.api, caller.api]) {
      expect((await api(row(event))).status).toBe(201);
    }
    expect(await resent(id)).toMatchObject([{ seq: 2 }, { seq: 3 }]);
  });

  it('201 held where a webhook is paused, and without those that are deleted', async () => {
    const shop = await store();
    const [paused, deleted] = [await webhookOf(shop), await webhookOf(shop)];
    const event = await happen(shop, paused);
    await shop.api(`PUT /webhooks/${paused}`, { active: false });
    await shop.api(`DELETE /webhooks/${deleted}`);
    const { status, body } = await shop.api(row(event));
    expect([status, body.data.length]).toEqual([201, 1]);
    expect(await resent(paused)).toMatchObject([{ state: 3 }]);
    expect(await resent(deleted)).toEqual([]);
    await shop.api(`DELETE /webhooks/${paused}`);
    expect((await shop.api(row(event))).status).toBe(404);
  });

  it('201 for an app at its own webhooks, 404 when it has none, all for a header pair', async () => {
    const shop = await store();
    const [mine, other] = [await connect(shop), await connect(shop)];
    const own = await webhookOf({ ...shop, api: mine.api });
    const ofStore = await webhookOf(shop);
    const event = await happen(shop, own);
    expect((await mine.api(row(event))).body.data).toMatchObject([{ webhook_id: own }]);
    expect((await other.api(row(event))).status).toBe(404);
    expect([await resent(own), await resent(ofStore)].map(({ length }) => length)).toEqual([1, 0]);
    expect((await shop.api(row(event))).body.data).toHaveLength(2);
  });

  it('404 for an event of another store, and for one that nobody knows', async () => {
    const [shop, other] = [await store(), await store()];
    const [id, foreign] = [await webhookOf(shop), await webhookOf(other)];
    const event = await happen(other, foreign);
    await happen(shop, id);
    for (const unknown of [event, newEventId(shop.id, Date.now()), 'evt_1', '1']) {
      expect((await shop.api(row(unknown))).status).toBe(404);
    }
    expect([await resent(id), await resent(foreign)]).toEqual([[], []]);
  });

  it('410, fault 51: once its body is purged, and nothing is added', async () => {
    const shop = await store();
    const id = await webhookOf(shop);
    const event = await happen(shop, id);
    await env.STORE_0.prepare('delete from webhook_events where id = ?').bind(event).run();
    const { status, body } = await shop.api(row(event));
    expect([status, Object.keys(body.errors)]).toEqual([410, ['event_id']]);
    expect(await resent(id)).toEqual([]);
  });

  it('201 from the middle of a long log, of which two minutes are read', async () => {
    const shop = await store();
    const id = await webhookOf(shop);
    // One each second, so that two minutes hold 120.
    await fillLog(shop, id, { count: 10_000 });
    const event = String((await logOf(id))[5_000]?.event_id);
    const { answer, data } = await measured(shop, row(event));
    expect(answer.status).toBe(201);
    expect(await resent(id)).toMatchObject([{ seq: 10_001, event_id: event, replay_of: 5_001 }]);
    expect(data.rowsRead).toBeLessThan(600);
  });
});
