import { sql, type SQL } from 'drizzle-orm';
import { hourMs, minuteMs } from '../base/durations.ts';
import { log } from '../base/log.ts';
import { type Settings, settingsOf } from '../base/settings.ts';
import { type Database, openDatabase, shardBindings } from '../data/core/open-database.ts';
import { rawDatabaseStatement } from '../data/core/raw.ts';
import type { Statement } from '../data/core/statement.ts';
import { purgeAppDeliveries } from '../data/directory/app-deliveries.ts';
import { appSecretContext, nextTime } from '../data/directory/app-webhook-secrets.ts';
import { isLeased, leases, release, acquire, isLeasable } from '../data/queues.ts';
import { stores } from '../data/schema/directory/directory-tables.ts';
import { appDeliveries, apps, appWebhooks } from '../data/schema/directory/partners-tables.ts';
import { DeliveryState } from '../data/schema/store/webhooks-tables.ts';
import { insertMailToUser, prepareMail, wakeMail } from '../mail/outbox.ts';
import { createCachedHostCheck } from '../webhooks/check-url.ts';
import type { AcquiredLeases, LeaseOptions } from '../webhooks/delivery/acquire.ts';
import type { CompletedAttempt } from '../webhooks/delivery/apply-result.ts';
import { DeliveryRun } from '../webhooks/delivery/delivery-run.ts';
import { defaultDeliveryDeps, type DeliveryDeps } from '../webhooks/delivery/deps.ts';
import { snapshot, type LeasedEndpoint } from '../webhooks/delivery/leased-endpoint.ts';
import {
  toLeasedEndpoint,
  type DueDeliveryRow,
  type LeasedEndpointRow,
} from '../webhooks/delivery/load-endpoints.ts';
import type { EndpointSource } from '../webhooks/delivery/result-buffer.ts';
import { StallDetector } from '../webhooks/delivery/stall-detector.ts';
import type { ReleasedEndpoint } from '../webhooks/delivery/write-results.ts';

/** Webhooks of one run. Each takes one of the five connections for sends. */
const webhooksPerRun = 5;

/**
 * Deliveries of a webhook that one run sends, one after the other, so that they arrive in order.
 */
const deliveriesPerRun = 10;

/**
 * A leased webhook as an endpoint: its id is that of the app, and the end of its lease stands for
 * the generation.
 */
type WebhookRow = LeasedEndpointRow & { client_id: string; app_name: string };

/** Whether {@link leaseSql} would lease a webhook. */
export const hasDueAppWebhooks = (now: number) =>
  sql`exists (select 1 from ${appWebhooks} where active = 1 and ${isLeasable(leases.appWebhooks, now)})`;

/** Leases webhooks that are due. Reads no row if none is. */
const leaseSql = (now: number, end: number) =>
  acquire(leases.appWebhooks, {
    now,
    end,
    where: sql`active = 1`,
    limit: webhooksPerRun,
    returning: sql`client_id, url, secret_current, secret_previous, secret_previous_until, secret_mode,
      secret_overlap_ms, leased_until as lease_until, leased_until as lease_generation,
      failures as consecutive_failures, failing_since as first_failure_at, proven_at,
      (select apps.id from ${apps} where apps.client_id = app_webhooks.client_id) as id,
      (select apps.name from ${apps} where apps.client_id = app_webhooks.client_id) as app_name,
      '2.0' as api_version, 1 as epoch, 1 as concurrency, 10000 as timeout_ms, 0 as ordered, 0 as store_id,
      0 as last_seq, 0 as failure_count, 0 as latency_ms, null as last_success_at`,
  });

/**
 * The next due deliveries of a webhook, those that were never tried first, in the order of their
 * causes; one while it fails. Every failure counts against its delivery. The closing of a store is
 * sent although the store is deactivated.
 */
