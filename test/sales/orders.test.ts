import { describe, expect, it } from 'vitest';
import { syntheticOrder } from '../../src/ops/watch/synthetic-order.ts';
import { measureRequest } from '../support/api/measure.ts';
import { sampleCustomer, sampleAddress } from '../support/fixtures/sample-data.ts';
import {
  orderBody,
  placeTestOrder,
  createSellingStore,
  type SellingStore,
  stockOf,
} from '../support/fixtures/selling-store.ts';
import {
  recordedEventNames,
  recordedEvents,
  subscribeEndpoint,
} from '../support/webhooks/recorded-events.ts';

const orderEvents = [
  'order.created',
  'order.paid',
  'order.status.updated',
  'product.inventory.updated',
];

/** A buyer whom a store does not know yet. */
const newBuyer = { ...sampleCustomer, email: 'novo@cliente.test' };

const noSavedAddress = { shipping_address_id: undefined, shipping_address: sampleAddress };

/** The body of an order of a new buyer. */
const guestOrder = (shop: SellingStore, changed: Record<string, unknown> = {}) =>
  orderBody(shop, { ...noSavedAddress, customer_id: undefined, customer: newBuyer, ...changed });

describe('POST /{alias}/orders', () => {
  it('returns 201 with all includes, and publishes the same in order.created, with its number', async () => {
    const shop = await createSellingStore({ skus: 2, price: 59.9 });
    await subscribeEndpoint(shop, orderEvents);
    const { status, body } = await shop.api('POST /orders', {
      ...orderBody(shop),
      value_shipment: 20,
      value_tax: 1.5,
      value_discount: 10.05,
      utm_source: 'newsletter',
      shipment_service: 'SEDEX',
      metadata: [{ key: 'gift', value: 'yes' }],
    });
    expect(status).toBe(201);
    const order = body.data;
    expect(order).toMatchObject({
      number: 1,
      merchant_id: shop.id,
      status_id: 3,
      status: { data: { id: 3, alias: 'waiting_payment' } },
      desire_status: ['paid', 'refused', 'cancelled'],
      desire_status_id: [4, 9, 8],
      authorized: false,
      cancelled: false,
      delivered: false,
      value_products: 119.8,
      value_shipment: 20,
      value_discount: 10.05,
      value_tax: 1.5,
      value_total: 131.25,
      buyer_value_total: 131.25,
      payments: [],
      utm_source: 'newsletter',
      metadata: { data: [{ key: 'gift', value: 'yes' }] },
      customer: { data: { id: shop.customerId } },
      shipping_address: { data: { city: 'São Paulo', zipcode: '01310100' } },
      transactions: { data: [] },
      invoices: { data: [] },
    });
    expect(order.items.data).toHaveLength(2);
    expect(order.items.data[0]).toMatchObject({ quantity: 1, price: 59.9, name: 'Camiseta' });
    expect(order.statuses.data).toMatchObject([{ alias: 'waiting_payment', status_id: 3 }]);
    const events = await recordedEvents(shop);
    expect(events.map(({ event }) => event)).toEqual([
      'order.created',
      'product.inventory.updated',
      'product.inventory.updated',
    ]);
    expect(events[0]?.resource).toEqual(order);
    expect(events[1]?.resource).toMatchObject({
      quantity: 10,
      reserved: 1,
      sku: { data: { id: shop.skuIds[0], total_in_stock: 9 } },
    });
  });

  it('reserves units; of several orders of one SKU, each event has the stock of its time', async () => {
    const shop = await createSellingStore({ quantity: 7 });
    await subscribeEndpoint(shop, ['product.inventory.updated']);
    const items = [{ sku_id: shop.skuIds[0], quantity: 3 }];
    await Promise.all([placeTestOrder(shop, { items }), placeTestOrder(shop, { items })]);
    expect(await stockOf(shop, shop.skuIds[0]!)).toEqual({ quantity: 7, reserved: 6 });
    const left = (await recordedEvents(shop)).map(
      ({ resource }) => resource.sku.data.total_in_stock,
    );
    expect(left).toEqual([4, 1]);
  });

  it('numbers the orders of a store without gaps, even if requests fail in between', async () => {
    const shop = await createSellingStore({ quantity: 2 });
    const other = await createSellingStore();
    expect((await placeTestOrder(shop)).number).toBe(1);
    const tooMany = [{ sku_id: shop.skuIds[0], quantity: 3 }];
    expect((await shop.api('POST /orders', orderBody(shop, { items: tooMany }))).status).toBe(409);
    expect((await placeTestOrder(other)).number).toBe(1);
    expect((await placeTestOrder(shop)).number).toBe(2);
  });

  it('uses the price that is sent, else the discount price, else the full price', async () => {
    const shop = await createSellingStore({ skus: 3, price: 50 });
    const [first, second, third] = shop.skuIds;
    await shop.api(`PUT /catalog/skus/${second}`, { price_discount: 40 });
    const order = await placeTestOrder(shop, {
      items: [
        { sku_id: first, quantity: 1, price: 9.99 },
        { sku_id: second, quantity: 2 },
        { sku_id: third, quantity: 1 },
      ],
    });
    expect(order.items.data.map(({ price }: { price: number }) => price)).toEqual([9.99, 40, 50]);
    expect(order.value_products).toBe(139.99);
  });

  it('reserves nothing of a SKU whose quantity is not managed', async () => {
    const shop = await createSellingStore({ quantity: 0 });
    await shop.api(`PUT /catalog/skus/${shop.skuIds[0]}`, { quantity_managed: false });
    await subscribeEndpoint(shop, orderEvents);
    expect((await placeTestOrder(shop)).number).toBe(1);
    expect(await stockOf(shop, shop.skuIds[0]!)).toEqual({ quantity: 0, reserved: 0 });
    expect(await recordedEventNames(shop)).toEqual(['order.created']);
  });

  it('accepts a paid order: publishes order.created, then order.paid, and takes the units', async () => {
    const shop = await createSellingStore({ quantity: 5 });
    await subscribeEndpoint(shop, orderEvents);
    const order = await placeTestOrder(shop, { status: 'paid', payment_id: shop.payments.pix });
    expect(order).toMatchObject({ status_id: 4, authorized: true });
    expect(order.transactions.data).toMatchObject([{ status: 'paid', captured: true }]);
    expect(await recordedEventNames(shop)).toEqual([
      'order.created',
      'order.paid',
      'product.inventory.updated',
    ]);
    expect(await stockOf(shop, shop.skuIds[0]!)).toEqual({ quantity: 4, reserved: 0 });
  });

  it('accepts an address that is not of the customer', async () => {
    const shop = await createSellingStore();
    const { shipping_address_id: _, ...body } = orderBody(shop);
    const address = { ...sampleAddress, city: 'Campinas' };
    const { status, body: response } = await shop.api('POST /orders', {
      ...body,
      shipping_address: address,
    });
    expect(status).toBe(201);
    expect(response.data.shipping_address.data.city).toBe('Campinas');
  });

  it('creates its first transaction as well', async () => {
    const shop = await createSellingStore({ price: 100 });
    await subscribeEndpoint(shop, orderEvents);
    const order = await placeTestOrder(shop, { payment_id: shop.payments.billet });
    expect(order.payments).toMatchObject([{ alias: 'billet' }]);
    expect(order.transactions.data).toMatchObject([
      { status: 'waiting_payment', amount: 100, installment_formated: '1x R$ 100,00' },
    ]);
    const [created] = await recordedEvents(shop);
    expect(created?.resource).toEqual(order);
  });

  it('returns 201 for a new customer, order and captured payment in two round trips', async () => {
    const shop = await createSellingStore();
    await subscribeEndpoint(shop, [...orderEvents, 'customer.created']);
    const { response, data } = await measureRequest(
      shop,
      'POST /orders',
      guestOrder(shop, { status: 'paid', payment_id: shop.payments.pix }),
    );
    expect([response.status, data.roundTrips]).toEqual([201, 2]);
    const { customer, transactions } = response.body.data;
    expect(customer.data).toMatchObject({ email: newBuyer.email, cpf: '52998224725' });
    expect(transactions.data).toMatchObject([{ status: 'paid', captured: true }]);
    const { body } = await shop.api(`GET /customers/${customer.data.id}`);
    expect(body.data).toMatchObject(customer.data);
    const events = await recordedEvents(shop);
    expect(events.map(({ event }) => event)).toEqual([
      'customer.created',
      'order.created',
      'order.paid',
      'product.inventory.updated',
    ]);
    expect(events[1]?.resource).toEqual(response.body.data);
  });

  it('returns 201 to the order that watches the service, again and again', async () => {
    const shop = await createSellingStore();
    const body = syntheticOrder(shop.skuIds[0]!);
    for (const number of [1, 2]) {
      const response = await shop.api('POST /orders', body);
      expect([response.status, response.body.data?.number]).toEqual([201, number]);
    }
  });

  it('uses the customer whom the store knows by the e-mail address, unchanged', async () => {
    const shop = await createSellingStore();
    const renamed = { ...newBuyer, email: sampleCustomer.email.toUpperCase(), first_name: 'Outra' };
    const { status, body } = await shop.api(
      'POST /orders',
      guestOrder(shop, { customer: renamed }),
    );
    expect(status).toBe(201);
    expect(body.data.customer.data).toMatchObject({
      id: shop.customerId,
      first_name: sampleCustomer.first_name,
    });
  });

  it('creates one customer for orders of a new buyer that come at once', async () => {
    const shop = await createSellingStore();
    const sent = [1, 2, 3].map(() => shop.api('POST /orders', guestOrder(shop)));
    const placed = await Promise.all(sent);
    expect(placed.map(({ status }) => status)).toEqual([201, 201, 201]);
    const buyers = placed.map(({ body }) => body.data.customer.data.id);
    expect(new Set(buyers).size).toBe(1);
    expect((await shop.api('GET /customers')).body.meta.pagination.total).toBe(2);
  });

  it('creates no customer for an order that is refused', async () => {
    const shop = await createSellingStore({ quantity: 1 });
    const items = [{ sku_id: shop.skuIds[0], quantity: 2 }];
    expect((await shop.api('POST /orders', guestOrder(shop, { items }))).status).toBe(409);
    expect((await shop.api('GET /customers')).body.meta.pagination.total).toBe(1);
  });

  it('returns 409 out_of_stock with the items, and changes nothing', async () => {
    const shop = await createSellingStore({ skus: 2, quantity: 1 });
    await subscribeEndpoint(shop, orderEvents);
    const [first, second] = shop.skuIds;
    const { status, body } = await shop.api('POST /orders', {
      ...orderBody(shop),
      items: [
        { sku_id: first, quantity: 1 },
        { sku_id: second, quantity: 2 },
      ],
    });
    expect(status).toBe(409);
    expect(body.code).toBe('out_of_stock');
    expect(Object.keys(body.errors)).toEqual(['items.1.sku_id']);
    expect(await stockOf(shop, first!)).toEqual({ quantity: 1, reserved: 0 });
    expect(await recordedEvents(shop)).toEqual([]);
    expect((await shop.api('GET /orders')).body.meta.pagination.total).toBe(0);
  });

  it.each<[why: string, field: string, body: object]>([
    ['without a customer', 'customer_id', { customer_id: undefined }],
    ['for an unknown customer', 'customer_id', { customer_id: 999_999_999 }],
    ['for a customer_id and a customer', 'customer', { ...noSavedAddress, customer: newBuyer }],
    [
      'for a saved address of a new customer',
      'shipping_address_id',
      { customer_id: undefined, customer: newBuyer },
    ],
    [
      'for a new customer without a document',
      'customer.cpf',
      { ...noSavedAddress, customer_id: undefined, customer: { ...newBuyer, cpf: null } },
    ],
    ['without items', 'items', { items: [] }],
    ['for an unknown SKU', 'items.0.sku_id', { items: [{ sku_id: 1e9, quantity: 1 }] }],
    ['for a quantity of zero', 'items.0.quantity', { items: [{ sku_id: 1, quantity: 0 }] }],
    [
      'for a SKU twice',
      'items.1.sku_id',
      {
        items: [
          { sku_id: 1, quantity: 1 },
          { sku_id: 1, quantity: 1 },
        ],
      },
    ],
    ['without an address', 'shipping_address_id', { shipping_address_id: undefined }],
    ['for two addresses', 'shipping_address', { shipping_address: sampleAddress }],
    [
      'for the address of another customer',
      'shipping_address_id',
      { shipping_address_id: 999_999_999 },
    ],
    ['for a discount above the total', 'value_discount', { value_discount: 100.01 }],
    ['for a total above the largest amount', 'items', { value_shipment: 99_999_999 }],
    ['for a first status that is not allowed', 'status_id', { status: 'delivered' }],
    ['for a status that contradicts status_id', 'status', { status: 'paid', status_id: 3 }],
    ['for an unknown status_id', 'status_id', { status_id: 99 }],
    ['for an unknown payment type', 'payment_id', { payment_id: 999_999_999 }],
    ['for a full card number', 'truncated_card', { truncated_card: '4111111111111111' }],
  ])('returns 422 %s', async (_why, field, changed) => {
    const shop = await createSellingStore({ price: 100 });
    const { status, body } = await shop.api('POST /orders', orderBody(shop, { ...changed }));
    expect({ status, fields: Object.keys(body.errors ?? {}) }).toEqual({
      status: 422,
      fields: [field],
    });
  });

  it('returns 422 for records of another store', async () => {
    const shop = await createSellingStore();
    const other = await createSellingStore();
    const rejected = async (more: Record<string, unknown>) => {
      const { status, body } = await shop.api('POST /orders', orderBody(shop, more));
      expect(status).toBe(422);
      return Object.keys(body.errors);
    };
    expect(await rejected({ customer_id: other.customerId })).toEqual(['customer_id']);
    expect(await rejected({ shipping_address_id: other.addressId })).toEqual([
      'shipping_address_id',
    ]);
    expect(await rejected({ items: [{ sku_id: other.skuIds[0], quantity: 1 }] })).toEqual([
      'items.0.sku_id',
    ]);
    expect(await rejected({ payment_id: other.payments.pix })).toEqual(['payment_id']);
  });

  it('returns 422 for a blocked SKU, and for an inactive payment type', async () => {
    const shop = await createSellingStore();
    const configured = await shop.api('GET /checkout/payments?limit=100');
    const { id, config_id } = configured.body.data.find(
      ({ alias }: { alias: string }) => alias === 'pix',
    );
    await shop.api(`PUT /checkout/payments/${id}/config/${config_id}`, { active: false });
    const off = await shop.api('POST /orders', orderBody(shop, { payment_id: id }));
    expect(Object.keys(off.body.errors)).toEqual(['payment_id']);
    await shop.api(`PUT /catalog/skus/${shop.skuIds[0]}`, { blocked_sale: true });
    const blocked = await shop.api('POST /orders', orderBody(shop));
    expect(blocked.status).toBe(422);
    expect(Object.keys(blocked.body.errors)).toEqual(['items.0.sku_id']);
  });

  it('returns 422 for an anonymised customer', async () => {
    const shop = await createSellingStore();
    await placeTestOrder(shop);
    await shop.api(`DELETE /customers/${shop.customerId}`);
    const { status, body } = await shop.api('POST /orders', orderBody(shop));
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual(['customer_id']);
  });

  it('places five items in two round trips, and pays them in two', async () => {
    const shop = await createSellingStore({ skus: 5 });
    await subscribeEndpoint(shop, orderEvents);
    const created = await measureRequest(shop, 'POST /orders', orderBody(shop));
    expect(created.response.status).toBe(201);
    expect(created.data.roundTrips).toBe(2);
    const { id } = created.response.body.data;
    const paid = await measureRequest(shop, `PUT /orders/${id}`, { status: 'paid' });
    expect(paid.response.status).toBe(200);
    expect(paid.data.roundTrips).toBe(2);
  });
});

