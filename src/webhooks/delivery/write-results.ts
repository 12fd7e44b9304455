import { sql } from 'drizzle-orm';
import { compileSql, parameter } from '../../data/core/raw.ts';
import { NoticeKind } from '../../data/schema/store/webhook-operations-tables.ts';
import { DeliveryState, EndpointStatus } from '../../data/schema/store/webhooks-tables.ts';
import { logNotices, type WrittenNotice } from '../endpoints/endpoint-notices.ts';
import { isSlowSql } from '../events/fan-out.ts';
import type { CompletedAttempt } from './apply-result.ts';
import { snapshot, type LeasedEndpoint } from './leased-endpoint.ts';
import { unverifiedStatements } from './unverified-endpoints.ts';

/** A released endpoint that has more to send. */
export interface ReleasedEndpoint {
  endpoint: number;
  /** Epoch milliseconds. */
  nextAttemptAt: number;
  isSlow: 0 | 1;
}

type WrittenEndpoint = Omit<ReleasedEndpoint, 'nextAttemptAt'> & {
  nextAttemptAt: number | null;
  isStopped: 0 | 1;
};

/**
 * Writes results and the health of their endpoints, releases the endpoints in `releasing`, and
 * stops those that are no longer active. Returns the released endpoints that have more to send,
 * `now` (epoch milliseconds) at the earliest. One round trip; a repetition changes nothing. Rejects
 * when the database fails.
 */
export async function writeResults(
  db: D1Database,
  attempts: readonly CompletedAttempt[],
  releasing: readonly LeasedEndpoint[],
  now: number,
): Promise<ReleasedEndpoint[]> {
  const endpoints = [...new Set([...attempts.map(({ endpoint }) => endpoint), ...releasing])];
  const applyCheck = snapshot(endpoints);
  const results = await db.batch<WrittenEndpoint | WrittenNotice>([
    ...unverifiedStatements(db, endpoints, now),
    ...deliveryStatements(db, attempts),
    ...endpointStatements(db, endpoints, new Set(releasing), now),
  ]);
  const written = (results.at(-1)?.results ?? []) as WrittenEndpoint[];
  // The statement before the last returns rows only if it wrote notices.
  const notices = (results.at(-2)?.results ?? []) as WrittenNotice[];
  if (endpoints[0] && notices.length > 0) logNotices(endpoints[0].shard, notices);
  applyCheck(({ id }) => written.some((row) => row.endpoint === id && row.isStopped === 1));
  return written.flatMap(({ endpoint, nextAttemptAt, isSlow }) =>
    nextAttemptAt === null ? [] : [{ endpoint, nextAttemptAt, isSlow }],
  );
}

/**
 * Writes deliveries that arrived, and nothing of their endpoints. One round trip; a repetition
 * changes nothing.
 */
export async function writeDelivered(
  db: D1Database,
  attempts: readonly CompletedAttempt[],
): Promise<void> {
  await db.batch(deliveryStatements(db, attempts));
}

// Both key columns come out of the JSON: with a constant endpoint, SQLite would scan all its
// deliveries. A second run changes nothing. A worker past its lease can add a success but cannot
// lower the attempt count. What arrived while its endpoint was paused is delivered, not held: a
// resume would send it again.
const rowsParameter = parameter('rows');

// A run that began before its endpoint got an order gives no delivery a time of its own, since
// others would overtake it.
const isOrdered = sql`(select ordered from webhook_endpoints where id = result.endpoint)`;

const updateDeliveries = compileSql<{ rows: string }>(sql`
  update webhook_deliveries set state = result.state, attempts = max(webhook_deliveries.attempts, result.attempts),
    counted_failures = max(webhook_deliveries.counted_failures, result.counted_failures),
    due_at = iif(result.due_at > 0 and ${isOrdered}, 0, result.due_at), response_status = result.response_status, error = result.error, duration_ms = result.ms, done_at = result.done_at
  from (select value ->> 'endpoint' as endpoint, value ->> 'seq' as seq, value ->> 'state' as state,
      value ->> 'attempts' as attempts, value ->> 'countedFailures' as counted_failures,
      value ->> 'dueAt' as due_at, value ->> 'status' as response_status,
      value ->> 'error' as error, value ->> 'ms' as ms, value ->> 'doneAt' as done_at from json_each(${rowsParameter})) result
  where webhook_deliveries.endpoint_id = result.endpoint and webhook_deliveries.seq = result.seq
    and ((webhook_deliveries.state = ${DeliveryState.open} and webhook_deliveries.attempts < result.attempts)
      or (webhook_deliveries.state in (${DeliveryState.open}, ${DeliveryState.held}) and result.state = ${DeliveryState.delivered}))`);

