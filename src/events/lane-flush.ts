import { DeliveryState } from '../db/schema/webhooks.ts';
import type { Wake } from './hints.ts';
import type { Delivery, Lane } from './lane.ts';
import type { Outcome } from './outcome.ts';
import { maxAttempts } from './schedule.ts';
import type { Sent } from './send.ts';

/** One finished try that is not in the database yet. */
export interface Finished {
  lane: Lane;
  delivery: Delivery;
  sent: Sent;
  outcome: Outcome;
  host: string;
}

// Both key columns come out of the JSON: with a constant endpoint SQLite would scan the whole lane. A second
// run changes nothing, and a consumer past its lease can add a success but not turn back the count.
const deliveriesSql = `
  update webhook_deliveries set state = j.state, attempts = max(webhook_deliveries.attempts, j.attempts),
    code = j.code, error = j.error, duration_ms = j.ms, done_at = j.done_at
  from (select value ->> 'endpoint' as endpoint, value ->> 'seq' as seq, value ->> 'state' as state,
      value ->> 'attempts' as attempts, value ->> 'code' as code, value ->> 'error' as error,
      value ->> 'ms' as ms, value ->> 'doneAt' as done_at from json_each(?1)) j
  where webhook_deliveries.endpoint_id = j.endpoint and webhook_deliveries.seq = j.seq
    and webhook_deliveries.state = ${DeliveryState.open}
    and (webhook_deliveries.attempts < j.attempts or j.state = ${DeliveryState.delivered})`;

const attemptsSql = `
  insert or ignore into webhook_attempts (endpoint_id, seq, number, at, code, error, duration_ms,
    response_headers, response_body, key_id, host)
  select value ->> 'endpoint', value ->> 'seq', value ->> 'attempts', value ->> 'at', value ->> 'code',
    value ->> 'error', value ->> 'ms', value ->> 'headers', value ->> 'body', value ->> 'keyId',
    value ->> 'host' from json_each(?1)`;

// Publishing and this are one after the other in D1: either the new delivery is seen here, or it finds
// the lane asleep and wakes it.
const lanesSql = `
  update webhook_endpoints set fail_streak = j.streak, first_fail_at = j.first_fail_at,
    last_ok_at = j.last_ok_at, latency_ms = j.latency,
    lease_until = case when j.release then 0 else lease_until end,
    wake_at = case when j.release then (
      select max(due_at, coalesce(j.backoff, 0)) from webhook_deliveries
      where endpoint_id = j.id and state = ${DeliveryState.open} order by due_at limit 1
    ) else wake_at end
  from (select value ->> 'id' as id, value ->> 'generation' as generation, value ->> 'streak' as streak,
      value ->> 'firstFailAt' as first_fail_at, value ->> 'lastOkAt' as last_ok_at,
      value ->> 'latency' as latency, value ->> 'backoff' as backoff, value ->> 'release' as release
      from json_each(?1)) j
  where webhook_endpoints.id = j.id and webhook_endpoints.lease_gen = j.generation
  returning id as endpoint, case when lease_until = 0 then wake_at end as wakeAt`;

/**
 * Writes results, and the health of their lanes; lanes in `released` are given back. Answers with when
 * those want to be woken. One round trip; a repetition changes nothing. Rejects when the database does.
 */
export async function flush(
  db: D1Database,
  finished: readonly Finished[],
  released: readonly Lane[],
): Promise<Wake[]> {
  const lanes = [...new Set([...finished.map(({ lane }) => lane), ...released])];
  const rows = finished.map(deliveryRow);
  const logged = finished
    .map((one) => ({ ...deliveryRow(one), ...attemptRow(one) }))
    .filter(({ attempts, error }) => error !== null || attempts > 1);
  const isReleased = new Set(released);
  const laneRows = lanes.map((lane) => laneRow(lane, isReleased.has(lane)));
  const statements = [db.prepare(lanesSql).bind(JSON.stringify(laneRows))];
  if (logged.length > 0) statements.unshift(db.prepare(attemptsSql).bind(JSON.stringify(logged)));
  if (rows.length > 0) statements.unshift(db.prepare(deliveriesSql).bind(JSON.stringify(rows)));
  const results = await db.batch<{ endpoint: number; wakeAt: number | null }>(statements);
  return (results.at(-1)?.results ?? []).flatMap(({ endpoint, wakeAt }) =>
    wakeAt === null ? [] : [{ endpoint, wakeAt }],
  );
}

function deliveryRow({ lane, delivery, sent, outcome }: Finished) {
  const attempts = delivery.attempts + 1;
  const state = stateAfter(outcome, attempts);
  return {
    endpoint: lane.id,
    seq: delivery.seq,
    state,
    attempts,
    code: sent.code,
    error: sent.error,
    ms: sent.durationMs,
    doneAt: state === DeliveryState.open ? null : sent.at + sent.durationMs,
  };
}

/** A failed delivery keeps its `due_at`: the lane's `wake_at` holds it back, and it stays the oldest. */
function stateAfter(outcome: Outcome, attempts: number): number {
  if (outcome === 'delivered') return DeliveryState.delivered;
  return outcome === 'unsendable' || attempts >= maxAttempts
    ? DeliveryState.gaveUp
    : DeliveryState.open;
}

function attemptRow({ lane, sent, host }: Finished) {
  return {
    at: sent.at,
    headers: sent.headers && JSON.stringify(sent.headers),
    body: sent.snippet && JSON.stringify(sent.snippet),
    keyId: lane.keyId,
    host,
  };
}

function laneRow({ id, generation, health }: Lane, release: boolean) {
  return {
    id,
    generation,
    release: release ? 1 : 0,
    streak: health.failStreak,
    firstFailAt: health.firstFailAt,
    lastOkAt: health.lastOkAt,
    latency: health.latencyMs,
    backoff: health.backoffUntil,
  };
}
