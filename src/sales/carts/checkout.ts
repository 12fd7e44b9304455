import { and, eq, sql } from 'drizzle-orm';
import { conflict } from '../../base/errors.ts';
import { reserveIds } from '../../data/core/reserved-ids.ts';
import { takeTurns } from '../../data/core/retry-contention.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { carts } from '../../data/schema/store/carts-tables.ts';
import { customers } from '../../data/schema/store/customers-tables.ts';
import { noPrerequisites, planNewBuyer, type OrderPrerequisites } from '../orders/new-buyer.ts';
import type { NewOrder } from '../orders/new-order.ts';
import { tryPlaceOrder } from '../orders/place-order.ts';
import { fullCartExtras } from './cart-queries.ts';
import { updateCartStatements, assertCartNotClosed, assertCartNotEmpty } from './change-cart.ts';

/** Values that the checkout adds to the cart. */
export type CartCheckout = Pick<NewOrder, 'shipping' | 'payment'>;

/**
 * Converts a cart to an order at current prices. A guest whose e-mail address is new to the store
 * becomes a customer in the same batch. Three round trips.
 *
 * Throws 409 `cart_converted` if a concurrent request was first. Returns `undefined` if the store
 * has no such cart.
 */
export const convertCartToOrder = (db: StoreDb, id: number, checkout: CartCheckout) =>
  takeTurns(db, [carts, id], async () => {
    const ofCart = and(eq(carts.id, id), eq(carts.store_id, db.store.id));
    const guestEmailKey = sql`(select ${carts.email_key} from ${carts} where ${ofCart})`;
    const [cartRows, withSameEmail, customerIds] = await db.batch([
      db.selectOne(carts, id, fullCartExtras),
      db.select(customers, { where: eq(customers.email_key, guestEmailKey) }),
      reserveIds(db, sql`(select ${carts.customer_id} is null from ${carts} where ${ofCart})`),
    ]);
    const cart = cartRows[0];
    if (!cart) return undefined;
    assertCartNotClosed(cart);
    assertCartNotEmpty(cart);
    const buyer = resolveBuyer(db, cart, withSameEmail[0]?.id, customerIds[0]?.last ?? 0);
    const customer_id = buyer.id;
    const closeStatements = updateCartStatements(db, cart, {
      status: 'converted',
      due_at: null,
      // A column that is set writes its indexes again, whatever it was. The cart of a customer has
      // no contact details.
      ...(cart.customer_id === null && { customer_id, name: null, email: null, phone: null }),
    });
    return tryPlaceOrder(
      db,
      {
        ...cartOrderDefaults,
        ...checkout,
        buyer: { id: customer_id },
        items: cart.items.data.map(({ sku_id, quantity }) => ({ sku_id, quantity })),
        value_shipment: cart.value_shipment,
        shipment_service: cart.shipment_service,
        cart: { id, token: cart.token },
      },
      {
        ...buyer.prerequisites,
        statements: [...buyer.prerequisites.statements, ...closeStatements],
      },
    );
  });

/**
 * The buyer is the customer of the cart, the customer with the guest's e-mail address, or a new
 * customer.
 */
function resolveBuyer(
  db: StoreDb,
  cart: {
    customer_id: number | null;
    name: string | null;
    email: string | null;
    phone: string | null;
  },
  knownId: number | undefined,
  newId: number,
): { id: number; prerequisites: OrderPrerequisites } {
  const { name, email, phone } = cart;
  const id = cart.customer_id ?? knownId;
  if (id !== undefined) return { id, prerequisites: noPrerequisites };
  if (name === null || email === null) {
    throw conflict('cart_without_buyer', {
      tracking_data: ['A guest needs a name and an e-mail address to check out.'],
    });
  }
  const guest = { ...splitName(name), email, phone, type: 'f', cpf: null, cnpj: null } as const;
  return { id: newId, prerequisites: planNewBuyer(db, newId, guest) };
}

/** Values of an order that a cart does not have. */
const cartOrderDefaults = {
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

/** The longest first or last name of a customer. */
const maxNameLength = 100;

/** The first word becomes the first name, the rest the last name. */
function splitName(name: string) {
  const [first = '', ...others] = name.split(' ');
  const last = others.join(' ').slice(0, maxNameLength);
  return { first_name: first.slice(0, maxNameLength), last_name: last === '' ? null : last };
}
