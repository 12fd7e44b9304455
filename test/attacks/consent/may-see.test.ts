import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  coversScope,
  isScope,
  scopes,
  scopesToBits,
  type Scope,
} from '../../../src/data/grants/scopes.ts';
import type { Operation } from '../../../src/http/operation.ts';
import { createApiClient } from '../../support/api/client.ts';
import { storeOperations } from '../../support/api/operations.ts';
import {
  createCompleteStore,
  pathWithIds,
  type CompleteStore,
} from '../../support/fixtures/complete-store.ts';
import '../../support/fixtures/first-shard.ts';
import { doors, type Door } from '../../support/mcp/doors.ts';
import {
  bearerHeaders,
  connectApp,
  postToken,
  refreshForm,
  withClaims,
} from '../../support/oauth/partner.ts';
import { shared } from '../../support/shared.ts';
import { isSlow } from '../../support/slow.ts';

/** The relations that need another scope than their record. */
const restrictedRelations: Readonly<Record<string, Scope>> = { customer: 'customers.read' };

/**
 * Fields of a customer, and the computed stock: a search or an order by them would reveal their
 * values.
 */
const restrictedFields =
  /\b(?:customer(?!\.)|first_name|last_name|full_name|cpf|cnpj|total_in_stock)\b/;

/** In every field of every customer, and nowhere else in the store. */
const personalMark = 'zzpersonal';

/** The free quantity of every SKU, and no other number of the store. */
const stockMark = 876_543;

/**
 * Creates a store with a record of every kind, whose customers and stock differ from all other
 * values.
 */
async function createMarkedStore(): Promise<CompleteStore> {
  const store = await createCompleteStore('mine');
  await env.STORE_0.batch([
    env.STORE_0.prepare(
      `update customers set first_name = ?1, last_name = ?1, email = ?1 || id || '@example.com' where store_id = ?2`,
    ).bind(personalMark, store.id),
    env.STORE_0.prepare('update addresses set receiver = ?1, street = ?1 where store_id = ?2').bind(
      personalMark,
      store.id,
    ),
    env.STORE_0.prepare('update stocks set quantity = ?1 + reserved where store_id = ?2').bind(
      stockMark,
      store.id,
    ),
  ]);
  return store;
}

let created: Promise<CompleteStore> | undefined;
const sharedStore = () => (created ??= createMarkedStore());

/** An app with all scopes, for each resource. */
const sharedApp = shared(async (made: Door['tokensFor']) => connectApp(await sharedStore(), made));

/** The names that `include` accepts: the relations of the records of a response. */
function includesOf(operation: Operation): string[] {
  if (!operation.query?.names.includes('include')) return [];
  const schema = operation.query.parameters.find(({ name }) => name === 'include')?.schema;
  return (schema as { items?: { enum: string[] } } | undefined)?.items?.enum ?? [];
}

/** The harmless calls of an operation: reads with every include, and a PUT that changes nothing. */
function callsOf(operation: Operation, store: CompleteStore) {
  const path = pathWithIds(operation, (kind) => store.ids[kind] ?? 1);
  if (operation.method === 'PUT') return [{ request: `PUT ${path}`, include: '', body: {} }];
  return ['', ...includesOf(operation)].map((include) => ({
    request: `GET ${path}?${include && `include=${include}`}`,
    include,
    body: undefined,
  }));
}

/** Each scope at each door. */
const grants = doors.flatMap((door) => scopes.map((scope) => [scope, door.over, door] as const));

