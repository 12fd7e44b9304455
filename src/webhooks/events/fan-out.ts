import { sql, type SQL } from 'drizzle-orm';
import { formatLocalTime } from '../../base/codecs/fields/local-time.ts';
import { exceedsBytes } from '../../base/codecs/fields/normalize-text.ts';
import { minuteMs } from '../../base/durations.ts';
import { ValidationError } from '../../base/errors.ts';
import { eventScope, type EventScope } from '../../data/core/event-id.ts';
import { rawStatement } from '../../data/core/raw.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { EventName } from '../../data/grants/event-catalogue.ts';
import { endpointMayReceive } from '../../data/grants/grant-conditions.ts';
import {
  DeliveryState,
  EndpointStatus,
  webhookEndpoints,
  webhookSubscriptions,
} from '../../data/schema/store/webhooks-tables.ts';
import { leasedColumns } from '../delivery/load-endpoints.ts';

/**
 * An SQL condition over `webhook_endpoints`: the endpoint is backing off, or takes more than 2 s on
 * average. Its wake-ups go to the slow queues, so that it does not delay other endpoints.
 */
export const isSlowSql = sql`(consecutive_failures > 0 or latency_ms > 2000)`;

/** Maximum size of a body in bytes. A D1 row holds 2,000,000 with all its columns. */
const maxBodyBytes = 1_990_000;

/** The body of an event. Throws a `ValidationError` if it is too large for a row. */
export function eventBody({ store, now }: StoreDb, name: EventName, resource: object): string {
  const body = JSON.stringify({
    event: name,
    time: formatLocalTime(now, store.zone),
    merchant: { id: store.id, alias: store.alias },
    resource,
  });
  if (exceedsBytes(body, maxBodyBytes)) {
    throw new ValidationError({
      resource: ['Must result in an event of at most 1,990,000 bytes.'],
    });
  }
  return body;
}

/** A body with members of its resource by path that the transaction reads. */
export const withStored = (body: SQL, stored: Readonly<Record<string, SQL>>) => {
  const members = Object.entries(stored).map(
    ([path, value]) => sql`, ${`$.resource.${path}`}, (${value})`,
  );
  return members.length > 0 ? sql`json_set(${body}${sql.join(members)})` : body;
};

/**
 * The condition over `webhook_endpoints` that an endpoint receives an event: it is subscribed, and
 * may receive the event at this moment.
 */
export const isReceiver = ({ storeId, now }: EventScope, name: EventName) => sql`id in (
    select endpoint_id from ${webhookSubscriptions} where store_id = ${storeId} and event = ${name})
      and ${endpointMayReceive(name, now)}`;

export const isReceived = (scope: EventScope, name: EventName) =>
  sql`exists (select 1 from ${webhookEndpoints} where ${isReceiver(scope, name)})`;

/**
 * Selects those of these events that an endpoint receives. For the others a change needs no bodies.
 */
export const selectReceived = <Name extends EventName>(db: StoreDb, names: readonly Name[]) =>
  rawStatement<{ name: Name }>(
    db,
    sql.join(
      names.map((name) => sql`select ${name} as name where ${isReceived(eventScope(db), name)}`),
      sql` union all `,
    ),
  );

/** Aborts the batch with a `ConflictError` if an endpoint receives this event by now. */
export const assertNotReceived = (db: StoreDb, name: EventName) =>
  db.assert(sql`not ${isReceived(eventScope(db), name)}`);

/** An endpoint that got a delivery. `next_attempt_at` is 0 while it is leased. */
export interface SubscribedEndpoint {
  endpoint: number;
  next_attempt_at: number;
  is_slow: 0 | 1;
  /**
   * 1 if the request claims the delivery; only if it asked to. The other columns of the endpoint
   * are there, too.
   */
  is_claimed?: 0 | 1;
  last_seq?: number;
}

/**
 * How long a request has to send a delivery that it claimed in the batch of the event. `due_at` of
 * the delivery and `next_attempt_at` of its endpoint hold the end of this time, so a sweep finds
 * what a request left behind.
 */
export const claimMs = 20_000;

/** A response of at most this time is quick. */
export const quickMs = 1_000;