const dueSql = ({ client_id: clientId, consecutive_failures: failures }: WebhookRow, now: number) =>
  sql`select id as seq, event_id, event, null as changed, body, null as archived, created_at as triggered_at, attempts,
      attempts as counted_failures, due_at, 'event' as trigger,
      event = 'store.closed' or not exists (select 1 from ${stores}
        where stores.id = store_id and stores.active = 0 and stores.erased_at is null) as may_receive
    from ${appDeliveries} where client_id = ${clientId} and due_at <= ${now}
    order by due_at, id limit ${failures > 0 ? 1 : deliveriesPerRun}`;

/** Writes the results of deliveries. A success is final. */
function deliveriesSql(attempts: readonly CompletedAttempt[]): SQL {
  const rows = attempts.map(({ delivery, response, next }) => ({
    id: delivery.seq,
    attempts: next.attempts,
    dueAt: next.state === DeliveryState.open ? next.dueAt : null,
    deliveredAt: next.state === DeliveryState.delivered ? response.at + response.durationMs : null,
    status: response.status,
    error: response.error,
  }));
  return sql`update ${appDeliveries} set attempts = result.attempts, due_at = result.due_at, delivered_at = result.delivered_at,
      response_status = result.status, error = result.error
    from (select value ->> 'id' as id, value ->> 'attempts' as attempts, value ->> 'dueAt' as due_at,
      value ->> 'deliveredAt' as delivered_at, value ->> 'status' as status, value ->> 'error' as error
      from json_each(${JSON.stringify(rows)})) result
    where app_deliveries.id = result.id and app_deliveries.delivered_at is null
      and (app_deliveries.attempts < result.attempts or result.delivered_at is not null)`;
}

/** A webhook that accepted nothing for so long is switched off. */
const switchOffMs = 72 * hourMs;

/** How long an event of a deactivated store waits until it is checked again. */
const inactiveMs = 10 * minuteMs;

/** A row that says how a webhook is after a write. */
interface WrittenWebhook extends ReleasedEndpoint {
  active: 0 | 1;
}

/**
 * The webhooks of apps as endpoints of the delivery engine, one run long. `shard` keeps the checks
 * of their hosts. With `isSweep`, it also deletes old deliveries.
 */
class AppWebhooks implements EndpointSource {
  readonly shard: number;
  readonly #directory: Database;
  readonly #settings: Settings;
  readonly #isSweep: boolean;
  /** The leased webhooks, by the ids of their apps. */
  #rows = new Map<number, WebhookRow>();

  constructor(
    directory: Database,
    settings: Settings,
    { shard, isSweep }: { shard: number; isSweep: boolean },
  ) {
    this.#directory = directory;
    this.#settings = settings;
    this.shard = shard;
    this.#isSweep = isSweep;
  }

  /** Whether others may be due that this run did not lease. */
  get isFull(): boolean {
    return this.#rows.size === webhooksPerRun;
  }

