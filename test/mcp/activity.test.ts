import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { DeliveryState } from '../../src/data/schema/store/webhooks-tables.ts';
import { acceptsIdempotencyKey } from '../../src/http/operation.ts';
import { measureRequest } from '../support/api/measure.ts';
import { storeOperations } from '../support/api/operations.ts';
import { publishedBody } from '../support/api/published-body.ts';
import {
  createCompleteStore,
  pathWithIds,
  type CompleteStore,
} from '../support/fixtures/complete-store.ts';
import '../support/fixtures/first-shard.ts';
import { withOwnIds } from '../support/fixtures/own-ids.ts';
import { orderBody, placeTestOrder } from '../support/fixtures/selling-store.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { allRows } from '../support/mcp/all-rows.ts';
import { measureTool, requestTool } from '../support/mcp/assistant.ts';
import { doors } from '../support/mcp/doors.ts';
import { connectApp } from '../support/oauth/partner.ts';
import { shared } from '../support/shared.ts';

const sharedStore = shared(() => createCompleteStore('audited'));
const [, overMcp] = doors;

interface Line {
  action: string;
  target_kind: string;
  target_id: string;
  actor_kind: string;
}

/** The lines of a store in both databases, in their order. */
async function linesOf(storeId: number): Promise<Line[]> {
  const read = async (database: D1Database, table: string) => {
    const { results } = await database
      .prepare(
        `select action, target_kind, target_id, actor_kind from ${table} where store_id = ? order by id`,
      )
      .bind(storeId)
      .all<Line>();
    return results;
  };
  const found = [read(env.DIRECTORY, 'audit'), read(env.STORE_0, 'store_audit')];
  return (await Promise.all(found)).flat();
}

/** What is no data of the store: the lines, and what a request leaves that changes nothing. */
const beside = ['store_audit', 'idempotency_keys', 'sequences', 'webhook_pings', 'event_budgets'];

type Ids = Record<string, number | string>;

const setState = (table: string, values: string, where: string, id: unknown) =>
  env.STORE_0.prepare(`update ${table} set ${values} where ${where} = ?`).bind(id).run();

/** Creates a record over HTTP, which leaves no line of an assistant, and returns its id. */
async function create(own: CompleteStore, path: string, body: object): Promise<number> {
  const response = await own.api(`POST ${path}`, body);
  expect([path, response.status < 300]).toEqual([path, true]);
  return [response.body.data].flat()[0].id as number;
}

async function newCart(own: CompleteStore): Promise<Ids> {
  const items = [{ sku_id: own.skuIds[0], quantity: 1 }];
  return { carts: await create(own, '/checkout/carts', { customer_id: own.customerId, items }) };
}

const otherCustomer = { email: 'bia@customer.test', cpf: '390.533.447-05' };
const otherKey = '35310312345678000195550010000000021000000025';

/**
 * A record of its own for what the shared one does not allow, or not any more: ids of the path, and
 * the body.
 */
const cases: Record<
  string,
  (own: CompleteStore) => Promise<{ ids?: Ids; body?: Record<string, unknown> }>
