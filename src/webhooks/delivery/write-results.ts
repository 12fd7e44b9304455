import { sql } from 'drizzle-orm';
import { compileSql, parameter } from '../../data/core/raw.ts';
import { NoticeKind } from '../../data/schema/store/webhook-operations-tables.ts';
import { DeliveryState, EndpointStatus } from '../../data/schema/store/webhooks-tables.ts';
import { logNotices, type WrittenNotice } from '../endpoints/endpoint-notices.ts';
import { isSlowSql } from '../events/fan-out.ts';
import { snapshot } from './active-check.ts';
import type { CompletedAttempt } from './apply-result.ts';
import type { LeasedEndpoint } from './leased-endpoint.ts';
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
const isOrdered = sql`(select ordered from webhook_endpoints where id = j.endpoint)`;

const updateDeliveries = compileSql<{ rows: string }>(sql`
  update webhook_deliveries set state = j.state, attempts = max(webhook_deliveries.attempts, j.attempts),
    counted_failures = max(webhook_deliveries.counted_failures, j.counted_failures),
    due_at = iif(j.due_at > 0 and ${isOrdered}, 0, j.due_at), response_status = j.response_status, error = j.error, duration_ms = j.ms, done_at = j.done_at
  from (select value ->> 'endpoint' as endpoint, value ->> 'seq' as seq, value ->> 'state' as state,
      value ->> 'attempts' as attempts, value ->> 'countedFailures' as counted_failures,
      value ->> 'dueAt' as due_at, value ->> 'status' as response_status,
      value ->> 'error' as error, value ->> 'ms' as ms, value ->> 'doneAt' as done_at from json_each(${rowsParameter})) j
  where webhook_deliveries.endpoint_id = j.endpoint and webhook_deliveries.seq = j.seq
    and ((webhook_deliveries.state = ${DeliveryState.open} and webhook_deliveries.attempts < j.attempts)
      or (webhook_deliveries.state in (${DeliveryState.open}, ${DeliveryState.held}) and j.state = ${DeliveryState.delivered}))`);

const updateIsolated = compileSql<{ rows: string }>(sql`
  update webhook_deliveries set due_at = j.due_at
  from (select value ->> 'endpoint' as endpoint, value ->> 'seq' as seq, value ->> 'dueAt' as due_at
      from json_each(${rowsParameter})) j
  where webhook_deliveries.endpoint_id = j.endpoint and webhook_deliveries.seq = j.seq
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
  select e.store_id, e.id, ${NoticeKind.gone}, j.value ->> 'goneAt'
  from json_each(${rowsParameter}) j join webhook_endpoints e on e.id = j.value ->> 'id'
  where e.updated_at <= j.value ->> 'goneAt' and e.lease_generation = j.value ->> 'generation'
    and e.status = ${EndpointStatus.active}
  returning endpoint_id as endpoint, kind`);

// A worker without a failure does not overrule another worker that started a backoff.
const isAuthoritative = sql`(lease_backoff_until = 0 or j.backoff is not null)`;
const isGone = sql`(updated_at <= j.gone_at and status = ${EndpointStatus.active})`;
// The last worker that leaves releases the endpoint.
const isReleased = sql`(j.release and lease_workers & ~j.worker = 0)`;

// D1 runs this batch and a publish one after the other. Either the new delivery is seen here, or
// the publish finds the endpoint without a next attempt and sets one. Open deliveries of a disabled
// endpoint are held by the sweep, which finds them by `next_attempt_at`.
const updateEndpoints = compileSql<{ rows: string }>(sql`
  update webhook_endpoints set consecutive_failures = iif(${isAuthoritative}, j.streak, consecutive_failures),
    failure_count = iif(${isAuthoritative}, j.failures, failure_count),
    first_failure_at = iif(${isAuthoritative}, j.since, first_failure_at),
    last_success_at = iif(${isAuthoritative}, j.ok_at, last_success_at), latency_ms = j.latency,
    proven_at = iif(url = j.sent_to, coalesce(proven_at, j.first_ok_at), proven_at),
    warning_level = iif(${isAuthoritative} and j.since is null, 0, warning_level),
    updated_at = iif(${isGone}, j.gone_at, updated_at),
    status = iif(${isGone}, ${EndpointStatus.autoDisabled}, status),
    lease_backoff_until = max(lease_backoff_until, coalesce(j.backoff, 0)),
    lease_workers = iif(j.release, lease_workers & ~j.worker, lease_workers),
    lease_until = iif(${isReleased}, 0, lease_until),
    next_attempt_at = iif(${isReleased}, (
      select max(due_at, j.not_before, webhook_endpoints.lease_backoff_until) from webhook_deliveries
      where endpoint_id = j.id and state = ${DeliveryState.open} order by due_at limit 1
    ), next_attempt_at)
  from (select value ->> 'id' as id, value ->> 'generation' as generation, value ->> 'worker' as worker,
      value ->> 'consecutiveFailures' as streak, value ->> 'failureCount' as failures,
      value ->> 'firstFailureAt' as since, value ->> 'lastSuccessAt' as ok_at, value ->> 'latencyMs' as latency,
      value ->> 'notBefore' as not_before, value ->> 'backoffUntil' as backoff, value ->> 'goneAt' as gone_at,
      value ->> 'release' as release, value ->> 'url' as sent_to, value ->> 'provenAt' as first_ok_at
    from json_each(${rowsParameter})) j
  where webhook_endpoints.id = j.id and webhook_endpoints.lease_generation = j.generation
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
