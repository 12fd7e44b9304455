import { describe, expect, it } from 'vitest';
import { sampleCustomer } from '../fixtures/sample-data.ts';
import { createTestStore } from '../fixtures/store.ts';
import { recordedEvents, subscribeEndpoint } from '../webhooks/recorded-events.ts';
import { expectDocumented, expectDocumentedEvent } from './conform.ts';

const headers = new Headers({
  'X-Request-Id': '0123456789abcdef',
  'Content-Type': 'application/json',
  'Cache-Control': 'private, no-store',
  'RateLimit-Policy': '"credential";q=600;w=60, "store";q=3000;w=60',
});

const recordHeaders = new Headers(headers);
recordHeaders.set('Cache-Control', 'private, no-store, no-transform');
recordHeaders.set('ETag', '"0123456789abcdefghijkl"');

const notFound = {
  message: '404 Not Found',
  status_code: 404,
  code: 'not_found',
  hint: 'Check the ids.',
  request_id: '0123456789abcdef',
  documentation_url: 'https://api.test/docs/guides/errors#not_found',
};

/** Tests the assertion that every other test relies on: it must be able to fail. */
describe('expectDocumented', () => {
  async function createBrand() {
    const { api } = await createTestStore();
    const { body } = await api('POST /catalog/brands', { name: 'a', active: true });
    return body.data;
  }
  const check = (status: number, body: unknown) =>
    expectDocumented('GET', '/v2/demo/catalog/brands/1', {
      status,
      headers: status === 200 ? recordHeaders : headers,
      body,
    });

  it('accepts a documented response', async () => {
    const body = await createBrand();
    expect(() => check(200, body)).not.toThrow();
    expect(() => check(404, notFound)).not.toThrow();
  });

  it.each<[why: string, change: (body: Record<string, unknown>) => unknown]>([
    ['an undocumented field', (body) => ({ ...body, store_id: 1 })],
    ['a missing field', ({ active: _active, ...body }) => body],
    ['a value of the wrong type', (body) => ({ ...body, active: 1 })],
    ['an undocumented envelope', (body) => ({ data: body })],
  ])('rejects a body with %s', async (_why, change) => {
    const body = await createBrand();
    expect(() => check(200, change(body))).toThrow();
  });

  it('rejects an undocumented status, a malformed error body and a missing request id', async () => {
    const body = await createBrand();
    expect(() => check(201, body)).toThrow();
    expect(() => check(409, { ...notFound, status_code: 409 })).toThrow();
    expect(() => check(404, { error: 'not found' })).toThrow();
    for (const [name, wrong] of Object.entries({
      code: 'missing',
      hint: 'Look',
      request_id: 'another',
      documentation_url: 'https://api.test/docs',
    })) {
      expect(() => check(404, { ...notFound, [name]: wrong }), name).toThrow();
    }
    expect(() =>
      expectDocumented('GET', '/v2/demo/catalog/brands/1', {
        status: 200,
        headers: new Headers(),
        body,
      }),
    ).toThrow();
  });
});

describe('expectDocumentedEvent', () => {
  it('accepts the published schema of an event and rejects everything else', async () => {
    const shop = await createTestStore();
    await subscribeEndpoint(shop, ['customer.created']);
    await shop.api('POST /customers', sampleCustomer);
    const [sent] = await recordedEvents(shop);
    const { event, resource } = sent!;
    expect(() => expectDocumentedEvent({ event, resource })).not.toThrow();
    for (const wrong of [
      { event, resource: { ...resource, email_key: 'x' } },
      { event, resource: { ...resource, addresses: undefined } },
      { event: 'customer.address.created', resource },
      { event: 'customer.deleted', resource },
    ]) {
      expect(() => expectDocumentedEvent(wrong)).toThrow();
    }
  });
});
