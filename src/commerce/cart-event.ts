import type { StoreDb } from '../db/store.ts';
import type { StoreEvent } from '../events/publish.ts';
import { CartEvent } from '../resources/shapes/cart.ts';
import { inZone } from '../wire/zone.ts';
import { presentCart, type WholeCart } from './cart-reading.ts';

/** The reminder of a cart, which is shown with its items and its customer. */
export const cartReminder = (db: StoreDb, cart: WholeCart): StoreEvent => ({
  name: 'cart.reminder',
  resource: inZone(db.store.zone, () => CartEvent.parse(presentCart(db.store, cart))),
});