describe('orders in a store with many orders', () => {
  it('read as many rows each as in a store with one order', async () => {
    const shop = await createSellingStore({ quantity: 1000 });
    const costs = async () => {
      const { id, transactions } = await placeTestOrder(shop, { payment_id: shop.payments.pix });
      const path = `/checkout/transactions/${transactions.data[0].id}`;
      const read = [];
      for (const [request, body] of [
        ['POST /orders', orderBody(shop)],
        [`GET /orders/${id}/items`],
        [`GET /orders/${id}/statuses`],
        [`GET /orders/${id}/transactions`],
        [`GET /orders/${id}/invoices`],
        [`POST ${path}/simulate`, { outcome: 'pay' }],
        [`PUT /orders/${id}`, { status: 'handling_products' }],
      ] as const) {
        read.push((await measureRequest(shop, request, body)).data.rowsRead);
      }
      return read;
    };
    const first = await costs();
    for (let created = 0; created < 60; created += 1) await placeTestOrder(shop);
    const last = await costs();
    for (const [place, cost] of last.entries()) expect(cost).toBeLessThan((first[place] ?? 0) + 15);
  });
});

describe('GET /{alias}/orders', () => {
  it('returns 200 with the orders of a status, customer, number and track code', async () => {
    const shop = await createSellingStore();
    const first = await placeTestOrder(shop);
    const second = await placeTestOrder(shop);
    await shop.api(`PUT /orders/${second.id}`, { status: 'paid', track_code: 'BR123' });
    const ids = async (query: string) =>
      (await shop.api(`GET /orders?${query}`)).body.data.map(({ id }: { id: number }) => id);
    expect(await ids('status_id[]=3')).toEqual([first.id]);
    expect(await ids('status_id=3,4')).toEqual([first.id, second.id]);
    expect(await ids('status[]=paid')).toEqual([second.id]);
    expect(await ids('status[]=delivered')).toEqual([]);
    expect(await ids(`customer_id=${shop.customerId}`)).toEqual([first.id, second.id]);
    expect(await ids('customer_id=999999')).toEqual([]);
    expect(await ids('q=br12')).toEqual([second.id]);
    expect(await ids('orderBy=number&sortedBy=desc')).toEqual([second.id, first.id]);
    expect((await shop.api('GET /orders?orderBy=track_url')).status).toBe(400);
  });

  it('returns 200 with the requested includes, in one round trip', async () => {
    const shop = await createSellingStore();
    await placeTestOrder(shop, { payment_id: shop.payments.pix });
    const plain = await shop.api('GET /orders');
    expect(plain.body.data[0].items).toBeUndefined();
    const { response, data } = await measureRequest(
      shop,
      'GET /orders?include=customer,items,transactions,invoices,shipping_address,statuses',
    );
    expect(data.roundTrips).toBe(1);
    expect(response.body.data[0]).toMatchObject({
      customer: { data: { last_name: sampleCustomer.last_name } },
      transactions: { data: [{ payment: { data: { alias: 'pix', is_pix: true } } }] },
      statuses: { data: [{ alias: 'waiting_payment' }] },
    });
  });
});

