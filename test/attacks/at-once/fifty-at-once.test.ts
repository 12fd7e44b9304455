import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DeliveryState } from '../../../src/data/schema/store/webhooks-tables.ts';
import type { Operation } from '../../../src/http/operation.ts';
import { operationGroups } from '../../../src/routes/operations.ts';
import {
  callByCrowd,
  countStatuses,
  crowd,
  type CountedResponse,
} from '../../support/api/at-once.ts';
import { operations } from '../../support/api/operations.ts';
import { mockNetwork } from '../../support/fakes/network.ts';
import {
  createCompleteStore,
  pathWithIds,
  type CompleteStore,
} from '../../support/fixtures/complete-store.ts';
import { parallelBodies } from '../../support/fixtures/parallel-bodies.ts';
import { orderBody } from '../../support/fixtures/selling-store.ts';
import { isSlow, runsOf } from '../../support/slow.ts';
import { fillDeliveryLog } from '../../support/webhooks/delivery-log.ts';

const callers = runsOf(crowd, 6);

const changing = operations.filter(
  ({ method, isStoreScoped, upload }) => isStoreScoped && method !== 'GET' && !upload,
);

/** Deletions come last, and those of parts before those of the record that they belong to. */
const deletionOrder = ['values', 'addresses', 'comments', 'skus', 'products'];
function rank({ method, path, pathParams, body }: Operation): number {
  if (method !== 'DELETE' || body) return 0;
  const kind = path.split('/').at(-2) ?? '';
  const place = deletionOrder.indexOf(kind);
  return pathParams.length > 0 && place !== -1 ? place + 1 : deletionOrder.length + 1;
}
const inOrder = changing.toSorted((one, other) => rank(one) - rank(other));

let shop: CompleteStore;
beforeAll(async () => {
  shop = await createCompleteStore('crowded');
  await shop.api(`PUT /catalog/skus/${shop.skuIds[0]}/stocks/1`, { quantity: 100_000 });
});

/** Creates the record of an operation that needs one of its own, or in a certain state. */
const ownRecords: Record<string, () => Promise<CompleteStore['ids']>> = {
  captureTransaction: async () => ({ transactions: await newTransaction('credit_card') }),
  cancelTransaction: async () => ({ transactions: await newTransaction('credit_card') }),
  simulateTransaction: async () => ({ transactions: await newTransaction('pix') }),
  updateOrder: async () => ({
    orders: await create('/orders', orderBody(shop, { status: 'paid' })),
  }),
  createOrderTransaction: async () => ({ orders: await create('/orders', orderBody(shop)) }),
  orderCart: async () => {
    const items = [{ sku_id: shop.skuIds[0], quantity: 1 }];
    return {
      carts: await create('/checkout/carts', { customer_id: shop.customerId, items }),
    };
  },
  // The number of the only place of a SKU.
  updateSkuStock: () => Promise.resolve({ stocks: 1 }),
  updatePaymentConfiguration: async () => {
    const { body } = await shop.api('GET /checkout/payments');
    return { payments: body.data[0].id, config: body.data[0].config_id };
  },
  sendWebhookDelivery: async () => ({
    deliveries: await newHeldDelivery(Number(shop.ids.webhooks)),
  }),
  // Two operations delete a webhook. Their store has as many as it may have.
  deleteOrderWebhook: async () => {
    const { body } = await shop.api('GET /webhooks?limit=100');
    return { webhooks: body.data.at(-1).id };
  },
};

async function create(path: string, body: object): Promise<number> {
  return (await shop.api(`POST ${path}`, body)).body.data.id;
}

async function newTransaction(payment: string): Promise<number> {
  const body = orderBody(shop, { payment_id: shop.payments[payment] });
  const placed = await shop.api('POST /orders', body);
  return placed.body.data.transactions.data[0].id;
}

async function newHeldDelivery(webhook: number): Promise<number> {
  await fillDeliveryLog(shop, webhook, { count: 1, state: DeliveryState.held });
  const { body } = await shop.api(`GET /webhooks/${webhook}/deliveries?limit=1`);
  return body.data[0].seq;
}

