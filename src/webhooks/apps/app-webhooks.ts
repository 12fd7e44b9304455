import { sql, type SQL } from 'drizzle-orm';
import { hourMs, minuteMs } from '../../base/durations.ts';
import { log } from '../../base/log.ts';
import type { Settings } from '../../base/settings.ts';
import type { Database } from '../../data/core/open-database.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import type { Statement } from '../../data/core/statement.ts';
import { purgeAppDeliveries } from '../../data/directory/app-deliveries.ts';
import { appSecretContext, nextTime } from '../../data/directory/app-webhook-secrets.ts';
import { isLeased, leases, release } from '../../data/queues/lease.ts';
import { appDeliveries, apps, appWebhooks } from '../../data/schema/directory/partners-tables.ts';
import { insertMailToUser, prepareMail } from '../../mail/outbox.ts';
import type { CompletedAttempt } from '../delivery/apply-result.ts';
import type { EndpointSource } from '../delivery/endpoint-source.ts';
import type { ReleasedEndpoint } from '../delivery/write-results.ts';
import type { AcquiredLeases, LeaseOptions } from '../lease/acquire.ts';
import { snapshot } from '../lease/active-check.ts';
import type { LeasedEndpoint } from '../lease/leased-endpoint.ts';
import { toLeasedEndpoint, type DueDeliveryRow } from '../lease/load-endpoints.ts';
import { deliveriesSql, dueSql, leaseSql, webhooksPerRun, type WebhookRow } from './statements.ts';

/** A webhook that accepted nothing for so long is switched off. */
const switchOffMs = 72 * hourMs;

/** How long an event of a deactivated store waits until it is checked again. */
const inactiveMs = 10 * minuteMs;

/** A row that says how a webhook is after a write. */
interface WrittenWebhook extends ReleasedEndpoint {
  active: 0 | 1;
}

/**
 * The webhooks of apps as endpoints of the delivery engine, one run long. `shard` keeps the checks of their hosts. With
 * `isSweep`, it also deletes old deliveries.
 */
export class AppWebhooks implements EndpointSource {
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
        sql`select a.id, w.leased_until as generation from ${apps} a
          join ${appWebhooks} w on w.client_id = a.client_id and w.active = 1
          where a.id in (select value from json_each(${ids}))`,
      ),
    ])) as [{ id: number; generation: number }[]];
    const generations = new Map(held.map(({ id, generation }) => [id, generation]));
    const stopped = endpoints.filter(({ id, generation }) => generations.get(id) !== generation);
    return new Set(stopped.map(({ id }) => id));
  }

  /** None: the deliveries of a webhook arrive one after the other, so no worker shares its lease. */
  claimMore(): Promise<number> {
    return Promise.resolve(0);
  }

  /**
   * Writes results, switches off webhooks that are gone or have failed for too long, and notifies their partners. One
   * round trip; a repetition changes nothing.
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
      language: 'en',
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

/** Whether a webhook is switched off: by a 410, or by a failure after too long a time without a success. */
const isOver = (
  { hasSent, health: { goneAt, backoffUntil, firstFailureAt } }: LeasedEndpoint,
  now: number,
) =>
  goneAt !== null ||
  (hasSent &&
    backoffUntil !== null &&
    firstFailureAt !== null &&
    now - firstFailureAt >= switchOffMs);
