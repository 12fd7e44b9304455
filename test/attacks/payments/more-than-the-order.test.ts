import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { callAtOnce, callByCrowd, countStatuses, crowd } from '../../support/api/at-once.ts';
import { measureRequest } from '../../support/api/measure.ts';
import { createSellingStore, placeTestOrder } from '../../support/fixtures/selling-store.ts';
import { runsOf } from '../../support/slow.ts';
import { recordedEventNames, subscribeEndpoint } from '../../support/webhooks/recorded-events.ts';
import '../../support/fixtures/first-shard.ts';

/** Creates a store with an order of 20.00; `pay` adds a payment and returns the answer. */
async function placeOrderOfTwenty(alias?: string) {
  const shop = await createSellingStore({ price: 20 });
  const payment_id = alias && shop.payments[alias];
  const order = await placeTestOrder(shop, payment_id ? { payment_id } : {});
  await subscribeEndpoint(shop, ['order.paid', 'order.status.updated']);
  const path = `POST /orders/${order.id}/transactions`;
  const bodyOf = (kind: string, amount?: number) => ({
    payment_id: shop.payments[kind],
    ...(amount !== undefined && { amount }),
  });
  const pay = (kind: string, amount?: number) => shop.api(path, bodyOf(kind, amount));
  const act = (id: number, what: string, body: object = {}) =>
    shop.api(`POST /checkout/transactions/${id}/${what}`, body);
  const read = async () => {
    const { body } = await shop.api(`GET /orders/${order.id}?include=transactions`);
    const { status, transactions, value_total, buyer_value_total } = body.data;
    return {
      status: status.data.alias as string,
      totals: [value_total, buyer_value_total],
      payments: transactions.data.map(
        ({ status: state, amount }: { status: string; amount: number }) => `${state} ${amount}`,
      ),
    };
  };
  const [first] = order.transactions.data as { id: number }[];
  return { shop, order, path, bodyOf, pay, act, read, firstId: first?.id ?? 0 };
}

/** The cents of the live transactions of an order, and those of captured ones. */
const sumsOf = (orderId: number) =>
  env.STORE_0.prepare(
    `select coalesce(sum(amount) filter (where status in ('waiting_payment', 'authorized', 'paid')), 0) as live,
      coalesce(sum(amount) filter (where status = 'paid'), 0) as captured
     from transactions where order_id = ?`,
  )
    .bind(orderId)
    .first<{ live: number; captured: number }>();

