import { withDbErrors } from '../db/core/errors.ts';
import { openDatabase, type Database } from '../db/core/open.ts';
import { purgeAppDeliveries } from '../db/directory/app-deliveries.ts';
import {
  appResultStatements,
  dueAppDeliveries,
  isLeasedSql,
  leaseAppWebhooks,
  type AppDeliveryResult,
  type DueAppDelivery,
  type LeasedWebhook,
} from '../db/directory/app-webhooks.ts';
import { shardBindings } from '../db/shards/shards.ts';
import { log } from '../log.ts';
import { settingsOf } from '../settings.ts';
import { attemptDelivery } from '../webhooks/delivery/attempt.ts';
import { defaultDeliveryDeps, type DeliveryDeps } from '../webhooks/delivery/deps.ts';
import { createCachedHostCheck } from '../webhooks/url-policy/cached-check.ts';
import { afterAttempt, healthOf, isStop, type Health } from './health.ts';
import { loadKeys } from './secrets.ts';
import { tellOwner } from './tell-owner.ts';

/** Webhooks of one step. Each takes one of the six connections; the last serves the database. */
const stepSize = 5;

/** Deliveries of a webhook that one step sends, one after the other, so that they arrive in order. */
const deliveriesPerStep = 10;

/** Steps of one run; what is left waits for the next wake-up or minute. */
const maxSteps = 5;

/** No send starts later in a run, so that it ends before its leases do. */
const budgetMs = 20_000;

/** How long an event of a deactivated store waits until somebody looks again. */
const inactiveMs = 10 * 60_000;

const timeoutMs = 10_000;

interface RunOptions {
  deps?: Partial<DeliveryDeps>;
  /** Once a minute: also deletes old deliveries. */
  isSweep?: boolean;
}

/**
 * Sends what is due to the webhooks of apps, each event at least once, with the same id. Returns how many were sent, and
 * whether more is due. One round trip if nothing is.
 */
export async function sendAppEvents(
  env: Env,
  { deps: injected = {}, isSweep = false }: RunOptions = {},
): Promise<{ sent: number; hasMore: boolean }> {
  const directory = openDatabase(env.DIRECTORY);
  const baseDeps = { ...defaultDeliveryDeps, ...injected };
  const checkHost = createCachedHostCheck(env, settingsOf(env), baseDeps);
  const deps = { checkHost, ...baseDeps };
  const endAt = deps.now() + budgetMs;
  let [sent, failed, hasMore] = [0, 0, true];
  for (let step = 0; hasMore && step < maxSteps && deps.now() < endAt; step += 1) {
    const leased = await lease(directory, deps.now(), isSweep && step === 0);
    const runs = leased.map((webhook) =>
      new WebhookRun(env, directory, webhook, deps, endAt).run(),
    );
    for (const results of await Promise.all(runs)) {
      sent += results.filter(({ isDelivered }) => isDelivered).length;
      failed += results.filter(({ error }) => error !== null).length;
    }
    // A webhook with more that is due is leased again; one that failed backs off.
    hasMore = leased.length > 0;
  }
  if (sent + failed > 0) log('info', 'app_events_sent', { sent, failed });
  return { sent, hasMore };
}

async function lease(directory: Database, now: number, isSweep: boolean): Promise<LeasedWebhook[]> {
  const statement = leaseAppWebhooks(directory, now, stepSize);
  const others = isSweep ? [purgeAppDeliveries(directory, now)] : [];
  const [leased] = await withDbErrors(directory.batch([statement, ...others]));
  return leased;
}

/** Sends for one leased webhook. */
class WebhookRun {
  readonly #env: Env;
  readonly #directory: Database;
  readonly #webhook: LeasedWebhook;
  readonly #deps: DeliveryDeps;
  readonly #endAt: number;
  #health: Health;

  constructor(
    env: Env,
    directory: Database,
    webhook: LeasedWebhook,
    deps: DeliveryDeps,
    endAt: number,
  ) {
    this.#env = env;
    this.#directory = directory;
    this.#webhook = webhook;
    this.#deps = deps;
    this.#endAt = endAt;
    this.#health = healthOf(webhook);
  }

  /** Sends the next deliveries, until one says that the receiver is not well, and records what became of them. */
  async run(): Promise<AppDeliveryResult[]> {
    const { failures, proven_at: provenAt, client_id: clientId } = this.#webhook;
    const limit = failures > 0 || provenAt === null ? 1 : deliveriesPerStep;
    const now = this.#deps.now();
    const due = await withDbErrors(
      this.#directory.batch([dueAppDeliveries(this.#directory, clientId, now, limit)]),
    );
    const results: AppDeliveryResult[] = [];
    for (const delivery of due[0]) {
      if (this.#deps.now() >= this.#endAt) break;
      const result = await this.#send(delivery);
      results.push(result);
      if (isStop(this.#health)) break;
    }
    await this.#record(results);
    return results;
  }

  async #send(delivery: DueAppDelivery): Promise<AppDeliveryResult> {
    const { id, event_id: eventId, event, body, created_at: triggeredAt, attempts } = delivery;
    const now = this.#deps.now();
    if (delivery.waits) {
      const dueAt = now + inactiveMs;
      return { id, attempts, isDelivered: false, dueAt, status: null, error: null };
    }
    const { url, app_id: appId, proven_at: provenAt } = this.#webhook;
    const settings = settingsOf(this.#env);
    const attempt = await attemptDelivery(
      {
        // Where the check of the host is kept.
        shard: shardBindings(this.#env).keys().next().value ?? 0,
        id: appId,
        url,
        apiVersion: '2.0',
        epoch: 1,
        timeoutMs,
        secrets: await loadKeys(this.#webhook, now, settings.sealingKeys),
        provenAt: this.#health.provenAt ?? provenAt,
      },
      { seq: id, eventId, attempts, content: { event, body, triggeredAt } },
      settings,
      this.#deps,
    );
    const { health, dueAt } = afterAttempt(this.#health, attempts + 1, attempt, this.#deps);
    this.#health = health;
    const { status, error } = attempt.response;
    return {
      id,
      attempts: attempts + 1,
      isDelivered: attempt.outcome === 'delivered',
      dueAt,
      status,
      error,
    };
  }

  async #record(results: readonly AppDeliveryResult[]): Promise<void> {
    const now = this.#deps.now();
    const health = this.#health;
    const statements = appResultStatements(this.#directory, this.#webhook, results, {
      health,
      now,
    });
    const mail = health.active
      ? undefined
      : await tellOwner(
          this.#directory,
          settingsOf(this.#env),
          this.#webhook,
          isLeasedSql(this.#webhook),
          now,
        );
    await withDbErrors(
      mail ? this.#directory.batch([mail, ...statements]) : this.#directory.batch(statements),
    );
    if (!health.active) log('warn', 'app_webhook_switched_off', { app: this.#webhook.app_id });
  }
}
