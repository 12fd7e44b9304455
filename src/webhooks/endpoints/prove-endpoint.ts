import { sql } from 'drizzle-orm';
import { rawStatement } from '../../data/core/raw.ts';
import { markPreparatory, type Statement } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { unverifiedEndpoints } from '../../data/schema/store/webhook-operations-tables.ts';
import {
  DeliveryState,
  EndpointStatus,
  webhookDeliveries,
  webhookEndpoints,
} from '../../data/schema/store/webhooks-tables.ts';
import { unverifiedHostOf } from '../delivery/unverified-endpoints.ts';
import { hasOpenSql } from '../events/fan-out.ts';
import { releaseBatchSize } from './release-deliveries.ts';

/** Columns to set with a URL: another URL is not verified yet. */
export const unverifiedUnlessEqual = (url: string | undefined) =>
  url === undefined
    ? {}
    : {
        proven_at: sql`iif(${webhookEndpoints.url} = ${url}, ${webhookEndpoints.proven_at}, null)`,
      };

/** Longer than a request may hold an open delivery that it is sending. */
const maxClaimMs = 30_000;

/**
 * Whether something waits for the next attempt of an endpoint that is active, or a success would
 * make it well.
 */
export const isWaiting = (
  endpoint: Pick<
    typeof webhookEndpoints.$inferSelect,
    'status' | 'consecutive_failures' | 'first_failure_at' | 'next_attempt_at'
  >,
) =>
  endpoint.status === EndpointStatus.active &&
  (endpoint.consecutive_failures > 0 ||
    endpoint.first_failure_at !== null ||
    endpoint.next_attempt_at !== null);

/**
 * A statement that makes open deliveries due that wait for times of their own: as many as a release
 * opens in one step.
 */
const dueNowStatement = ({ store, now }: StoreDb, id: number, url: string) => sql`
  update ${webhookDeliveries} set due_at = ${now} where (endpoint_id, seq) in (
    select endpoint_id, seq from ${webhookDeliveries}
    where endpoint_id = (select id from ${webhookEndpoints} where id = ${id}
        and store_id = ${store.id} and url = ${url} and status = ${EndpointStatus.active})
      and state = ${sql.raw(`${DeliveryState.open}`)} and due_at > ${now + maxClaimMs}
    order by due_at limit ${releaseBatchSize})`;

/**
 * Statements after a request to an endpoint of the store that `url` accepted, unless the endpoint
 * has another URL by now. If it is active, it is well from then on, and what waits is due.
 */
export function proveStatements(db: StoreDb, id: number, url: string): Statement[] {
  const { store, now } = db;
  const isSame = sql`id = ${id} and store_id = ${store.id} and url = ${url}`;
  return [
    sql`update ${webhookEndpoints} set proven_at = ${now} where ${isSame} and proven_at is null`,
    sql`delete from ${unverifiedEndpoints} where store_id = ${store.id} and host = ${unverifiedHostOf(url)}`,
    dueNowStatement(db, id, url),
    sql`update ${webhookEndpoints} set consecutive_failures = 0, failure_count = 0, first_failure_at = null,
        warning_level = 0, next_attempt_at = iif(${hasOpenSql}, ${now}, next_attempt_at)
      where ${isSame} and status = ${EndpointStatus.active}`,
  ].map((statement) => markPreparatory(rawStatement(db, statement)));
}

/**
 * Statements that make the next attempt of an active endpoint due. It takes no step of the retry
 * schedule: if it fails, the delay after it is the one that it cut short. That holds for the clock
 * of an unverified host, too.
 */
export function tryNowStatements(db: StoreDb, id: number, url: string): Statement[] {
  const { store, now } = db;
  const isSame = sql`id = ${id} and store_id = ${store.id} and url = ${url}`;
  return [
    dueNowStatement(db, id, url),
    sql`update ${webhookEndpoints} set next_attempt_at = ${now},
        consecutive_failures = iif(consecutive_failures > 1, consecutive_failures - 1, consecutive_failures)
      where ${isSame} and status = ${EndpointStatus.active} and ${hasOpenSql}`,
    sql`update ${unverifiedEndpoints} set next_at = min(next_at, ${now}), failures = max(1, failures - 1)
      where store_id = ${store.id} and host = ${unverifiedHostOf(url)}
        and exists (select 1 from ${webhookEndpoints} where ${isSame} and proven_at is null)`,
  ].map((statement) => rawStatement(db, statement));
}
