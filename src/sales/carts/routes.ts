import {
  anyOf,
  containsAny,
  equals,
  listing,
  recordQuery,
} from '../../base/codecs/listing/listing.ts';
import { carts, cartStatuses } from '../../data/schema/store/carts-tables.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import { data, emptyObject, page, longListNote } from '../../http/replies.ts';
import { OrderSchema } from '../orders/schema.ts';
import { cartIncludes, serializeCart, cartExtrasWith } from './cart-queries.ts';
import { convertCartToOrder } from './checkout.ts';
import { createCart, deleteCart, updateCart } from './commands.ts';
import { sendCartReminder } from './reminders.ts';
import { CartChanges, CheckoutRequest, NewCart } from './requests.ts';
import { CartSchema } from './schema.ts';

const cartList = listing({
  sort: ['status', 'customer_id'],
  search: { email: 'email', status: cartStatuses, customer_id: 'id' },
  includes: cartIncludes,
  filters: {
    email: {
      ...containsAny(
        { email: 'email' },
        'Carts of guests whose e-mail address contains this text.',
      ),
      isOfSearch: true,
    },
    status: anyOf(
      'status',
      cartStatuses,
      'Carts in any of these statuses, separated by commas or as several status[]. abandoned finds buyers to win back.',
    ),
    customer_id: equals('customer_id', 'id', 'Carts of this buyer; guests have none.'),
  },
});

const cartQuery = recordQuery(cartIncludes);

export const cartOperations = [
  operation({
    id: 'listCarts',
    route: 'GET /{alias}/checkout/carts',
    access: 'carts.read',
    query: cartList,
    reply: page(CartSchema),
    errors: [400],
    note: longListNote,
    run: async ({ db, query }) => {
      const found = await db.page(carts, query, { extras: cartExtrasWith(query.includes) });
      return { ...found, rows: found.rows.map((row) => serializeCart(db.store, row)) };
    },
  }),
  operation({
    id: 'createCart',
    route: 'POST /{alias}/checkout/carts',
    access: 'carts.write',
    body: NewCart,
    reply: data(201, CartSchema),
    errors: [422],
    run: ({ db, body }) => createCart(db, body),
  }),
  operation({
    id: 'showCart',
    route: 'GET /{alias}/checkout/carts/{id}',
    access: 'carts.read',
    query: cartQuery,
    reply: data(200, CartSchema),
    errors: [404],
    run: async ({ db, ids, query }) => {
      const found = await db.find(carts, ids.id, cartExtrasWith(query.includes));
      return found && serializeCart(db.store, found);
    },
  }),
  operation({
    id: 'updateCart',
    route: 'PUT /{alias}/checkout/carts/{id}',
    access: 'carts.write',
    body: CartChanges,
    reply: data(200, CartSchema),
    errors: [404, 409, 422],
    run: ({ db, ids, body }) => updateCart(db, ids.id, body),
  }),
  operation({
    id: 'deleteCart',
    route: 'DELETE /{alias}/checkout/carts/{id}',
    access: 'carts.write',
    reply: emptyObject(),
    errors: [404, 409],
    run: ({ db, ids }) => deleteCart(db, ids.id),
  }),
  operation({
    id: 'orderCart',
    route: 'POST /{alias}/checkout/carts/{id}/orders',
    access: 'orders.write',
    body: CheckoutRequest,
    reply: data(201, OrderSchema),
    errors: [404, 409, 422],
    run: ({
      db,
      ids,
      body: { payment_id, shipping_address, shipping_address_id = 0, ...payment },
    }) =>
      convertCartToOrder(db, ids.id, {
        shipping: shipping_address ?? { id: shipping_address_id },
        payment: { payment_id, ...payment },
      }),
  }),
  operation({
    id: 'remindOfCart',
    route: 'POST /{alias}/checkout/carts/{id}/reminders',
    access: 'carts.write',
    reply: data(200, CartSchema),
    errors: [404, 409],
    run: ({ db, ids }) => sendCartReminder(db, ids.id),
  }),
];

/* @__PURE__ */ explainOperations({
  createCart:
    'A cart belongs to a customer (customer_id) or a guest (tracking_data), never both. An app needs customers.read to send customer_id. A cart without contact details gets no reminder. Items cost what their SKUs cost until the cart becomes an order. A cart has 1 to 100 items, and each SKU at most once.',
  updateCart:
    'An edit reopens an abandoned cart and restarts its idle time. Items are replaced as a whole; deleting a SKU removes it from carts. customer_id replaces tracking_data, and the reverse. An app needs customers.read to send customer_id.',
  deleteCart: 'A cart that became an order cannot be deleted: 409.',
  orderCart:
    'Needs shipping_address_id, an address of the customer, or shipping_address. A guest with a name and an e-mail address becomes a customer, unless a customer with this address exists. If the cart was ordered already, returns 409 cart_converted; with too little stock, 409 out_of_stock. Returns the order with all includes. An app needs customers.read to send shipping_address_id, and to see customer in the order.',
  remindOfCart:
    'Sends cart.reminder at once, even for an open cart, and leaves the status unchanged. 409 for a closed cart and for a cart without contact details. An app sees customer with customers.read only.',
});
