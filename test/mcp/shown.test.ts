import { describe, expect, it } from 'vitest';
import '../support/fixtures/first-shard.ts';
import { createSellingStore, orderBody } from '../support/fixtures/selling-store.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { readTools, requestTool } from '../support/mcp/assistant.ts';

const tools = await readTools();

let shared: ReturnType<typeof createTestStore> | undefined;
const sharedStore = () => (shared ??= createTestStore());

describe('an unknown argument', () => {
  it.each(tools.map(({ name }) => name))(
    'is an error that names the nearest, and nothing is called: %s',
    async (name) => {
      const { headers } = await sharedStore();
      const sent = { dry_runs: true, limitt: 1 };
      const { structuredContent } = await requestTool(name, sent, { headers });
      expect([structuredContent.code, Object.keys(structuredContent.errors)]).toEqual([
        'invalid_body',
        ['dry_runs', 'limitt'],
      ]);
    },
  );

  it.each(['read_operation', 'change_operation', 'call_operation'])(
    'beside the arguments of %s is refused: it would be lost',
    async (name) => {
      const own = await createTestStore();
      const sent = { name: 'create_brand', arguments: { name: 'A', active: true }, dry_run: true };
      const { structuredContent } = await requestTool(name, sent, { headers: own.headers });
      expect(structuredContent.errors).toEqual({ dry_run: ['Must stand in arguments.'] });
      expect(structuredContent.hint).toContain('"arguments":{"dry_run":true}');
      expect((await own.api('GET /catalog/brands')).body.data).toEqual([]);
    },
  );

  it('is the name of no operation: the nearest are named', async () => {
    const { headers } = await sharedStore();
    for (const tool of ['describe_operation', 'read_operation']) {
      const { structuredContent } = await requestTool(tool, { name: 'get_orders' }, { headers });
      expect(structuredContent.hint).toContain('list_orders');
    }
  });
});

describe('the tools that call others', () => {
  it.each(tools.map((tool) => [tool.name, tool] as const))(
    'make no change as a read, and no read as a change: %s',
    async (name, { annotations, method }) => {
      expect(annotations.readOnlyHint).toBe(method === 'GET');
      const { headers } = await sharedStore();
      const [right, wrong] = annotations.readOnlyHint ? ['read', 'change'] : ['change', 'read'];
      const sent = { name, arguments: {} };
      const { structuredContent } = await requestTool(`${wrong}_operation`, sent, { headers });
      expect(structuredContent.hint).toBe(`Repeat the call with ${right}_operation.`);
    },
  );
});

describe('what is shown', () => {
  it('has each chosen field of a relation, and a relation that is included', async () => {
    const { headers } = await createSellingStore({ skus: 2 });
    const nested = await requestTool(
      'list_products',
      { include: 'skus', fields: 'id, skus.data.id, skus.data.price_sale' },
      { headers },
    );
    for (const { skus } of nested.structuredContent.data) {
      for (const sku of skus.data) expect(Object.keys(sku)).toEqual(['id', 'price_sale']);
    }
    const whole = { fields: ['skus', 'skus.data.id'], include: ['skus'] };
    const { structuredContent } = await requestTool('list_products', whole, { headers });
    expect(structuredContent.data[0].skus.data[0]).toHaveProperty('price_sale');
    const included = await requestTool('list_products', { include: ['skus'] }, { headers });
    expect(included.structuredContent.data[0].skus.data[0]).toHaveProperty('price_sale');
  });

  it('is whole for a short record, and no name that is none empties it', async () => {
    const { headers } = await sharedStore();
    const { structuredContent } = await requestTool('list_payments', {}, { headers });
    expect(structuredContent.data[0]).toHaveProperty('active_config');
    const named = await requestTool('list_payments', { fields: ['active'] }, { headers });
    expect(named.structuredContent.data).toEqual(structuredContent.data);
    expect(named.structuredContent.notes[0]).toMatch(
      /^No such field: active. The nearest: active_/,
    );
  });

  it('is never cut below the limit', async () => {
    const own = await createTestStore();
    const description = 'long '.repeat(1_500).trim();
    await own.api('POST /catalog/brands', { name: 'A', active: true, description });
    const { structuredContent } = await requestTool('list_brands', {}, { headers: own.headers });
    expect(structuredContent.data[0].description).toBe(description);
    const summary = await requestTool('show_sales_summary', {}, { headers: own.headers });
    const { days } = summary.structuredContent.data;
    expect([days.length > 20, JSON.stringify(days).includes('[cut')]).toEqual([true, false]);
  });

  it('of a change are its main fields and what was sent; documents and links only when asked for', async () => {
    const own = await createSellingStore();
    const { headers } = own;
    const order = await own.api('POST /orders', orderBody(own, { payment_id: own.payments.pix }));
    const id = order.body.data.id as number;
    const sent = { id, track_code: 'BR1' };
    const { structuredContent, content } = await requestTool('update_order', sent, { headers });
    expect(structuredContent.data.track_code).toBe('BR1');
    expect(structuredContent.data.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-03:00$/);
    expect(content[0]!.text.length).toBeLessThan(1_500);
    expect(content[0]!.text).not.toContain('"cpf"');
    const shown = await requestTool('list_customers', {}, { headers });
    expect(shown.content[0]!.text).not.toContain('"cpf"');
    const asked = await requestTool('list_customers', { fields: ['id', 'cpf'] }, { headers });
    expect(Object.keys(asked.structuredContent.data[0])).toEqual(['id', 'cpf']);
  });
});