  /** One round trip that reads no delivery if none is due, else two. Never rejects. */
  async acquire(options: LeaseOptions): Promise<AcquiredLeases> {
    try {
      return { endpoints: await this.#lease(options), overdue: [], failures: [] };
    } catch (failure) {
      return { endpoints: [], overdue: [], failures: [failure] };
    }
  }

  async #lease(options: LeaseOptions): Promise<LeasedEndpoint[]> {
    const { now, leaseMs } = options;
    const [rows] = (await this.#batch([
      this.#statement(leaseSql(now, now + leaseMs)),
      ...(this.#isSweep ? [purgeAppDeliveries(this.#directory, now)] : []),
    ])) as [WebhookRow[]];
    this.#rows = new Map(rows.map((row) => [row.id, row]));
    const [first, ...others] = rows.map((row) => this.#statement(dueSql(row, now)));
    const due = first ? ((await this.#batch([first, ...others])) as DueDeliveryRow[][]) : [];
    await this.#postpone(
      due.flat().filter(({ may_receive: mayReceive }) => mayReceive === 0),
      now + inactiveMs,
    );
    return Promise.all(
      rows.map((row, index) => {
        const deliveries = (due[index] ?? []).filter(
          ({ may_receive: mayReceive }) => mayReceive === 1,
        );
        const secretContext = appSecretContext(row.client_id);
        const load = { ...options, worker: 0, secretContext };
        return toLeasedEndpoint(this.shard, row, deliveries, load);
      }),
    );
  }

  /** Lets events of deactivated stores wait. One round trip, none without such events. */
  async #postpone(waiting: readonly DueDeliveryRow[], dueAt: number): Promise<void> {
    if (waiting.length === 0) return;
    const ids = JSON.stringify(waiting.map(({ seq }) => seq));
    await this.#batch([
      this.#statement(
        sql`update ${appDeliveries} set due_at = ${dueAt} where id in (select value from json_each(${ids}))`,
      ),
    ]);
  }

  /** A webhook that was removed, or given another URL, has lost its lease. */
  async findStopped(endpoints: readonly LeasedEndpoint[]): Promise<ReadonlySet<number>> {
    const ids = JSON.stringify(endpoints.map(({ id }) => id));
    const [held] = (await this.#batch([
      this.#statement(
        sql`select apps.id, app_webhooks.leased_until as generation from ${apps}
          join ${appWebhooks} on app_webhooks.client_id = apps.client_id and app_webhooks.active = 1
          where apps.id in (select value from json_each(${ids}))`,
      ),
    ])) as [{ id: number; generation: number }[]];
    const generations = new Map(held.map(({ id, generation }) => [id, generation]));
    const stopped = endpoints.filter(({ id, generation }) => generations.get(id) !== generation);
    return new Set(stopped.map(({ id }) => id));
  }

  /**
   * None: the deliveries of a webhook arrive one after the other, so no worker shares its lease.
   */
  claimMore(): Promise<number> {
    return Promise.resolve(0);
  }

  /**
   * Writes results, switches off webhooks that are gone or have failed for too long, and notifies
   * their partners. One round trip; a repetition changes nothing.
   */
  async write(
    attempts: readonly CompletedAttempt[],
    releasing: readonly LeasedEndpoint[],
    now: number,
  ): Promise<ReleasedEndpoint[]> {
    const endpoints = [...new Set([...attempts.map(({ endpoint }) => endpoint), ...releasing])];
    const applyCheck = snapshot(endpoints);
    const mails = await Promise.all(
      endpoints.filter((endpoint) => isOver(endpoint, now)).map((one) => this.#mail(one, now)),
    );
    const results = await this.#batch([
      this.#statement(deliveriesSql(attempts)),
      ...mails,
      ...endpoints.map((endpoint) =>
        this.#statement(this.#webhookSql(endpoint, now, releasing.includes(endpoint))),
      ),
    ]);
    const written = results.slice(1 + mails.length).flat() as WrittenWebhook[];
    applyCheck(
      ({ id }) => !written.some(({ endpoint, active }) => endpoint === id && active === 1),
    );
    for (const { endpoint, active } of written) {
      if (active === 0) log('warn', 'app_webhook_switched_off', { app: endpoint });
    }
    return written.filter(
      ({ endpoint, active, nextAttemptAt }) =>
        active === 1 && nextAttemptAt !== null && releasing.some(({ id }) => id === endpoint),
    );
  }

  /** The mail to the partner, unless the lease is lost or the webhook is switched off already. */
  async #mail({ id, url, generation }: LeasedEndpoint, now: number): Promise<Statement> {
    const { client_id: clientId, app_name: app } = this.#row(id);
    const mail = await prepareMail(this.#settings, {
      kind: 'app_webhook_switched_off',
      data: { app, host: URL.parse(url)?.host ?? '' },
    });
    const owner = sql`(select owner_id from ${apps} where client_id = ${clientId})`;
    const isOurs = sql`exists (select 1 from ${appWebhooks}
      where ${isLeased(leases.appWebhooks, clientId, generation)} and active = 1)`;
    return insertMailToUser(this.#directory, mail, owner, now, isOurs);
  }

  /** Comes after the statement of the deliveries, which says when the next one is due. */
  #webhookSql(endpoint: LeasedEndpoint, now: number, isReleasing: boolean): SQL {
    const { id, generation, provenAt, health } = endpoint;
    const { client_id: clientId } = this.#row(id);
    const { consecutiveFailures, firstFailureAt, backoffUntil } = health;
    const released = sql`, ${release(leases.appWebhooks)}, next_at = ${nextTime(clientId, backoffUntil ?? 0)}`;
    return sql`update ${appWebhooks} set active = ${Number(!isOver(endpoint, now))},
        failures = ${consecutiveFailures}, failing_since = ${firstFailureAt}, proven_at = ${provenAt},
        updated_at = ${now}${isReleasing ? released : undefined}
      where ${isLeased(leases.appWebhooks, clientId, generation)}
      returning ${id} as endpoint, active, next_at as nextAttemptAt, 0 as isSlow`;
  }

  #statement(text: SQL): Statement {
    return rawDatabaseStatement(this.#directory, text);
  }

  /** One round trip. Returns the rows of each statement. */
  async #batch(statements: [Statement, ...Statement[]]): Promise<unknown[][]> {
    return this.#directory.batch(statements);
  }

  #row(id: number): WebhookRow {
    const row = this.#rows.get(id);
    if (!row) throw new Error('not leased');
    return row;
  }
}

