import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { measured } from '../support/counted.ts';
import { eventsOf, subscribe } from '../support/events.ts';
import { sellingStore, type SellingStore } from '../support/selling.ts';
import { store } from '../support/store.ts';

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

/** The body of a cart with so many units of every SKU. */
const cartOf = ({ skuIds }: SellingStore, more: object = {}, quantity = 1) => ({
  items: skuIds.map((sku_id) => ({ sku_id, quantity })),
  ...more,
});

/** Makes a cart and answers with it. */
async function cart(shop: SellingStore, more: object = {}, quantity = 1) {
  const { status, body } = await shop.api('POST /checkout/carts', cartOf(shop, more, quantity));
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

/** Puts a cart into a state that only time brings about. */
const become = (id: number, status: string) =>
  env.STORE_0.prepare('update carts set status = ?, abandoned_at = 1, due_at = null where id = ?')
    .bind(status, id)
    .run();

const checkout = (shop: SellingStore, more: object = {}) => ({
  payment_id: shop.payments.pix,
  shipping_address_id: shop.addressId,
  ...more,
});

describe('POST /{alias}/checkout/carts', () => {
  it('201 with an open cart at the prices of its SKUs; two round trips', async () => {
    const shop = await sellingStore({ skus: 2, price: 19.9 });
    const sent = cartOf(
      shop,
      { customer_id: shop.customerId, shipping: { service: 'PAC', value: 12.5 } },
      3,
    );
    const { answer, data } = await measured(shop, 'POST /checkout/carts', sent);
    expect([answer.status, data.trips]).toEqual([201, 2]);
    expect(answer.body.data).toEqual({
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

  it('201 for a guest and for nobody', async () => {
    const shop = await sellingStore();
    expect(await cart(shop, { tracking_data: guest })).toMatchObject({
      customer_id: null,
      tracking_data: guest,
    });
    expect(await cart(shop)).toMatchObject({ customer_id: null, tracking_data: null });
  });

  it('follows the price of a SKU, the reduced one first', async () => {
    const shop = await sellingStore({ price: 50 });
    const { id } = await cart(shop, {}, 2);
    await shop.api(`PUT /catalog/skus/${shop.skuIds[0]}`, { price_discount: 40 });
    const { body } = await shop.api(`GET /checkout/carts/${id}?include=items`);
    expect(body.data).toMatchObject({ value_products: 80, value_total: 80 });
    expect(body.data.items.data).toMatchObject([{ price: 40, value_total: 80 }]);
  });

  it.each<[why: string, change: (shop: SellingStore) => object, field: string]>([
    ['nothing is in it', () => ({ items: [] }), 'items'],
    [
      'a SKU is unknown',
      () => ({ items: [{ sku_id: 999_999_999, quantity: 1 }] }),
      'items.0.sku_id',
    ],
    [
      'a SKU stands twice',
      ({ skuIds: [sku_id] }) => ({
        items: [
          { sku_id, quantity: 1 },
          { sku_id, quantity: 2 },
        ],
      }),
      'items.1.sku_id',
    ],
    [
      'a quantity is none',
      ({ skuIds: [sku_id] }) => ({ items: [{ sku_id, quantity: 0 }] }),
      'items.0.quantity',
    ],
    ['the customer is unknown', () => ({ customer_id: 999_999_999 }), 'customer_id'],
    [
      'it has a customer and a guest',
      ({ customerId }) => ({ customer_id: customerId, tracking_data: guest }),
      'tracking_data',
    ],
    ['an e-mail address is none', () => ({ tracking_data: { email: 'x' } }), 'tracking_data.email'],
  ])('422 when %s', async (_why, change, field) => {
    const shop = await sellingStore();
    const answer = await shop.api('POST /checkout/carts', cartOf(shop, change(shop)));
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
  });

  it('422 for what another store has, and for what is blocked', async () => {
    const [shop, other] = [await sellingStore(), await sellingStore()];
    const foreign = await shop.api('POST /checkout/carts', cartOf(other));
    expect([foreign.status, Object.keys(foreign.body.errors)]).toEqual([422, ['items.0.sku_id']]);
    const sent = cartOf(shop, { customer_id: other.customerId });
    expect((await shop.api('POST /checkout/carts', sent)).status).toBe(422);
    await shop.api(`PUT /catalog/skus/${shop.skuIds[0]}`, { blocked_sale: true });
    const blocked = await shop.api('POST /checkout/carts', cartOf(shop));
    expect(blocked.body.errors).toEqual({ 'items.0.sku_id': ['This SKU is blocked for sale.'] });
  });
});

describe('GET /{alias}/checkout/carts', () => {
  it('200 with what was asked for', async () => {
    const shop = await sellingStore({ skus: 2 });
    const first = await cart(shop, { tracking_data: guest });
    const second = await cart(shop, { customer_id: shop.customerId });
    await become(second.id, 'expired');
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
  it('404 for that of another store', async () => {
    const shop = await sellingStore();
    const { id } = await cart(shop);
    expect((await (await store()).api(`GET /checkout/carts/${id}`)).status).toBe(404);
  });
});

describe('PUT /{alias}/checkout/carts/{id}', () => {
  it('200 and replaces items, of which those of a SKU that stays keep their ids', async () => {
    const shop = await sellingStore({ skus: 3, price: 10 });
    const { id } = await cart(shop);
    const path = `/checkout/carts/${id}`;
    const read = async () => (await shop.api(`GET ${path}?include=items`)).body.data.items.data;
    const [, kept] = await read();
    const [, second, third] = shop.skuIds;
    const items = [
      { sku_id: second, quantity: 5 },
      { sku_id: third, quantity: 1 },
    ];
    const { answer, data } = await measured(shop, `PUT ${path}`, { items });
    expect([answer.status, data.trips, answer.body.data.value_products]).toEqual([200, 2, 60]);
    const now = await read();
    expect(now).toMatchObject(items);
    expect(now[0].id).toBe(kept.id);
  });

  it('200 in one round trip when nothing changes, and the date stays', async () => {
    const shop = await sellingStore();
    const made = await cart(shop, { tracking_data: guest });
    const path = `PUT /checkout/carts/${made.id}`;
    const { answer, data } = await measured(shop, path, cartOf(shop, { tracking_data: guest }));
    expect([answer.status, data.trips, data.rowsWritten]).toEqual([200, 1, 0]);
    expect(answer.body.data).toEqual(made);
  });

  it('opens an abandoned cart, its time begins anew', async () => {
    const shop = await sellingStore();
    const { id } = await cart(shop, { tracking_data: guest });
    await become(id, 'abandoned');
    const { body } = await shop.api(`PUT /checkout/carts/${id}`, { shipping: { value: 5 } });
    expect(body.data).toMatchObject({ status: 'open', abandoned_at: null });
    const due = env.STORE_0.prepare('select due_at - edited_at as idle from carts where id = ?');
    expect(await due.bind(id).first('idle')).toBe(60 * 60_000);
  });

  it('takes a customer in the place of a guest, a guest in that of a customer, members one by one', async () => {
    const shop = await sellingStore();
    const { id } = await cart(shop, { tracking_data: guest });
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

  it.each(['converted', 'expired'])('409 for a cart that is %s', async (status) => {
    const shop = await sellingStore();
    const { id } = await cart(shop);
    await become(id, status);
    const answer = await shop.api(`PUT /checkout/carts/${id}`, cartOf(shop, {}, 2));
    expect([answer.status, answer.body.code]).toEqual([409, `cart_${status}`]);
  });

  it('loses nothing when many write at once', async () => {
    const shop = await sellingStore();
    const { id } = await cart(shop);
    const answers = await Promise.all(
      [1, 2, 3, 4].map((value) =>
        shop.api(`PUT /checkout/carts/${id}`, { shipping: { value, service: `s${value}` } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { shipping } = (await shop.api(`GET /checkout/carts/${id}`)).body.data;
    expect(shipping.service).toBe(`s${shipping.value}`);
  });
});

describe('DELETE /{alias}/checkout/carts/{id}', () => {
  it('200 and the items go with it; 404 afterwards', async () => {
    const shop = await sellingStore();
    const { id } = await cart(shop);
    expect((await shop.api(`DELETE /checkout/carts/${id}`)).status).toBe(200);
    expect((await shop.api(`DELETE /checkout/carts/${id}`)).status).toBe(404);
    const left = env.STORE_0.prepare('select count(*) as n from cart_items where cart_id = ?');
    expect(await left.bind(id).first('n')).toBe(0);
  });

  it('409 for one that became an order', async () => {
    const shop = await sellingStore();
    const { id } = await cart(shop, { customer_id: shop.customerId });
    await shop.api(`POST /checkout/carts/${id}/orders`, checkout(shop));
    const answer = await shop.api(`DELETE /checkout/carts/${id}`);
    expect([answer.status, answer.body.code]).toEqual([409, 'cart_converted']);
  });
});

describe('POST /{alias}/checkout/carts/{id}/reminders', () => {
  it('200 and sends the cart with its items and its customer; the state stays', async () => {
    const shop = await sellingStore({ skus: 2 });
    await subscribe(shop, ['cart.reminder']);
    const { id } = await cart(shop, { customer_id: shop.customerId });
    const path = `/checkout/carts/${id}`;
    const { answer, data } = await measured(shop, `POST ${path}/reminders`);
    expect([answer.status, data.trips]).toEqual([200, 2]);
    expect(answer.body.data.status).toBe('open');
    const [event] = await eventsOf(shop);
    const { body } = await shop.api(`GET ${path}?include=items,customer`);
    const { addresses: _addresses, ...shown } = body.data.customer.data;
    expect(event).toMatchObject({
      event: 'cart.reminder',
      resource: { ...body.data, customer: { data: shown } },
    });
    expect(body.data.reminded_at).not.toBeNull();
  });

  it('409 for a closed cart, for one of nobody, and for an empty one', async () => {
    const shop = await sellingStore();
    await subscribe(shop, ['cart.reminder']);
    const remind = async (id: number) => {
      const { status, body } = await shop.api(`POST /checkout/carts/${id}/reminders`);
      return [status, body.code];
    };
    const { id } = await cart(shop, { tracking_data: guest });
    await become(id, 'expired');
    expect(await remind(id)).toEqual([409, 'cart_expired']);
    const nobody = await cart(shop, { tracking_data: { name: 'Bia' } });
    expect(await remind(nobody.id)).toEqual([409, 'cart_without_contact']);
    const empty = await cart(shop, { tracking_data: guest });
    await shop.api(`DELETE /catalog/skus/${shop.skuIds[0]}`);
    expect(await remind(empty.id)).toEqual([409, 'cart_empty']);
    expect(await eventsOf(shop)).toEqual([]);
  });
});

describe('POST /{alias}/checkout/carts/{id}/orders', () => {
  it('201 with the order; the cart is converted and its units are reserved; three round trips', async () => {
    const shop = await sellingStore({ skus: 2, price: 10 });
    await subscribe(shop, ['order.created', 'product.inventory.updated', 'cart.reminder']);
    const made = await cart(
      shop,
      { customer_id: shop.customerId, shipping: { value: 7, service: 'PAC' } },
      2,
    );
    const path = `/checkout/carts/${made.id}`;
    const { answer, data } = await measured(shop, `POST ${path}/orders`, checkout(shop));
    expect([answer.status, data.trips]).toEqual([201, 3]);
    expect(answer.body.data).toMatchObject({
      customer_id: shop.customerId,
      cart_token: made.token,
      status: { data: { alias: 'waiting_payment' } },
      value_products: 40,
      value_shipment: 7,
      value_total: 47,
      shipment_service: 'PAC',
    });
    const { body } = await shop.api(`GET ${path}`);
    expect(body.data).toMatchObject({ status: 'converted', order_id: answer.body.data.id });
    const names = (await eventsOf(shop)).map(({ event }) => event);
    expect(names.toSorted()).toEqual([
      'order.created',
      'product.inventory.updated',
      'product.inventory.updated',
    ]);
    const { body: stocks } = await shop.api(`GET /catalog/skus/${shop.skuIds[0]}/stocks`);
    expect(stocks.data[0]).toMatchObject({ quantity: 10, reserved: 2 });
  });

  it('makes one order of a cart, however many ask at once', async () => {
    const shop = await sellingStore();
    await subscribe(shop, ['order.created', 'customer.created']);
    const { id } = await cart(shop, { tracking_data: guest });
    const sent = checkout(shop, { shipping_address_id: undefined, shipping_address: address });
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => shop.api(`POST /checkout/carts/${id}/orders`, sent)),
    );
    const codes: string[] = answers.map(({ status, body }) =>
      status === 201 ? 'made' : body.code,
    );
    expect(codes.toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 'cart_converted'),
      'made',
    ]);
    expect((await shop.api('GET /orders')).body.data).toHaveLength(1);
    expect((await eventsOf(shop)).map(({ event }) => event)).toEqual([
      'customer.created',
      'order.created',
    ]);
  });

  it('makes a customer of a guest, once for each e-mail address', async () => {
    const shop = await sellingStore();
    const sent = checkout(shop, { shipping_address_id: undefined, shipping_address: address });
    const first = await cart(shop, { tracking_data: guest });
    const second = await cart(shop, { tracking_data: { ...guest, email: 'BIA@buyers.test' } });
    const { email } = (await shop.api(`GET /customers/${shop.customerId}`)).body.data;
    const known = await cart(shop, { tracking_data: { ...guest, email: email.toUpperCase() } });
    const answers = await Promise.all(
      [first, second].map(({ id }) => shop.api(`POST /checkout/carts/${id}/orders`, sent)),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    const [one, other] = answers.map(({ body }) => body.data.customer_id);
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
    // What told who the guest was is with the customer alone.
    expect((await shop.api(`GET /checkout/carts/${first.id}`)).body.data).toMatchObject({
      customer_id: one,
      tracking_data: null,
    });
  });

  it('409 and nothing half done when the stock is short', async () => {
    const shop = await sellingStore({ quantity: 1 });
    await subscribe(shop, ['order.created', 'customer.created']);
    const { id } = await cart(shop, { tracking_data: guest }, 2);
    const sent = checkout(shop, { shipping_address_id: undefined, shipping_address: address });
    const answer = await shop.api(`POST /checkout/carts/${id}/orders`, sent);
    expect([answer.status, answer.body.code]).toEqual([409, 'out_of_stock']);
    expect(await eventsOf(shop)).toEqual([]);
    expect((await shop.api('GET /customers')).body.data).toHaveLength(1);
    expect((await shop.api(`GET /checkout/carts/${id}`)).body.data.status).toBe('open');
  });

  it('409 for a cart of nobody, an expired and an empty one', async () => {
    const shop = await sellingStore();
    const order = async (id: number) => {
      const sent = checkout(shop);
      const { status, body } = await shop.api(`POST /checkout/carts/${id}/orders`, sent);
      return [status, body.code];
    };
    const nobody = await cart(shop);
    expect(await order(nobody.id)).toEqual([409, 'cart_without_buyer']);
    await become(nobody.id, 'expired');
    expect(await order(nobody.id)).toEqual([409, 'cart_expired']);
    const empty = await cart(shop, { customer_id: shop.customerId });
    await shop.api(`DELETE /catalog/skus/${shop.skuIds[0]}`);
    expect(await order(empty.id)).toEqual([409, 'cart_empty']);
  });

  it.each<[why: string, more: object, field: string]>([
    ['the payment is unknown', { payment_id: 999_999_999 }, 'payment_id'],
    ['the payment is missing', { payment_id: undefined }, 'payment_id'],
    ['the installments are not allowed', { installments: 24 }, 'installments'],
    ['there is no address', { shipping_address_id: undefined }, 'shipping_address_id'],
    ['the address is unknown', { shipping_address_id: 999_999_999 }, 'shipping_address_id'],
    ['there are two addresses', { shipping_address: address }, 'shipping_address'],
  ])('422 when %s', async (_why, more, field) => {
    const shop = await sellingStore();
    const { id } = await cart(shop, { customer_id: shop.customerId });
    const answer = await shop.api(`POST /checkout/carts/${id}/orders`, checkout(shop, more));
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
    expect((await shop.api(`GET /checkout/carts/${id}`)).body.data.status).toBe('open');
  });
});

describe('DELETE /{alias}/customers/{id}', () => {
  it.each([true, false])(
    'leaves no trace in carts, also of a guest; ordered: %s',
    async (hasOrdered) => {
      const shop = await sellingStore();
      const { email } = (await shop.api(`GET /customers/${shop.customerId}`)).body.data;
      const own = await cart(shop, { customer_id: shop.customerId });
      const asGuest = await cart(shop, { tracking_data: { ...guest, email } });
      const other = await cart(shop, { tracking_data: guest });
      const ordered = await cart(shop, { customer_id: shop.customerId });
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
