import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { measureRequest } from '../support/api/measure.ts';
import {
  placeTestOrder,
  createSellingStore,
  stockOf,
  type SellingStore,
} from '../support/fixtures/selling-store.ts';
import {
  recordedEventNames,
  recordedEvents,
  subscribeEndpoint,
} from '../support/webhooks/recorded-events.ts';
import '../support/fixtures/first-shard.ts';

const transactionEvents = [
  'order.paid',
  'order.status.updated',
  'transaction.payment.refused',
  'product.inventory.updated',
];

/** Creates a store with one unpaid order, and records events from then on. */
async function placeUnpaidOrder(alias: string, options: { price?: number; test?: boolean } = {}) {
  const shop = await createSellingStore(options);
  const order = await placeTestOrder(shop, { payment_id: shop.payments[alias] });
  await subscribeEndpoint(shop, transactionEvents);
  const [transaction] = order.transactions.data;
  const action = (what: string, body?: unknown) =>
    shop.api(`POST /checkout/transactions/${transaction.id}/${what}`, body);
  const state = async () =>
    (await shop.api(`GET /orders/${order.id}`)).body.data.status.data.alias as string;
  return { shop, order, transaction, action, state };
}

/** Changes the configuration of a payment type. */
async function configurePayment(shop: SellingStore, alias: string, changes: object) {
  const { body } = await shop.api('GET /checkout/payments?limit=100');
  const { id, config_id } = body.data.find((one: { alias: string }) => one.alias === alias);
  const response = await shop.api(`PUT /checkout/payments/${id}/config/${config_id}`, changes);
  expect(response.status).toBe(200);
}

const flags = (status: string, ...values: boolean[]) => ({
  status,
  authorized: values[0],
  captured: values[1],
  cancelled: values[2],
  can_be_captured: values[3],
  can_be_cancelled: values[4],
});

