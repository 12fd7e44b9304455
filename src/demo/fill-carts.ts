import { settleDueCart } from '../commerce/settle-due-cart.ts';
import type { Shard } from '../db/open.ts';
import { carts, customers, skus } from '../db/schema/store.ts';
import type { Store } from '../db/store.ts';
import { NewCart } from '../resources/carts/requests.ts';
import { createCart } from '../resources/carts/writing.ts';
import type { DemoCart } from './carts.ts';
import { complete, idsBy } from './complete.ts';
import { handle } from './handle.ts';

const minute = 60_000;

/** Adds those carts that a store does not have, and lets timers do with them what they would have done until now. */
export async function fillCarts(
  store: Store,
  shard: Shard,
  wanted: readonly DemoCart[],
  now: number,
) {
  const db = handle(store, shard, now);
  const codes = wanted.flatMap(({ items }) => items.map(({ sku }) => sku));
  const skuIds = await idsBy(db, skus, skus.sku, codes);
  const emails = wanted.flatMap(({ customer }) => customer ?? []);
  const buyers = await idsBy(db, customers, customers.email, emails);
  const ofCarts = { table: carts, column: carts.shipment_service, wanted };
  await complete(
    db,
    { ...ofCarts, keyOf: ({ service }) => service },
    async ({ service, shipping, customer, guest, items, minutesAgo }) => {
      const left = handle(store, shard, now - minutesAgo * minute);
      const made = await createCart(
        left,
        NewCart.parse({
          customer_id: customer === undefined ? null : buyers.get(customer),
          tracking_data: guest ?? null,
          shipping: { service, value: shipping },
          items: items.map(({ sku, quantity }) => ({ sku_id: skuIds.get(sku), quantity })),
        }),
      );
      for (let cart = made; cart?.due_at && cart.due_at <= now;) {
        const { id, store_id, due_at } = cart;
        await settleDueCart(handle(store, shard, due_at), { kind: 'cart', id, store_id, due_at });
        const after = await db.find(carts, id);
        cart = after && { ...cart, ...after };
      }
      return made;
    },
  );
}
