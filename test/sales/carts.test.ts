import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { measureRequest } from '../support/api/measure.ts';
import { createSellingStore, type SellingStore } from '../support/fixtures/selling-store.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { recordedEvents, subscribeEndpoint } from '../support/webhooks/recorded-events.ts';
import '../support/fixtures/first-shard.ts';

const guest = { name: 'Bia Prado', email: 'bia@buyers.test', phone: '11988887777' };

const address = {
  receiver: 'Bia Prado',
  zipcode: '01310-100',
  street: 'Avenida Paulista',
  number: '7',
  neighborhood: 'Bela Vista',
  city: 'São Paulo',
  state: 'SP',
};

/** The body of a cart with `quantity` units of every SKU. */
const cartBody = ({ skuIds }: SellingStore, more: object = {}, quantity = 1) => ({
  items: skuIds.map((sku_id) => ({ sku_id, quantity })),
  ...more,
});

/** Creates a cart and returns it. */
async function createCart(shop: SellingStore, more: object = {}, quantity = 1) {
  const { status, body } = await shop.api('POST /checkout/carts', cartBody(shop, more, quantity));
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

/** Sets a status that a cart otherwise reaches only with time. */
const setCartStatus = (id: number, status: string) =>
  env.STORE_0.prepare('update carts set status = ?, abandoned_at = 1, due_at = null where id = ?')
    .bind(status, id)
    .run();

const checkout = (shop: SellingStore, more: object = {}) => ({
  payment_id: shop.payments.pix,
  shipping_address_id: shop.addressId,
  ...more,
});

describe('POST /{alias}/checkout/carts', () => {
  it('returns 201 with an open cart at the current prices of its SKUs, in two round trips', async () => {
    const shop = await createSellingStore({ skus: 2, price: 19.9 });
    const sent = cartBody(
      shop,
      { customer_id: shop.customerId, shipping: { service: 'PAC', value: 12.5 } },
      3,
    );
    const { response, data } = await measureRequest(shop, 'POST /checkout/carts', sent);
    expect([response.status, data.roundTrips]).toEqual([201, 2]);
    expect(response.body.data).toEqual({
      id: expect.any(Number),
      merchant_id: shop.id,
      token: expect.stringMatching(/^[\w-]{22}$/),
      status: 'open',
      customer_id: shop.customerId,
      tracking_data: null,
      shipping: { service: 'PAC', value: 12.5 },
      order_id: null,
      total_items: 6,
      value_products: 119.4,
      value_total: 131.9,
      reminded_at: null,
      abandoned_at: null,
      created_at: expect.any(Object),
      updated_at: expect.any(Object),
    });
  });

  it('returns 201 for a guest and for a cart without an owner', async () => {
    const shop = await createSellingStore();
    expect(await createCart(shop, { tracking_data: guest })).toMatchObject({
      customer_id: null,
      tracking_data: guest,
    });
    expect(await createCart(shop)).toMatchObject({ customer_id: null, tracking_data: null });
  });

  it('follows the price of a SKU, using the discount price if there is one', async () => {
    const shop = await createSellingStore({ price: 50 });
    const { id } = await createCart(shop, {}, 2);
    await shop.api(`PUT /catalog/skus/${shop.skuIds[0]}`, { price_discount: 40 });
    const { body } = await shop.api(`GET /checkout/carts/${id}?include=items`);
    expect(body.data).toMatchObject({ value_products: 80, value_total: 80 });
    expect(body.data.items.data).toMatchObject([{ price: 40, value_total: 80 }]);
  });

  it.each<[why: string, change: (shop: SellingStore) => object, field: string]>([
    ['it has no items', () => ({ items: [] }), 'items'],
    [
      'a SKU is unknown',
      () => ({ items: [{ sku_id: 999_999_999, quantity: 1 }] }),
      'items.0.sku_id',
    ],
    [
      'a SKU appears twice',
      ({ skuIds: [sku_id] }) => ({
        items: [
          { sku_id, quantity: 1 },
          { sku_id, quantity: 2 },
        ],
      }),
      'items.1.sku_id',
    ],
    [
      'a quantity is zero',
      ({ skuIds: [sku_id] }) => ({ items: [{ sku_id, quantity: 0 }] }),
      'items.0.quantity',
    ],
    ['the customer is unknown', () => ({ customer_id: 999_999_999 }), 'customer_id'],
    [
      'it has a customer and a guest',
      ({ customerId }) => ({ customer_id: customerId, tracking_data: guest }),
      'tracking_data',
    ],
    [
      'an e-mail address is invalid',
      () => ({ tracking_data: { email: 'x' } }),
      'tracking_data.email',
    ],
  ])('returns 422 when %s', async (_why, change, field) => {
    const shop = await createSellingStore();
    const response = await shop.api('POST /checkout/carts', cartBody(shop, change(shop)));
    expect([response.status, Object.keys(response.body.errors)]).toEqual([422, [field]]);
  });

  it('returns 422 for records of another store, and for blocked SKUs', async () => {
    const [shop, other] = [await createSellingStore(), await createSellingStore()];
    const foreign = await shop.api('POST /checkout/carts', cartBody(other));
    expect([foreign.status, Object.keys(foreign.body.errors)]).toEqual([422, ['items.0.sku_id']]);
    const sent = cartBody(shop, { customer_id: other.customerId });
    expect((await shop.api('POST /checkout/carts', sent)).status).toBe(422);
    await shop.api(`PUT /catalog/skus/${shop.skuIds[0]}`, { blocked_sale: true });
    const blocked = await shop.api('POST /checkout/carts', cartBody(shop));
    expect(blocked.body.errors).toEqual({ 'items.0.sku_id': ['This SKU is blocked for sale.'] });
  });
});

describe('GET /{alias}/checkout/carts', () => {
  it('returns 200 with the matching carts and the requested includes', async () => {
    const shop = await createSellingStore({ skus: 2 });
    const first = await createCart(shop, { tracking_data: guest });
    const second = await createCart(shop, { customer_id: shop.customerId });
    await setCartStatus(second.id, 'expired');
    const ids = async (query: string) =>
      (await shop.api(`GET /checkout/carts?${query}`)).body.data.map(
        ({ id }: { id: number }) => id,
      );
    expect(await ids('')).toEqual([first.id, second.id]);
    expect(await ids('status=open')).toEqual([first.id]);
    expect(await ids('status[]=expired&status[]=open')).toEqual([first.id, second.id]);
    expect(await ids(`customer_id=${shop.customerId}`)).toEqual([second.id]);
    expect(await ids('search=BIA@')).toEqual([first.id]);
    expect(await ids('date=created_at:2001-01-01')).toEqual([]);
    const { body } = await shop.api('GET /checkout/carts?include=items,customer');
    expect(body.data[0].items.data).toHaveLength(2);
    expect(body.data[0].customer.data).toBeNull();
    expect(body.data[1].customer.data.id).toBe(shop.customerId);
  });
});

describe('GET /{alias}/checkout/carts/{id}', () => {
  it('returns 404 for a cart of another store', async () => {
    const shop = await createSellingStore();
    const { id } = await createCart(shop);
    expect((await (await createTestStore()).api(`GET /checkout/carts/${id}`)).status).toBe(404);
  });
});

describe('PUT /{alias}/checkout/carts/{id}', () => {
  it('returns 200 and replaces the items; the item of a SKU that stays keeps its id', async () => {
    const shop = await createSellingStore({ skus: 3, price: 10 });
    const { id } = await createCart(shop);
    const path = `/checkout/carts/${id}`;
    const read = async () => (await shop.api(`GET ${path}?include=items`)).body.data.items.data;
    const [, kept] = await read();
    const [, second, third] = shop.skuIds;
    const items = [
      { sku_id: second, quantity: 5 },
      { sku_id: third, quantity: 1 },
    ];
    const { response, data } = await measureRequest(shop, `PUT ${path}`, { items });
    expect([response.status, data.roundTrips, response.body.data.value_products]).toEqual([
      200, 2, 60,
    ]);
    const now = await read();
    expect(now).toMatchObject(items);
    expect(now[0].id).toBe(kept.id);
  });

  it('returns 200 in one round trip and keeps updated_at when nothing changes', async () => {
    const shop = await createSellingStore();
    const created = await createCart(shop, { tracking_data: guest });
    const path = `PUT /checkout/carts/${created.id}`;
    const { response, data } = await measureRequest(
      shop,
      path,
      cartBody(shop, { tracking_data: guest }),
    );
    expect([response.status, data.roundTrips, data.rowsWritten]).toEqual([200, 1, 0]);
    expect(response.body.data).toEqual(created);
  });

  it('reopens an abandoned cart and restarts its idle time', async () => {
    const shop = await createSellingStore();
    const { id } = await createCart(shop, { tracking_data: guest });
    await setCartStatus(id, 'abandoned');
    const { body } = await shop.api(`PUT /checkout/carts/${id}`, { shipping: { value: 5 } });
    expect(body.data).toMatchObject({ status: 'open', abandoned_at: null });
    const due = env.STORE_0.prepare('select due_at - edited_at as idle from carts where id = ?');
    expect(await due.bind(id).first('idle')).toBe(60 * 60_000);
  });

  it('replaces a guest by a customer and a customer by a guest, and merges guest fields one by one', async () => {
    const shop = await createSellingStore();
    const { id } = await createCart(shop, { tracking_data: guest });
    const put = async (body: object) =>
      (await shop.api(`PUT /checkout/carts/${id}`, body)).body.data;
    expect(await put({ tracking_data: { phone: null } })).toMatchObject({
      tracking_data: { ...guest, phone: null },
    });
    expect(await put({ customer_id: shop.customerId })).toMatchObject({
      customer_id: shop.customerId,
      tracking_data: null,
    });
    expect(await put({ tracking_data: guest })).toMatchObject({
      customer_id: null,
      tracking_data: guest,
    });
    expect(await put({ tracking_data: null })).toMatchObject({ tracking_data: null });
  });

  it.each(['converted', 'expired'])('returns 409 for a cart that is %s', async (status) => {
    const shop = await createSellingStore();
    const { id } = await createCart(shop);
    await setCartStatus(id, status);
    const response = await shop.api(`PUT /checkout/carts/${id}`, cartBody(shop, {}, 2));
    expect([response.status, response.body.code]).toEqual([409, `cart_${status}`]);
  });

  it('loses no write of concurrent requests', async () => {
    const shop = await createSellingStore();
    const { id } = await createCart(shop);
    const responses = await Promise.all(
      [1, 2, 3, 4].map((value) =>
        shop.api(`PUT /checkout/carts/${id}`, { shipping: { value, service: `s${value}` } }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { shipping } = (await shop.api(`GET /checkout/carts/${id}`)).body.data;
    expect(shipping.service).toBe(`s${shipping.value}`);
  });
});

describe('DELETE /{alias}/checkout/carts/{id}', () => {
  it('returns 200 and deletes the items with the cart; then returns 404', async () => {
    const shop = await createSellingStore();
    const { id } = await createCart(shop);
    expect((await shop.api(`DELETE /checkout/carts/${id}`)).status).toBe(200);
    expect((await shop.api(`DELETE /checkout/carts/${id}`)).status).toBe(404);
    const left = env.STORE_0.prepare('select count(*) as n from cart_items where cart_id = ?');
    expect(await left.bind(id).first('n')).toBe(0);
  });

  it('returns 409 for a cart that became an order', async () => {
    const shop = await createSellingStore();
    const { id } = await createCart(shop, { customer_id: shop.customerId });
    await shop.api(`POST /checkout/carts/${id}/orders`, checkout(shop));
    const response = await shop.api(`DELETE /checkout/carts/${id}`);
    expect([response.status, response.body.code]).toEqual([409, 'cart_converted']);
  });
});

describe('POST /{alias}/checkout/carts/{id}/reminders', () => {
  it('returns 200 and sends the cart with its items and its customer; the status stays', async () => {
    const shop = await createSellingStore({ skus: 2 });
    await subscribeEndpoint(shop, ['cart.reminder']);
    const { id } = await createCart(shop, { customer_id: shop.customerId });
    const path = `/checkout/carts/${id}`;
    const { response, data } = await measureRequest(shop, `POST ${path}/reminders`);
    expect([response.status, data.roundTrips]).toEqual([200, 2]);
    expect(response.body.data.status).toBe('open');
    const [event] = await recordedEvents(shop);
    const { body } = await shop.api(`GET ${path}?include=items,customer`);
    const { addresses: _addresses, ...shown } = body.data.customer.data;
    expect(event).toMatchObject({
      event: 'cart.reminder',
      resource: { ...body.data, customer: { data: shown } },
    });
    expect(body.data.reminded_at).not.toBeNull();
  });

  it('returns 409 for a closed cart, for a cart without contact details, and for an empty cart', async () => {
    const shop = await createSellingStore();
    await subscribeEndpoint(shop, ['cart.reminder']);
    const remind = async (id: number) => {
      const { status, body } = await shop.api(`POST /checkout/carts/${id}/reminders`);
      return [status, body.code];
    };
    const { id } = await createCart(shop, { tracking_data: guest });
    await setCartStatus(id, 'expired');
    expect(await remind(id)).toEqual([409, 'cart_expired']);
    const cartWithoutContact = await createCart(shop, { tracking_data: { name: 'Bia' } });
    expect(await remind(cartWithoutContact.id)).toEqual([409, 'cart_without_contact']);
    const empty = await createCart(shop, { tracking_data: guest });
    await shop.api(`DELETE /catalog/skus/${shop.skuIds[0]}`);
    expect(await remind(empty.id)).toEqual([409, 'cart_empty']);
    expect(await recordedEvents(shop)).toEqual([]);
  });
});

describe('POST /{alias}/checkout/carts/{id}/orders', () => {
  it('returns 201 with the order, converts the cart and reserves its units, in three round trips', async () => {
    const shop = await createSellingStore({ skus: 2, price: 10 });
    await subscribeEndpoint(shop, ['order.created', 'product.inventory.updated', 'cart.reminder']);
    const created = await createCart(
      shop,
      { customer_id: shop.customerId, shipping: { value: 7, service: 'PAC' } },
      2,
    );
    const path = `/checkout/carts/${created.id}`;
    const { response, data } = await measureRequest(shop, `POST ${path}/orders`, checkout(shop));
    expect([response.status, data.roundTrips]).toEqual([201, 3]);
    expect(response.body.data).toMatchObject({
      customer_id: shop.customerId,
      cart_token: created.token,
      status: { data: { alias: 'waiting_payment' } },
      value_products: 40,
      value_shipment: 7,
      value_total: 47,
      shipment_service: 'PAC',
    });
    const { body } = await shop.api(`GET ${path}`);
    expect(body.data).toMatchObject({ status: 'converted', order_id: response.body.data.id });
    const names = (await recordedEvents(shop)).map(({ event }) => event);
    expect(names.toSorted()).toEqual([
      'order.created',
      'product.inventory.updated',
      'product.inventory.updated',
    ]);
    const { body: stocks } = await shop.api(`GET /catalog/skus/${shop.skuIds[0]}/stocks`);
    expect(stocks.data[0]).toMatchObject({ quantity: 10, reserved: 2 });
  });

  it('creates one order of a cart, however many requests are concurrent', async () => {
    const shop = await createSellingStore();
    await subscribeEndpoint(shop, ['order.created', 'customer.created']);
    const { id } = await createCart(shop, { tracking_data: guest });
    const sent = checkout(shop, { shipping_address_id: undefined, shipping_address: address });
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => shop.api(`POST /checkout/carts/${id}/orders`, sent)),
    );
    const codes: string[] = responses.map(({ status, body }) =>
      status === 201 ? 'made' : body.code,
    );
    expect(codes.toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 'cart_converted'),
      'made',
    ]);
    expect((await shop.api('GET /orders')).body.data).toHaveLength(1);
    expect((await recordedEvents(shop)).map(({ event }) => event)).toEqual([
      'customer.created',
      'order.created',
    ]);
  });

  it('creates one customer for each e-mail address of a guest', async () => {
    const shop = await createSellingStore();
    const sent = checkout(shop, { shipping_address_id: undefined, shipping_address: address });
    const first = await createCart(shop, { tracking_data: guest });
    const second = await createCart(shop, {
      tracking_data: { ...guest, email: 'BIA@buyers.test' },
    });
    const { email } = (await shop.api(`GET /customers/${shop.customerId}`)).body.data;
    const known = await createCart(shop, {
      tracking_data: { ...guest, email: email.toUpperCase() },
    });
    const responses = await Promise.all(
      [first, second].map(({ id }) => shop.api(`POST /checkout/carts/${id}/orders`, sent)),
    );
    expect(responses.map(({ status }) => status)).toEqual([201, 201]);
    const [one, other] = responses.map(({ body }) => body.data.customer_id);
    expect(other).toBe(one);
    const { body } = await shop.api(`GET /customers/${one}`);
    expect(body.data).toMatchObject({
      first_name: 'Bia',
      last_name: 'Prado',
      phone: guest.phone,
      type: 'f',
    });
    const owned = await shop.api(`POST /checkout/carts/${known.id}/orders`, sent);
    expect(owned.body.data.customer_id).toBe(shop.customerId);
    // Only the customer has the contact details of the guest now.
    expect((await shop.api(`GET /checkout/carts/${first.id}`)).body.data).toMatchObject({
      customer_id: one,
      tracking_data: null,
    });
  });

  it('returns 409 and changes nothing when the stock is too low', async () => {
    const shop = await createSellingStore({ quantity: 1 });
    await subscribeEndpoint(shop, ['order.created', 'customer.created']);
    const { id } = await createCart(shop, { tracking_data: guest }, 2);
    const sent = checkout(shop, { shipping_address_id: undefined, shipping_address: address });
    const response = await shop.api(`POST /checkout/carts/${id}/orders`, sent);
    expect([response.status, response.body.code]).toEqual([409, 'out_of_stock']);
    expect(await recordedEvents(shop)).toEqual([]);
    expect((await shop.api('GET /customers')).body.data).toHaveLength(1);
    expect((await shop.api(`GET /checkout/carts/${id}`)).body.data.status).toBe('open');
  });

  it('returns 409 for a cart without an owner, an expired cart and an empty cart', async () => {
    const shop = await createSellingStore();
    const order = async (id: number) => {
      const sent = checkout(shop);
      const { status, body } = await shop.api(`POST /checkout/carts/${id}/orders`, sent);
      return [status, body.code];
    };
    const cartWithoutOwner = await createCart(shop);
    expect(await order(cartWithoutOwner.id)).toEqual([409, 'cart_without_buyer']);
    await setCartStatus(cartWithoutOwner.id, 'expired');
    expect(await order(cartWithoutOwner.id)).toEqual([409, 'cart_expired']);
    const empty = await createCart(shop, { customer_id: shop.customerId });
    await shop.api(`DELETE /catalog/skus/${shop.skuIds[0]}`);
    expect(await order(empty.id)).toEqual([409, 'cart_empty']);
  });

  it.each<[why: string, more: object, field: string]>([
    ['the payment is unknown', { payment_id: 999_999_999 }, 'payment_id'],
    ['the payment is missing', { payment_id: undefined }, 'payment_id'],
    ['the installments are not allowed', { installments: 24 }, 'installments'],
    ['no address is sent', { shipping_address_id: undefined }, 'shipping_address_id'],
    ['the address is unknown', { shipping_address_id: 999_999_999 }, 'shipping_address_id'],
    ['two addresses are sent', { shipping_address: address }, 'shipping_address'],
  ])('returns 422 when %s', async (_why, more, field) => {
    const shop = await createSellingStore();
    const { id } = await createCart(shop, { customer_id: shop.customerId });
    const response = await shop.api(`POST /checkout/carts/${id}/orders`, checkout(shop, more));
    expect([response.status, Object.keys(response.body.errors)]).toEqual([422, [field]]);
    expect((await shop.api(`GET /checkout/carts/${id}`)).body.data.status).toBe('open');
  });
});

