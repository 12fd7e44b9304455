/**
 * The Worker that watches the service. It reads the log of each invocation (a Tail Worker). From
 * outside it asks `/ready` once a minute, and places an order every five minutes if it has a store
 * for it. It posts alerts to the address of the operators. It imports nothing that the service
 * could break.
 */
import operations from '../OPERATIONS.md';
import { findAlerts, readRunbook, type Alert } from './alerts.ts';
import { placeSyntheticOrder, type OrderSettings } from './synthetic-order.ts';

interface WatchEnv extends OrderSettings {
  /** The messages posted lately, the alerts that wait, and since when the service is not ready. */
  WATCH: KVNamespace;
  /** The name of the deployment. */
  DEPLOYMENT_NAME: string;
  /** The origin of the service. */
  SERVICE_URL: string;
  /** Address of OPERATIONS.md, for links; empty for none. */
  RUNBOOK_URL: string;
  /** Takes a `POST` with an alert as JSON. */
  ALERT_URL: string;
  /**
   * Called after each minute in which the service is ready and alerts arrive: an alarm of another
   * service that goes off without it.
   */
  HEARTBEAT_URL?: string;
  READY_KEY: string;
}

const runbook = readRunbook(operations);

/**
 * An alert of one kind is posted at most once in this time; what else of it comes is held and
 * posted then, together.
 */
const quietSeconds = 600;

/** An alert that waits is kept for a day. */
const keptSeconds = 24 * 60 * 60;

/** The held alerts that one minute reads: an invocation may make a thousand calls of KV. */
const maxHeld = 300;

/** The alerts of one kind that a message spells out. Its count has them all. */
const maxSpelledOut = 20;

const timeoutMs = 15_000;

/** A synthetic order is placed once in so many minutes. */
const orderMinutes = 5;

/**
 * The subjects of the last message of this kind; `undefined` if it is older than
 * {@link quietSeconds}.
 */
const readSent = async (env: WatchEnv, event: string) =>
  (await env.WATCH.get<string[]>(`sent:${event}`, 'json')) ?? undefined;

/** Keeps an alert for a later minute, unless one about the same subject is kept. */
async function hold(env: WatchEnv, alert: Alert): Promise<void> {
  const key = `held:${alert.event}:${alert.subject}`;
  if ((await env.WATCH.get(key)) !== null) return;
  await env.WATCH.put(key, JSON.stringify(alert), { expirationTtl: keptSeconds });
}

/**
 * Sends alerts of one kind as one message. While it is quiet after an earlier message, holds those
 * about other subjects, and drops those about the same. Holds all if they cannot be sent.
 */
async function send(env: WatchEnv, alerts: readonly [Alert, ...Alert[]]): Promise<void> {
  const sent = await readSent(env, alerts[0].event);
  const isPosted = sent === undefined && (await post(env, alerts));
  if (isPosted) return;
  for (const alert of alerts) if (!sent?.includes(alert.subject)) await hold(env, alert);
}

