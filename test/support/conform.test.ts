import { describe, expect, it } from 'vitest';
import { conform, conformEvent } from './conform.ts';
import { eventsOf, subscribe } from './events.ts';
import { person } from './people.ts';
import { store } from './store.ts';

const headers = new Headers({
  'X-Request-Id': '0123456789abcdef',
  'Content-Type': 'application/json',
  'Cache-Control': 'private, no-store',
});

/** The check of all other tests, checked: it must be able to fail. */
describe('conform', () => {
  async function brand() {
    const { api } = await store();
    const { body } = await api('POST /catalog/brands', { name: 'a', active: true });
    return body.data;
  }
  const check = (status: number, body: unknown) =>
    conform('GET', '/v2/demo/catalog/brands/1', { status, headers, body });

  it('accepts what is documented', async () => {
    const body = await brand();
    expect(() => check(200, body)).not.toThrow();
    expect(() => check(404, { message: '404 Not Found', status_code: 404 })).not.toThrow();
  });

  it.each<[why: string, change: (body: Record<string, unknown>) => unknown]>([
    ['a field that is not documented', (body) => ({ ...body, store_id: 1 })],
    ['a field that is missing', ({ active: _active, ...body }) => body],
    ['a value of another type', (body) => ({ ...body, active: 1 })],
    ['another envelope', (body) => ({ data: body })],
  ])('refuses %s', async (_why, change) => {
    const body = await brand();
    expect(() => check(200, change(body))).toThrow();
  });

  it('refuses another status, another error body, a missing request id', async () => {
    const body = await brand();
    expect(() => check(201, body)).toThrow();
    expect(() => check(409, { message: '409 Conflict', status_code: 409 })).toThrow();
    expect(() => check(404, { error: 'not found' })).toThrow();
    expect(() =>
      conform('GET', '/v2/demo/catalog/brands/1', { status: 200, headers: new Headers(), body }),
    ).toThrow();
  });
});

describe('conformEvent', () => {
  it('accepts what is published of an event, and nothing else', async () => {
    const shop = await store();
    await subscribe(shop, ['customer.created']);
    await shop.api('POST /customers', person);
    const [sent] = await eventsOf(shop);
    const { event, resource } = sent!;
    expect(() => conformEvent({ event, resource })).not.toThrow();
    for (const wrong of [
      { event, resource: { ...resource, email_key: 'x' } },
      { event, resource: { ...resource, addresses: undefined } },
      { event: 'customer.address.created', resource },
      { event: 'customer.deleted', resource },
    ]) {
      expect(() => conformEvent(wrong)).toThrow();
    }
  });
});
