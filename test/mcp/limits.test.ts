import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fakeLimiter, limitBindings } from '../support/api/limits.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { callMcp, requestTool, type McpOptions } from '../support/mcp/assistant.ts';
import { doors } from '../support/mcp/doors.ts';

describe('the limits of a tool', () => {
  it('are those of its operation: both doors ask one limiter for one key', async () => {
    const { id, alias, headers } = await createTestStore();
    for (const [names, key] of [
      ['API', `:${id}:Brands`],
      ['STORE', String(id)],
    ] as const) {
      const limiter = fakeLimiter(false);
      const bindings = limitBindings({
        [`${names}_LIMIT`]: limiter,
        [`${names}_PER_MINUTE`]: '1',
      });
      const statuses = [];
      for (const { call } of doors) {
        const { status } = await call('GET', `/v2/${alias}/catalog/brands`, { headers, bindings });
        statuses.push(status);
      }
      // The first admits what its own count allows, and the limiter refuses.
      expect(statuses.at(-1), names).toBe(429);
      expect(limiter.keys.length).toBeGreaterThan(0);
      expect([...new Set(limiter.keys)], names).toEqual([expect.stringContaining(key)]);
    }
  });

  it('refuse a change in a full turn beyond the bytes of events of the day, and say how long (429)', async () => {
    // The clock stands, so that the turn does not end.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const own = await createTestStore();
    const { body } = await own.api('POST /catalog/brands', { name: 'Marca', active: true });
    const product = { name: 'p', simple: true, active: true, brand_id: body.data.id };
    const made = await own.api('POST /catalog/products', {
      ...product,
      skus: [{ sku: 'A', price_sale: 1 }],
    });
    await own.api('POST /webhooks', {
      name: 'Updates',
      url: 'http://127.0.0.1:9/',
      events: ['product.updated'],
    });
    const bindings = limitBindings({ EVENT_BUDGET_BYTES: '10' });
    const listed = await own.api(`GET /catalog/products/${made.body.data.id}/skus`);
    const sku_id = listed.body.data[0].id as number;
    const send = (price_sale: number) =>
      requestTool(
        'change_prices',
        { items: [{ sku_id, price_sale }] },
        { headers: own.headers, bindings },
      );
    expect((await send(5)).isError).toBeFalsy();
    expect((await send(6)).isError).toBeFalsy();
    const refused = await send(7);
    expect(refused.structuredContent).toMatchObject({
      status_code: 429,
      code: 'event_budget',
      retry_after: expect.any(Number),
    });
    expect((await own.api(`GET /catalog/skus/${sku_id}`)).body.data.price_sale).toBe(6);
  });
});

describe('the limits of what is no call of a tool', () => {
  it.each([
    ['tools/list', {}],
    ['resources/list', {}],
    ['prompts/list', {}],
  ])('count %s per credential and store (429 over HTTP)', async (method, params) => {
    const { id, alias, headers } = await createTestStore();
    const limiter = fakeLimiter(false);
    const bindings = limitBindings({ API_LIMIT: limiter, API_PER_MINUTE: '1' });
    const options: McpOptions = { headers, query: `?store=${alias}`, bindings };
    await callMcp(method, params, options);
    const { status, headers: answered } = await callMcp(method, params, options);
    expect([status, answered.get('Retry-After')]).toEqual([429, '60']);
    expect(limiter.keys.at(-1)).toContain(`:${id}:Assistants`);
  });
});
