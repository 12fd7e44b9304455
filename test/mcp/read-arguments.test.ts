import { describe, expect, it } from 'vitest';
import { readArguments } from '../../src/mcp/tool-request.ts';
import type { ToolSchema } from '../../src/mcp/tool.ts';
import { createSellingStore, orderBody } from '../support/fixtures/selling-store.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';
import { callMcp, postMcp, readTools, requestTool } from '../support/mcp/assistant.ts';

/** Calls a tool by its name, by `call_operation`, and by that with the text of its arguments. */
const ways = (name: string, sent: Record<string, unknown>) =>
  [
    [name, sent],
    ['call_operation', { name, arguments: sent }],
    ['call_operation', { name, arguments: JSON.stringify(sent) }],
    ['call_operation', JSON.stringify({ name, arguments: JSON.stringify(sent) })],
  ] as const;

const call = async ({ headers }: TestStore, name: string, sent: unknown) =>
  requestTool(name, sent as Record<string, unknown>, { headers });

/**
 * Every value of arguments that is no string becomes its JSON in one, at each depth where `schema`
 * has no string.
 */
function asTexts(value: unknown, schema: ToolSchema): unknown {
  const options = schema.anyOf ?? [schema];
  const types = options.flatMap(({ type = 'string' }) => type);
  if (types.includes('string')) return value;
  const [{ items = {}, properties = {} } = {}] = options;
  const inner = Array.isArray(value)
    ? value.map((item) => asTexts(item, items))
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value).map(([name, one]) => [name, asTexts(one, properties[name] ?? {})]),
        )
      : value;
  return JSON.stringify(inner);
}

