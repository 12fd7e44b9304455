/**
 * `npm run demo:walk` (Node, not part of the Worker): fires all 13 events on a running `npm start`, over HTTP alone, and
 * prints what arrived where. Ends with 1 when something is missing.
 */
import { parseArgs } from 'node:util';
import { eventNames } from '../events/catalogue.ts';
import type { Entry } from './inbox-entries.ts';
import { pairs } from './people.ts';
import { walk, type Call } from './walk-steps.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8787' },
    /** Sends the reminder of the cart by hand instead of waiting for a timer. */
    remind: { type: 'boolean', default: false },
  },
});
const origin = `http://localhost:${values.port}`;
const inbox = `${origin}/demo/inbox`;
const [{ token, secret }] = pairs;

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

const call: Call = (what, body) => {
  const [method = '', path = ''] = what.split(' ');
  return request(method, `${origin}/v2/demo${path}`, body);
};

/** Looks again and again, for `seconds` at most; answers whether it was so in the end. */
async function until(isSo: () => Promise<boolean>, seconds: number): Promise<boolean> {
  for (const end = Date.now() + seconds * 1_000; Date.now() < end;) {
    if (await isSo()) return true;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  return isSo();
}

interface Cart {
  data: { status: string };
}

/** Waits until cron, which the demo fires each minute, has found the cart idle. */
async function waitFor(cartId: number) {
  console.log('  a cart that is idle for a minute is reminded of: this takes up to two minutes');
  const isAbandoned = async () =>
    (await call<Cart>(`GET /checkout/carts/${cartId}`)).data.status === 'abandoned';
  if (!(await until(isAbandoned, 180))) throw new Error(`cart ${cartId} was not reminded of`);
}

interface Arrived {
  /** `epoch.number`. */
  seq: string;
  entry: Entry;
}

const numberOf = ({ seq }: Arrived) => Number(seq.split('.')[1]);

/** What the inbox has of a webhook, in the order of its sequence. */
async function arrived(webhookId: number): Promise<Arrived[]> {
  const entries = await request<Entry[]>('GET', `${inbox}.json`);
  const header = (entry: Entry, name: string) =>
    Object.entries(entry.headers).find(([key]) => key.endsWith(name))?.[1] ?? '';
  return entries
    .filter((entry) => header(entry, '-delivery-id').startsWith(`${webhookId}-`))
    .map((entry) => ({ seq: header(entry, '-sequence'), entry }))
    .toSorted((one, other) => numberOf(one) - numberOf(other));
}

const missingOf = (deliveries: readonly Arrived[]) =>
  eventNames.filter((name) => !deliveries.some(({ entry }) => entry.event === name));

/** Whether all events are there, without a gap: those of other carts that were idle may be among them. */
const isComplete = (deliveries: readonly Arrived[]) =>
  missingOf(deliveries).length === 0 &&
  deliveries.every((delivery, index) => numberOf(delivery) === index + 1);

interface Settings {
  data: { cart_idle_minutes: number };
}

interface Feed {
  data: { id: string; event: string }[];
}

async function run(): Promise<boolean> {
  const { data: settings } = await call<Settings>('GET /config/settings');
  await call('PUT /config/settings', { cart_idle_minutes: 1 });
  console.log(`The walk in store demo of ${origin}`);
  const walked = walk(call, Date.now().toString(36), {
    inbox,
    say: (line) => console.log(`  ${line}`),
    leaveIdle: (id) =>
      values.remind
        ? call(`POST /checkout/carts/${id}/reminders`).then(() => undefined)
        : waitFor(id),
  });
  // Whatever comes of the walk, the store is as patient as before.
  await walked.catch(() => undefined);
  await call('PUT /config/settings', settings);
  const { webhook } = await walked;
  await until(async () => isComplete(await arrived(webhook.id)), 30);
  const deliveries = await arrived(webhook.id);
  console.log(`\nArrived at ${inbox}`);
  for (const { seq, entry } of deliveries) {
    const { id } = (JSON.parse(entry.body) as { resource: { id: number } }).resource;
    console.log(`  ${seq.padEnd(6)} ${String(entry.event).padEnd(28)} id ${id}, ${entry.verdict}`);
  }
  const ids = deliveries.map(({ entry }) => entry.headers['webhook-id'] ?? '');
  const feed = await call<Feed>(`GET /events?limit=100&after_id=${ids[0]}`);
  const read = feed.data.map(({ id }) => id).filter((id) => ids.includes(id));
  await call(`DELETE /webhooks/${webhook.id}`);

  const missing = missingOf(deliveries);
  const areValid = deliveries.every(({ entry }) => entry.verdict === 'valid');
  const areInOrder = read.join() === ids.slice(1).join();
  console.log(`\n${eventNames.length - missing.length} of ${eventNames.length} events arrived.`);
  if (missing.length > 0) console.log(`Missing: ${missing.join(', ')}.`);
  console.log(`Signatures: ${areValid ? 'all valid' : 'not all valid'}.`);
  console.log(`The feed has them in ${areInOrder ? 'the same' : 'another'} order.`);
  return missing.length === 0 && areValid && areInOrder;
}

try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  const advice = reason === 'fetch failed' ? ` Is npm start running on port ${values.port}?` : '';
  console.error(`demo:walk: ${reason}.${advice}`);
  process.exitCode = 1;
}