describe('GET /{alias}/orders/{id} and what belongs to it', () => {
  it('returns 200 with the order as it was placed, and 404 in another store', async () => {
    const shop = await createSellingStore();
    const order = await placeTestOrder(shop);
    const all = 'customer,items,transactions,invoices,shipping_address,statuses';
    const { body } = await shop.api(`GET /orders/${order.id}?include=${all}`);
    expect(body.data).toEqual(order);
    const other = await createSellingStore();
    for (const part of ['', '/items', '/statuses', '/addresses', '/transactions', '/invoices']) {
      expect((await other.api(`GET /orders/${order.id}${part}`)).status, part).toBe(404);
    }
    expect((await other.api(`PUT /orders/${order.id}`, { status: 'paid' })).status).toBe(404);
  });

  it('returns 200 with pages of its items, statuses, addresses and transactions', async () => {
    const shop = await createSellingStore({ skus: 2 });
    const order = await placeTestOrder(shop, { payment_id: shop.payments.pix });
    await shop.api(`PUT /orders/${order.id}`, { status: 'paid' });
    const dataOf = async (part: string) =>
      (await shop.api(`GET /orders/${order.id}/${part}`)).body.data;
    expect(await dataOf('items')).toEqual(order.items.data);
    expect(await dataOf('addresses')).toEqual([order.shipping_address.data]);
    expect(await dataOf('statuses')).toMatchObject([
      { alias: 'waiting_payment' },
      { status_id: 4 },
    ]);
    expect(await dataOf('transactions')).toEqual(order.transactions.data);
  });
});

