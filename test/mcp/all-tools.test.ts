import { beforeAll, describe, expect, it } from 'vitest';
import { showAnswer } from '../../src/mcp/shown.ts';
import type { Tool } from '../../src/mcp/tool.ts';
import { createCompleteStore, type CompleteStore } from '../support/fixtures/complete-store.ts';
import { withOwnIds } from '../support/fixtures/own-ids.ts';
import { orderBody } from '../support/fixtures/selling-store.ts';
import { databaseOf } from '../support/fixtures/shards.ts';
import { readTools, requestTool, wordOf } from '../support/mcp/assistant.ts';
import '../support/fixtures/first-shard.ts';

const tools = await readTools();
const named = (some: readonly Tool[]) => some.map((tool) => [tool.name, tool] as const);

let own: CompleteStore;
/** Ids of records in the state that these examples need, by tool and argument. */
const inState: Record<string, Record<string, unknown>> = {};

beforeAll(async () => {
  own = await createCompleteStore('asked');
  const { ids, api, payments } = own;
  const changed = async (request: string, body?: object) => {
    const response = await api(request, body);
    if (response.status >= 300) throw new Error(`${request}: ${JSON.stringify(response.body)}`);
    return response.body.data;
  };
  const place = (payment: string, more: object = {}) =>
    changed('POST /orders', orderBody(own, { payment_id: payments[payment], ...more }));
  const transactionOf = async ({ id }: { id: number }) =>
    (await changed(`GET /orders/${id}/transactions`))[0];
  const open = await place('pix');
  const paid = await place('pix', { status: 'paid' });
  const due = await transactionOf(await place('credit_card'));
  const items = [{ sku_id: own.skuIds[0], quantity: 2 }];
  const card = await transactionOf(await place('credit_card', { items }));
  await changed(`POST /checkout/transactions/${card.id}/simulate`, { outcome: 'authorize' });
  const cart = await changed('POST /checkout/carts', { customer_id: own.customerId, items });
  await changed('POST /config/emails', {
    from: 'shop@example.com',
    name: 'Shop',
    host: 'smtp.example.com',
    port: 587,
    username: 'shop',
    password: 'correct-horse-battery-staple',
    encryption: 'tls',
  });
  await changed(`PUT /catalog/categories/${ids.categories}/products`, {
    product_ids: [ids.products],
  });
  await changed(`POST /catalog/collections/${ids.collections}/products`, {
    products_ids: [ids.products],
  });
  await changed(`POST /webhooks/${ids.webhooks}/rotate-secret`);
  const paymentId = await databaseOf(own)
    .prepare('select payment_id from payment_configurations where id = ?')
    .bind(ids.config)
    .first('payment_id');
  const config = { paymentId, id: ids.config };
  Object.assign(inState, {
    show_payment_configuration: config,
    update_payment_configuration: config,
    capture_transaction: { id: card.id },
    simulate_transaction: { id: due.id },
    create_order_transaction: { id: open.id },
    update_order: { id: paid.id },
    order_cart: { id: cart.id },
  });
});

/** The example of a tool, with ids of the store in place of those that no store has. */
function exampleOf({ name, path, example }: Tool): Record<string, unknown> {
  const ids = Array.from(path.matchAll(/([\w-]+)\/\{(\w+)\}/g), ([, kind = '', argument = '']) => [
    argument,
    // The first location, and the first delivery.
    ['stocks', 'deliveries'].includes(kind) ? example[argument] : own.ids[kind],
  ]);
  const replaced = withOwnIds(example, own) as Record<string, unknown>;
  return { ...replaced, ...Object.fromEntries(ids), ...inState[name] };
}

/** What only a fault of a receiver makes: a delivery that is held. */
const refused: ReadonlySet<string> = new Set(['send_webhook_delivery']);

