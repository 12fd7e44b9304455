import { and, eq, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { rawStatement } from '../db/raw.ts';
import {
  DeliveryState,
  EndpointStatus,
  webhookDeliveries,
  webhookEndpoints,
  webhookSubscriptions,
} from '../db/schema/webhooks.ts';
import type { Statement } from '../db/statement.ts';
import type { StoreDb } from '../db/store.ts';
import type { EventName } from './catalogue.ts';
import { subscribed, visible } from './endpoints.ts';

/** What may be changed; what is not there stays. */
export interface EndpointChanges {
  url?: string;
  name?: string;
  events?: readonly EventName[];
  active?: boolean;
}

/** An endpoint with what it subscribed to. */
export type EndpointRow = typeof webhookEndpoints.$inferSelect & { events: EventName[] };

/**
 * Changes an endpoint; `undefined` when the caller sees none with this id. Pausing holds what is open,
 * resuming lets it go and wakes the lane. One round trip.
 */
export async function changeEndpoint(
  db: StoreDb,
  clientId: string | null,
  id: number,
  { events, active, ...values }: EndpointChanges,
): Promise<EndpointRow | undefined> {
  const seen = and(eq(webhookEndpoints.id, id), visible(clientId));
  const target = { db, id, isSeen: isSeenBy(db, seen) };
  const results: readonly unknown[] = await db.batch([
    db.change(webhookEndpoints, seen, { ...values, ...(active !== undefined && statusOf(active)) }),
    ...(events === undefined ? [] : resubscription(target, events)),
    ...(active === undefined ? [] : release(target, active)),
    db.select(webhookEndpoints, { where: seen, extras: subscribed }),
  ]);
  if (active) db.wake([id]);
  // The last statement reads the endpoint.
  return (results.at(-1) as EndpointRow[])[0];
}

interface Target {
  db: StoreDb;
  id: number;
  /** Holds when the caller may change it. */
  isSeen: SQL;
}

const isSeenBy = (
  db: StoreDb,
  seen: SQL | undefined,
) => sql`exists (select 1 from ${webhookEndpoints}
  where ${webhookEndpoints.store_id} = ${db.store.id} and ${seen})`;

const statusOf = (active: boolean) => ({
  status: active ? EndpointStatus.active : EndpointStatus.paused,
});

/** Replaces the subscriptions; `updated_at` moves when that changes anything. */
function resubscription({ db, id, isSeen }: Target, events: readonly EventName[]): Statement[] {
  const sorted = JSON.stringify(events.toSorted());
  const present = sql`(select json_group_array(event) from (
    select event from ${webhookSubscriptions} where endpoint_id = ${id} order by event))`;
  return [
    sql`update ${webhookEndpoints} set updated_at = ${db.now}
      where id = ${id} and ${isSeen} and ${present} <> ${sorted}`,
    sql`delete from ${webhookSubscriptions} where endpoint_id = ${id} and ${isSeen}
      and event not in (select value from json_each(${sorted}))`,
    sql`insert or ignore into ${webhookSubscriptions} (store_id, event, endpoint_id)
      select ${db.store.id}, value, ${id} from json_each(${sorted}) where ${isSeen}`,
  ].map((statement) => rawStatement(db, statement));
}

/**
 * Opens what was held and wakes the lane, or holds what is open and lets the lane sleep. Either way the endpoint is
 * judged anew from here on.
 */
function release({ db, id, isSeen }: Target, active: boolean): Statement[] {
  const { open, held } = DeliveryState;
  const [from, to] = active ? [held, open] : [open, held];
  return [
    sql`update ${webhookDeliveries} set state = ${to}, due_at = 0
      where endpoint_id = ${id} and state = ${from} and ${isSeen}`,
    sql`update ${webhookEndpoints} set fail_streak = 0, fail_count = 0, first_fail_at = null,
        warn_level = 0, wake_at = ${active ? db.now : null}
      where id = ${id} and ${isSeen}`,
  ].map((statement) => rawStatement(db, statement));
}
