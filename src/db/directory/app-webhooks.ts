import { and, eq, sql, type SQL } from 'drizzle-orm';
import { withDbErrors } from '../core/errors.ts';
import type { Database } from '../core/open.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import type { Statement } from '../core/statement.ts';
import { stores } from '../schema/directory.ts';
import { appDeliveries, apps, appWebhooks } from '../schema/partners.ts';

/** The webhook of an app. */
export type AppWebhook = typeof appWebhooks.$inferSelect;

/** How long a run has for what it leased. After that another run sends it. */
const leaseMs = 60_000;

/** Where the secrets of the webhook of an app open. */
export const appSecretContext = (clientId: string) => `app-webhook-secret:${clientId}`;

/** The webhook of an app. One round trip. */
export async function findAppWebhook(
  directory: Database,
  clientId: string,
): Promise<AppWebhook | undefined> {
  const [found] = await withDbErrors(
    directory.select().from(appWebhooks).where(eq(appWebhooks.client_id, clientId)),
  );
  return found;
}

/** A webhook that this run, and no other, may send for. */
export type LeasedWebhook = Pick<
  AppWebhook,
  | 'client_id'
  | 'url'
  | 'secret_current'
  | 'secret_previous'
  | 'secret_previous_until'
  | 'secret_mode'
  | 'secret_overlap_ms'
  | 'failures'
  | 'failing_since'
  | 'proven_at'
  | 'leased_until'
> & { app_id: number; app_name: string };

/** Leases webhooks that are due, the longest waiting first. Reads no row if none is. */
export const leaseAppWebhooks = (directory: Database, now: number, limit: number) =>
  rawDatabaseStatement<LeasedWebhook>(
    directory,
    sql`update ${appWebhooks} set leased_until = ${now + leaseMs}
      where client_id in (select w.client_id from ${appWebhooks} w
        where w.active = 1 and w.next_at <= ${now} and w.leased_until <= ${now} order by w.next_at limit ${limit})
      returning client_id, url, secret_current, secret_previous, secret_previous_until, secret_mode,
        secret_overlap_ms, failures, failing_since, proven_at, leased_until,
        (select a.id from ${apps} a where a.client_id = app_webhooks.client_id) as app_id,
        (select a.name from ${apps} a where a.client_id = app_webhooks.client_id) as app_name`,
  );

/** A delivery of a leased webhook. */
export interface DueAppDelivery {
  id: number;
  event_id: string;
  event: string;
  body: string;
  created_at: number;
  attempts: number;
  /** Its store is deactivated, so it waits. That a store was closed is told all the same. */
  waits: 0 | 1;
}

/** The next due deliveries of a webhook: those that were never tried first, in the order of their causes. */
export const dueAppDeliveries = (
  directory: Database,
  clientId: string,
  now: number,
  limit: number,
) =>
  rawDatabaseStatement<DueAppDelivery>(
    directory,
    sql`select id, event_id, event, body, created_at, attempts,
        event <> 'store.closed' and exists (select 1 from ${stores} s
          where s.id = store_id and s.active = 0 and s.erased_at is null) as waits
      from ${appDeliveries} where client_id = ${clientId} and due_at <= ${now}
      order by due_at, id limit ${limit}`,
  );

/** What became of a delivery. Times are epoch milliseconds. */
export interface AppDeliveryResult {
  id: number;
  isDelivered: boolean;
  /** When to try again; null if it has arrived or is given up. */
  dueAt: number | null;
  attempts: number;
  status: number | null;
  error: string | null;
}

/** The health of a webhook after a run. */
export interface AppWebhookHealth {
  active: boolean;
  failures: number;
  failingSince: number | null;
  provenAt: number | null;
  /** Nothing is sent before. */
  backoffUntil: number;
}

/** The condition that the lease of a run still counts: the webhook was neither removed nor given another URL. */
export const isLeasedSql = ({ client_id, leased_until }: LeasedWebhook): SQL =>
  sql`exists (select 1 from ${appWebhooks} where ${isLeased(client_id, leased_until)})`;

const isLeased = (clientId: string, until: number) =>
  and(eq(appWebhooks.client_id, clientId), eq(appWebhooks.leased_until, until));

/** Statements that record what a run did, and release the webhook. The last one decides when it is due next. */
export const appResultStatements = (
  directory: Database,
  { client_id: clientId, leased_until: until }: LeasedWebhook,
  results: readonly AppDeliveryResult[],
  { health, now }: { health: AppWebhookHealth; now: number },
): [Statement, ...Statement[]] => [
  rawDatabaseStatement(
    directory,
    sql`update ${appWebhooks} set active = ${Number(health.active)}, failures = ${health.failures},
        failing_since = ${health.failingSince}, proven_at = ${health.provenAt}, updated_at = ${now}
      where ${isLeased(clientId, until)}`,
  ),
  ...results.map(({ id, isDelivered, dueAt, attempts, status, error }) =>
    directory
      .update(appDeliveries)
      .set({
        due_at: dueAt,
        attempts,
        response_status: status,
        error,
        ...(isDelivered && { delivered_at: now }),
      })
      .where(eq(appDeliveries.id, id)),
  ),
  rawDatabaseStatement(
    directory,
    sql`update ${appWebhooks} set leased_until = 0, next_at = ${nextTime(clientId, health.backoffUntil)}
      where ${isLeased(clientId, until)}`,
  ),
];

/** When the next delivery of a webhook is due, but not before a time; null if none waits. */
export const nextTime = (clientId: string, earliest: number): SQL =>
  sql`(select max(${earliest}, min(due_at)) from ${appDeliveries}
    where client_id = ${clientId} and due_at is not null)`;