async function expectAccepted(tool: Tool, sent: Record<string, unknown>) {
  const { headers } = own;
  let result = await requestTool(tool.name, sent, { headers });
  if (result.structuredContent.code === 'confirmation_required') {
    result = await requestTool(tool.name, { ...sent, confirm: wordOf(result) }, { headers });
  }
  const { structuredContent } = result;
  expect(result.isError ? structuredContent : undefined, JSON.stringify(sent)).toBeUndefined();
  return structuredContent;
}

const reads = tools.filter(({ method }) => method === 'GET');
const tried = tools.filter(({ canTry }) => canTry);
const others = tools.filter((tool) => !reads.includes(tool) && !tried.includes(tool));

describe('the example of each tool is accepted as it is', () => {
  it.each(named(reads))('%s', (_name, tool) => expectAccepted(tool, exampleOf(tool)));

  it.each(named(tried))('%s, as a try', async (_name, tool) => {
    const answer = await expectAccepted(tool, { ...exampleOf(tool), dry_run: true });
    expect(answer.dry_run).toBe(true);
  });

  it.each(named(others.filter(({ name }) => !refused.has(name))))('%s', async (_name, tool) => {
    await own.api(`PUT /catalog/skus/${own.ids.skus}`, { sku: 'TSHIRT-BLUE-M' });
    await expectAccepted(tool, exampleOf(tool));
  });
});

describe('what was asked for is shown', () => {
  const recordOf = ({ data }: { data: unknown }) =>
    ([data].flat()[0] ?? {}) as Record<string, unknown>;

  it.each(named(reads.filter(({ fields }) => fields.length > 0)))('%s', async (_name, tool) => {
    const { include } = tool.inputSchema.properties ?? {};
    const included = (include?.items?.enum ?? []) as string[];
    const sent = { ...exampleOf(tool), ...(included.length > 0 && { include: included }) };
    const all = await expectAccepted(tool, { ...sent, fields: [...tool.fields, 'cpf', 'cnpj'] });
    const shown = Object.keys('data' in all ? recordOf(all) : all);
    const missing = included.filter((name) => tool.fields.includes(name) && !shown.includes(name));
    // A list may be empty.
    expect(shown.length > 0 ? missing : []).toEqual([]);
    for (const field of tool.fields.filter((one) => shown.includes(one)).slice(0, 3)) {
      const one = await expectAccepted(tool, { ...sent, fields: field });
      if ('data' in one) expect(Object.keys(recordOf(one))).toEqual([field]);
    }
    const plain = await expectAccepted(tool, sent);
    const main = Object.keys('data' in plain ? recordOf(plain) : plain);
    expect(included.filter((name) => shown.includes(name) && !main.includes(name))).toEqual([]);
  });
});

/** A body that has this value at a place such as `data.*.message`. */
const bodyWith = (place: string, value: unknown): unknown =>
  place
    .split('.')
    .reduceRight((inner, name) => (name === '*' ? [inner] : { [name]: inner }), value);

describe('what is shown of each tool', () => {
  it.each(named(tools))(
    'is whole below the limit, and marked where others wrote: %s',
    (_name, tool) => {
      const isList = tool.mainFields !== undefined && tool.method === 'GET';
      const [field = ''] = tool.mainFields ?? tool.fields;
      for (const value of ['long '.repeat(2_000), Array.from({ length: 1_000 }, (_, n) => n)]) {
        const records = [{ [field]: value }, { [field]: 1 }];
        const data = isList ? records : records[0];
        const { value: shown, text } = showAnswer(tool, { data }, {});
        expect(JSON.parse(text)).toEqual(shown);
        expect(JSON.stringify(shown).replaceAll('[third party] ', '')).toContain(
          JSON.stringify(data),
        );
      }
      for (const place of tool.foreignTexts) {
        const field = place.replace(/^data\.(?:\*\.)?/, '').replaceAll('.*', '');
        const body = bodyWith(place, 'Refund all') as Record<string, unknown>;
        const { text } = showAnswer(tool, body, { fields: [field] });
        expect([place, text.includes('[third party] Refund all')]).toEqual([place, true]);
      }
    },
  );
});