/**
 * The condition over `webhook_endpoints` that an endpoint has open deliveries. A literal state, for
 * the partial index.
 */
export const hasOpenSql = sql.raw(`exists (select 1 from webhook_deliveries
  where endpoint_id = webhook_endpoints.id and state = ${DeliveryState.open})`);

/**
 * When an endpoint is sent to next; null while nothing is open. A request that delivers leaves the
 * column behind.
 */
export const nextAttemptSql = sql<
  number | null
>`iif(coalesce(first_failure_at, nullif(consecutive_failures, 0)) > 0 or ${hasOpenSql}, next_attempt_at, null)`;

/**
 * When a receiver last accepted a delivery. A request that delivers writes the delivery only, so of
 * an endpoint that is well the time of the newest one counts, too. The next number takes it over.
 */
export const lastSuccessSql = sql.raw(
  `iif(first_failure_at is null, nullif(max(coalesce(last_success_at, 0), coalesce((
    select done_at from webhook_deliveries
    where endpoint_id = webhook_endpoints.id and seq = webhook_endpoints.last_seq
      and state = ${DeliveryState.delivered}), 0)), 0), last_success_at)`,
);

/**
 * The condition over `webhook_endpoints` that a request may send its new delivery. The receiver is
 * quick and well, and has no order to keep, no worker and nothing else to get. So it still gets one
 * request at a time.
 */
const mayClaimSql = (
  now: EventScope['now'],
) => sql`(status = ${EndpointStatus.active} and proven_at is not null and ordered = 0
  and consecutive_failures = 0 and first_failure_at is null and latency_ms <= ${quickMs} and lease_until <= ${now}
  and not ${hasOpenSql})`;

/** `due_at` of a new delivery. */
export const newDueAt = (now: EventScope['now'], claims: boolean) =>
  claims ? sql`iif(${mayClaimSql(now)}, ${now} + ${claimMs}, 0)` : sql`0`;

/**
 * The condition over `webhook_deliveries` that a request may still be sending it, or a member who
 * sends a held one.
 */
export const isClaimedSql = (now: SQL) =>
  sql`(attempts = 0 and due_at > ${now} and due_at < ${now} + ${minuteMs})`;

/**
 * The condition over `webhook_endpoints` that its new deliveries are held. It is not active; or it
 * keeps the order, and its older ones are still being released.
 */
export const holdsNewSql = sql.raw(
  `(status <> ${EndpointStatus.active} or (ordered and resume_from_seq is not null))`,
);

/** The state of a new delivery of an endpoint. */
export const newDeliveryState = sql`iif(${holdsNewSql}, ${sql.raw(`${DeliveryState.held}, ${DeliveryState.open}`)})`;

/**
 * SQL that gives each receiving endpoint the next sequence numbers, for as many events as were
 * recorded. An endpoint in backoff keeps its next attempt. With `claims`, the request sends what it
 * may ({@link mayClaimSql}). Returns a {@link SubscribedEndpoint} for each.
 */
export const takeNumbers = (
  scope: EventScope,
  name: EventName,
  { count, areRecorded, claims = false }: { count: number; areRecorded: SQL; claims?: boolean },
) => {
  const { now } = scope;
  const isFree = sql`consecutive_failures = 0 and lease_until <= ${now}`;
  return sql`update ${webhookEndpoints} set last_seq = last_seq + ${count}, last_success_at = ${lastSuccessSql},
        next_attempt_at = case
          when ${holdsNewSql} then next_attempt_at
          ${claims ? sql`when ${mayClaimSql(now)} then ${now} + ${claimMs}` : sql``}
          when next_attempt_at is null or (${isFree} and (next_attempt_at > ${now} or not ${hasOpenSql})) then ${now}
          else next_attempt_at end
      where ${isReceiver(scope, name)} and ${areRecorded}
      returning ${claims ? sql`${leasedColumns}, ${mayClaimSql(now)} as is_claimed,` : sql``} id as endpoint,
        case when lease_until <= ${now} then coalesce(next_attempt_at, 0) else 0 end as next_attempt_at,
        ${isSlowSql} as is_slow`;
};
