import { describe, expect, it } from 'vitest';
import { measured } from '../support/counted.ts';
import { eventsOf, subscribe } from '../support/events.ts';
import { placed, sellingStore } from '../support/selling.ts';

const watched = ['order.invoice.created', 'order.invoice.updated', 'order.status.updated'];

const keyOf = (number: number) => String(number).padStart(44, '3');

const invoice = (number = 1) => ({
  number,
  series: 1,
  access_key: keyOf(number),
  value: 100,
  issued_at: '2031-03-05 09:04:07',
  url: 'https://invoices.test/1.pdf',
});

async function paidOrder() {
  const shop = await sellingStore();
  const order = await placed(shop, { status: 'paid' });
  await subscribe(shop, watched);
  return { shop, order, path: `/orders/${order.id}/invoices` };
}

const plainOrder = async (
  api: (request: string) => Promise<{ body: { data: object } }>,
  id: number,
) => (await api(`GET /orders/${id}`)).body.data;

describe('POST /{alias}/orders/{id}/invoices', () => {
  it('201; the first one moves the order to invoiced, in two round trips', async () => {
    const { shop, order, path } = await paidOrder();
    const { answer, data } = await measured(shop, `POST ${path}`, invoice());
    expect(answer.status).toBe(201);
    expect(data.trips).toBe(2);
    expect(answer.body.data).toMatchObject({
      order_id: order.id,
      status: 'issued',
      access_key: keyOf(1),
      issued_at: { date: '2031-03-05 9:04:07' },
    });
    const shown = await plainOrder(shop.api, order.id);
    expect(shown).toMatchObject({
      status_id: 10,
      desire_status: ['ready_for_shipping', 'on_carriage'],
    });
    const events = await eventsOf(shop);
    expect(events.map(({ event }) => event)).toEqual([
      'order.invoice.created',
      'order.status.updated',
    ]);
    expect(events[0]?.resource).toEqual({ ...answer.body.data, order: { data: shown } });
  });

  it('201; the second one leaves the order where it is', async () => {
    const { shop, path } = await paidOrder();
    await shop.api(`POST ${path}`, invoice(1));
    expect((await shop.api(`POST ${path}`, invoice(2))).status).toBe(201);
    expect((await eventsOf(shop)).map(({ event }) => event).slice(2)).toEqual([
      'order.invoice.created',
    ]);
    expect((await shop.api(`GET ${path}`)).body.data).toHaveLength(2);
  });

  it('409 before the order is paid; 404 for no order', async () => {
    const shop = await sellingStore();
    const order = await placed(shop);
    const { status, body } = await shop.api(`POST /orders/${order.id}/invoices`, invoice());
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'order_not_paid' });
    expect((await shop.api('POST /orders/999999999/invoices', invoice())).status).toBe(404);
  });

  it.each([
    ['access_key', '1'.repeat(43)],
    ['access_key', 'x'.repeat(44)],
    ['number', 0],
    ['series', 1000],
    ['value', -1],
    ['issued_at', '2031-03-05'],
    ['url', 'not a url'],
  ])('422 for %s %j', async (field, value) => {
    const { shop, path } = await paidOrder();
    const { status, body } = await shop.api(`POST ${path}`, { ...invoice(), [field]: value });
    expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: [field] });
  });

  it('422 for an access key that is taken, also when two come at once', async () => {
    const { shop, path } = await paidOrder();
    const other = await placed(shop, { status: 'paid' });
    const answers = await Promise.all([
      shop.api(`POST ${path}`, invoice()),
      shop.api(`POST /orders/${other.id}/invoices`, invoice()),
    ]);
    expect(answers.map(({ status }) => `${status}`).toSorted()).toEqual(['201', '422']);
    const { body } = answers.find(({ status }) => status === 422)!;
    expect(body.errors).toEqual({ access_key: ['Already taken.'] });
  });
});

describe('PUT /{alias}/orders/{orderId}/invoices/{id}', () => {
  async function issued() {
    const made = await paidOrder();
    const { body } = await made.shop.api(`POST ${made.path}`, invoice());
    const before = (await eventsOf(made.shop)).length;
    const put = (changes: object) => made.shop.api(`PUT ${made.path}/${body.data.id}`, changes);
    const events = async () => (await eventsOf(made.shop)).slice(before);
    return { ...made, put, events, id: body.data.id };
  }

  it('200 corrected, again and again; each tells of it', async () => {
    const { shop, order, put, events, path, id } = await issued();
    expect((await put({ value: 90 })).body.data).toMatchObject({ status: 'corrected', value: 90 });
    const second = await put({ value: 80, status: 'corrected' });
    expect(second.body.data).toMatchObject({ status: 'corrected', value: 80 });
    expect((await shop.api(`GET ${path}/${id}`)).body.data).toEqual(second.body.data);
    const told = await events();
    expect(told.map(({ event }) => event)).toEqual([
      'order.invoice.updated',
      'order.invoice.updated',
    ]);
    const shown = await plainOrder(shop.api, order.id);
    expect(told[1]?.resource).toEqual({ ...second.body.data, order: { data: shown } });
  });

  it('200 and no event when nothing changes', async () => {
    const { put, events } = await issued();
    expect((await put({ value: 100, status: 'issued' })).body.data.status).toBe('issued');
    expect(await events()).toEqual([]);
  });

  it('200 cancelled; then the order may be cancelled, and the invoice is 409', async () => {
    const { shop, order, put } = await issued();
    const early = await shop.api(`PUT /orders/${order.id}`, { status: 'cancelled' });
    expect(early.body.errors).toEqual({
      status_id: ['Must be one of ready_for_shipping, on_carriage.'],
    });
    expect((await put({ status: 'cancelled' })).body.data.status).toBe('cancelled');
    expect((await put({ value: 1 })).body.code).toBe('invoice_cancelled');
    expect((await put({ status: 'corrected' })).status).toBe(409);
    const late = await shop.api(`PUT /orders/${order.id}`, { status: 'cancelled' });
    expect(late.status).toBe(200);
  });

  it('422 back to issued', async () => {
    const { put } = await issued();
    await put({ value: 90 });
    const { status, body } = await put({ status: 'issued' });
    expect({ status, fields: Object.keys(body.errors) }).toEqual({
      status: 422,
      fields: ['status'],
    });
  });

  it('422 for the access key of another one', async () => {
    const { shop, path, put } = await issued();
    await shop.api(`POST ${path}`, invoice(2));
    expect((await put({ access_key: keyOf(2) })).body.errors).toEqual({
      access_key: ['Already taken.'],
    });
  });

  it('404 under another order, and in another store', async () => {
    const { shop, id } = await issued();
    const other = await placed(shop);
    expect((await shop.api(`GET /orders/${other.id}/invoices/${id}`)).status).toBe(404);
    expect((await shop.api(`PUT /orders/${other.id}/invoices/${id}`, {})).status).toBe(404);
  });
});

describe('GET /{alias}/orders/{id}/invoices', () => {
  it('200 with those of this order alone', async () => {
    const { shop, path } = await paidOrder();
    const { body: made } = await shop.api(`POST ${path}`, invoice());
    const other = await placed(shop, { status: 'paid' });
    const { status, body } = await shop.api(`GET ${path}`);
    expect([status, body.data]).toEqual([200, [made.data]]);
    expect((await shop.api(`GET /orders/${other.id}/invoices`)).body.data).toEqual([]);
  });
});
