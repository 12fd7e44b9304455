import { cartIncludes, presentCart, readWithCart } from '../../commerce/cart-reading.ts';
import { orderCart } from '../../commerce/order-cart.ts';
import { remindOfCart } from '../../commerce/remind-of-cart.ts';
import { carts } from '../../db/schema/store.ts';
import { operation } from '../../http/operation.ts';
import { data, nothing, page } from '../../http/replies.ts';
import { anyOf, equals, listing } from '../../wire/listing.ts';
import { Cart } from '../shapes/cart.ts';
import { Order } from '../shapes/order.ts';
import { CartChanges, Checkout, NewCart } from './requests.ts';
import { createCart, deleteCart, updateCart } from './writing.ts';

const cartList = listing({
  sort: ['status', 'customer_id'],
  search: { email: 'text', status: 'word', customer_id: 'id' },
  includes: cartIncludes,
  filters: {
    status: anyOf('status', 'word'),
    customer_id: equals('customer_id', 'id'),
  },
});

const cartQuery = listing({ includes: cartIncludes });

export const cartOperations = [
  operation({
    id: 'listCarts',
    route: 'GET /{alias}/checkout/carts',
    access: 'carts.read',
    query: cartList,
    reply: page(Cart),
    rejects: [400],
    run: async ({ db, query }) => {
      const found = await db.page(carts, query, { extras: readWithCart(query.includes) });
      return { ...found, rows: found.rows.map((row) => presentCart(db.store, row)) };
    },
  }),
  operation({
    id: 'createCart',
    route: 'POST /{alias}/checkout/carts',
    access: 'carts.write',
    body: NewCart,
    reply: data(201, Cart),
    rejects: [422],
    note: 'A cart is a customer’s (customer_id) or a guest’s (tracking_data), never both; one of nobody is never reminded of. Prices are those of the SKUs until the cart becomes an order. A cart has 1 to 100 items and each SKU once.',
    run: ({ db, body }) => createCart(db, body),
  }),
  operation({
    id: 'showCart',
    route: 'GET /{alias}/checkout/carts/{id}',
    access: 'carts.read',
    query: cartQuery,
    reply: data(200, Cart),
    rejects: [404],
    run: async ({ db, ids, query }) => {
      const found = await db.find(carts, ids.id, readWithCart(query.includes));
      return found && presentCart(db.store, found);
    },
  }),
  operation({
    id: 'updateCart',
    route: 'PUT /{alias}/checkout/carts/{id}',
    access: 'carts.write',
    body: CartChanges,
    reply: data(200, Cart),
    rejects: [404, 409, 422],
    note: 'An edit opens an abandoned cart again and its time begins anew. Items are replaced whole; a SKU that is deleted leaves its carts. customer_id takes the place of tracking_data, and the other way round.',
    run: ({ db, ids, body }) => updateCart(db, ids.id, body),
  }),
  operation({
    id: 'deleteCart',
    route: 'DELETE /{alias}/checkout/carts/{id}',
    access: 'carts.write',
    reply: nothing(),
    rejects: [404, 409],
    note: 'A cart that became an order stays with it.',
    run: ({ db, ids }) => deleteCart(db, ids.id),
  }),
  operation({
    id: 'orderCart',
    route: 'POST /{alias}/checkout/carts/{id}/orders',
    access: 'carts.write',
    body: Checkout,
    reply: data(201, Order),
    rejects: [404, 409, 422],
    note: 'Needs shipping_address_id, of the customer, or a shipping_address. A guest with a name and an e-mail address becomes a customer, unless the store knows the address. Whoever comes second is 409 cart_converted, too little stock 409 out_of_stock. Answers with all includes.',
    run: ({ db, ids, body: { payment_id, shipping_address, shipping_address_id = 0, ...how } }) =>
      orderCart(db, ids.id, {
        shipping: shipping_address ?? { id: shipping_address_id },
        payment: { payment_id, ...how },
      }),
  }),
  operation({
    id: 'remindOfCart',
    route: 'POST /{alias}/checkout/carts/{id}/reminders',
    access: 'carts.write',
    reply: data(200, Cart),
    rejects: [404, 409],
    note: 'Sends cart.reminder at once, also for an open cart; its state stays. 409 for a closed cart and for one of nobody.',
    run: ({ db, ids }) => remindOfCart(db, ids.id),
  }),
];
