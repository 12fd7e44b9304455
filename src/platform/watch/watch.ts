/**
 * The Worker that watches the service. It reads the log of each invocation (a Tail Worker). From outside it asks `/ready` once a
 * minute, and places an order every five minutes if it has a store for it. It posts alerts to the address of the operators. It
 * imports nothing that the service could break.
 */
import operations from '../OPERATIONS.md';
import { findAlerts, readRunbook, type Alert } from './alerts.ts';
import { placeSyntheticOrder, type OrderSettings } from './synthetic-order.ts';

interface WatchEnv extends OrderSettings {
  /** The alerts sent lately, those not sent, and since when the service is not ready. */
  WATCH: KVNamespace;
  /** The name of the deployment. */
  DEPLOYMENT_NAME: string;
  /** The origin of the service. */
  SERVICE_URL: string;
  /** Address of OPERATIONS.md, for links; empty for none. */
  RUNBOOK_URL: string;
  /** Takes a `POST` with an alert as JSON. */
  ALERT_URL: string;
  /** Called after each minute in which the service is ready and alerts arrive: an alarm of another service that goes off without it. */
  HEARTBEAT_URL?: string;
  READY_KEY: string;
}

const runbook = readRunbook(operations);

/** An alert of one kind is sent at most once in this time. */
const quietSeconds = 600;

/** An alert that could not be sent is tried again for a day. */
const keptSeconds = 24 * 60 * 60;

const timeoutMs = 15_000;

/** A synthetic order is placed once in so many minutes. */
const orderMinutes = 5;

/** Sends an alert, unless one of its kind was sent lately. Keeps it for the next minute if it cannot be sent. */
async function send(env: WatchEnv, alert: Alert, isAgain = false): Promise<void> {
  const { event, count, fields } = alert;
  const unsent = `unsent:${event}`;
  const sent = `sent:${event}`;
  if (!isAgain && (await env.WATCH.get(sent)) !== null) return;
  const { meaning = '', action = '', anchor = 'alerts' } = runbook.get(event) ?? {};
  const times = count > 1 ? ` (${count} times)` : '';
  const link = env.RUNBOOK_URL === '' ? '' : `${env.RUNBOOK_URL}#${anchor}`;
  const text = [
    `${env.DEPLOYMENT_NAME}: ${event}${times}`,
    meaning,
    action === '' ? '' : `What to do: ${action}`,
    JSON.stringify(fields),
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
        meaning,
        action,
        runbook: link,
      }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`status ${response.status}`);
    await env.WATCH.put(sent, '1', { expirationTtl: quietSeconds });
    if (isAgain) await env.WATCH.delete(unsent);
  } catch (error) {
    // Never the address, which may hold a token.
    console.error(
      JSON.stringify({ event: 'alert_not_sent', alert: event, reason: reasonOf(error) }),
    );
    await env.WATCH.put(unsent, JSON.stringify(alert), { expirationTtl: keptSeconds });
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.name : 'unknown');

/** Sends what could not be sent. Returns whether nothing is left. */
async function sendAgain(env: WatchEnv): Promise<boolean> {
  const { keys } = await env.WATCH.list({ prefix: 'unsent:' });
  for (const { name } of keys) {
    const alert = await env.WATCH.get<Alert>(name, 'json');
    if (alert) await send(env, alert, true);
  }
  return (await env.WATCH.list({ prefix: 'unsent:', limit: 1 })).keys.length === 0;
}

interface Outage {
  since: string;
  minutes: number;
}

/** A check from outside: where its outage is kept, how often it runs, and the alerts of its beginning and end. */
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
    const response = await fetch(`${SERVICE_URL}/ready`, {
      headers: { Authorization: `Bearer ${READY_KEY}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    return response.ok ? undefined : `${response.status}: ${failedChecks(text).join(', ')}`;
  },
};

const orders: Check = {
  name: 'order_outage',
  everyMinutes: orderMinutes,
  failed: 'synthetic_order_failed',
  worksAgain: 'synthetic_order_placed_again',
  find: (env) => placeSyntheticOrder(env, { key: crypto.randomUUID(), timeoutMs }),
};

/** Makes a check and reports the beginning and the end of an outage. One failure alone may be a release. */
async function report(env: WatchEnv, check: Check): Promise<{ isWell: boolean }> {
  const { name, everyMinutes } = check;
  const problem = await check.find(env).catch((error) => `no answer: ${reasonOf(error)}`);
  const outage = await env.WATCH.get<Outage>(name, 'json');
  const reported = 2 * everyMinutes;
  if (problem === undefined) {
    if (outage) {
      await env.WATCH.delete(name);
      if (outage.minutes >= reported) {
        await send(env, { event: check.worksAgain, count: 1, fields: { ...outage } });
      }
    }
    return { isWell: true };
  }
  const minutes = (outage?.minutes ?? 0) + everyMinutes;
  const since = outage?.since ?? new Date().toISOString();
  await env.WATCH.put(name, JSON.stringify({ since, minutes } satisfies Outage));
  // Then one an hour.
  if (minutes === reported || (minutes > reported && minutes % 60 === 0)) {
    await send(env, { event: check.failed, count: 1, fields: { since, problem } });
  }
  return { isWell: false };
}

function failedChecks(text: string): string[] {
  try {
    const { checks = {} } = JSON.parse(text) as { checks?: Record<string, string> };
    return Object.keys(checks).filter((name) => checks[name] === 'failed');
  } catch {
    return [];
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
    for (const alert of findAlerts(items)) await send(env, alert);
  },
  async scheduled({ scheduledTime }, env) {
    const isOrderDue = (scheduledTime / 60_000) % orderMinutes < 1 && env.ORDER_ALIAS !== undefined;
    const [isAllSent, ...checks] = await Promise.all([
      sendAgain(env),
      report(env, readiness),
      ...(isOrderDue ? [report(env, orders)] : []),
    ]);
    // Its silence also tells of alerts that do not reach their address.
    if (isAllSent && checks.every(({ isWell }) => isWell) && env.HEARTBEAT_URL)
      await sendHeartbeat(env.HEARTBEAT_URL);
  },
} satisfies ExportedHandler<WatchEnv>;