describe('DELETE /{alias}/customers/{id}', () => {
  it.each([true, false])(
    'removes personal data from carts, also those of a guest (customer with orders: %s)',
    async (hasOrdered) => {
      const shop = await createSellingStore();
      const { email } = (await shop.api(`GET /customers/${shop.customerId}`)).body.data;
      const own = await createCart(shop, { customer_id: shop.customerId });
      const asGuest = await createCart(shop, { tracking_data: { ...guest, email } });
      const other = await createCart(shop, { tracking_data: guest });
      const ordered = await createCart(shop, { customer_id: shop.customerId });
      const path = `POST /checkout/carts/${ordered.id}/orders`;
      if (hasOrdered) expect((await shop.api(path, checkout(shop))).status).toBe(201);
      expect((await shop.api(`DELETE /customers/${shop.customerId}`)).status).toBe(200);
      const of = async (id: number) => (await shop.api(`GET /checkout/carts/${id}`)).body.data;
      expect((await of(asGuest.id)).tracking_data).toBeNull();
      expect((await of(other.id)).tracking_data).toEqual(guest);
      expect((await of(own.id)).customer_id).toBe(hasOrdered ? shop.customerId : null);
      const reminder = await shop.api(`POST /checkout/carts/${own.id}/reminders`);
      expect([reminder.status, reminder.body.code]).toEqual([409, 'cart_without_contact']);
    },
  );
});
