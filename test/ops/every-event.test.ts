import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { reportEvent } from '../../src/app/report-event.ts';
import { specifiedEventNames } from '../../src/data/grants/event-catalogue.ts';
import { createSellingStore, type SellingStore } from '../support/fixtures/selling-store.ts';
import {
  recordedEvents,
  subscribeEndpoint,
  type ReceivedEvent,
} from '../support/webhooks/recorded-events.ts';

/** Causes each of the 13 events in a store by calls of the API. */
async function causeEveryEvent(shop: SellingStore) {
  const made = async (request: string, body?: object) => {
    const response = await shop.api(`POST ${request}`, body);
    expect(response.status, `${request}: ${JSON.stringify(response.body)}`).toBeLessThan(300);
    return response.body.data;
  };
  const address = {
    receiver: 'Ana Prado',
    zipcode: '01310-100',
    street: 'Avenida Paulista',
    number: '7',
    neighborhood: 'Bela Vista',
    city: 'São Paulo',
    state: 'SP',
  };
  const brand = await made('/catalog/brands', { name: 'Outra', active: true });
  const mug = { name: 'Caneca', simple: true, active: true, brand_id: brand.id };
  const product = await made('/catalog/products', {
    ...mug,
    skus: [{ sku: 'CAN', price_sale: 40, quantity: 3 }],
  });
  const guest = { name: 'Bia Prado', email: 'bia@buyers.test' };
  const items = [{ sku_id: shop.skuIds[0], quantity: 1 }];
  const cart = await made('/checkout/carts', { items, tracking_data: guest });
  await made(`/checkout/carts/${cart.id}/reminders`);
  const order = await made(`/checkout/carts/${cart.id}/orders`, {
    payment_id: shop.payments.credit_card,
    shipping_address: address,
  });
  await made(`/customers/${order.customer_id}/addresses`, address);
  const [card] = order.transactions.data;
  await made(`/checkout/transactions/${card.id}/simulate`, { outcome: 'refuse' });
  const pix = await made(`/orders/${order.id}/transactions`, { payment_id: shop.payments.pix });
  await made(`/checkout/transactions/${pix.id}/simulate`, { outcome: 'pay' });
  const invoice = await made(`/orders/${order.id}/invoices`, {
    number: 1,
    series: 1,
    access_key: '1'.repeat(44),
    value: 100,
    issued_at: '2031-03-05 09:04:07',
    url: 'https://invoices.test/1',
  });
  await shop.api(`PUT /orders/${order.id}/invoices/${invoice.id}`, { value: 101 });
  await shop.api(`PUT /catalog/products/${product.id}`, { name: 'Caneca grande' });
  await shop.api(`DELETE /catalog/products/${product.id}`);
}

describe('each of the 13 events', () => {
  it('is in the feed in the order of its delivery, and can be reported by another service', async () => {
    const shop = await createSellingStore();
    await subscribeEndpoint(shop, specifiedEventNames);
    await causeEveryEvent(shop);
    const sent = await recordedEvents(shop);
    expect([...new Set(sent.map(({ event }) => event))].toSorted()).toEqual(
      specifiedEventNames.toSorted(),
    );

    const { body } = await shop.api('GET /events?limit=100');
    const fed = body.data as (ReceivedEvent & { id: string; changed?: string[] })[];
    expect(fed.map(({ id: _id, changed: _changed, ...one }) => one)).toEqual(sent);
    // Each event of an update names what it changed, and no other event does.
    expect(fed.filter(({ changed }) => changed !== undefined && changed.length > 0)).toEqual(
      fed.filter(({ event }) => event.endsWith('.updated')),
    );
    expect(fed.find(({ event }) => event === 'order.invoice.updated')?.changed).toEqual([
      'value',
      'status',
    ]);

    for (const [index, { event, resource }] of sent.entries()) {
      const idempotency_key = `again-${index}`;
      const eventReport = { alias: shop.alias, event, resource, idempotency_key };
      const response = await reportEvent(env, eventReport, {
        now: Date.now(),
        waitUntil: () => undefined,
      });
      expect(response, event).toEqual({ ok: true, event_id: expect.any(String) });
    }
    const all = await recordedEvents(shop);
    expect(all.slice(sent.length).map(({ resource }) => resource)).toEqual(
      sent.map(({ resource }) => resource),
    );
  });
});
