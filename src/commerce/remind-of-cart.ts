import { untilFresh } from '../db/fresh.ts';
import { carts } from '../db/schema/store.ts';
import type { StoreDb } from '../db/store.ts';
import { publish } from '../events/publish.ts';
import { conflict } from '../problem.ts';
import { cartReminder } from './cart-event.ts';
import { hasContact, presentCart, wholeCart } from './cart-reading.ts';
import { cartStep } from './cart-step.ts';
import { refuseClosed, refuseEmpty } from './closed-cart.ts';

/**
 * Sends the reminder of a cart because somebody asks for it, whatever timers do; its state stays. 409 when the cart is
 * closed, empty or nobody's. `undefined` when the store has no such cart. Two round trips.
 */
export const remindOfCart = (db: StoreDb, id: number) =>
  untilFresh(async () => {
    const cart = await db.find(carts, id, wholeCart);
    if (!cart) return undefined;
    refuseClosed(cart);
    refuseEmpty(cart);
    if (!hasContact(cart, cart.customer.data)) {
      throw conflict('cart_without_contact', {
        tracking_data: [
          'Must have a customer or a guest with an e-mail address or a phone number.',
        ],
      });
    }
    const after = { ...cart, reminded_at: db.now, updated_at: db.now };
    await publish(db, cartStep(db, cart, { reminded_at: db.now }), [cartReminder(db, after)]);
    return presentCart(db.store, after);
  });
