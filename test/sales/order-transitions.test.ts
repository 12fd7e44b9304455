import { describe, expect, it } from 'vitest';
import type { OrderStatus } from '../../src/data/schema/store/orders-tables.ts';
import { orderTransitions, allOrderStatuses } from '../../src/sales/orders/order-states.ts';
import { placeTestOrder, createSellingStore, stockOf } from '../support/fixtures/selling-store.ts';
import { recordedEvents, subscribeEndpoint } from '../support/webhooks/recorded-events.ts';

/** A path from a new order to each status. */
const paths: Record<OrderStatus, OrderStatus[]> = {
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

/** The stock of ten units after the last transition of an order of one unit. */
const stockAfter = (from: OrderStatus, to: OrderStatus) => {
  if (to === 'waiting_payment') return { quantity: 10, reserved: 1 };
  if (to === 'refused' || from === 'waiting_payment' || from === 'refused') {
    return to === 'paid' ? { quantity: 9, reserved: 0 } : { quantity: 10, reserved: 0 };
  }
  const isRestocked = to === 'cancelled' && from !== 'shipment_exception';
  return { quantity: isRestocked ? 10 : 9, reserved: 0 };
};

const allowed = allOrderStatuses.flatMap((from) =>
  orderTransitions[from].map((to) => [from, to] as const),
);
const forbidden = allOrderStatuses.flatMap((from) =>
  allOrderStatuses
    .filter((to) => to !== from && !orderTransitions[from].includes(to))
    .map((to) => [from, to] as const),
);

async function createOrderIn(status: OrderStatus) {
  const shop = await createSellingStore();
  const { id } = await placeTestOrder(shop);
  for (const next of paths[status]) {
    expect((await shop.api(`PUT /orders/${id}`, { status: next })).status, next).toBe(200);
  }
  await subscribeEndpoint(shop, [
    'order.paid',
    'order.status.updated',
    'product.inventory.updated',
  ]);
  return { shop, id };
}

describe('PUT /{alias}/orders/{id} with an allowed status', () => {
  it.each(allowed)(
    'returns 200 from %s to %s, with events, history and stock',
    async (from, to) => {
      const { shop, id } = await createOrderIn(from);
      const stockBefore = await stockOf(shop, shop.skuIds[0]!);
      const { status, body } = await shop.api(`PUT /orders/${id}`, { status: to });
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ status: { data: { alias: to } } });
      const history = body.data.statuses.data.map(({ alias }: { alias: string }) => alias);
      expect(history).toEqual(['waiting_payment', ...paths[from], to]);
      const stock = await stockOf(shop, shop.skuIds[0]!);
      expect(stock).toEqual(stockAfter(from, to));
      const events = await recordedEvents(shop);
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
    },
  );
});

describe('PUT /{alias}/orders/{id} with a status that is not allowed', () => {
  it.each(allOrderStatuses)('returns 422 from %s and lists the allowed statuses', async (from) => {
    const { shop, id } = await createOrderIn(from);
    const before = await shop.api(`GET /orders/${id}?include=statuses`);
    for (const [, to] of forbidden.filter(([start]) => start === from)) {
      const { status, body } = await shop.api(`PUT /orders/${id}`, { status: to });
      expect(status, to).toBe(422);
      const next = orderTransitions[from];
      const message =
        next.length > 0 ? `Must be one of ${next.join(', ')}.` : 'This order can no longer change.';
      expect(body.errors, to).toEqual({ status_id: [message] });
    }
    expect((await shop.api(`GET /orders/${id}?include=statuses`)).body).toEqual(before.body);
    expect(await recordedEvents(shop)).toEqual([]);
  });
});
