import { describe, expect, it } from 'vitest';
import { orderArrows, orderStatuses } from '../../src/commerce/order-arrows.ts';
import type { OrderStatus } from '../../src/db/schema/orders.ts';
import { eventsOf, subscribe } from '../support/events.ts';
import { placed, sellingStore, stockOf } from '../support/selling.ts';

/** A way from a new order to each state. */
const ways: Record<OrderStatus, OrderStatus[]> = {
  waiting_payment: [],
  refused: ['refused'],
  cancelled: ['cancelled'],
  paid: ['paid'],
  handling_products: ['paid', 'handling_products'],
  invoiced: ['paid', 'invoiced'],
  ready_for_shipping: ['paid', 'invoiced', 'ready_for_shipping'],
  on_carriage: ['paid', 'invoiced', 'on_carriage'],
  shipment_exception: ['paid', 'invoiced', 'on_carriage', 'shipment_exception'],
  delivered: ['paid', 'invoiced', 'on_carriage', 'delivered'],
};

/** What one unit of a new order leaves of ten, by the states it went through last. */
const stockAfter = (from: OrderStatus, to: OrderStatus) => {
  if (to === 'waiting_payment') return { quantity: 10, reserved: 1 };
  if (to === 'refused' || from === 'waiting_payment' || from === 'refused') {
    return to === 'paid' ? { quantity: 9, reserved: 0 } : { quantity: 10, reserved: 0 };
  }
  const comesBack = to === 'cancelled' && from !== 'shipment_exception';
  return { quantity: comesBack ? 10 : 9, reserved: 0 };
};

const allowed = orderStatuses.flatMap((from) => orderArrows[from].map((to) => [from, to] as const));
const forbidden = orderStatuses.flatMap((from) =>
  orderStatuses
    .filter((to) => to !== from && !orderArrows[from].includes(to))
    .map((to) => [from, to] as const),
);

async function orderIn(state: OrderStatus) {
  const shop = await sellingStore();
  const { id } = await placed(shop);
  for (const status of ways[state]) {
    expect((await shop.api(`PUT /orders/${id}`, { status })).status, status).toBe(200);
  }
  await subscribe(shop, ['order.paid', 'order.status.updated', 'product.inventory.updated']);
  return { shop, id };
}

describe('PUT /{alias}/orders/{id} along an arrow', () => {
  it.each(allowed)('200 from %s to %s, with its events, history and stock', async (from, to) => {
    const { shop, id } = await orderIn(from);
    const stockBefore = await stockOf(shop, shop.skuIds[0]!);
    const { status, body } = await shop.api(`PUT /orders/${id}`, { status: to });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ status: { data: { alias: to } } });
    const states = body.data.statuses.data.map(({ alias }: { alias: string }) => alias);
    expect(states).toEqual(['waiting_payment', ...ways[from], to]);
    const stock = await stockOf(shop, shop.skuIds[0]!);
    expect(stock).toEqual(stockAfter(from, to));
    const events = await eventsOf(shop);
    expect(events.map(({ event }) => event)).toEqual([
      'order.status.updated',
      ...(to === 'paid' ? ['order.paid'] : []),
      ...(JSON.stringify(stock) === JSON.stringify(stockBefore)
        ? []
        : ['product.inventory.updated']),
    ]);
    expect(events[0]?.resource).toEqual(body.data);
    if (events.at(-1)?.event === 'product.inventory.updated') {
      expect(events.at(-1)?.resource).toMatchObject(stock);
    }
  });
});

describe('PUT /{alias}/orders/{id} off the arrows', () => {
  it.each(orderStatuses)('422 from %s to any other, naming the allowed ones', async (from) => {
    const { shop, id } = await orderIn(from);
    const before = await shop.api(`GET /orders/${id}?include=statuses`);
    for (const [, to] of forbidden.filter(([start]) => start === from)) {
      const { status, body } = await shop.api(`PUT /orders/${id}`, { status: to });
      expect(status, to).toBe(422);
      const next = orderArrows[from];
      const sentence =
        next.length > 0 ? `Must be one of ${next.join(', ')}.` : 'No longer changes.';
      expect(body.errors, to).toEqual({ status_id: [sentence] });
    }
    expect((await shop.api(`GET /orders/${id}?include=statuses`)).body).toEqual(before.body);
    expect(await eventsOf(shop)).toEqual([]);
  });
});