> = {
  updatePaymentConfiguration: async (own) => {
    const found = await env.STORE_0.prepare(
      'select id as config, payment_id as payments from payment_configurations where store_id = ?',
    )
      .bind(own.id)
      .first<Ids>();
    return { ids: found!, body: { active: false } };
  },
  sendWebhookDelivery: async ({ ids }) => {
    const held = `state = ${DeliveryState.held}, due_at = 0`;
    await setState('webhook_deliveries', held, 'endpoint_id', ids.webhooks);
    return {};
  },
  commitWebhookSecret: async (own) => {
    await own.api(`POST /webhooks/${own.ids.webhooks}/rotate-secret`, {});
    return {};
  },
  updateWebhook: () => Promise.resolve({ body: { name: 'Other' } }),
  deleteWebhook: async (own) => ({
    ids: {
      webhooks: await create(own, '/webhooks', {
        name: 'Gone',
        url: 'http://127.0.0.1:9/gone',
        events: ['order.created'],
      }),
    },
  }),
  updateSkuStock: () => Promise.resolve({ ids: { stocks: 1 } }),
  updateSku: () => Promise.resolve({ body: { title: 'Blue' } }),
  deleteSku: async (own) => {
    const brand_id = await create(own, '/catalog/brands', { name: 'Late', active: true });
    const product = { name: 'Late', simple: true, active: false, brand_id };
    const products = await create(own, '/catalog/products', product);
    const skus = await create(own, `/catalog/products/${products}/skus`, {
      sku: 'GONE',
      price_sale: 1,
    });
    return { ids: { skus } };
  },
  changePrices: (own) =>
    Promise.resolve({ body: { items: [{ sku_id: own.skuIds[0], price_sale: 3 }] } }),
  copyCategoryProducts: async (own) => {
    await own.api('POST /catalog/categories', { name: 'Empty', active: true });
    const { body } = await own.api('GET /catalog/categories?search=name:Empty');
    return { ids: { categories: body.data[0].id }, body: { categories_ids: [own.ids.categories] } };
  },
  captureTransaction: async ({ ids }) => {
    await setState('transactions', "status = 'authorized'", 'id', ids.transactions);
    return { body: { amount: 1 } };
  },
  cancelTransaction: async ({ ids }) => {
    await setState('transactions', "status = 'paid'", 'id', ids.transactions);
    return {};
  },
  simulateTransaction: async (own) => {
    const [transaction] = (await placeTestOrder(own, { payment_id: own.payments.pix })).transactions
      .data;
    return { ids: { transactions: transaction.id }, body: { outcome: 'pay' } };
  },
  createOrderTransaction: async (own) => ({
    ids: { orders: (await placeTestOrder(own)).id as number },
  }),
  createOrderInvoice: () => {
    const example = { number: 2, series: 1, value: 1, issued_at: '2031-03-05 09:04:07' };
    return Promise.resolve({ body: { ...example, access_key: otherKey } });
  },
  updateOrderInvoice: () => Promise.resolve({ body: { number: 7 } }),
  updateOrder: () => Promise.resolve({ body: { status: 'ready_for_shipping' } }),
  orderCart: (own) =>
    Promise.resolve({
      body: { payment_id: own.payments.pix, shipping_address_id: own.ids.addresses },
    }),
  updateCart: async (own) => ({
    ids: await newCart(own),
    body: { shipping: { service: 'express', value: 2 } },
  }),
  deleteCart: async (own) => ({ ids: await newCart(own) }),
  remindOfCart: async (own) => ({ ids: await newCart(own) }),
  createOrder: (own) => Promise.resolve({ body: orderBody(own) }),
  createCustomer: async () => {
    const person = { first_name: 'Bia', last_name: 'Souza', type: 'f', phone: '+55 11 91234-5678' };
    return { body: { ...person, ...otherCustomer } };
  },
  cancelImport: async (own) => {
    const waiting = "state = 'waiting', finished_at = null, due_at = 9000000000000";
    await setState('transfers', waiting, 'id', own.ids.imports);
    return {};
  },
};
/** Deeper paths first, so that each finds its record, and deletions last. */
const changes = storeOperations
  .filter(acceptsIdempotencyKey)
  .toSorted(
    (one, other) =>
      Number(one.method === 'DELETE') - Number(other.method === 'DELETE') ||
      other.path.split('/').length - one.path.split('/').length,
  );

/** They write nothing of the store: one reads, the other sends a request outside. */
const changingNothing = new Set(['exportCustomer', 'pingWebhook']);

/** Lines that the operations write themselves, whoever calls them. */
const isOwnLine = ({ action }: Line) => /^(?:webhook|settings|payments|emails)\./.test(action);

