import { and, eq, sql } from 'drizzle-orm';
import { untilFresh } from '../db/fresh.ts';
import { carts, customers } from '../db/schema/store.ts';
import { reservation } from '../db/sequences.ts';
import type { StoreDb } from '../db/store.ts';
import { conflict } from '../problem.ts';
import { wholeCart } from './cart-reading.ts';
import { cartStep } from './cart-step.ts';
import { refuseClosed, refuseEmpty } from './closed-cart.ts';
import { guestCustomer } from './guest-customer.ts';
import type { NewOrder } from './new-order.ts';
import { placeOrderWith, type BeforeOrder } from './place-order.ts';

/** How a cart is to become an order. */
export type Checkout = Pick<NewOrder, 'shipping' | 'payment'>;

/**
 * Makes an order of a cart, at the prices of now. A guest becomes a customer in the same batch, unless the store knows the
 * e-mail address; that, the cart and the order are there together or not at all. Of several at once one makes the
 * order, the others are 409 `cart_converted`. `undefined` when the store has no such cart. Three round trips.
 */
export const orderCart = (db: StoreDb, id: number, checkout: Checkout) =>
  untilFresh(async () => {
    const ofGuest = sql`(select ${carts.email_key} from ${carts} where ${and(eq(carts.id, id), eq(carts.store_id, db.store.id))})`;
    const [found, known, reserved] = await db.batch([
      db.selectOne(carts, id, wholeCart),
      db.select(customers, { where: eq(customers.email_key, ofGuest) }),
      reservation(db, 'customers', 1),
    ]);
    const cart = found[0];
    if (!cart) return undefined;
    refuseClosed(cart);
    refuseEmpty(cart);
    const buyer = buyerOf(db, cart, known[0]?.id, reserved[0]?.last ?? 0);
    const customer_id = buyer.id;
    const closing = cartStep(db, cart, {
      status: 'converted',
      due_at: null,
      customer_id,
      name: null,
      email: null,
      phone: null,
    });
    return placeOrderWith(
      db,
      {
        ...unsaid,
        ...checkout,
        customer_id,
        items: cart.items.data.map(({ sku_id, quantity }) => ({ sku_id, quantity })),
        value_shipment: cart.value_shipment,
        shipment_service: cart.shipment_service,
        cart: { id, token: cart.token },
      },
      { ...buyer.before, statements: [...buyer.before.statements, ...closing] },
    );
  });

const nothing: BeforeOrder = { statements: [], events: [], customer: undefined };

/** Who buys: the customer of the cart, the one with the guest's address, or one that is made of the guest. */
function buyerOf(
  db: StoreDb,
  cart: {
    customer_id: number | null;
    name: string | null;
    email: string | null;
    phone: string | null;
  },
  knownId: number | undefined,
  newId: number,
): { id: number; before: BeforeOrder } {
  const { name, email, phone } = cart;
  const id = cart.customer_id ?? knownId;
  if (id !== undefined) return { id, before: nothing };
  if (name === null || email === null) {
    throw conflict('cart_without_buyer', {
      tracking_data: ['Must have a name and an e-mail address where there is no customer.'],
    });
  }
  return { id: newId, before: guestCustomer(db, newId, { name, email, phone }) };
}

/** What a cart says nothing of. */
const unsaid = {
  value_discount: 0,
  value_tax: 0,
  utm_source: null,
  utm_medium: null,
  utm_campaign: null,
  utm_term: null,
  utm_content: null,
  metadata: [],
  isPaid: false,
};