describe('GET /{alias}/checkout/statuses', () => {
  it('returns 200 with id, alias, name and following statuses', async () => {
    const shop = await createSellingStore();
    const { body } = await shop.api('GET /checkout/statuses');
    expect(body.data).toHaveLength(10);
    expect(body.data[0]).toEqual({
      id: 3,
      alias: 'waiting_payment',
      name: 'Waiting for payment',
      next: ['paid', 'refused', 'cancelled'],
    });
  });
});

describe('PUT /{alias}/orders/{id}', () => {
  it('returns 200 for a track code, without an event', async () => {
    const shop = await createSellingStore();
    const order = await placeTestOrder(shop);
    await subscribeEndpoint(shop, orderEvents);
    const changes = {
      track_code: 'BR1',
      track_url: 'https://track.test/BR1',
      date_delivery: '2031-03-05 09:04:07',
    };
    const { status, body } = await shop.api(`PUT /orders/${order.id}`, changes);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      track_code: 'BR1',
      date_delivery: { date: '2031-03-05 9:04:07' },
    });
    expect(await recordedEvents(shop)).toEqual([]);
  });

  it('returns 200 and changes nothing for the current status', async () => {
    const shop = await createSellingStore();
    const order = await placeTestOrder(shop);
    await subscribeEndpoint(shop, orderEvents);
    const { body } = await shop.api(`PUT /orders/${order.id}`, { status_id: 3 });
    expect(body.data).toEqual(order);
    expect(await recordedEvents(shop)).toEqual([]);
  });

  it('ends the unpaid transactions of a cancelled order, and keeps a paid one', async () => {
    const shop = await createSellingStore();
    const order = await placeTestOrder(shop);
    const path = `POST /orders/${order.id}/transactions`;
    const pix = await shop.api(path, { payment_id: shop.payments.pix, amount: 40 });
    await shop.api(`POST /checkout/transactions/${pix.body.data.id}/simulate`, { outcome: 'pay' });
    await shop.api(path, { payment_id: shop.payments.billet });
    await subscribeEndpoint(shop, orderEvents);
    const { body } = await shop.api(`PUT /orders/${order.id}`, { status: 'cancelled' });
    const states = body.data.transactions.data.map(({ status }: { status: string }) => status);
    expect(states).toEqual(['paid', 'cancelled']);
    const [moved] = await recordedEvents(shop);
    expect(moved?.resource).toEqual(body.data);
  });

  it('returns 200 for one of two concurrent changes that exclude each other, and 422 for the other', async () => {
    const shop = await createSellingStore();
    const order = await placeTestOrder(shop);
    await subscribeEndpoint(shop, ['order.status.updated']);
    const responses = await Promise.all(
      ['refused', 'paid'].map((status) => shop.api(`PUT /orders/${order.id}`, { status })),
    );
    expect(responses.map(({ status }) => `${status}`).toSorted()).toEqual(['200', '422']);
    expect(await recordedEventNames(shop)).toEqual(['order.status.updated']);
  });

  it('returns 409 when a refused order waits again and its units are gone', async () => {
    const shop = await createSellingStore({ quantity: 1 });
    const order = await placeTestOrder(shop);
    await shop.api(`PUT /orders/${order.id}`, { status: 'refused' });
    await placeTestOrder(shop);
    const { status, body } = await shop.api(`PUT /orders/${order.id}`, {
      status: 'waiting_payment',
    });
    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: 'out_of_stock',
      errors: { 'items.0.sku_id': ['Not enough stock of this SKU.'] },
    });
  });
});