describe.each(grants)('an app with only the scope %s, over %s', (scope, _over, door) => {
  const granted: ReadonlySet<Scope> = new Set([scope]);

  it('sees no customer and no stock in any response without their scopes, and gets 403 for an include of them', async () => {
    const store = await sharedStore();
    const headers = await withClaims(await sharedApp(door.tokensFor), {
      scopes: scopesToBits(granted),
    });
    const api = door.client(store.alias, headers);
    const tried = door.operations.filter(({ access, method }) => {
      if (!isScope(access) || !coversScope(granted, access)) return false;
      // At the second door a read scope tries the reads, and a write scope the changes.
      const isUsual = scope.endsWith('.read') === (method === 'GET');
      return ['GET', 'PUT'].includes(method) && (door.over === 'HTTP' || isUsual || isSlow);
    });
    for (const operation of door.sample(tried)) {
      for (const { request, include, body } of callsOf(operation, store)) {
        const response = await api(request, body);
        const text = JSON.stringify(response.body);
        const needed = restrictedRelations[include];
        if (needed && !coversScope(granted, needed)) {
          expect([response.status, response.body.errors], request).toEqual([
            403,
            { scope: [`Requires ${needed}.`] },
          ]);
        } else if (operation.method === 'GET') {
          // A file with the stock is refused as a whole.
          const isFile = operation.id === 'downloadExport';
          expect([200, isFile ? 403 : 404], request).toContain(response.status);
        }
        if (!coversScope(granted, 'customers.read')) {
          expect(text, request).not.toContain(personalMark);
        }
        if (!coversScope(granted, 'inventory.read')) {
          expect(text, request).not.toContain(String(stockMark));
        }
      }
    }
  });
});

describe('an API key', () => {
  it('sees customers and stock with status 200', async () => {
    const { api, ids } = await sharedStore();
    for (const path of [`/checkout/carts/${ids.carts}`, `/orders/${ids.orders}`]) {
      const { status, body } = await api(`GET ${path}?include=customer`);
      expect([status, body.data.customer.data.first_name]).toEqual([200, personalMark]);
    }
    const sku = await api(`GET /catalog/skus/${ids.skus}`);
    expect(sku.body.data.total_in_stock).toBe(stockMark);
  });
});

describe('an app that may write but not see customers', () => {
  const withoutCustomers: Scope[] = ['carts.write', 'orders.write', 'catalog.write'];

  it('gets 403 for a customer or an address of one in a body, whatever else is wrong with it', async () => {
    const store = await createMarkedStore();
    const { api } = await connectApp(store, { scopes: withoutCustomers });
    const { customerId: customer_id, addressId: shipping_address_id, ids } = store;
    const items = [{ sku_id: ids.skus, quantity: 1 }];
    const requests: [request: string, body: object][] = [
      ['POST /checkout/carts', { customer_id, items }],
      ['POST /checkout/carts', { customer_id, items: 'none' }],
      [`PUT /checkout/carts/${ids.carts}`, { customer_id }],
      ['POST /orders', { customer_id, items, shipping_address_id }],
      [
        `POST /checkout/carts/${ids.carts}/orders`,
        { payment_id: ids.payments, shipping_address_id },
      ],
    ];
    for (const [request, body] of requests) {
      const response = await api(request, body);
      expect([response.status, response.body.errors], request).toEqual([
        403,
        { scope: ['Requires customers.read.'] },
      ]);
      expect(response.headers.get('WWW-Authenticate')).toContain('scope="customers.read"');
    }
    const cart = await api(`GET /checkout/carts/${ids.carts}`);
    expect(cart.body.data.status).toBe('open');
  });

  it('gets 200 or 201 for everything else, and no customer or stock in the responses', async () => {
    const store = await createMarkedStore();
    const { api } = await connectApp(store, { scopes: withoutCustomers });
    const { ids } = store;
    const items = [{ sku_id: ids.skus, quantity: 1 }];
    const address = { receiver: 'Ana', zipcode: '01310-100', street: 'Rua', number: '1' };
    const shipping_address = { ...address, neighborhood: 'Centro', city: 'SP', state: 'SP' };
    const product = { name: 'New', simple: true, active: true, brand_id: ids.brands };
    const requests: [request: string, body?: object][] = [
      ['POST /checkout/carts', { customer_id: null, items }],
      [`PUT /checkout/carts/${ids.carts}`, { shipping: { value: 5 } }],
      [`POST /checkout/carts/${ids.carts}/reminders`],
      [`POST /checkout/carts/${ids.carts}/orders`, { payment_id: ids.payments, shipping_address }],
      [`PUT /orders/${ids.orders}`, { track_code: 'BR1' }],
      [`PUT /catalog/products/${ids.products}`, { name: 'Other' }],
      [`PUT /catalog/skus/${ids.skus}`, { title: 'Other' }],
      ['POST /catalog/products', { ...product, skus: [{ sku: 'a', price_sale: 1, quantity: 3 }] }],
      [`POST /catalog/products/${ids.products}/skus`, { sku: 'b', price_sale: 1, quantity: 3 }],
    ];
    for (const [request, body] of requests) {
      const response = await api(request, body);
      expect([200, 201], request).toContain(response.status);
      const text = JSON.stringify(response.body);
      expect(text, request).not.toContain(personalMark);
      expect(text, request).not.toContain('"customer":');
      expect(text, request).not.toMatch(/"total_in_stock":\d/);
    }
  });

  it('gets 403 that names every scope that is missing, so that one consent is enough', async () => {
    const { api } = await connectApp(await sharedStore(), { scopes: ['webhooks.write'] });
    const webhook = { name: 'All', url: 'http://127.0.0.1:9/', events: [] as string[] };
    webhook.events = ['order.created', 'customer.created', 'product.created', 'product.updated'];
    const response = await api('POST /webhooks', webhook);
    const names = ['orders.read', 'customers.read', 'catalog.read'];
    expect([response.status, response.body.errors, response.body.hint]).toEqual([
      403,
      { scope: names.map((name) => `Requires ${name}.`) },
      `Let the merchant authorize the app again with the scopes ${names.join(', ')}.`,
    ]);
    expect(response.headers.get('WWW-Authenticate')).toBe(
      `Bearer error="insufficient_scope", scope="${names.join(' ')}"`,
    );
  });

  it('gets 403 for an order from a cart with carts.write alone', async () => {
    const store = await sharedStore();
    const { api } = await connectApp(store, { scopes: ['carts.write', 'customers.read'] });
    const response = await api(`POST /checkout/carts/${store.ids.carts}/orders`, {});
    expect([response.status, response.body.errors]).toEqual([
      403,
      { scope: ['Requires orders.write.'] },
    ]);
  });
});