/**
 * Whether a webhook is switched off: by a 410, or by a failure after too long a time without a
 * success.
 */
const isOver = (
  { hasSent, health: { goneAt, backoffUntil, firstFailureAt } }: LeasedEndpoint,
  now: number,
) =>
  goneAt !== null ||
  (hasSent &&
    backoffUntil !== null &&
    firstFailureAt !== null &&
    now - firstFailureAt >= switchOffMs);

/** No send starts later in a run, so that it ends before its leases do. */
const budgetMs = 20_000;

interface RunOptions {
  deps?: Partial<DeliveryDeps>;
  /** Once a minute: also deletes old deliveries. */
  isSweep?: boolean;
}

/**
 * Sends the due events of the webhooks of apps, each at least once, with the same id. Returns
 * whether more is due. One round trip if nothing is, else three. Rejects when the directory fails.
 */
export async function sendAppEvents(
  env: Env,
  { deps: injected = {}, isSweep = false }: RunOptions = {},
): Promise<{ hasMore: boolean }> {
  const settings = settingsOf(env);
  const baseDeps = { ...defaultDeliveryDeps, ...injected };
  const deps = { checkHost: createCachedHostCheck(env, settings, baseDeps), ...baseDeps };
  const [shard = 0] = shardBindings(env).keys();
  const webhooks = new AppWebhooks(openDatabase(env.DIRECTORY), settings, { shard, isSweep });
  let hasMore = false;
  const run = new DeliveryRun(settings, deps, {
    budgetMs,
    isSlow: false,
    stallDetector: new StallDetector(),
    wake: (_shard, released) => {
      hasMore ||= released.some(({ nextAttemptAt }) => nextAttemptAt <= deps.now());
      return Promise.resolve();
    },
    requestWorkers: () => Promise.resolve(),
  });
  const { failure } = await run.execute([webhooks]);
  if (failure !== undefined) throw failure;
  return { hasMore: hasMore || webhooks.isFull };
}

/**
 * Sends the waiting events of the webhooks of apps: on each wake-up of the outbox, and each minute,
 * when it also deletes old deliveries. Never rejects: the next minute looks again.
 */
export async function runAppEvents(env: Env, { isSweep = false } = {}): Promise<void> {
  try {
    const { hasMore } = await sendAppEvents(env, { isSweep });
    if (hasMore) await wakeMail(env);
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(0, 300) : '';
    log('error', 'app_events_failed', { alert: true, message });
  }
}