describe('GET /{alias}/checkout/transactions/{id}', () => {
  it('returns 200 as a page of one, with its numbers as strings and timestamps with six digits', async () => {
    const { shop, transaction } = await placeUnpaidOrder('billet');
    const { status, body } = await shop.api(`GET /checkout/transactions/${transaction.id}`);
    expect(status).toBe(200);
    expect(body.meta.pagination).toEqual({
      total: '1',
      count: '1',
      per_page: '10',
      current_page: '1',
      total_pages: '1',
      links: { previous: '', next: '' },
    });
    expect(body.data).toHaveLength(1);
    const [shown] = body.data;
    expect(shown).toEqual(transaction);
    expect(shown.created_at.date).toMatch(/^\d{4}-\d{2}-\d{2} \d{1,2}:\d{2}:\d{2}\.\d{3}000$/);
    expect(shown).toMatchObject({
      ...flags('waiting_payment', false, false, false, false, true),
      sent_to_antifraud: 'false',
      total_logs: 1,
      metadata: [],
      payment: { data: { alias: 'billet', is_billet: true, active_config: true } },
    });
    expect(shown.billet_date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });

  it('returns 404 for a transaction of another store', async () => {
    const { transaction } = await placeUnpaidOrder('pix');
    const other = await createSellingStore();
    const path = `/checkout/transactions/${transaction.id}`;
    expect((await other.api(`GET ${path}`)).status).toBe(404);
    expect((await other.api(`POST ${path}/cancel`)).status).toBe(404);
  });
});

describe('GET /{alias}/checkout/transactions', () => {
  it('returns 200 by order and status, with numbers as strings', async () => {
    const { shop, order, transaction } = await placeUnpaidOrder('pix');
    const other = await placeTestOrder(shop, { payment_id: shop.payments.credit_card });
    const listed = async (query: string) =>
      (await shop.api(`GET /checkout/transactions?${query}`)).body;
    const page = await listed('limit=1');
    expect(page.meta.pagination).toMatchObject({ total: '2', count: '1', total_pages: '2' });
    expect((await listed(`order_id=${order.id}`)).data).toEqual([transaction]);
    expect((await listed('status[]=authorized')).data).toEqual(other.transactions.data);
    expect((await listed('search=installments:1&orderBy=amount')).data).toHaveLength(2);
    expect((await shop.api('GET /checkout/transactions?page=0')).status).toBe(400);
  });
});

describe('POST /{alias}/orders/{id}/transactions', () => {
  it.each([
    ['credit_card', 'authorized'],
    ['wallet', 'authorized'],
    ['pix', 'waiting_payment'],
    ['pix_in_installments', 'waiting_payment'],
    ['billet', 'waiting_payment'],
    ['deposit', 'waiting_payment'],
  ])('returns 201 for a %s, which is %s, without an event', async (alias, status) => {
    const shop = await createSellingStore();
    const order = await placeTestOrder(shop);
    await subscribeEndpoint(shop, transactionEvents);
    const response = await shop.api(`POST /orders/${order.id}/transactions`, {
      payment_id: shop.payments[alias],
      holder_name: 'Maria Teste',
      truncated_card: '411111******1111',
    });
    expect(response.status).toBe(201);
    expect(response.body.data).toMatchObject({ status, order_id: order.id, amount: 100 });
    expect(await recordedEvents(shop)).toEqual([]);
  });

  it.each([
    ['hours_to_cancel_unpaid_pix', 'pix', { hours_to_cancel_unpaid_pix: 5 }, 5],
    ['days_to_cancel_unpaid_billets', 'billet', { days_to_cancel_unpaid_billets: 2 }, 48],
  ])('is due after %s', async (_name, alias, changes, hours) => {
    const shop = await createSellingStore();
    await configurePayment(shop, alias, changes);
    const order = await placeTestOrder(shop, { payment_id: shop.payments[alias] });
    const { results } = await env.STORE_0.prepare(
      'select due_at - created_at as after from transactions where order_id = ?',
    )
      .bind(order.id)
      .all();
    expect(results).toEqual([{ after: hours * 3_600_000 }]);
  });

  it('schedules the capture by the affiliation', async () => {
    const shop = await createSellingStore();
    const { body } = await shop.api('GET /checkout/payments?limit=100');
    const card = body.data.find(({ alias }: { alias: string }) => alias === 'credit_card');
    const [affiliation] = (
      await env.STORE_0.prepare('select id from affiliations where store_id = ?')
        .bind(shop.id)
        .all<{ id: number }>()
    ).results;
    const order = await placeTestOrder(shop, {
      payment_id: card.id,
      affiliation_id: affiliation?.id,
    });
    const { results } = await env.STORE_0.prepare(
      `select due_at - created_at as due, capture_date - created_at as planned
       from transactions where order_id = ?`,
    )
      .bind(order.id)
      .all();
    expect(results).toEqual([{ due: 24 * 3_600_000, planned: 24 * 3_600_000 }]);
  });

  it('allows the installments without tax, and rounds an installment up', async () => {
    const shop = await createSellingStore({ price: 100 });
    await configurePayment(shop, 'credit_card', { max_installments_without_tax: 3 });
    const pay = async (installments: number) =>
      shop.api(`POST /orders/${(await placeTestOrder(shop)).id}/transactions`, {
        payment_id: shop.payments.credit_card,
        installments,
      });
    expect((await pay(3)).body.data).toMatchObject({
      installments: 3,
      installment_value: 33.34,
      installment_formated: '3x R$ 33,34',
      buyer_amount: 100,
    });
    const { status, body } = await pay(4);
    expect(status).toBe(422);
    expect(body.errors).toEqual({ installments: ['Must be one of 1, 2, 3.'] });
  });

  it('adds the tax of the plan above that number, and keeps installments above the minimum', async () => {
    const shop = await createSellingStore({ price: 1200 });
    await configurePayment(shop, 'credit_card', {
      max_installments_without_tax: 2,
      min_installment_value: 150,
      installments: [
        { installment: 2 },
        { installment: 6, tax: 10 },
        { installment: 12, tax: 20 },
        { installment: 5, tax: 8, end_at: '2020-01-01 00:00:00' },
      ],
    });
    const order = await placeTestOrder(shop);
    const pay = (installments: number) =>
      shop.api(`POST /orders/${order.id}/transactions`, {
        payment_id: shop.payments.credit_card,
        installments,
      });
    expect((await pay(12)).body.errors).toEqual({ installments: ['Must be one of 1, 2, 6.'] });
    expect((await pay(6)).body.data).toMatchObject({
      amount: 1200,
      buyer_amount: 1320,
      installment_value: 200,
      buyer_installment_value: 220,
      buyer_installment_formated: '6x R$ 220,00',
    });
    const returned = await shop.api(`GET /orders/${order.id}`);
    expect(returned.body.data).toMatchObject({ value_total: 1200, buyer_value_total: 1320 });
  });

  it('adds the interest of all live transactions to what the buyer pays, as it is captured', async () => {
    const shop = await createSellingStore({ price: 1200 });
    await configurePayment(shop, 'credit_card', { installments: [{ installment: 6, tax: 10 }] });
    const { id } = await placeTestOrder(shop);
    const pay = (installments: number, amount?: number) =>
      shop.api(`POST /orders/${id}/transactions`, {
        payment_id: shop.payments.credit_card,
        installments,
        amount,
      });
    const buyerTotal = async () =>
      (await shop.api(`GET /orders/${id}`)).body.data.buyer_value_total as number;
    const { body } = await pay(6, 600);
    expect(body.data).toMatchObject({ amount: 600, buyer_amount: 660, installment_value: 100 });
    expect(await buyerTotal()).toBe(1260);
    const path = `POST /checkout/transactions/${body.data.id}/capture`;
    expect((await shop.api(path, { amount: 300 })).body.data.buyer_amount).toBe(330);
    expect(await buyerTotal()).toBe(1230);
    expect((await pay(6)).body.data).toMatchObject({ amount: 900, buyer_amount: 990 });
    expect(await buyerTotal()).toBe(1320);
  });

  it('returns 409 when the order is paid, and 404 for an unknown order', async () => {
    const shop = await createSellingStore();
    const order = await placeTestOrder(shop, { status: 'paid' });
    const body = { payment_id: shop.payments.pix };
    const { status, body: response } = await shop.api(
      `POST /orders/${order.id}/transactions`,
      body,
    );
    expect({ status, code: response.code }).toEqual({ status: 409, code: 'order_not_payable' });
    expect((await shop.api('POST /orders/999999999/transactions', body)).status).toBe(404);
  });

  it('makes a refused order wait again, and reserves its units again', async () => {
    const { shop, order, action } = await placeUnpaidOrder('credit_card');
    await action('simulate', { outcome: 'refuse' });
    expect(await stockOf(shop, shop.skuIds[0]!)).toEqual({ quantity: 10, reserved: 0 });
    const before = (await recordedEvents(shop)).length;
    const response = await shop.api(`POST /orders/${order.id}/transactions`, {
      payment_id: shop.payments.pix,
    });
    expect(response.status).toBe(201);
    expect(await stockOf(shop, shop.skuIds[0]!)).toEqual({ quantity: 10, reserved: 1 });
    const events = (await recordedEvents(shop)).slice(before);
    expect(events.map(({ event }) => event)).toEqual([
      'order.status.updated',
      'product.inventory.updated',
    ]);
    const all = 'customer,items,transactions,invoices,shipping_address,statuses';
    const { body } = await shop.api(`GET /orders/${order.id}?include=${all}`);
    expect(events[0]?.resource).toEqual(body.data);
    expect(body.data.payments).toHaveLength(2);
  });
});

describe('POST /{alias}/checkout/transactions/{id}/capture', () => {
  it('returns 200 with the transaction paid, and its order as well, in two round trips', async () => {
    const { shop, transaction, state } = await placeUnpaidOrder('credit_card');
    const { response, data } = await measureRequest(
      shop,
      `POST /checkout/transactions/${transaction.id}/capture`,
      {},
    );
    expect(data.roundTrips).toBe(2);
    expect(response.status).toBe(200);
    expect(response.body.data).toMatchObject({
      ...flags('paid', true, true, false, false, true),
      total_logs: 2,
      authorized_at: transaction.authorized_at,
    });
    expect(response.body.data.capture_date).toEqual(response.body.data.captured_at);
    expect(await state()).toBe('paid');
    expect(await stockOf(shop, shop.skuIds[0]!)).toEqual({ quantity: 9, reserved: 0 });
    expect(await recordedEventNames(shop)).toEqual([
      'order.status.updated',
      'order.paid',
      'product.inventory.updated',
    ]);
  });

  it('returns 200 for a part of the amount, and 422 for more than it', async () => {
    const { action } = await placeUnpaidOrder('credit_card', { price: 100 });
    const rejected = await action('capture', { amount: 100.01 });
    expect({ status: rejected.status, fields: Object.keys(rejected.body.errors) }).toEqual({
      status: 422,
      fields: ['amount'],
    });
    const { body } = await action('capture', { amount: 60 });
    expect(body.data).toMatchObject({ amount: 60, buyer_amount: 60, installment_value: 60 });
  });

  it('returns 200 for one of two concurrent captures and 409 for the other, with one order.paid', async () => {
    const { shop, action } = await placeUnpaidOrder('credit_card');
    const responses = await Promise.all([action('capture', {}), action('capture', {})]);
    expect(responses.map(({ status }) => `${status}`).toSorted()).toEqual(['200', '409']);
    const names = await recordedEventNames(shop);
    expect(names.filter((name) => name === 'order.paid')).toHaveLength(1);
  });

  it('returns 409 for a pix, and 404 for an unknown transaction', async () => {
    const { shop, action } = await placeUnpaidOrder('pix');
    const { status, body } = await action('capture', {});
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'transaction_status' });
    expect((await shop.api('POST /checkout/transactions/999999999/capture', {})).status).toBe(404);
  });
});

