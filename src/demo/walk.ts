/**
 * `npm run demo:walk` (runs in Node): causes every event on a running `npm start`, only by HTTP.
 * Prints what arrived in the inbox and whether the feed agrees. Exits with 1 when something is
 * missing.
 */
import { parseArgs } from 'node:util';
import type { CallApi } from '../client/cli/store-steps.ts';
import { specifiedEventNames } from '../data/grants/event-catalogue.ts';
import type { InboxEntry } from './inbox/entries.ts';
import { demoApiKeys } from './seed/account-data.ts';
import { runWalk } from './walk-steps.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8787' },
    /** Sends the cart reminder by the API instead of waiting for cron. */
    remind: { type: 'boolean', default: false },
  },
});
const origin = `http://localhost:${values.port}`;
const inboxUrl = `${origin}/demo/inbox`;
const [{ token, secret }] = demoApiKeys;

async function request<T>(method: string, url: string, body?: object): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: {
      'User-Token': token,
      'User-Secret-Key': secret,
      'Content-Type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}

const call: CallApi = (methodAndPath, body) => {
  const [method = '', path = ''] = methodAndPath.split(' ');
  return request(method, `${origin}/v2/demo${path}`, body);
};

/** Polls a condition every second, for at most `seconds`. Returns its last value. */
async function waitUntil(condition: () => Promise<boolean>, seconds: number): Promise<boolean> {
  for (const end = Date.now() + seconds * 1_000; Date.now() < end;) {
    if (await condition()) return true;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  return condition();
}

interface CartBody {
  data: { status: string };
}

/**
 * Waits until cron, which `npm start` triggers every minute, has sent the reminder of an idle cart.
 */
async function waitForReminder(cartId: number) {
  console.log(
    '  waiting until the cart is idle for a minute and cron runs: this takes up to two minutes',
  );
  const isAbandoned = async () =>
    (await call<CartBody>(`GET /checkout/carts/${cartId}`)).data.status === 'abandoned';
  if (!(await waitUntil(isAbandoned, 180))) throw new Error(`cart ${cartId} got no reminder`);
}

interface ReceivedDelivery {
  /** `epoch.number`. */
  seq: string;
  entry: InboxEntry;
}

const numberOf = ({ seq }: ReceivedDelivery) => Number(seq.split('.')[1]);

/** Loads the deliveries of a webhook from the inbox, in the order of their sequence numbers. */
async function loadDeliveries(webhookId: number): Promise<ReceivedDelivery[]> {
  const entries = await request<InboxEntry[]>('GET', `${inboxUrl}.json`);
  const header = (entry: InboxEntry, name: string) =>
    Object.entries(entry.headers).find(([key]) => key.endsWith(name))?.[1] ?? '';
  return entries
    .filter((entry) => header(entry, '-delivery-id').startsWith(`${webhookId}-`))
    .map((entry) => ({ seq: header(entry, '-sequence'), entry }))
    .toSorted((one, other) => numberOf(one) - numberOf(other));
}

const findMissingEvents = (deliveries: readonly ReceivedDelivery[]) =>
  specifiedEventNames.filter((name) => !deliveries.some(({ entry }) => entry.event === name));

/**
 * Whether every event arrived and no number is missing. Reminders of other carts may be among them.
 */
const isComplete = (deliveries: readonly ReceivedDelivery[]) =>
  findMissingEvents(deliveries).length === 0 &&
  deliveries.every((delivery, index) => numberOf(delivery) === index + 1);

interface SettingsBody {
  data: { cart_idle_minutes: number };
}

interface FeedBody {
  data: { id: string; event: string }[];
}

async function run(): Promise<boolean> {
  const { data: settings } = await call<SettingsBody>('GET /config/settings');
  await call('PUT /config/settings', { cart_idle_minutes: 1 });
  console.log(`The walk in store demo of ${origin}`);
  const walk = runWalk(call, Date.now().toString(36), {
    inboxUrl,
    log: (line) => console.log(`  ${line}`),
    awaitReminder: (id) =>
      values.remind
        ? call(`POST /checkout/carts/${id}/reminders`).then(() => undefined)
        : waitForReminder(id),
  });
  // The setting is restored even when the walk fails.
  await walk.catch(() => undefined);
  await call('PUT /config/settings', settings);
  const { webhook } = await walk;
  await waitUntil(async () => isComplete(await loadDeliveries(webhook.id)), 30);
  const deliveries = await loadDeliveries(webhook.id);
  console.log(`\nArrived at ${inboxUrl}`);
  for (const { seq, entry } of deliveries) {
    const { id } = (JSON.parse(entry.body) as { resource: { id: number } }).resource;
    console.log(`  ${seq.padEnd(6)} ${String(entry.event).padEnd(28)} id ${id}, ${entry.verdict}`);
  }
  const ids = deliveries.map(({ entry }) => entry.headers['webhook-id'] ?? '');
  const feed = await call<FeedBody>(`GET /events?limit=100&after_id=${ids[0]}`);
  const feedIds = feed.data.map(({ id }) => id).filter((id) => ids.includes(id));
  await call(`DELETE /webhooks/${webhook.id}`);

  const missing = findMissingEvents(deliveries);
  const areValid = deliveries.every(({ entry }) => entry.verdict === 'valid');
  const areInOrder = feedIds.join() === ids.slice(1).join();
  console.log(
    `\n${specifiedEventNames.length - missing.length} of ${specifiedEventNames.length} events arrived.`,
  );
  if (missing.length > 0) console.log(`Missing: ${missing.join(', ')}.`);
  console.log(`Signatures: ${areValid ? 'all valid' : 'not all valid'}.`);
  console.log(`The feed contains them in ${areInOrder ? 'the same' : 'another'} order.`);
  return missing.length === 0 && areValid && areInOrder;
}

try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  const hint = reason === 'fetch failed' ? ` Is npm start running on port ${values.port}?` : '';
  console.error(`demo:walk: ${reason}.${hint}`);
  process.exitCode = 1;
}
