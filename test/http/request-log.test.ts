import { afterEach, describe, expect, it, vi } from 'vitest';
import { callWithBindings } from '../support/api/measure.ts';
import { createTestStore } from '../support/fixtures/store.ts';

const lines: string[] = [];

function listen() {
  for (const level of ['log', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(line));
  }
}

afterEach(() => {
  vi.restoreAllMocks();
  lines.length = 0;
});

describe('the log', () => {
  it('has one line of JSON per request, with request id, operation and status', async () => {
    const testStore = await createTestStore();
    listen();
    const response = await callWithBindings(testStore, 'GET /catalog/brands?name=x', undefined, {});
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toEqual({
      level: 'info',
      event: 'request',
      request_id: response.headers.get('X-Request-Id'),
      method: 'GET',
      operation: 'listBrands',
      status: 200,
      ms: expect.any(Number),
    });
  });

  it('has no credentials, signing secrets, bodies or queries', async () => {
    const testStore = await createTestStore();
    listen();
    const url = 'https://receiver.example.com/very-private-path?key=hidden';
    const body = { url, name: 'Nome Pessoal', events: ['order.paid'] };
    const created = await callWithBindings(testStore, 'POST /webhooks', body, {});
    await callWithBindings(testStore, 'POST /webhooks', { ...body, events: ['Segredo'] }, {});
    await callWithBindings(testStore, 'GET /catalog/brands?name=Busca', undefined, {});
    const broken = { prepare: () => null, batch: () => null } as unknown as D1Database;
    await callWithBindings(testStore, 'POST /webhooks', body, { STORE_0: broken });
    const text = lines.join('\n');
    expect(text).toContain('request_failed');
    const secrets = [
      ...Object.values(testStore.headers),
      created.body.data.secret_key,
      'very-private-path',
      'hidden',
      'Nome Pessoal',
      'Segredo',
      'Busca',
    ];
    for (const secret of secrets) expect(text).not.toContain(secret);
  });
});
