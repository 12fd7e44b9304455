import { sql, type SQL } from 'drizzle-orm';
import { formatLocalTime } from '../../base/codecs/fields/local-time.ts';
import { exceedsBytes } from '../../base/codecs/fields/normalize-text.ts';
import { ValidationError } from '../../base/errors.ts';
import { rawStatement } from '../../data/core/raw.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { EventName } from '../../data/grants/event-catalogue.ts';
import { endpointMayReceive } from '../../data/grants/may-receive.ts';
import {
  DeliveryState,
  EndpointStatus,
  webhookEndpoints,
  webhookSubscriptions,
} from '../../data/schema/store/webhooks-tables.ts';

/**
 * An SQL condition over `webhook_endpoints`: the endpoint is backing off, or takes more than 2 s on average. Its wake-ups
 * go to the slow queues, so that it does not delay other endpoints.
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
 * The condition over `webhook_endpoints` that an endpoint receives an event: it is subscribed, and may receive the
 * event at this moment.
 */
export const isReceiver = ({ store, now }: StoreDb, name: EventName) => sql`id in (
    select endpoint_id from ${webhookSubscriptions} where store_id = ${store.id} and event = ${name})
      and ${endpointMayReceive(name, now)}`;

const isReceived = (db: StoreDb, name: EventName) =>
  sql`exists (select 1 from ${webhookEndpoints} where ${isReceiver(db, name)})`;

/** Selects those of these events that an endpoint receives. For the others a change needs no bodies. */
export const selectReceived = <Name extends EventName>(db: StoreDb, names: readonly Name[]) =>
  rawStatement<{ name: Name }>(
    db,
    sql.join(
      names.map((name) => sql`select ${name} as name where ${isReceived(db, name)}`),
      sql` union all `,
    ),
  );

/** Aborts the batch with a `ConflictError` if an endpoint receives this event by now. */
export const assertNotReceived = (db: StoreDb, name: EventName) =>
  db.assert(sql`not ${isReceived(db, name)}`);

/** An endpoint that got a delivery. `next_attempt_at` is 0 while it is leased. */
export interface SubscribedEndpoint {
  endpoint: number;
  next_attempt_at: number;
  is_slow: 0 | 1;
}

/**
 * Gives each receiving endpoint the next sequence numbers, for as many events as were recorded. An endpoint in backoff
 * keeps its next attempt.
 */
export const takeNumbersStatement = (
  db: StoreDb,
  name: EventName,
  { count, areRecorded }: { count: number; areRecorded: SQL },
) =>
  rawStatement<SubscribedEndpoint>(
    db,
    sql`update ${webhookEndpoints} set last_seq = last_seq + ${count},
          next_attempt_at = case
            when status <> ${EndpointStatus.active} then next_attempt_at
            when next_attempt_at is null or (consecutive_failures = 0 and next_attempt_at > ${db.now} and lease_until <= ${db.now}) then ${db.now}
            else next_attempt_at end
        where ${isReceiver(db, name)} and ${areRecorded}
        returning id as endpoint,
          case when lease_until <= ${db.now} then coalesce(next_attempt_at, 0) else 0 end as next_attempt_at,
          ${isSlowSql} as is_slow`,
  );

/** The state of a new delivery of an endpoint: a paused or disabled one gets held deliveries. */
export const newDeliveryState = sql.raw(
  `case status when ${EndpointStatus.active} then ${DeliveryState.open} else ${DeliveryState.held} end`,
);
