/**
 * Prints the cost of a million of the usual requests and deliveries at list prices. It comes from
 * the rows that their statements read and write in the running Worker.
 * `node test/bench/costs/costs.ts` runs only this part.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { demoApiKeys } from '../../../src/demo/seed/account-data.ts';
import { sampleAddress, sampleCustomer } from '../../support/fixtures/sample-data.ts';
import { authorizeLink, pkce } from '../../support/node/oauth/link.ts';
import { MerchantBrowser } from '../../support/node/oauth/merchant.ts';
import { startDemo, type RunningDemo } from '../../support/node/runtime/demo.ts';
import { assumedCpuMs, priceOfMillion, prices, type Usage, usageKinds } from './prices.ts';

const repetitions = 20;
const minutesPerMonth = 43_200;

/** Usage of one invocation, as the measured Worker logs it. */
interface Measurement extends Usage {
  event: 'measured';
  name: string;
  calls: number;
}

interface Client {
  call: (request: string, body?: object) => Promise<{ data: { id: number } }>;
}

/** A client of the store `outlet` of the demo. */
function createClient({ origin }: RunningDemo): Client {
  const { token, secret } = demoApiKeys[1];
  const headers = {
    'User-Token': token,
    'User-Secret-Key': secret,
    'Content-Type': 'application/json',
  };
  return {
    call: async (request, body) => {
      const [method = '', path = ''] = request.split(/ (.*)/s);
      const response = await fetch(`${origin}/v2/outlet${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${request}: ${response.status} ${await response.text()}`);
      return (await response.json()) as { data: { id: number } };
    },
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const measurementsOf = ({ lines }: RunningDemo): Measurement[] =>
  lines.filter((line) => line.startsWith('{"event":"measured"')).map((line) => JSON.parse(line));

/** Runs `work` with all invocations that follow from it. Returns what they used together. */
async function measure(demo: RunningDemo, work: () => Promise<unknown>): Promise<Measurement[]> {
  const before = measurementsOf(demo).length;
  await work();
  for (let count = -1; count !== measurementsOf(demo).length;) {
    count = measurementsOf(demo).length;
    await pause(400);
  }
  return measurementsOf(demo).slice(before);
}

/** The sum of the measurements, divided by `times`. */
function average(measurements: readonly Measurement[], times: number): Usage {
  const total = (kind: keyof Usage) =>
    measurements.reduce((sum, measurement) => sum + measurement[kind], 0) / times;
  return Object.fromEntries(usageKinds.map((kind) => [kind, total(kind)])) as unknown as Usage;
}

/** Prints a row. One that costs more than its line fails the run. */
function printRow(name: string, usage: Usage, dollars: number, line = Infinity) {
  const number = (value: number) => value.toFixed(1).padStart(8);
  const rows = `${number(usage.rowsRead)} ${number(usage.rowsWritten)} ${number(usage.queueOperations)}`;
  const isAbove = dollars > line;
  if (isAbove) process.exitCode = 1;
  const verdict = line === Infinity ? '' : `at most ${line}${isAbove ? ': ABOVE' : ''}`;
  console.log(`  ${name.padEnd(44)}${rows}   $ ${dollars.toFixed(3).padStart(7)}   ${verdict}`);
}

/** Average usage of `work`, with all invocations that follow from it. */
async function measureOften(
  demo: RunningDemo,
  work: (n: number) => Promise<unknown>,
): Promise<Usage> {
  await measure(demo, () => work(0));
  const all: Measurement[] = [];
  for (let n = 1; n <= repetitions; n += 1) all.push(...(await measure(demo, () => work(n))));
  return average(all, repetitions);
}

const printMillion = (name: string, line: number | undefined, usage: Usage, more = 0) =>
  printRow(name, usage, priceOfMillion(usage) + more, line);

/**
 * A million reads write so many millions of log lines: one in ten has one (`READS_PER_LOG_LINE` of
 * a deployment).
 */
const linesPerRead = 0.1;

/**
 * One success in a hundred has two rows in the log of requests, and one in the loads
 * (`SUCCESSES_PER_ROW` of a deployment).
 */
const rowsPerSuccess = 3 / 100;

/** Gigabytes of a store with a catalogue and no traffic. */
const idleStoreGigabytes = 0.02;

const difference = (one: Usage, other: Usage): Usage =>
  Object.fromEntries(usageKinds.map((kind) => [kind, one[kind] - other[kind]])) as unknown as Usage;

/** Returns a function that refreshes the tokens of a new grant. */
async function createRefresher({ origin }: RunningDemo) {
  const postToken = async (form: Record<string, string>) => {
    const body = new URLSearchParams({ client_id: 'demo-app', ...form });
    const response = await fetch(`${origin}/oauth/token`, { method: 'POST', body });
    if (!response.ok) throw new Error(`token: ${response.status}`);
    return (await response.json()) as { refresh_token: string };
  };
  const callback = await new MerchantBrowser(origin).decide(`${origin}${authorizeLink()}`);
  let tokens = await postToken({
    grant_type: 'authorization_code',
    redirect_uri: 'http://127.0.0.1:9999/callback',
    code: callback.searchParams.get('code') ?? '',
    code_verifier: pkce.verifier,
  });
  return async () => {
    const { refresh_token } = tokens;
    tokens = await postToken({ grant_type: 'refresh_token', refresh_token });
  };
}

/**
 * Subscribes one webhook to created orders and one to paid ones. Returns a buyer who fills a cart,
 * orders it and captures its payment (three requests), or whose paid order is placed by one
 * request.
 */
async function createBuyer(call: Client['call'], skuId: number, url: string) {
  for (const event of ['order.created', 'order.paid']) {
    await call('POST /webhooks', { url, name: event, events: [event] });
  }
  const { data: customer } = await call('POST /customers', {
    ...sampleCustomer,
    addresses: [sampleAddress],
  });
  const listOf = async (path: string) =>
    (await call(`GET ${path}`)).data as unknown as { id: number; alias?: string }[];
  const [address] = await listOf(`/customers/${customer.id}/addresses`);
  const payments = await listOf('/checkout/payments?limit=100');
  const card = payments.find(({ alias }) => alias === 'credit_card');
  const items = [{ sku_id: skuId, quantity: 1 }];
  const who = { customer_id: customer.id, shipping_address_id: address?.id, payment_id: card?.id };
  const atOnce = () => call('POST /orders', { ...who, items, status: 'paid' });
  const byCart = async () => {
    const { data: cart } = await call('POST /checkout/carts', {
      customer_id: customer.id,
      items,
    });
    const ordered = await call(`POST /checkout/carts/${cart.id}/orders`, {
      payment_id: card?.id,
      shipping_address_id: address?.id,
    });
    const { transactions } = ordered.data as unknown as {
      transactions: { data: { id: number }[] };
    };
    await call(`POST /checkout/transactions/${transactions.data[0]?.id}/capture`, {});
  };
  return { byCart, atOnce };
}

/**
 * A body that moves to the archive, and two deletions. Not measured: the purge comes after 30 days.
 */
const rowsToEndEvent = 3;

/**
 * Millions in a month of fifty thousand stores in 100 shards, with 20 orders a day and a catalogue
 * that partners read and change.
 */
const millionsInMonth = {
  'orders by cart, paid, two webhooks': 30,
  'events archived and deleted': 60 + 7.5,
  // Ten for each order.
  'reads with their log': 300,
  // Five of each store on a day.
  'product updates, one webhook': 7.5,
  // One of each store in an hour.
  'token refreshes': 36,
  'idle shards': 100e-6,
  'stores of 20 MB': 0.05,
};

/** Prints what that month costs, from dollars per million. More than its line fails the run. */
function printMonth(dollarsOfMillion: Record<keyof typeof millionsInMonth, number>): void {
  console.log('50,000 stores with 20 orders a day, dollars a month');
  const items = Object.entries(millionsInMonth).map(([name, millions]) => {
    const each = dollarsOfMillion[name as keyof typeof millionsInMonth];
    console.log(
      `  ${name.padEnd(44)}${millions} million at $ ${each.toFixed(3)}   $ ${(millions * each).toFixed(0)}`,
    );
    return millions * each;
  });
  const sum = items.reduce((total, item) => total + item, 0);
  if (sum > 3_100) process.exitCode = 1;
  console.log(`  together $ ${sum.toFixed(0)}   at most 3100${sum > 3_100 ? ': ABOVE' : ''}`);
}

/** The most minutes in which the work that was due before may end. */
const maxBusyMinutes = 10;

/** The sweeps of the first minute in which none of them has anything to write. */
async function measureIdleMinute(demo: RunningDemo): Promise<Measurement[]> {
  for (let minute = 0; minute < maxBusyMinutes; minute += 1) {
    const measured = await measure(demo, () => demo.triggerCron());
    const sweeps = measured.filter(({ name }) => name === 'sweep');
    if (sweeps.length > 0 && sweeps.every(({ rowsWritten }) => rowsWritten === 0)) return sweeps;
  }
  throw new Error(`No sweep was idle in ${maxBusyMinutes} minutes.`);
}

/**
 * Prints what an idle shard costs a month: its databases, and the messages that start its sweep.
 * Returns the sum in dollars.
 */
async function printIdleShard(demo: RunningDemo): Promise<number> {
  const sweeps = await measureIdleMinute(demo);
  const usage = average(sweeps, sweeps.length);
  const perMonth = minutesPerMonth / 1e6;
  const rows = usage.rowsRead * prices.rowsRead + usage.rowsWritten * prices.rowsWritten;
  printRow('idle shard, a month: rows', usage, rows * perMonth, 0.02);
  const started = priceOfMillion({ ...usage, rowsRead: 0, rowsWritten: 0, queueOperations: 3 });
  printRow('idle shard, a month: message and Worker', usage, started * perMonth);
  const none = average([], 1);
  const stored = idleStoreGigabytes * prices.databaseStorage;
  printRow('idle store with 20 MB, a month', none, stored, 0.015);
  const calls = Math.max(...sweeps.map((sweep) => sweep.calls));
  console.log(`  an idle sweep makes ${calls} calls of databases (limit of the platform: 1,000)`);
  return (rows + started) * perMonth;
}

/** Prints the table. */
export async function printCosts(): Promise<void> {
  const wrapper = join(import.meta.dirname, 'measured-worker.js');
  const demo = await startDemo({ wrapperSource: readFileSync(wrapper, 'utf8') });
  const receiver = createServer((request, response) =>
    request.resume().on('end', () => response.end()),
  );
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { call } = createClient(demo);
  const { data: brand } = await call('POST /catalog/brands', { name: 'Marca', active: true });
  const product = (n: number) => ({
    name: `Produto ${Date.now()} ${n}`,
    simple: true,
    active: true,
    brand_id: brand.id,
    skus: [{ sku: `${Date.now()}-${n}`, price_sale: 10, quantity: 5, quantity_managed: true }],
  });
  const { data: first } = await call('POST /catalog/products', product(0));
  const skus = (await call(`GET /catalog/products/${first.id}/skus`)) as unknown as {
    data: { id: number }[];
  };
  const stock = `PUT /catalog/skus/${skus.data[0]?.id}/stocks/1`;
  // Never few units, which the index of low stocks would have a row for.
  const unreceivable = await measureOften(demo, (n) => call(stock, { quantity: 500 + n }));
  const { port } = receiver.address() as AddressInfo;
  const { data: webhook } = await call('POST /webhooks', {
    url: `http://127.0.0.1:${port}/`,
    name: 'costs',
    events: ['product.created', 'product.updated', 'product.inventory.updated'],
  });
  console.log(
    `dollars per million at list prices, with ${assumedCpuMs} ms of CPU an invocation (rows read, rows written, queue operations)`,
  );
  const read = await measureOften(demo, () => call(`GET /catalog/products/${first.id}`));
  const logged = linesPerRead * prices.logLines + rowsPerSuccess * prices.rowsWritten;
  printMillion('warm read, with its log', 0.55, read, logged);
  const created = await measureOften(demo, (n) => call('POST /catalog/products', product(n)));
  // The plan names no line for it. Its 23 rows have one in the index of low stocks, since it has
  // few units.
  printMillion('product created, one webhook, delivered', 24, created);
  const updated = await measureOften(demo, (n) =>
    call(`PUT /catalog/products/${first.id}`, { priority: 100 + n }),
  );
  printMillion('product updated, one webhook, delivered', 8, updated);
  const set = await measureOften(demo, (n) => call(stock, { quantity: 1_000 + n }));
  printMillion('stock set, delivered', 7, set);
  printMillion('delivered webhook itself', 5.6, difference(set, unreceivable));
  await call(`DELETE /webhooks/${webhook.id}`);
  const buyer = await createBuyer(call, skus.data[0]?.id ?? 0, `http://127.0.0.1:${port}/`);
  const ordered = await measureOften(demo, buyer.byCart);
  printMillion('cart to paid order, two webhooks', 61, ordered);
  printMillion('order placed as paid, two webhooks', 34, await measureOften(demo, buyer.atOnce));
  const refreshed = await measureOften(demo, await createRefresher(demo));
  printMillion('token refresh', 1.9, refreshed);
  const idleShard = await printIdleShard(demo);
  printMonth({
    'orders by cart, paid, two webhooks': priceOfMillion(ordered),
    'events archived and deleted': rowsToEndEvent * prices.rowsWritten,
    'reads with their log': priceOfMillion(read) + logged,
    'product updates, one webhook': priceOfMillion(updated),
    'token refreshes': priceOfMillion(refreshed),
    'idle shards': idleShard * 1e6,
    'stores of 20 MB': idleStoreGigabytes * prices.databaseStorage * 1e6,
  });
  receiver.close();
  await demo.close();
}

if (import.meta.main) await printCosts();
