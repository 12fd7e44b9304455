import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { repliesAsShown, type Operation } from '../../../src/http/operation.ts';
import { callAtOnce, countStatuses } from '../../support/api/at-once.ts';
import { callWithBindings } from '../../support/api/measure.ts';
import { conditionalChanges } from '../../support/api/operations.ts';
import { fakeDatabase } from '../../support/fakes/fake-database.ts';
import {
  createCompleteStore,
  pathWithIds,
  type CompleteStore,
} from '../../support/fixtures/complete-store.ts';
import '../../support/fixtures/first-shard.ts';
import { parallelBodies } from '../../support/fixtures/parallel-bodies.ts';
import {
  createSellingStore,
  placeTestOrder,
  type SellingStore,
} from '../../support/fixtures/selling-store.ts';
import type { TestStore } from '../../support/fixtures/store.ts';
import { isSlow, kindsFor, runsOf } from '../../support/slow.ts';
import { sendImport } from '../../support/transfers/transfers.ts';

const writers = runsOf(10, 5);

/**
 * The writers of each operation; three already let a second one win with a tag that is not
 * compared.
 */
const rivals = runsOf(writers, 3);

let shop: CompleteStore;
let configuration: number;
beforeAll(async () => {
  shop = await createCompleteStore('one-tag');
  const { body } = await shop.api('GET /checkout/payments');
  configuration = body.data.find(({ id }: { id: number }) => id === shop.payments.pix).config_id;
});

/** An import that can still be cancelled. */
const newImport = async (): Promise<number> =>
  (await sendImport(shop, [{ id: shop.ids.products, name: null }])).body.data.id;

async function pathOf(operation: Operation) {
  const imports = operation.id === 'cancelImport' ? await newImport() : 1;
  const ids = { ...shop.ids, imports, config: configuration };
  return pathWithIds(operation, (kind) => ids[kind as keyof typeof ids] ?? 1);
}

/** Bodies that all change what GET shows, where those of `parallelBodies` do not. */
const ownBodies: Record<string, (n: number) => object> = {
  updateOrder: (n) => ({ track_code: `BR${n}` }),
  updateWebhook: (n) => ({ url: `http://127.0.0.1:9/${n}` }),
};

/** The value that counts, where it is not the name. */
const ownCounters: Record<string, (count: number) => object> = {
  changeSettings: (count) => ({ cart_idle_minutes: count }),
  updateCart: (count) => ({ shipping: { service: `N${count}` } }),
  updateCustomer: (count) => ({ first_name: `N${count}` }),
  updateCustomerAddress: (count) => ({ number: `${count}` }),
  updateOrder: (count) => ({ track_code: `N${count}` }),
  updateOrderInvoice: (count) => ({ value: count }),
  updatePaymentConfiguration: (count) => ({ percent_discount: count }),
  updateSku: (count) => ({ price_sale: count }),
};

const updates = conditionalChanges.filter(({ method }) => method === 'PUT');
const deletions = conditionalChanges.filter(({ method }) => method === 'DELETE');

const bodyOf = ({ id, body }: Operation, n: number) =>
  body && (ownBodies[id]?.(n) ?? parallelBodies[id]!(shop, n));

/** The request of each writer. */
const times = <T>(count: number, of: (writer: number) => T) =>
  Array.from({ length: count }, (_, writer) => of(writer));

/** A request that finds the record gone gets 404, as for any record that does not exist. */
const refusalOf = (operation: Operation) =>
  operation.method === 'DELETE' && !repliesAsShown(operation) ? 404 : 412;

const tagOf = async (path: string, { api }: TestStore = shop) =>
  (await api(`GET ${path}`)).headers.get('ETag')!;

/** The path of the product of a selling store. */
async function productOf({ api }: SellingStore) {
  const { body } = await api('GET /catalog/products');
  return `/catalog/products/${body.data[0].id}`;
}

/** Places an order with an invoice of the value 1. Returns the path of the invoice. */
async function newInvoice(own: SellingStore) {
  const { id } = await placeTestOrder(own, { payment_id: own.payments.pix, status: 'paid' });
  const { body } = await own.api(`POST /orders/${id}/invoices`, {
    number: 1,
    series: 1,
    value: 1,
    access_key: '35310312345678000195550010000000011000000016',
    issued_at: '2031-03-05 09:04:07',
  });
  return `/orders/${id}/invoices/${body.data.id}`;
}

