import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { callApi, requestWithBody } from '../../support/api/client.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';

const app = createApp();
const limit = 1_048_576;

/** A stream that counts what is read from it, and would never end. */
function endlessStream() {
  const counted = { bytes: 0 };
  const chunk = new TextEncoder().encode(' '.repeat(65_536));
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      counted.bytes += chunk.length;
      controller.enqueue(chunk);
    },
  });
  return { body, counted };
}

async function send(store: TestStore, method: string, path: string, body: BodyInit) {
  const headers = { ...store.headers, 'Content-Type': 'application/json' };
  const url = `https://api.test/v2/${store.alias}${path}`;
  const request = requestWithBody(url, method, headers, body);
  const response = await app.fetch(request, env, createExecutionContext());
  return { status: response.status, body: await response.json<Record<string, unknown>>() };
}

describe('a body is read by bytes and at most to the limit', () => {
  it('returns 413 for a GET whose body has fewer characters than the limit, but more bytes', async () => {
    const testStore = await createTestStore();
    const raw = JSON.stringify({ active: true, name: 'é'.repeat(limit / 2) });
    expect(raw.length).toBeLessThan(limit);
    expect((await send(testStore, 'GET', '/catalog/categories', raw)).status).toBe(413);
    expect((await send(testStore, 'POST', '/catalog/brands', raw)).status).toBe(413);
  });

  it.each(['GET /catalog/categories', 'POST /catalog/brands'])(
    'returns 413 for an endless body of %s, and reads little beyond the limit',
    async (operation) => {
      const [method = '', path = ''] = operation.split(' ');
      const { body, counted } = endlessStream();
      expect((await send(await createTestStore(), method, path, body)).status).toBe(413);
      expect(counted.bytes).toBeLessThan(limit + 5 * 65_536);
    },
  );

  it('does not read a body that the operation does not take', async () => {
    const { body, counted } = endlessStream();
    const testStore = await createTestStore();
    expect((await send(testStore, 'DELETE', '/catalog/brands/1', body)).status).toBe(404);
    expect(counted.bytes).toBeLessThan(5 * 65_536);
  });

  it('returns 413 for a long body with an idempotency key, before the key is looked up', async () => {
    const testStore = await createTestStore();
    const response = await callApi('POST', `/v2/${testStore.alias}/catalog/brands`, {
      headers: { ...testStore.headers, 'Idempotency-Key': 'one' },
      raw: ' '.repeat(limit + 1),
    });
    expect(response.status).toBe(413);
  });

  it('returns 400 for a body that is not UTF-8, and stores nothing in its place', async () => {
    const testStore = await createTestStore();
    const bytes = new Uint8Array([
      ...new TextEncoder().encode('{"active":true,"name":"a'),
      0xff,
      0x22,
      0x7d,
    ]);
    const response = await send(testStore, 'POST', '/catalog/brands', bytes);
    expect([response.status, response.body.errors]).toEqual([
      400,
      { body: ['Must be valid JSON.', 'Byte 25 is no UTF-8.'] },
    ]);
    const marked = new Uint8Array([
      0xef,
      0xbb,
      0xbf,
      ...new TextEncoder().encode('{"active":true,"name":"a"}'),
    ]);
    expect((await send(testStore, 'POST', '/catalog/brands', marked)).status).toBe(201);
  });
});