describe('a token that was refreshed with fewer scopes', () => {
  it('gets 200 with the stored response of an idempotent request, without the customer', async () => {
    const store = await createMarkedStore();
    const granted: Scope[] = ['orders.write', 'customers.read'];
    const { app, api, tokens } = await connectApp(store, { scopes: granted });
    const key = { 'Idempotency-Key': 'narrowed' };
    const request = `PUT /orders/${store.ids.orders}`;
    const first = await api(request, { track_code: 'BR1' }, key);
    expect(JSON.stringify(first.body)).toContain(personalMark);
    const form = { ...refreshForm(app, tokens.refresh_token), scope: 'orders.write' };
    const refreshed = await postToken(form);
    const narrowed = createApiClient(store.alias, bearerHeaders(app, refreshed.body.access_token));
    const again = await narrowed(request, { track_code: 'BR1' }, key);
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([200, 'true']);
    const { customer: _customer, ...visible } = first.body.data;
    expect(again.body).toEqual({ data: visible });
  });
});

describe('the published contract', () => {
  const published = storeOperations.map((operation) => [operation.route, operation] as const);

  it.each(published)('%s shows customers in restricted fields only', (_route, operation) => {
    if (!isScope(operation.access) || operation.access.startsWith('customers.')) return;
    const { $defs = {}, ...schema } = z.toJSONSchema(operation.reply.schema, {
      unrepresentable: 'any',
    });
    const openRecords = (node: unknown): string[] => {
      if (typeof node !== 'object' || node === null || 'x-requires' in node) return [];
      const name =
        '$ref' in node && typeof node.$ref === 'string' ? node.$ref.split('/').at(-1)! : undefined;
      const target = name === undefined ? Object.values(node) : [$defs[name]];
      return [...(name === undefined ? [] : [name]), ...target.flatMap(openRecords)];
    };
    expect(openRecords(schema)).not.toContain('Customer');
    expect(openRecords(schema)).not.toContain('Address');
  });

  it.each(published)('%s does not search or sort by a restricted field', (_route, operation) => {
    // findOrders is 403 for a name or e-mail address without customers.read
    // (`test/sales/reports.test.ts`).
    if (operation.access.startsWith('customers.') || operation.id === 'findOrders') return;
    const parameters = (operation.query?.parameters ?? []).filter(({ name }) => name !== 'include');
    expect(JSON.stringify(parameters)).not.toMatch(restrictedFields);
  });
});
