import { describe, expect, it } from 'vitest';
import { measureRequest } from '../support/api/measure.ts';
import { placeTestOrder, createSellingStore } from '../support/fixtures/selling-store.ts';
import { recordedEvents, subscribeEndpoint } from '../support/webhooks/recorded-events.ts';

const invoiceEvents = ['order.invoice.created', 'order.invoice.updated', 'order.status.updated'];

const accessKey = (number: number) => String(number).padStart(44, '3');

const invoice = (number = 1) => ({
  number,
  series: 1,
  access_key: accessKey(number),
  value: 100,
  issued_at: '2031-03-05 09:04:07',
  url: 'https://invoices.test/1.pdf',
});

async function placePaidOrder() {
  const shop = await createSellingStore();
  const order = await placeTestOrder(shop, { status: 'paid' });
  await subscribeEndpoint(shop, invoiceEvents);
  return { shop, order, path: `/orders/${order.id}/invoices` };
}

const readOrder = async (
  api: (request: string) => Promise<{ body: { data: object } }>,
  id: number,
) => (await api(`GET /orders/${id}`)).body.data;

describe('POST /{alias}/orders/{id}/invoices', () => {
  it('returns 201 and moves the order to invoiced with the first invoice, in two round trips', async () => {
    const { shop, order, path } = await placePaidOrder();
    const { response, data } = await measureRequest(shop, `POST ${path}`, invoice());
    expect(response.status).toBe(201);
    expect(data.roundTrips).toBe(2);
    expect(response.body.data).toMatchObject({
      order_id: order.id,
      status: 'issued',
      access_key: accessKey(1),
      issued_at: { date: '2031-03-05 9:04:07' },
    });
    const returned = await readOrder(shop.api, order.id);
    expect(returned).toMatchObject({
      status_id: 10,
      desire_status: ['ready_for_shipping', 'on_carriage'],
    });
    const events = await recordedEvents(shop);
    expect(events.map(({ event }) => event)).toEqual([
      'order.invoice.created',
      'order.status.updated',
    ]);
    expect(events[0]?.resource).toEqual({ ...response.body.data, order: { data: returned } });
  });

  it('returns 201 and leaves the order unchanged with the second invoice', async () => {
    const { shop, path } = await placePaidOrder();
    await shop.api(`POST ${path}`, invoice(1));
    expect((await shop.api(`POST ${path}`, invoice(2))).status).toBe(201);
    expect((await recordedEvents(shop)).map(({ event }) => event).slice(2)).toEqual([
      'order.invoice.created',
    ]);
    expect((await shop.api(`GET ${path}`)).body.data).toHaveLength(2);
  });

  it('returns 409 before the order is paid, and 404 for an unknown order', async () => {
    const shop = await createSellingStore();
    const order = await placeTestOrder(shop);
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
  ])('returns 422 for %s %j', async (field, value) => {
    const { shop, path } = await placePaidOrder();
    const { status, body } = await shop.api(`POST ${path}`, { ...invoice(), [field]: value });
    expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: [field] });
  });

  it('returns 422 for an access key that is taken, also by a concurrent request', async () => {
    const { shop, path } = await placePaidOrder();
    const other = await placeTestOrder(shop, { status: 'paid' });
    const responses = await Promise.all([
      shop.api(`POST ${path}`, invoice()),
      shop.api(`POST /orders/${other.id}/invoices`, invoice()),
    ]);
    expect(responses.map(({ status }) => `${status}`).toSorted()).toEqual(['201', '422']);
    const { body } = responses.find(({ status }) => status === 422)!;
    expect(body.errors).toEqual({ access_key: ['Already taken.'] });
  });
});

describe('PUT /{alias}/orders/{orderId}/invoices/{id}', () => {
  async function issued() {
    const created = await placePaidOrder();
    const { body } = await created.shop.api(`POST ${created.path}`, invoice());
    const before = (await recordedEvents(created.shop)).length;
    const put = (changes: object) =>
      created.shop.api(`PUT ${created.path}/${body.data.id}`, changes);
    const events = async () => (await recordedEvents(created.shop)).slice(before);
    return { ...created, put, events, id: body.data.id };
  }

  it('returns 200 with the status corrected for every change, and publishes each', async () => {
    const { shop, order, put, events, path, id } = await issued();
    expect((await put({ value: 90 })).body.data).toMatchObject({ status: 'corrected', value: 90 });
    const second = await put({ value: 80, status: 'corrected' });
    expect(second.body.data).toMatchObject({ status: 'corrected', value: 80 });
    expect((await shop.api(`GET ${path}/${id}`)).body.data).toEqual(second.body.data);
    const published = await events();
    expect(published.map(({ event }) => event)).toEqual([
      'order.invoice.updated',
      'order.invoice.updated',
    ]);
    const returned = await readOrder(shop.api, order.id);
    expect(published[1]?.resource).toEqual({ ...second.body.data, order: { data: returned } });
  });

  it('returns 200 and publishes no event when nothing changes', async () => {
    const { put, events } = await issued();
    expect((await put({ value: 100, status: 'issued' })).body.data.status).toBe('issued');
    expect(await events()).toEqual([]);
  });

  it('returns 200 for a cancellation; then the order can be cancelled, and a change of the invoice returns 409', async () => {
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

  it('returns 422 for a change back to issued', async () => {
    const { put } = await issued();
    await put({ value: 90 });
    const { status, body } = await put({ status: 'issued' });
    expect({ status, fields: Object.keys(body.errors) }).toEqual({
      status: 422,
      fields: ['status'],
    });
  });

  it('returns 422 for the access key of another invoice', async () => {
    const { shop, path, put } = await issued();
    await shop.api(`POST ${path}`, invoice(2));
    expect((await put({ access_key: accessKey(2) })).body.errors).toEqual({
      access_key: ['Already taken.'],
    });
  });

  it('returns 404 under another order, and in another store', async () => {
    const { shop, id } = await issued();
    const other = await placeTestOrder(shop);
    expect((await shop.api(`GET /orders/${other.id}/invoices/${id}`)).status).toBe(404);
    expect((await shop.api(`PUT /orders/${other.id}/invoices/${id}`, {})).status).toBe(404);
  });
});

describe('GET /{alias}/orders/{id}/invoices', () => {
  it('returns 200 with the invoices of this order only', async () => {
    const { shop, path } = await placePaidOrder();
    const { body: made } = await shop.api(`POST ${path}`, invoice());
    const other = await placeTestOrder(shop, { status: 'paid' });
    const { status, body } = await shop.api(`GET ${path}`);
    expect([status, body.data]).toEqual([200, [made.data]]);
    expect((await shop.api(`GET /orders/${other.id}/invoices`)).body.data).toEqual([]);
  });
});