describe('arguments as JSON in a string', () => {
  it('are read as the schema says, at every depth of every tool', async () => {
    let changed = 0;
    for (const tool of await readTools()) {
      const { properties = {} } = tool.inputSchema;
      const texts = Object.fromEntries(
        Object.entries(tool.example).map(([name, value]) => [
          name,
          asTexts(value, properties[name] ?? {}),
        ]),
      );
      expect(readArguments(tool, texts), tool.name).toEqual(tool.example);
      expect(readArguments(tool, tool.example), tool.name).toEqual(tool.example);
      changed += Number(JSON.stringify(texts) !== JSON.stringify(tool.example));
    }
    expect(changed).toBeGreaterThan(80);
  });

  it('create the same record in each way of a call', async () => {
    const store = await createTestStore();
    const texts = {
      name: '{"is":"a name"}',
      active: 'true',
      featured: '"false"',
      description: '5',
    };
    for (const [index, [tool, sent]] of ways('create_brand', texts).entries()) {
      const named = JSON.parse(JSON.stringify(sent).replaceAll('a name', `a name ${index}`));
      const { structuredContent } = await call(store, tool, named);
      expect(structuredContent.data).toMatchObject({
        name: `{"is":"a name ${index}"}`,
        active: true,
        featured: false,
        description: '5',
      });
    }
    const listed = await call(store, 'list_brands', { limit: '2', fields: '["id"]' });
    expect(listed.structuredContent.data).toHaveLength(2);
    expect(listed.structuredContent.data[0]).toEqual({ id: expect.any(Number) });
    const words = await call(store, 'list_brands', { fields: 'id, name' });
    expect(Object.keys(words.structuredContent.data[0])).toEqual(['id', 'name']);
  });

  it('are read in protocol 2025-11-25, too, where they may be nothing or the empty list of PHP', async () => {
    const { headers } = await createTestStore();
    for (const sent of ['{"limit":"1"}', null, [], {}, undefined]) {
      const params = { name: 'list_brands', arguments: sent };
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const { status, body } = await postMcp({ headers }, JSON.stringify(message));
      expect([status, body.result?.structuredContent?.data]).toEqual([200, []]);
    }
  });

  it.each<[name: string, field: string, kind: string, sent: Record<string, unknown>]>([
    ['create_cart', 'items', 'a list', { items: "[{'sku_id': 1}]" }],
    ['create_cart', 'items', 'a list', { items: '{"sku_id":1}' }],
    ['create_cart', 'items', 'a list', { items: '['.repeat(50_000) + ']'.repeat(50_000) }],
    ['create_cart', 'items.0', 'an object', { items: ['sku 1'] }],
    ['create_cart', 'shipping', 'an object', { shipping: 'express' }],
    ['create_cart', 'shipping', 'an object', { shipping: '[1]' }],
    ['create_import', 'lines', 'a list', { lines: '{"name":"A"}\n{"name":"B"}' }],
  ])(
    'of %s are refused (422) where %s is another text: send %s',
    async (name, field, kind, sent) => {
      const store = await createTestStore();
      const { structuredContent, isError } = await call(store, name, sent);
      expect([isError, structuredContent.status_code]).toEqual([true, 422]);
      expect(structuredContent.errors).toEqual({
        [field]: [`Must be ${kind}: send ${kind}, not its text.`],
      });
      expect(structuredContent.hint).toMatch(/^Send for example \{"\w+":[[{].*[\]}]\}\.$/);
    },
  );

  it.each(['no JSON', '[1]', '5', '"text"'])('of a call that are %j are a 400', async (sent) => {
    const { headers } = await createTestStore();
    const named = await callMcp(
      'tools/call',
      { name: 'list_brands', arguments: sent },
      { headers },
    );
    const inner = await requestTool(
      'call_operation',
      { name: 'list_brands', arguments: sent },
      { headers },
    );
    for (const { code, errors } of [named.body, inner.structuredContent]) {
      expect([code, errors]).toEqual([
        'malformed_body',
        { arguments: ['Must be an object: send an object, not its text.'] },
      ]);
    }
  });

  it('leave numbers alone that a number cannot hold, and texts of a query', async () => {
    const tools = await readTools();
    const toolOf = (name: string) => tools.find((tool) => tool.name === name)!;
    const prices = { items: [{ sku_id: '12345678901234567', price_sale: '19.9999999999999999' }] };
    expect(readArguments(toolOf('change_prices'), prices)).toEqual(prices);
    expect(readArguments(toolOf('change_prices'), { items: '[{"price_sale":"1e999"}]' })).toEqual({
      items: [{ price_sale: '1e999' }],
    });
    for (const status of ['paid', 'paid,refused']) {
      expect(readArguments(toolOf('list_orders'), { status })).toEqual({ status });
    }
    expect(readArguments(toolOf('list_orders'), { status: '["paid"]' })).toEqual({
      status: ['paid'],
    });
  });
});

describe('what asks the person', () => {
  it.each<Record<string, unknown>>([
    { status_id: '8' },
    { status: ' cancelled' },
    { status: '[third party] cancelled' },
    { status: 'can\u200bcelled\n' },
    { status: '<b>refused</b>' },
    { dry_run: 'false', status_id: '9' },
  ])('attack: is decided by what the operation reads of %j', async (sent) => {
    const own = await createSellingStore();
    const order = await own.api('POST /orders', orderBody(own, { payment_id: own.payments.pix }));
    const id = String(order.body.data.id);
    for (const [tool, texts] of ways('update_order', { id, ...sent })) {
      const { structuredContent } = await call(own, tool, texts);
      expect(structuredContent.code).toBe('confirmation_required');
    }
    const kept = await own.api(`GET /orders/${id}`);
    expect(kept.body.data).toMatchObject({ cancelled: false, status: { data: { id: 3 } } });
  });

  it('is not asked for what is only tried, also in words', async () => {
    const own = await createSellingStore();
    const order = await own.api('POST /orders', orderBody(own, { payment_id: own.payments.pix }));
    const sent = { id: order.body.data.id, status: 'cancelled', dry_run: 'true' };
    const { structuredContent } = await call(own, 'update_order', sent);
    expect(structuredContent).toEqual({ dry_run: true });
  });
});