const updateIsolated = compileSql<{ rows: string }>(sql`
  update webhook_deliveries set due_at = result.due_at
  from (select value ->> 'endpoint' as endpoint, value ->> 'seq' as seq, value ->> 'dueAt' as due_at
      from json_each(${rowsParameter})) result
  where webhook_deliveries.endpoint_id = result.endpoint and webhook_deliveries.seq = result.seq
    and webhook_deliveries.state = ${DeliveryState.open} and webhook_deliveries.due_at = 0 and not ${isOrdered}`);

const insertAttempts = compileSql<{ rows: string }>(sql`
  insert or ignore into webhook_attempts (endpoint_id, seq, number, at, response_status, error, duration_ms,
    response_headers, response_body, key_id, host)
  select value ->> 'endpoint', value ->> 'seq', value ->> 'attempts', value ->> 'at', value ->> 'status',
    value ->> 'error', value ->> 'ms', value ->> 'headers', value ->> 'body', value ->> 'keyId',
    value ->> 'host' from json_each(${rowsParameter})`);

/**
 * Statements for deliveries, isolated deliveries, and the log of failed and repeated attempts. A
 * first attempt that succeeds has no attempt row: its delivery row says everything.
 */
function deliveryStatements(
  db: D1Database,
  attempts: readonly CompletedAttempt[],
): D1PreparedStatement[] {
  const deliveryRows = attempts.map(toDeliveryRow);
  const isolatedRows = attempts.flatMap(({ endpoint, isolated }) =>
    isolated === null ? [] : [{ endpoint: endpoint.id, ...isolated }],
  );
  const attemptRows = attempts
    .map((attempt) => ({ ...toDeliveryRow(attempt), ...toAttemptRow(attempt) }))
    .filter((row) => row.error !== null || row.attempts > 1);
  return (
    [
      [updateDeliveries, deliveryRows],
      [updateIsolated, isolatedRows],
      [insertAttempts, attemptRows],
    ] as const
  )
    .filter(([, rows]) => rows.length > 0)
    .map(([prepare, rows]) => prepare(db, { rows: JSON.stringify(rows) }));
}

function toDeliveryRow({ endpoint, delivery, response, next }: CompletedAttempt) {
  return {
    endpoint: endpoint.id,
    seq: delivery.seq,
    ...next,
    status: response.status,
    error: response.error,
    ms: response.durationMs,
    doneAt: next.state === DeliveryState.open ? null : response.at + response.durationMs,
  };
}

function toAttemptRow({ endpoint, response, host }: CompletedAttempt) {
  return {
    at: response.at,
    headers: response.headers && JSON.stringify(response.headers),
    body: response.snippet && JSON.stringify(response.snippet),
    keyId: endpoint.secrets?.primary.id,
    host,
  };
}

// If the owner changed the endpoint after the request was sent (a new URL, a resume), a 410 to that
// request does not disable it. Notices are written before the status changes, so a repetition
// writes none.
const insertNotices = compileSql<{ rows: string }>(sql`
  insert into webhook_notices (store_id, endpoint_id, kind, at)
  select webhook_endpoints.store_id, webhook_endpoints.id, ${NoticeKind.gone}, result.value ->> 'goneAt'
  from json_each(${rowsParameter}) result join webhook_endpoints on webhook_endpoints.id = result.value ->> 'id'
  where webhook_endpoints.updated_at <= result.value ->> 'goneAt' and webhook_endpoints.lease_generation = result.value ->> 'generation'
    and webhook_endpoints.status = ${EndpointStatus.active}
  returning endpoint_id as endpoint, kind`);