describe('POST /{alias}/checkout/transactions/{id}/cancel', () => {
  it('returns 200, cancels the order with its last transaction and releases its stock; then returns 409', async () => {
    const { shop, action, state } = await placeUnpaidOrder('credit_card');
    const { body } = await action('cancel');
    expect(body.data).toMatchObject(flags('cancelled', true, false, true, false, false));
    expect(body.data.cancelled_at).not.toBeNull();
    expect(await state()).toBe('cancelled');
    expect(await stockOf(shop, shop.skuIds[0]!)).toEqual({ quantity: 10, reserved: 0 });
    expect(await recordedEventNames(shop)).toEqual([
      'order.status.updated',
      'product.inventory.updated',
    ]);
    expect((await action('cancel')).status).toBe(409);
  });

  it('returns 200 and the order waits while another transaction is open', async () => {
    const { shop, order, action, state } = await placeUnpaidOrder('credit_card');
    await action('capture', { amount: 60 });
    const { body } = await shop.api(`POST /orders/${order.id}/transactions`, {
      payment_id: shop.payments.billet,
    });
    const cancelled = await shop.api(`POST /checkout/transactions/${body.data.id}/cancel`);
    expect(cancelled.body.data).toMatchObject({ status: 'cancelled', amount: 40 });
    expect(await state()).toBe('waiting_payment');
    expect(await recordedEvents(shop)).toEqual([]);
  });

  it('returns 200 and refunds a paid transaction, cancels the order and returns its units', async () => {
    const { shop, action, state } = await placeUnpaidOrder('credit_card');
    await action('capture', {});
    const { body } = await action('cancel');
    expect(body.data).toMatchObject(flags('refunded', true, true, true, false, false));
    expect(await state()).toBe('cancelled');
    expect(await stockOf(shop, shop.skuIds[0]!)).toEqual({ quantity: 10, reserved: 0 });
  });

  it('returns 200 and refunds a transaction of a shipped order, which stays shipped', async () => {
    const { shop, order, action, state } = await placeUnpaidOrder('credit_card');
    await action('capture', {});
    for (const status of ['invoiced', 'on_carriage']) {
      await shop.api(`PUT /orders/${order.id}`, { status });
    }
    const before = (await recordedEvents(shop)).length;
    expect((await action('cancel')).body.data.status).toBe('refunded');
    expect(await state()).toBe('on_carriage');
    expect((await recordedEvents(shop)).length).toBe(before);
  });
});

