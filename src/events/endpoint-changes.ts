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
import { audited, type Actor } from './audit.ts';
import type { EventName } from './catalogue.ts';
import { isVisible, subscribed, visible } from './endpoint-access.ts';

/** What may be changed; what is not there stays. */
export interface EndpointChanges {
  url?: string;
  name?: string;
  events?: readonly EventName[];
}

/** An endpoint with what it subscribed to. */
export type EndpointRow = typeof webhookEndpoints.$inferSelect & { events: EventName[] };

/**
 * Changes an endpoint; `undefined` when the caller sees none with this id. `also` runs in the same transaction,
 * after the change. One round trip.
 */
export async function changeEndpoint(
  db: StoreDb,
  actor: Actor,
  id: number,
  { events, ...values }: EndpointChanges,
  also: readonly Statement[] = [],
): Promise<EndpointRow | undefined> {
  const seen = and(eq(webhookEndpoints.id, id), visible(actor));
  const target = { db, id, isSeen: isVisible(db, id, actor) };
  const results: readonly unknown[] = await db.batch([
    db.change(webhookEndpoints, seen, values),
    ...(events === undefined ? [] : resubscription(target, events)),
    audited(db, actor, 'edited', id, hasJustChanged(target)),
    ...also,
    db.select(webhookEndpoints, { where: seen, extras: subscribed }),
  ]);
  // The last statement reads the endpoint.
  return (results.at(-1) as EndpointRow[])[0];
}

interface Target {
  db: StoreDb;
  id: number;
  /** Holds when the caller may change it. */
  isSeen: SQL;
}

const hasJustChanged = ({ db, id, isSeen }: Target) =>
  sql`${isSeen} and exists (select 1 from ${webhookEndpoints}
    where id = ${id} and updated_at = ${db.now} and created_at < ${db.now})`;

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

/** The statements that pause an endpoint: what is open is held, its lane sleeps, and it is judged anew afterwards. */
export function pausing(db: StoreDb, actor: Actor, id: number): Statement[] {
  const isSeen = isVisible(db, id, actor);
  const isActive = sql`status = ${EndpointStatus.active}`;
  return [
    audited(
      db,
      actor,
      'disabled',
      id,
      sql`${isSeen} and exists (select 1 from ${webhookEndpoints} where id = ${id} and ${isActive})`,
    ),
    rawStatement(
      db,
      sql`update ${webhookEndpoints} set status = ${EndpointStatus.paused}, updated_at = ${db.now},
          fail_streak = 0, fail_count = 0, first_fail_at = null, warn_level = 0, wake_at = null,
          release_from = null
        where id = ${id} and ${isSeen} and ${isActive}`,
    ),
    rawStatement(
      db,
      sql`update ${webhookDeliveries} set state = ${DeliveryState.held}, due_at = 0
        where endpoint_id = ${id} and state = ${DeliveryState.open} and ${isSeen}
          and exists (select 1 from ${webhookEndpoints}
            where id = ${id} and status = ${EndpointStatus.paused})`,
    ),
  ];
}