describe('whoever may write transactions of an order of 20.00', () => {
  it('authorizes 20.00 once: another payment is 409 until that one is cancelled', async () => {
    const { pay, act, read, order, firstId } = await placeOrderOfTwenty('credit_card');
    for (const kind of ['credit_card', 'wallet', 'pix']) {
      const { status, body } = await pay(kind);
      expect([status, body.code, Object.keys(body.errors)], kind).toEqual([
        409,
        'order_not_payable',
        ['amount'],
      ]);
    }
    expect((await pay('credit_card', 0.01)).status).toBe(409);
    expect((await act(firstId, 'capture')).status).toBe(200);
    expect((await pay('credit_card')).status).toBe(409);
    expect(await read()).toMatchObject({ status: 'paid', payments: ['paid 20'] });
    expect(await sumsOf(order.id)).toEqual({ live: 2000, captured: 2000 });
  });

  it('captures 0.01 at least (422), and the order is paid once its total is captured', async () => {
    const { shop, pay, act, read, firstId } = await placeOrderOfTwenty('credit_card');
    for (const amount of [0, -0, -0.01, 0.001, 0.009, 1e-9, 20.01, '0.01', null]) {
      const { status, body } = await act(firstId, 'capture', { amount });
      expect([status, Object.keys(body.errors)], `${amount}`).toEqual([422, ['amount']]);
    }
    expect((await act(firstId, 'capture', { amount: 0.01 })).status).toBe(200);
    expect(await read()).toMatchObject({ status: 'waiting_payment', payments: ['paid 0.01'] });
    expect(await recordedEventNames(shop)).toEqual([]);

    for (const amount of [0, 0.001, 20]) {
      expect((await pay('credit_card', amount)).status, `${amount}`).toBe(422);
    }
    const rest = await pay('credit_card');
    expect(rest.body.data).toMatchObject({ status: 'authorized', amount: 19.99 });
    expect((await act(rest.body.data.id, 'capture')).status).toBe(200);
    expect(await read()).toMatchObject({ status: 'paid', payments: ['paid 0.01', 'paid 19.99'] });
    expect(await recordedEventNames(shop)).toEqual(['order.status.updated', 'order.paid']);
  });

  it('pays with two cards by amount, each refused beyond what the other leaves (422)', async () => {
    const { shop, pay, act, read, order } = await placeOrderOfTwenty();
    const one = await pay('credit_card', 12);
    expect(one.body.data).toMatchObject({ amount: 12, installment_value: 12 });
    const { status, body } = await pay('wallet', 8.01);
    expect([status, body.errors]).toEqual([
      422,
      { amount: ['Must be at most 8: other transactions cover the rest of the total.'] },
    ]);
    const two = await pay('wallet', 8);
    expect((await act(two.body.data.id, 'capture')).status).toBe(200);
    expect((await read()).status).toBe('waiting_payment');
    expect((await act(one.body.data.id, 'simulate', { outcome: 'refuse' })).status).toBe(200);
    // What was captured keeps the order open when the last unpaid card is refused.
    expect(await read()).toMatchObject({ status: 'waiting_payment', totals: [20, 20] });
    const three = await pay('credit_card');
    expect((await act(three.body.data.id, 'capture')).status).toBe(200);
    expect(await recordedEventNames(shop)).toEqual(['order.status.updated', 'order.paid']);
    expect(await sumsOf(order.id)).toEqual({ live: 2000, captured: 2000 });
    // One of several refunds leaves the order paid, and takes no further payment; the last one
    // cancels it.
    expect((await act(two.body.data.id, 'cancel')).body.data.status).toBe('refunded');
    expect((await read()).status).toBe('paid');
    expect((await pay('credit_card')).status).toBe(409);
    expect((await act(three.body.data.id, 'cancel')).body.data.status).toBe('refunded');
    expect((await read()).status).toBe('cancelled');
  });

  it('changes from a pix to a card in one request: the pix is cancelled, and cannot be paid (409)', async () => {
    const { shop, order, path, bodyOf, act, read, firstId } = await placeOrderOfTwenty('pix');
    const { response, data } = await measureRequest(shop, path, bodyOf('credit_card'));
    expect([response.status, data.roundTrips]).toEqual([201, 2]);
    expect(await read()).toEqual({
      status: 'waiting_payment',
      totals: [20, 20],
      payments: ['cancelled 20', 'authorized 20'],
    });
    expect((await act(firstId, 'simulate', { outcome: 'pay' })).status).toBe(409);
    // What is authorized is replaced by way of the order, which releases it.
    expect((await shop.api(`PUT /orders/${order.id}`, { status: 'refused' })).status).toBe(200);
    const again = await shop.api(path, bodyOf('credit_card'));
    expect((await act(again.body.data.id, 'capture')).status).toBe(200);
    expect((await read()).status).toBe('paid');
  });

  it('keeps a pix that leaves enough of the total for the new payment', async () => {
    const { pay, read, act } = await placeOrderOfTwenty();
    const pix = await pay('pix', 5);
    const card = await pay('credit_card', 15);
    expect((await read()).payments).toEqual(['waiting_payment 5', 'authorized 15']);
    await act(card.body.data.id, 'capture');
    expect((await read()).status).toBe('waiting_payment');
    await act(pix.body.data.id, 'simulate', { outcome: 'pay' });
    expect(await read()).toMatchObject({ status: 'paid', payments: ['paid 5', 'paid 15'] });
  });

  it('leaves an order of nothing as it was: its payment is of nothing', async () => {
    const shop = await createSellingStore({ price: 20 });
    const order = await placeTestOrder(shop, { value_discount: 20 });
    const body = { payment_id: shop.payments.credit_card };
    const paid = await shop.api(`POST /orders/${order.id}/transactions`, body);
    expect(paid.body.data).toMatchObject({ status: 'authorized', amount: 0 });
    const capture = `POST /checkout/transactions/${paid.body.data.id}/capture`;
    expect((await shop.api(capture, { amount: 0 })).status).toBe(422);
    expect((await shop.api(capture)).status).toBe(200);
    expect((await shop.api(`GET /orders/${order.id}`)).body.data.authorized).toBe(true);
  });

  it('gets no more at once: of many that pay, capture and cancel, live payments stay within it', async () => {
    const { shop, path, bodyOf, order } = await placeOrderOfTwenty();
    const callers = runsOf(crowd, 12);
    const added = await callByCrowd(shop, () => [path, bodyOf('credit_card')], { callers });
    expect(countStatuses(added)).toEqual({ 201: 1, 409: callers - 1 });
    const { body } = await shop.api(`GET /orders/${order.id}?include=transactions`);
    const [{ id }] = body.data.transactions.data;
    const mixed = await callAtOnce(
      shop,
      Array.from({ length: callers }, (_, caller) =>
        caller % 3 === 0
          ? ([`POST /checkout/transactions/${id}/capture`, { amount: 5 }] as const)
          : ([path, bodyOf(caller % 3 === 1 ? 'credit_card' : 'pix', 10)] as const),
      ),
    );
    for (const { status } of mixed) expect([200, 201, 409, 422]).toContain(status);
    const { live = 0, captured = 0 } = (await sumsOf(order.id)) ?? {};
    expect(captured).toBe(500);
    expect(live).toBeLessThanOrEqual(2000);
    const { body: after } = await shop.api(`GET /orders/${order.id}`);
    expect(after.data.status.data.alias).toBe('waiting_payment');
  });
});
