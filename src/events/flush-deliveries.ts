import { DeliveryState } from '../db/schema/webhooks.ts';
import type { Finished } from './deliver-settle.ts';

// Both key columns come out of the JSON: with a constant endpoint SQLite would scan the whole lane. A second
// run changes nothing, and a consumer past its lease can add a success but not turn back the count.
const deliveriesSql = `
  update webhook_deliveries set state = j.state, attempts = max(webhook_deliveries.attempts, j.attempts),
    refusals = max(webhook_deliveries.refusals, j.refusals), due_at = j.due_at, code = j.code, error = j.error, duration_ms = j.ms, done_at = j.done_at
  from (select value ->> 'endpoint' as endpoint, value ->> 'seq' as seq, value ->> 'state' as state,
      value ->> 'attempts' as attempts, value ->> 'refusals' as refusals,
      value ->> 'dueAt' as due_at, value ->> 'code' as code,
      value ->> 'error' as error, value ->> 'ms' as ms, value ->> 'doneAt' as done_at from json_each(?1)) j
  where webhook_deliveries.endpoint_id = j.endpoint and webhook_deliveries.seq = j.seq
    and webhook_deliveries.state = ${DeliveryState.open}
    and (webhook_deliveries.attempts < j.attempts or j.state = ${DeliveryState.delivered})`;

const poisonSql = `
  update webhook_deliveries set due_at = j.due_at
  from (select value ->> 'endpoint' as endpoint, value ->> 'seq' as seq, value ->> 'dueAt' as due_at
      from json_each(?1)) j
  where webhook_deliveries.endpoint_id = j.endpoint and webhook_deliveries.seq = j.seq
    and webhook_deliveries.state = ${DeliveryState.open} and webhook_deliveries.due_at = 0`;

const attemptsSql = `
  insert or ignore into webhook_attempts (endpoint_id, seq, number, at, code, error, duration_ms,
    response_headers, response_body, key_id, host)
  select value ->> 'endpoint', value ->> 'seq', value ->> 'attempts', value ->> 'at', value ->> 'code',
    value ->> 'error', value ->> 'ms', value ->> 'headers', value ->> 'body', value ->> 'keyId',
    value ->> 'host' from json_each(?1)`;

/**
 * The statements that write results, none twice: deliveries, poison events, and the log of failures and repeats. A
 * first try that succeeds is told by its delivery alone.
 */
export function deliveryStatements(
  db: D1Database,
  finished: readonly Finished[],
): D1PreparedStatement[] {
  const rows = finished.map(deliveryRow);
  const poison = finished.flatMap(({ lane, poison }) =>
    poison === null ? [] : [{ endpoint: lane.id, ...poison }],
  );
  const logged = finished
    .map((one) => ({ ...deliveryRow(one), ...attemptRow(one) }))
    .filter(({ attempts, error }) => error !== null || attempts > 1);
  return (
    [
      [deliveriesSql, rows],
      [poisonSql, poison],
      [attemptsSql, logged],
    ] as const
  )
    .filter(([, values]) => values.length > 0)
    .map(([sql, values]) => db.prepare(sql).bind(JSON.stringify(values)));
}

function deliveryRow({ lane, delivery, sent, after }: Finished) {
  return {
    endpoint: lane.id,
    seq: delivery.seq,
    ...after,
    code: sent.code,
    error: sent.error,
    ms: sent.durationMs,
    doneAt: after.state === DeliveryState.open ? null : sent.at + sent.durationMs,
  };
}

function attemptRow({ lane, sent, host }: Finished) {
  return {
    at: sent.at,
    headers: sent.headers && JSON.stringify(sent.headers),
    body: sent.snippet && JSON.stringify(sent.snippet),
    keyId: lane.secrets?.primary.id,
    host,
  };
}
