import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { DeliveryState } from '../../../src/data/schema/store/webhooks-tables.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import {
  createTestWebhook,
  deliveryLogOf,
  fillDeliveryLog,
} from '../../support/webhooks/delivery-log.ts';
import '../../support/fixtures/first-shard.ts';

const action = 'Send again';

interface Unsent {
  shop: TestStore;
  browser: Browser;
  id: number;
  path: string;
  eventId: string;
}

/** A webhook with one delivery that was never attempted. */
async function createUnsent(state: number): Promise<Unsent> {
  const shop = await createTestStore();
  const id = await createTestWebhook(shop);
  if (state === DeliveryState.held) await shop.api(`PUT /webhooks/${id}`, { active: false });
  await fillDeliveryLog(shop, id, { count: 1, state });
  const browser = await new Browser().signIn(shop.userId);
  const path = `/account/webhooks/${shop.alias}/${id}/deliveries/1`;
  const [delivery] = await deliveryLogOf(id);
  return { shop, browser, id, path, eventId: String(delivery?.event_id) };
}

const setDelivery = (id: number, assignment: string) =>
  env.STORE_0.prepare(`update webhook_deliveries set ${assignment} where endpoint_id = ?`)
    .bind(id)
    .run();

describe('the page of a delivery that was never sent', () => {
  it('fault 77: does not offer to send it again while it is on its way, and does after an attempt', async () => {
    const { browser, id, path } = await createUnsent(DeliveryState.open);
    expect((await browser.get(path)).text).not.toContain(action);
    await setDelivery(id, 'attempts = 1');
    expect((await browser.get(path)).text).toContain(action);
  });

  it('offers to send it now while it is held, and never to send it again, not even after an attempt', async () => {
    const { browser, id, path } = await createUnsent(DeliveryState.held);
    for (const attempts of [0, 1]) {
      await setDelivery(id, `attempts = ${attempts}`);
      const { text } = await browser.get(path);
      expect(text).toContain('Send now');
      expect(text).not.toContain(action);
    }
  });
});

describe.each([
  ['on its way', DeliveryState.open],
  ['held by a paused webhook', DeliveryState.held],
])('a delivery that was never sent and is %s', (_name, state) => {
  it('fault 77: is not doubled by a form that was opened before: 303 back to its page', async () => {
    const { browser, id, path } = await createUnsent(state);
    await setDelivery(id, `attempts = 1, state = ${DeliveryState.open}`);
    const opened = await browser.get(path);
    expect(opened.text).toContain(action);
    await setDelivery(id, `attempts = 0, state = ${state}`);
    const { status, location } = await browser.post(path, hiddenFieldsOf(opened, path));
    expect([status, location]).toEqual([303, path]);
    expect(await deliveryLogOf(id)).toHaveLength(1);
  });

  it('fault 77: is refused by the API with 409, by number and by event, and omitted from a range: 201 with total 0', async () => {
    const { shop, id, eventId } = await createUnsent(state);
    for (const filter of [{ seq: 1 }, { event_id: eventId }]) {
      const { status, body } = await shop.api(`POST /webhooks/${id}/replays`, filter);
      expect([status, body.code, body.errors]).toEqual([
        409,
        'not_sent_yet',
        { [Object.keys(filter)[0]!]: ['Has not been sent yet, and will be without a replay.'] },
      ]);
    }
    const range = {
      from: new Date(Date.now() - 3_600_000).toISOString(),
      states: ['held', 'delivered'],
    };
    const { status, body } = await shop.api(`POST /webhooks/${id}/replays`, range);
    expect([status, body.data.total]).toEqual([201, 0]);
    expect(await deliveryLogOf(id)).toHaveLength(1);
  });
});

describe('a delivery that stayed held when its webhook was resumed without it', () => {
  it('can be sent: 201, because nothing else sends it', async () => {
    const { shop, id } = await createUnsent(DeliveryState.held);
    const resumed = await shop.api(`POST /webhooks/${id}/resume`, { resume: 'none' });
    expect(resumed.status).toBe(200);
    expect((await shop.api(`POST /webhooks/${id}/replays`, { seq: 1 })).status).toBe(201);
  });
});