/** The store of a caller who sends this header. */
const sending = (headers: Record<string, string>, store: TestStore = shop) => ({
  ...store,
  headers: { ...store.headers, ...headers },
});

/**
 * The database, in which another user acts after the first batch: the tag was compared, the change
 * has not begun.
 */
function racedDatabase(race: () => Promise<unknown>): D1Database {
  let isFirst = true;
  return fakeDatabase({
    prepare: (sql: string) => env.STORE_0.prepare(sql),
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await env.STORE_0.batch(statements);
      if (isFirst) {
        isFirst = false;
        await race();
      }
      return results;
    },
  });
}

/**
 * Sends a change with these headers, which a rival overtakes. Returns the responses of both, and
 * the tag afterwards.
 */
async function race(
  path: string,
  headers: Record<string, string>,
  { body, rival }: { body: unknown; rival: unknown },
  store: TestStore = shop,
) {
  const request = `PUT ${path}`;
  let won: number | undefined;
  const lost = await callWithBindings(sending(headers, store), request, body, {
    STORE_0: racedDatabase(async () => {
      won = (await store.api(request, rival)).status;
    }),
  });
  return { won, lost, current: await tagOf(path, store) };
}

const withRoute = (operations: readonly Operation[]) =>
  operations.map((operation) => [operation.route, operation] as const);

async function expectOneWinner(operation: Operation, bodies: readonly unknown[]) {
  const path = await pathOf(operation);
  const responses = await callAtOnce(
    sending({ 'If-Match': await tagOf(path) }),
    bodies.map((body) => [`${operation.method} ${path}`, body]),
  );
  expect(countStatuses(responses)).toEqual({
    [operation.reply.status]: 1,
    [refusalOf(operation)]: rivals - 1,
  });
}

describe.each(withRoute(updates))('%s', (_route, operation) => {
  it.runIf(isSlow || updates.indexOf(operation) % 2 === 0)(
    'returns 412 when a rival has written the same',
    async () => {
      const path = await pathOf(operation);
      const body = bodyOf(operation, 20);
      const headers = { 'If-Match': await tagOf(path) };
      const { won, lost, current } = await race(path, headers, { body, rival: body });
      expect([won, lost.status, lost.headers.get('ETag')]).toEqual([200, 412, current]);
    },
  );

  const values = [
    ['equal', () => 30],
    ['different', (writer: number) => writer + 1],
  ] as const;

  it.each(kindsFor(operation, updates, values))(
    `lets one of ${rivals} writers of %s values succeed (200), the others get 412`,
    (_, valueOf) =>
      expectOneWinner(
        operation,
        times(rivals, (writer) => bodyOf(operation, valueOf(writer))),
      ),
  );

  // The requests grow with the square of the writers; four already lose a change that is not
  // compared.
  const counters = operation.id === 'updateBanner' ? runsOf(20, 8) : runsOf(6, 4);

  // Most of its time; one in six operations is enough for a usual run.
  const counts = isSlow || updates.indexOf(operation) % 6 === 0;

  it.runIf(counts)(
    `counts each of ${counters} writers that read, add one and begin again after a 412`,
    async () => {
      const path = await pathOf(operation);
      const counter = ownCounters[operation.id] ?? ((count: number) => ({ name: `N${count}` }));
      const [field = ''] = Object.keys(counter(0));
      const write = (count: number, headers?: Record<string, string>) =>
        shop.api(`PUT ${path}`, { ...bodyOf(operation, 1), ...counter(count) }, headers);
      const read = async () => {
        const { body, headers } = await shop.api(`GET ${path}`);
        const [record] = [body.data ?? body].flat();
        const [count] = JSON.stringify(record[field]).match(/\d+/)!;
        return { count: Number(count), headers: { 'If-Match': headers.get('ETag')! } };
      };
      const first = 1;
      expect((await write(first)).status).toBe(200);
      const addOne = async () => {
        for (;;) {
          const { count, headers } = await read();
          const { status } = await write(count + 1, headers);
          if (status === 200) return;
          expect(status).toBe(412);
        }
      };
      await Promise.all(times(counters, addOne));
      expect((await read()).count).toBe(first + counters);
    },
  );
});

