import { eq } from 'drizzle-orm';
import { placeOrder } from '../commerce/place-order.ts';
import { wholeOrder } from '../commerce/order-reading.ts';
import type { Shard } from '../db/open.ts';
import { addresses, customers, orders, payments, skus } from '../db/schema/store.ts';
import type { Store } from '../db/store.ts';
import { advance } from './advance.ts';
import { complete, idsBy } from './complete.ts';
import { day, handle } from './handle.ts';
import type { DemoOrder } from './orders.ts';

/** Places those orders that a store does not have, and takes each as far along its way as it has not come yet. */
export async function sell(
  store: Store,
  shard: Shard,
  wanted: readonly DemoOrder[],
  now: number,
): Promise<void> {
  if (wanted.length === 0) return;
  const db = handle(store, shard, now);
  const codes = wanted.flatMap(({ items }) => items.map(({ sku }) => sku));
  const sold = await idsBy(db, skus, skus.sku, codes);
  const buyers = await idsBy(
    db,
    customers,
    customers.email,
    wanted.map(({ email }) => email),
  );
  const types = await idsBy(
    db,
    payments,
    payments.alias,
    wanted.map(({ payment }) => payment),
  );
  const made = await complete(
    db,
    { table: orders, column: orders.utm_content, wanted, keyOf: ({ trackCode }) => trackCode },
    async (one) => {
      const customer_id = buyers.get(one.email) ?? 0;
      const [found] = await db.batch([
        db.select(addresses, { where: eq(addresses.customer_id, customer_id) }),
      ]);
      return placeOrder(handle(store, shard, now - one.daysAgo * day), {
        customer_id,
        items: one.items.map(({ sku, quantity }) => ({ sku_id: sold.get(sku) ?? 0, quantity })),
        shipping: { id: found[0]?.id ?? 0 },
        value_shipment: Math.round(one.shipment * 100),
        value_discount: 0,
        value_tax: 0,
        shipment_service: 'Correios',
        utm_source: 'demo',
        utm_medium: null,
        utm_campaign: null,
        utm_term: null,
        utm_content: one.trackCode,
        metadata: [],
        payment: {
          payment_id: types.get(one.payment) ?? 0,
          installments: one.installments ?? 1,
          affiliation_id: null,
          holder_name: null,
          holder_document: null,
          truncated_card: null,
        },
        isPaid: false,
        cart: undefined,
      });
    },
  );
  for (const one of wanted) {
    const id = made.get(one.trackCode) ?? 0;
    const order = await db.find(orders, id, wholeOrder);
    if (!order) continue;
    const begun = order.statuses.data.length - 1;
    for (const [step, status] of one.way.entries()) {
      const at = handle(store, shard, now - (one.daysAgo - step) * day);
      if (step >= begun) await advance(at, order, status, one.trackCode);
    }
  }
}