describe('POST /{alias}/checkout/transactions/{id}/simulate', () => {
  it('returns 403 in a store that is no test store', async () => {
    const { action, transaction, shop } = await placeUnpaidOrder('pix', { test: false });
    const { status, body } = await action('simulate', { outcome: 'pay' });
    expect([status, body.code, Object.keys(body.errors)]).toEqual([
      403,
      'test_store_only',
      ['outcome'],
    ]);
    const { body: shown } = await shop.api(`GET /checkout/transactions/${transaction.id}`);
    expect(shown.data).toEqual([transaction]);
  });

  it('returns 200 and pays a pix', async () => {
    const { action, state } = await placeUnpaidOrder('pix');
    const { body } = await action('simulate', { outcome: 'pay' });
    expect(body.data).toMatchObject(flags('paid', true, true, false, false, true));
    expect(await state()).toBe('paid');
  });

  it('returns 200 and refuses: publishes transaction.payment.refused, then the order', async () => {
    const { shop, order, action, state } = await placeUnpaidOrder('credit_card');
    const { body } = await action('simulate', { outcome: 'refuse' });
    expect(body.data).toMatchObject({
      ...flags('refused', false, false, false, false, false),
      authorized_at: null,
      capture_date: null,
      error_code: 51,
    });
    expect(await state()).toBe('refused');
    const events = await recordedEvents(shop);
    expect(events.map(({ event }) => event)).toEqual([
      'transaction.payment.refused',
      'order.status.updated',
      'product.inventory.updated',
    ]);
    expect(events[0]?.resource).toEqual({
      ...body.data,
      customer: { data: order.customer.data },
      cart: { data: null },
    });
  });

  it('returns 200 for an authorized card without a change, and 409 otherwise', async () => {
    const card = await placeUnpaidOrder('credit_card');
    const { body } = await card.action('simulate', { outcome: 'authorize' });
    expect(body.data).toEqual(card.transaction);
    const pix = await placeUnpaidOrder('pix');
    expect((await pix.action('simulate', { outcome: 'authorize' })).status).toBe(409);
  });

  it('returns 422 for an unknown outcome', async () => {
    const { action } = await placeUnpaidOrder('pix');
    expect((await action('simulate', { outcome: 'explode' })).status).toBe(422);
  });
});