describe('a change of an assistant', () => {
  it.each(changes.map((operation) => [operation.id, operation] as const))(
    'is one line of the activity: %s',
    async (id, operation) => {
      const own = await sharedStore();
      const given = (await cases[id]?.(own)) ?? {};
      const ids: Ids = { ...own.ids, ...given.ids };
      const example = operation.body ? withOwnIds(publishedBody(operation).example, own) : {};
      const body = given.body ?? (operation.upload ? { lines: [example] } : example);
      const path = pathWithIds(operation, (kind) => ids[kind] ?? 1);
      const before = await linesOf(own.id);
      const rows = await allRows(own.id, beside);
      const { status, body: answer } = await overMcp!.client(own.alias, own.headers)(
        `${operation.method} ${path}`,
        body,
      );
      const lines = (await linesOf(own.id)).slice(before.length);
      const isChanged = (await allRows(own.id, beside)) !== rows;
      expect([status < 300, isChanged], JSON.stringify(answer)).toEqual([
        true,
        !changingNothing.has(id),
      ]);
      expect(lines.length).toBe(isChanged ? 1 : 0);
      const [line] = lines;
      if (!line || isOwnLine(line)) return;
      const named = /\d+$/.exec(path.replace(/\/[a-z-]+$/, ''))?.[0] ?? '';
      const created = [answer.data ?? answer].flat()[0]?.id ?? (await newestCategory());
      const isCreated = id.startsWith('create') || id === 'orderCart';
      expect(line).toEqual({
        action: id,
        target_kind: 'record',
        target_id: isCreated ? String(created) : named,
        actor_kind: 'api_key',
      });
    },
  );

  it('is none if it fails, changes nothing, or is made again within minutes', async () => {
    const own = await createTestStore();
    const { headers } = own;
    const sent = { name: 'Aurora', active: true };
    const call = async (name: string, args: Record<string, unknown>) => {
      const { structuredContent } = await requestTool(name, args, { headers });
      return structuredContent;
    };
    const { data } = await call('create_brand', sent);
    const lines = await linesOf(own.id);
    expect(lines.map(({ action }) => action)).toEqual(['createBrand']);
    const refused = [
      await call('create_brand', sent),
      await call('create_brand', { ...sent, again: 2 }),
      await call('update_brand', { id: data.id, ...sent }),
      await call('update_brand', { id: 999_999, ...sent }),
      await call('update_brand', { id: data.id, name: 7 }),
      await call('update_brand', { id: data.id, ...sent, name: 'Boreal', dry_run: true }),
    ];
    expect(refused.map(({ status_code }) => status_code)).toEqual([
      409,
      422,
      undefined,
      404,
      422,
      undefined,
    ]);
    await own.api(`PUT /catalog/brands/${data.id}`, { name: 'Boreal', active: true });
    expect(await linesOf(own.id)).toEqual(lines);
  });

  it('names the assistant, whose own name is marked, and the operation', async () => {
    const own = await createTestStore();
    const { headers } = await connectApp(own, {
      scopes: ['catalog.write', 'config.read'],
      resource: 'mcp',
    });
    await requestTool('create_brand', { name: 'Aurora', active: true }, { headers });
    const { structuredContent } = await requestTool(
      'list_activity',
      { kind: 'record', fields: ['actor', 'action', 'target'] },
      { headers },
    );
    const [{ actor, action, target }] = structuredContent.data;
    expect([actor.kind, action, target.kind]).toEqual(['app', 'createBrand', 'record']);
    expect(actor.name).toMatch(/^\[third party\] /);
  });

  it('has its line in its own batch: a row more, with two indexes and the counter of ids', async () => {
    const own = await createTestStore();
    const { body } = await own.api('POST /catalog/brands', { name: 'A', active: true });
    const { id } = body.data as { id: number };
    const plain = await measureRequest(own, `PUT /catalog/brands/${id}`, {
      name: 'B',
      active: true,
    });
    const { headers } = own;
    const called = await measureTool('update_brand', { id, name: 'C', active: true }, { headers });
    expect([plain.data.roundTrips, called.data.roundTrips]).toEqual([1, 1]);
    expect(called.data.statements - plain.data.statements).toBe(2);
    expect(called.data.rowsWritten - plain.data.rowsWritten).toBe(4);
  });
});

/** The id of the newest category, whose creation answers no record. */
async function newestCategory(): Promise<number> {
  const row = await env.STORE_0.prepare('select max(id) as id from categories').first<Ids>();
  return row!.id as number;
}