// A worker without a failure does not overrule another worker that started a backoff.
const isAuthoritative = sql`(lease_backoff_until = 0 or result.backoff is not null)`;
const isGone = sql`(updated_at <= result.gone_at and status = ${EndpointStatus.active})`;
// The last worker that leaves releases the endpoint.
const isReleased = sql`(result.release and lease_workers & ~result.worker = 0)`;

// D1 runs this batch and a publish one after the other. Either the new delivery is seen here, or
// the publish finds the endpoint without a next attempt and sets one. Open deliveries of a disabled
// endpoint are held by the sweep, which finds them by `next_attempt_at`.
const updateEndpoints = compileSql<{ rows: string }>(sql`
  update webhook_endpoints set consecutive_failures = iif(${isAuthoritative}, result.streak, consecutive_failures),
    failure_count = iif(${isAuthoritative}, result.failures, failure_count),
    first_failure_at = iif(${isAuthoritative}, result.since, first_failure_at),
    last_success_at = iif(${isAuthoritative}, result.ok_at, last_success_at), latency_ms = result.latency,
    proven_at = iif(url = result.sent_to, coalesce(proven_at, result.first_ok_at), proven_at),
    warning_level = iif(${isAuthoritative} and result.since is null, 0, warning_level),
    updated_at = iif(${isGone}, result.gone_at, updated_at),
    status = iif(${isGone}, ${EndpointStatus.autoDisabled}, status),
    lease_backoff_until = max(lease_backoff_until, coalesce(result.backoff, 0)),
    lease_workers = iif(result.release, lease_workers & ~result.worker, lease_workers),
    lease_until = iif(${isReleased}, 0, lease_until),
    next_attempt_at = iif(${isReleased}, (
      select max(due_at, result.not_before, webhook_endpoints.lease_backoff_until) from webhook_deliveries
      where endpoint_id = result.id and state = ${DeliveryState.open} order by due_at limit 1
    ), next_attempt_at)
  from (select value ->> 'id' as id, value ->> 'generation' as generation, value ->> 'worker' as worker,
      value ->> 'consecutiveFailures' as streak, value ->> 'failureCount' as failures,
      value ->> 'firstFailureAt' as since, value ->> 'lastSuccessAt' as ok_at, value ->> 'latencyMs' as latency,
      value ->> 'notBefore' as not_before, value ->> 'backoffUntil' as backoff, value ->> 'goneAt' as gone_at,
      value ->> 'release' as release, value ->> 'url' as sent_to, value ->> 'provenAt' as first_ok_at
    from json_each(${rowsParameter})) result
  where webhook_endpoints.id = result.id and webhook_endpoints.lease_generation = result.generation
  returning id as endpoint, ${isSlowSql} as isSlow,
    status <> ${EndpointStatus.active} or lease_backoff_until > 0 as isStopped,
    case when lease_until = 0 and status = ${EndpointStatus.active} then next_attempt_at end as nextAttemptAt`);

/**
 * Statements that write the health of endpoints, release those in `releasing`, and disable those
 * that are gone. The last one returns {@link WrittenEndpoint} rows; if an endpoint is gone, the one
 * before returns the written notices.
 */
function endpointStatements(
  db: D1Database,
  endpoints: readonly LeasedEndpoint[],
  releasing: ReadonlySet<LeasedEndpoint>,
  now: number,
): D1PreparedStatement[] {
  const rows = JSON.stringify(
    endpoints.map((endpoint) => toEndpointRow(endpoint, releasing.has(endpoint), now)),
  );
  const update = updateEndpoints(db, { rows });
  return endpoints.some(({ health }) => health.goneAt !== null)
    ? [insertNotices(db, { rows }), update]
    : [update];
}

function toEndpointRow(
  { id, generation, worker, health, url, provenAt }: LeasedEndpoint,
  isReleasing: boolean,
  now: number,
) {
  return {
    id,
    generation,
    url,
    provenAt,
    worker: 1 << worker,
    release: isReleasing ? 1 : 0,
    ...health,
    notBefore: health.backoffUntil ?? now,
  };
}