describe('a call that a host repeats', () => {
  it('is made once, and says so; again makes it once more', async () => {
    const { headers, skuIds } = await createSellingStore();
    const sent = { items: [{ sku_id: skuIds[0], quantity: 1 }] };
    const first = await requestTool('create_cart', sent, { headers });
    const second = await requestTool('create_cart', sent, { headers });
    expect(second.structuredContent.hint).toContain('was not made again');
    const alone = await requestTool('list_carts', {}, { headers });
    expect(alone.structuredContent.data).toHaveLength(1);
    const third = await requestTool('create_cart', { ...sent, again: 2 }, { headers });
    expect(third.structuredContent.data.id).not.toBe(first.structuredContent.data.id);
    const listed = await requestTool('list_carts', {}, { headers });
    expect(listed.structuredContent.data).toHaveLength(2);
  });

  it('adds to a price or a stock once, and not after a try; what replaces is made each time', async () => {
    const own = await createSellingStore({ price: 100 });
    const [id] = own.skuIds;
    const call = async (name: string, sent: object) =>
      (await requestTool(name, { ...sent }, { headers: own.headers })).structuredContent;
    const raise = { filter: { active: true }, percent: 10 };
    const priceOf = async () => (await own.api(`GET /catalog/skus/${id}`)).body.data.price_sale;
    for (const after of [100, 100]) {
      const tried = await call('change_prices', { ...raise, dry_run: true });
      expect([tried.meta.changed, tried.data[0].after.price_sale]).toEqual([1, 110]);
      expect(await priceOf()).toBe(after);
    }
    await call('change_prices', raise);
    expect((await call('change_prices', raise)).hint).toContain('was not made again');
    expect(await priceOf()).toBe(110);
    await call('change_prices', { ...raise, again: 2 });
    expect(await priceOf()).toBe(121);
    for (const price_sale of [5, 6, 5]) {
      await call('change_prices', { items: [{ sku_id: id, price_sale }] });
      expect(await priceOf()).toBe(price_sale);
    }
    const arrived = { items: [{ sku_id: id, delta: 5 }] };
    for (let n = 0; n < 2; n += 1) await call('change_stocks', arrived);
    const one = { id, stockId: 1, delta: 5 };
    for (let n = 0; n < 2; n += 1) await call('update_sku_stock', one);
    const { body } = await own.api(`GET /catalog/skus/${id}/stocks`);
    expect(body.data[0].quantity).toBe(20);
  });

  it('is cut to some of many results, and counts all of them', async () => {
    const own = await createSellingStore({ skus: 50 });
    const items = Array.from({ length: 500 }, () => ({ sku: 'none', delta: 1 }));
    const { structuredContent } = await requestTool('change_stocks', { items }, own);
    const { data, meta, notes } = structuredContent;
    expect([data.length < 200, meta.failed]).toEqual([true, 500]);
    expect(notes).toContain(`Shows ${data.length} of 500 records: fields chooses what of them.`);
  });
});