describe.each(withRoute(deletions))('%s', (_route, operation) => {
  it(`lets one of ${rivals} callers with one tag succeed (200), the others get ${refusalOf(operation)}`, () =>
    expectOneWinner(
      operation,
      times(rivals, () => undefined),
    ));
});

it(`lets one of ${writers} writers change what the tag does not show (200), within the second of the last change`, async () => {
  const second = Math.ceil(Date.now() / 1000) * 1000;
  using clock = vi.spyOn(Date, 'now').mockReturnValue(second);
  const own = await createSellingStore();
  const path = await productOf(own);
  const tag = await tagOf(path, own);
  clock.mockReturnValue(second + 1);
  const responses = await callAtOnce(
    sending({ 'If-Match': tag }, own),
    times(writers, (n) => [`PUT ${path}`, { images: [{ url: `https://cdn.test/${n}.png` }] }]),
  );
  expect(countStatuses(responses)).toEqual({ 200: 1, 412: writers - 1 });
  const { headers } = responses.find(({ status }) => status === 200)!;
  expect(headers.get('ETag')).not.toBe(tag);
  expect(await tagOf(path, own)).toBe(headers.get('ETag'));
});

describe('a change that writes nothing', () => {
  it('is 412 rather than 409 when a rival has made a state that refuses it', async () => {
    const own = await createSellingStore();
    const path = await newInvoice(own);
    const headers = { 'If-Match': await tagOf(path, own) };
    const rival = { status: 'cancelled' };
    const { won, lost, current } = await race(path, headers, { body: { value: 2 }, rival }, own);
    expect([won, lost.status, lost.headers.get('ETag')]).toEqual([200, 412, current]);
    const refused = await own.api(`PUT ${path}`, { value: 2 }, { 'If-Match': current });
    expect([refused.status, refused.body.code]).toEqual([409, 'invoice_cancelled']);
  });

  it('is 412 when a rival has made the record that If-None-Match excludes', async () => {
    const path = '/config/settings';
    await shop.api(`PUT ${path}`, { cart_idle_minutes: 70 });
    const excluded = await tagOf(path);
    await shop.api(`PUT ${path}`, { cart_idle_minutes: 71 });
    const body = { cart_idle_minutes: 70 };
    const headers = { 'If-None-Match': excluded };
    const { won, lost } = await race(path, headers, { body, rival: body });
    expect([won, lost.status, lost.headers.get('ETag')]).toEqual([200, 412, excluded]);
  });

  it('is 200 for all writers of what stands already, and the tag stays', async () => {
    const own = await createSellingStore();
    for (const [address, values] of [
      ['/config/settings', { cart_idle_minutes: 60 }],
      [await productOf(own), { name: 'Camiseta' }],
      [await newInvoice(own), { value: 1 }],
    ] as const) {
      const tag = await tagOf(address, own);
      const responses = await callAtOnce(
        sending({ 'If-Match': tag }, own),
        times(writers, () => [`PUT ${address}`, values]),
      );
      expect(countStatuses(responses)).toEqual({ 200: writers });
      expect(await tagOf(address, own)).toBe(tag);
    }
  });

  it('stores its response under an idempotency key (200), and the 412 of a loser under none', async () => {
    const own = await createSellingStore();
    const path = await productOf(own);
    const body = { name: 'Keyed' };
    const send = (key: string, tag: string) =>
      own.api(`PUT ${path}`, body, { 'If-Match': tag, 'Idempotency-Key': key });
    const before = await tagOf(path, own);
    const crowd = await Promise.all(times(writers, (writer) => send(`${writer}`, before)));
    expect(countStatuses(crowd)).toEqual({ 200: 1, 412: writers - 1 });
    const current = await tagOf(path, own);
    const statuses = times(writers, async (writer) => {
      const { status, headers } = await send(`${writer}`, current);
      return [status, headers.get('Idempotent-Replayed'), headers.get('ETag')];
    });
    const winner = crowd.findIndex(({ status }) => status === 200);
    expect(await Promise.all(statuses)).toEqual(
      times(writers, (writer) => [200, writer === winner ? 'true' : null, current]),
    );
    const again = await send(`${(winner + 1) % writers}`, before);
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([200, 'true']);
  });
});