/** Operations that only one of parallel callers may carry out; the others get a 409. */
const haveOneWinner = new Set(['sendWebhookDelivery']);

/**
 * One in three, and those with a rule of their own, in a usual run; each of them with a whole crowd
 * in a slow one.
 */
const tried = inOrder.filter(
  ({ id }, index) => isSlow || index % 3 === 0 || haveOneWinner.has(id) || id in ownRecords,
);

const measured: string[] = [];
afterAll(() => {
  // Shown with --silent=false.
  // oxlint-disable-next-line no-console -- the measurements of a run
  console.log(measured.join('\n'));
});

describe.each(tried.map((operation) => [operation.route, operation] as const))(
  '%s',
  (_route, operation) => {
    it(`serves ${callers} callers at once: some succeed, none gets a 5xx, and each field is as one of them left it`, async () => {
      const ids = { ...shop.ids, ...(await ownRecords[operation.id]?.()) };
      const path = pathWithIds(operation, (kind) => ids[kind] ?? 1);
      const bodyOf = operation.body ? parallelBodies[operation.id] : undefined;
      if (operation.body && !bodyOf) throw new Error(`no bodies for ${operation.id}`);
      const isCompared =
        operation.method === 'PUT' &&
        path.endsWith(`/${ids[lastKind(operation)]}`) &&
        isReadable(operation);
      using _network = mockNetwork(() => new Response('ok'));
      const read = async () => fieldsOf((await shop.api(`GET ${path}`)).body);
      const before = isCompared ? await read() : undefined;
      const responses = await callByCrowd(
        shop,
        (caller) => [`${operation.method} ${path}`, bodyOf?.(shop, caller)],
        { callers },
      );
      record(operation, responses);
      const counts = countStatuses(responses);
      expect(Object.keys(counts).filter((status) => Number(status) >= 500)).toEqual([]);
      expect(counts).toHaveProperty(`${operation.reply.status}`);
      if (haveOneWinner.has(operation.id)) {
        expect(counts).toEqual({ [operation.reply.status]: 1, 409: callers - 1 });
      }
      if (before && bodyOf) expectOneOfThem(before, await read(), responses, bodyOf);
    });
  },
);

const isReadable = ({ path }: Operation) =>
  operationGroups.some(({ operations }) =>
    operations.some((other) => other.method === 'GET' && other.path === path),
  );

type Fields = Record<string, unknown>;

/** The record of a response; some operations return a list of one. */
function fieldsOf(body: { data?: unknown }): Fields {
  const record = (body.data ?? body) as Fields | Fields[];
  return Array.isArray(record) ? record[0]! : record;
}

/**
 * Every field is as a successful caller saw it after its change; fields that no caller sent are as
 * before.
 */
function expectOneOfThem(
  before: Fields,
  after: Fields,
  responses: readonly CountedResponse[],
  bodyOf: (store: CompleteStore, caller: number) => object,
) {
  const sent = new Set(responses.flatMap((_, caller) => Object.keys(bodyOf(shop, caller))));
  const seen = responses.filter(({ status }) => status === 200).map(({ body }) => fieldsOf(body));
  for (const [name, value] of Object.entries(after)) {
    if (name === 'updated_at') continue;
    if (sent.has(name))
      expect(
        seen.map((one) => one[name]),
        name,
      ).toContainEqual(value);
    else if (!derived.test(name)) expect(value, name).toEqual(before[name]);
  }
}

/** Fields that follow others. */
const derived = /^(total_|value_|status|desire_|restriced|allowed_values|edited_at|expire_in)/;

const lastKind = ({ path }: Operation) => path.split('/').at(-2) ?? '';

function record({ route }: Operation, responses: readonly CountedResponse[]) {
  const batches = responses.map((response) => response.batches);
  const total = batches.reduce((sum, one) => sum + one, 0);
  measured.push(
    `${route} | ${JSON.stringify(countStatuses(responses))} | at most ${Math.max(...batches)} batches, ${total / callers} each`,
  );
}
