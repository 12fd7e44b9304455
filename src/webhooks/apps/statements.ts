import { sql, type SQL } from 'drizzle-orm';
import { acquire, isLeasable, leases } from '../../data/queues/lease.ts';
import { stores } from '../../data/schema/directory/directory-tables.ts';
import { appDeliveries, apps, appWebhooks } from '../../data/schema/directory/partners-tables.ts';
import { DeliveryState } from '../../data/schema/store/webhooks-tables.ts';
import type { CompletedAttempt } from '../delivery/apply-result.ts';
import type { LeasedEndpointRow } from '../lease/load-endpoints.ts';

/** Webhooks of one run. Each takes one of the five connections for sends. */
export const webhooksPerRun = 5;

/** Deliveries of a webhook that one run sends, one after the other, so that they arrive in order. */
const deliveriesPerRun = 10;

/** A leased webhook as an endpoint: its id is that of the app, and the end of its lease stands for the generation. */
export type WebhookRow = LeasedEndpointRow & { client_id: string; app_name: string };

/** Whether {@link leaseSql} would lease a webhook. */
export const hasDueAppWebhooks = (now: number) =>
  sql`exists (select 1 from ${appWebhooks} where active = 1 and ${isLeasable(leases.appWebhooks, now)})`;

/** Leases webhooks that are due. Reads no row if none is. */
export const leaseSql = (now: number, end: number) =>
  acquire(leases.appWebhooks, {
    now,
    end,
    where: sql`active = 1`,
    limit: webhooksPerRun,
    returning: sql`client_id, url, secret_current, secret_previous, secret_previous_until, secret_mode,
      secret_overlap_ms, leased_until as lease_until, leased_until as lease_generation,
      failures as consecutive_failures, failing_since as first_failure_at, proven_at,
      (select a.id from ${apps} a where a.client_id = app_webhooks.client_id) as id,
      (select a.name from ${apps} a where a.client_id = app_webhooks.client_id) as app_name,
      '2.0' as api_version, 1 as epoch, 1 as concurrency, 10000 as timeout_ms, 0 as ordered, 0 as store_id,
      0 as last_seq, 0 as failure_count, 0 as latency_ms, null as last_success_at`,
  });

/**
 * The next due deliveries of a webhook, those that were never tried first, in the order of their causes; one while it
 * fails. Every failure counts against its delivery. The closing of a store is sent although the store is deactivated.
 */
export const dueSql = (
  { client_id: clientId, consecutive_failures: failures }: WebhookRow,
  now: number,
) =>
  sql`select id as seq, event_id, event, body, null as archived, created_at as triggered_at, attempts,
      attempts as counted_failures, due_at, 'event' as trigger,
      event = 'store.closed' or not exists (select 1 from ${stores} s
        where s.id = store_id and s.active = 0 and s.erased_at is null) as may_receive
    from ${appDeliveries} where client_id = ${clientId} and due_at <= ${now}
    order by due_at, id limit ${failures > 0 ? 1 : deliveriesPerRun}`;

/** Writes the results of deliveries. A success is final. */
export function deliveriesSql(attempts: readonly CompletedAttempt[]): SQL {
  const rows = attempts.map(({ delivery, response, next }) => ({
    id: delivery.seq,
    attempts: next.attempts,
    dueAt: next.state === DeliveryState.open ? next.dueAt : null,
    deliveredAt: next.state === DeliveryState.delivered ? response.at + response.durationMs : null,
    status: response.status,
    error: response.error,
  }));
  return sql`update ${appDeliveries} set attempts = j.attempts, due_at = j.due_at, delivered_at = j.delivered_at,
      response_status = j.status, error = j.error
    from (select value ->> 'id' as id, value ->> 'attempts' as attempts, value ->> 'dueAt' as due_at,
      value ->> 'deliveredAt' as delivered_at, value ->> 'status' as status, value ->> 'error' as error
      from json_each(${JSON.stringify(rows)})) j
    where app_deliveries.id = j.id and app_deliveries.delivered_at is null
      and (app_deliveries.attempts < j.attempts or j.delivered_at is not null)`;
}
