import { afterEach, describe, expect, it, vi } from 'vitest';
import { callWith } from '../support/counted.ts';
import { store } from '../support/store.ts';

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
  it('is one line of JSON a request, with its id, row and status', async () => {
    const shop = await store();
    listen();
    const answer = await callWith(shop, 'GET /catalog/brands?name=x', undefined, {});
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toEqual({
      level: 'info',
      event: 'request',
      request_id: answer.headers.get('X-Request-Id'),
      method: 'GET',
      operation: 'listBrands',
      status: 200,
      ms: expect.any(Number),
    });
  });

  it('tells no credential, no signing secret, nothing of a body or a query', async () => {
    const shop = await store();
    listen();
    const url = 'https://receiver.example.com/very-private-path?key=hidden';
    const body = { url, name: 'Nome Pessoal', events: ['order.paid'] };
    const made = await callWith(shop, 'POST /webhooks', body, {});
    await callWith(shop, 'POST /webhooks', { ...body, events: ['Segredo'] }, {});
    await callWith(shop, 'GET /catalog/brands?name=Busca', undefined, {});
    const broken = { prepare: () => null, batch: () => null } as unknown as D1Database;
    await callWith(shop, 'POST /webhooks', body, { STORE_0: broken });
    const text = lines.join('\n');
    expect(text).toContain('request failed');
    const secrets = [
      ...Object.values(shop.headers),
      made.body.data.secret_key,
      'very-private-path',
      'hidden',
      'Nome Pessoal',
      'Segredo',
      'Busca',
    ];
    for (const secret of secrets) expect(text).not.toContain(secret);
  });
});