/** Posts alerts of one kind. Returns whether the address took them. */
async function post(env: WatchEnv, alerts: readonly [Alert, ...Alert[]]): Promise<boolean> {
  const [{ event, fields }, ...rest] = alerts;
  const count = alerts.reduce((sum, alert) => sum + alert.count, 0);
  const others = rest.slice(0, maxSpelledOut - 1).map((alert) => alert.fields);
  const { meaning = '', action = '', anchor = 'alerts' } = runbook.get(event) ?? {};
  const times = count > 1 ? ` (${count} times)` : '';
  const link = env.RUNBOOK_URL === '' ? '' : `${env.RUNBOOK_URL}#${anchor}`;
  const text = [
    `${env.DEPLOYMENT_NAME}: ${event}${times}`,
    meaning,
    action === '' ? '' : `What to do: ${action}`,
    ...[fields, ...others].map((each) => JSON.stringify(each)),
    link,
  ];
  const message = text.filter(Boolean).join('\n');
  try {
    const response = await fetch(env.ALERT_URL, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      // The names that chat services read: `text` and `content`.
      body: JSON.stringify({
        text: message,
        content: message.slice(0, 2_000),
        deployment: env.DEPLOYMENT_NAME,
        event,
        count,
        fields,
        ...(others.length > 0 && { others }),
        meaning,
        action,
        runbook: link,
      }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`status ${response.status}`);
    const subjects = alerts.map(({ subject }) => subject);
    await env.WATCH.put(`sent:${event}`, JSON.stringify(subjects), { expirationTtl: quietSeconds });
    return true;
  } catch (error) {
    // Never the address, which may hold a token.
    console.error(
      JSON.stringify({ event: 'alert_not_sent', alert: event, reason: reasonOf(error) }),
    );
    return false;
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.name : 'unknown');

/**
 * Sends the alerts that are held, of kinds that need not be quiet any more. Returns whether the
 * address took them all.
 */
async function sendHeld(env: WatchEnv): Promise<boolean> {
  const { keys } = await env.WATCH.list({ prefix: 'held:', limit: maxHeld });
  const kinds = Map.groupBy(keys, ({ name }) => name.split(':')[1] ?? '');
  let isAllSent = true;
  for (const [event, held] of kinds) {
    if ((await readSent(env, event)) !== undefined) continue;
    const found = await Promise.all(held.map(({ name }) => env.WATCH.get<Alert>(name, 'json')));
    const [first, ...others] = found.filter((alert) => alert !== null);
    if (first && !(await post(env, [first, ...others]))) isAllSent = false;
    else for (const { name } of held) await env.WATCH.delete(name);
  }
  return isAllSent;
}

interface Outage {
  since: string;
  minutes: number;
}

/**
 * A check from outside: where its outage is kept, how often it runs, and the alerts of its
 * beginning and end.
 */
interface Check {
  name: 'outage' | 'order_outage';
  everyMinutes: number;
  failed: string;
  worksAgain: string;
  /** Returns the problem; `undefined` if all is well. */
  find: (env: WatchEnv) => Promise<string | undefined>;
}

const readiness: Check = {
  name: 'outage',
  everyMinutes: 1,
  failed: 'service_not_ready',
  worksAgain: 'service_ready_again',
  find: async ({ SERVICE_URL, READY_KEY }) => {
    const failed = new Set<string>();
    let status = 200;
    for (let from: number | undefined = 0; from !== undefined;) {
      const response = await fetch(`${SERVICE_URL}/ready${from > 0 ? `?from_shard=${from}` : ''}`, {
        headers: { Authorization: `Bearer ${READY_KEY}` },
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const { checks = {}, next_shard: next } = readReport(await response.text());
      for (const [name, state] of Object.entries(checks)) if (state === 'failed') failed.add(name);
      if (!response.ok) status = response.status;
      from = next !== undefined && next > from ? next : undefined;
    }
    return status === 200 ? undefined : `${status}: ${[...failed].join(', ')}`;
  },
};

const orders: Check = {
  name: 'order_outage',
  everyMinutes: orderMinutes,
  failed: 'synthetic_order_failed',
  worksAgain: 'synthetic_order_placed_again',
  find: (env) => placeSyntheticOrder(env, { key: crypto.randomUUID(), timeoutMs }),
};

const alertOf = (event: string, fields: Record<string, unknown>): Alert => ({
  event,
  subject: '',
  count: 1,
  fields,
});

/**
 * Makes a check and reports the beginning and the end of an outage. One failure alone may be a
 * release.
 */
async function report(env: WatchEnv, check: Check): Promise<{ isWell: boolean }> {
  const { name, everyMinutes } = check;
  const problem = await check.find(env).catch((error) => `no answer: ${reasonOf(error)}`);
  const outage = await env.WATCH.get<Outage>(name, 'json');
  const reported = 2 * everyMinutes;
  if (problem === undefined) {
    if (outage) {
      await env.WATCH.delete(name);
      if (outage.minutes >= reported) {
        await send(env, [alertOf(check.worksAgain, { ...outage })]);
      }
    }
    return { isWell: true };
  }
  const minutes = (outage?.minutes ?? 0) + everyMinutes;
  const since = outage?.since ?? new Date().toISOString();
  await env.WATCH.put(name, JSON.stringify({ since, minutes } satisfies Outage));
  // Then one an hour.
  if (minutes === reported || (minutes > reported && minutes % 60 === 0)) {
    await send(env, [alertOf(check.failed, { since, problem })]);
  }
  return { isWell: false };
}

/**
 * The report of `/ready`; empty if something else answers. An answer covers some shards, and names
 * the next one.
 */
function readReport(text: string): { checks?: Record<string, string>; next_shard?: number } {
  try {
    return (JSON.parse(text) ?? {}) as ReturnType<typeof readReport>;
  } catch {
    return {};
  }
}

async function sendHeartbeat(url: string): Promise<void> {
  try {
    const response = await fetch(url, { method: 'POST', signal: AbortSignal.timeout(timeoutMs) });
    await response.body?.cancel();
  } catch {
    // The next minute tries again; the other service alarms if none arrives.
  }
}

export default {
  async tail(items, env) {
    for (const [first, ...others] of Map.groupBy(findAlerts(items), ({ event }) => event).values())
      if (first) await send(env, [first, ...others]);
  },
  async scheduled({ scheduledTime }, env) {
    const isOrderDue = (scheduledTime / 60_000) % orderMinutes < 1 && env.ORDER_ALIAS !== undefined;
    const [isAllSent, ...checks] = await Promise.all([
      sendHeld(env),
      report(env, readiness),
      ...(isOrderDue ? [report(env, orders)] : []),
    ]);
    // Its silence also tells of alerts that do not reach their address.
    if (isAllSent && checks.every(({ isWell }) => isWell) && env.HEARTBEAT_URL)
      await sendHeartbeat(env.HEARTBEAT_URL);
  },
} satisfies ExportedHandler<WatchEnv>;
