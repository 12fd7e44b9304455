import { and, eq, sql, type SQL } from 'drizzle-orm';
import { ConflictError } from '../../base/errors.ts';
import { anyChanges, changesInBatch, type FieldInBatch } from '../../data/audit/changes.ts';
import { rawStatement } from '../../data/core/raw.ts';
import type { Statement } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import type { EventName } from '../../data/grants/event-catalogue.ts';
import {
  DeliveryState,
  EndpointStatus,
  webhookDeliveries,
  webhookEndpoints,
  webhookSubscriptions,
} from '../../data/schema/store/webhooks-tables.ts';
import { isClaimedSql } from '../events/fan-out.ts';
import { endpointAuditStatement, type Actor } from './audit-endpoint.ts';
import { duplicateExtras } from './duplicates.ts';
import { endpointIsVisible, subscriptionExtras, isVisibleTo } from './endpoint-access.ts';
import { assertMayReceive, consentExtras, mayReceiveAll } from './endpoint-consent.ts';
import { unverifiedUnlessEqual } from './prove-endpoint.ts';

/** Omitted members stay unchanged. */
export interface EndpointChanges {
  url?: string;
  name?: string;
  events?: readonly EventName[];
  /** Whether deliveries are sent one by one, in the order of their numbers. */
  ordered?: boolean;
}

export type EndpointWithEvents = Row<typeof webhookEndpoints> & { events: EventName[] };

/**
 * An endpoint after a change, with the id of another that gets the same events at the same address.
 */
export type ChangedEndpoint = EndpointWithEvents & { duplicate_of: number | null };

/**
 * Updates an endpoint. Returns `undefined` when the caller may not see it. The statements `also`
 * run in the same transaction, after the update. One round trip. For an active endpoint that may
 * not receive one of its new events, throws the errors of {@link assertMayReceive}; then nothing is
 * changed.
 */
export async function updateEndpoint(
  db: StoreDb,
  actor: Actor,
  id: number,
  { events, ...values }: EndpointChanges,
  also: readonly Statement[] = [],
): Promise<ChangedEndpoint | undefined> {
  const where = and(eq(webhookEndpoints.id, id), isVisibleTo(actor));
  const target = { db, id, isVisible: endpointIsVisible(db, id, actor) };
  try {
    const results: readonly unknown[] = await db.batch([
      ...editStatements(target, { ...values, ...(events && { events }) }),
      ...(values.ordered ? startOrderStatements(target) : []),
      db.updateStatement(webhookEndpoints, where, {
        ...values,
        ...unverifiedUnlessEqual(values.url),
      }),
      ...(events === undefined ? [] : subscriptionStatements(target, events)),
      ...also,
      ...(events === undefined ? [] : [db.assert(isCoveredOrInactive(target))]),
      db.select(webhookEndpoints, {
        where,
        extras: { ...subscriptionExtras, ...duplicateExtras },
      }),
    ]);
    // A delivery that waited for a time of its own may be due.
    if (values.ordered) db.wakeEndpoints([id]);
    // The last statement selects the endpoint.
    return (results.at(-1) as ChangedEndpoint[])[0];
  } catch (error) {
    if (events === undefined || !(error instanceof ConflictError)) throw error;
    const endpoint = await db.find(webhookEndpoints, id, consentExtras(db.now), isVisibleTo(actor));
    if (endpoint) assertMayReceive(endpoint, events);
    throw error;
  }
}

interface Target {
  db: StoreDb;
  id: number;
  /** Condition: the caller may change it. */
  isVisible: SQL;
}

const isCoveredOrInactive = ({ db, id }: Target) =>
  sql`not exists (select 1 from ${webhookEndpoints} where ${webhookEndpoints.id} = ${id}
    and status = ${EndpointStatus.active} and not ${mayReceiveAll(undefined, db.now)})`;

/**
 * The statement that records the effect of these changes; none without changes. A URL may hold a
 * token, so only its host is kept.
 */
function editStatements(
  { db, id, isVisible }: Target,
  { name, url, events, ordered }: EndpointChanges,
): Statement[] {
  const column = (column: string) =>
    sql`(select ${sql.raw(column)} from ${webhookEndpoints} where id = ${id})`;
  const fields: FieldInBatch[] = [
    ...(name === undefined ? [] : [{ name: 'name', before: column('name'), after: sql`${name}` }]),
    ...(url === undefined
      ? []
      : [{ name: 'url', before: column('url'), after: sql`${url}`, isHidden: true }]),
    ...(events === undefined
      ? []
      : [
          {
            name: 'events',
            before: currentEvents(id),
            after: sql`${JSON.stringify(events.toSorted())}`,
            isJson: true,
          },
        ]),
    ...(ordered === undefined
      ? []
      : [
          {
            name: 'ordered',
            before: sql`iif(${column('ordered')}, 'true', 'false')`,
            after: sql`${String(ordered)}`,
            isJson: true,
          },
        ]),
  ];
  if (fields.length === 0) return [];
  const isChange = sql`${isVisible} and (${anyChanges(fields)})`;
  return [endpointAuditStatement(db, 'edited', id, isChange, changesInBatch(fields))];
}

/** SQL of the events of an endpoint, in their order, as JSON. */
const currentEvents = (id: number) => sql`(select json_group_array(event) from (
  select event from ${webhookSubscriptions} where endpoint_id = ${id} order by event))`;

/**
 * Statements that replace the subscriptions. They set `updated_at` only if the subscriptions
 * change.
 */
function subscriptionStatements(
  { db, id, isVisible }: Target,
  events: readonly EventName[],
): Statement[] {
  const sorted = JSON.stringify(events.toSorted());
  return [
    sql`update ${webhookEndpoints} set updated_at = ${db.now}
      where id = ${id} and ${isVisible} and ${currentEvents(id)} <> ${sorted}`,
    sql`delete from ${webhookSubscriptions} where endpoint_id = ${id} and ${isVisible}
      and event not in (select value from json_each(${sorted}))`,
    sql`insert or ignore into ${webhookSubscriptions} (store_id, event, endpoint_id)
      select ${db.store.id}, value, ${id} from json_each(${sorted}) where ${isVisible}`,
  ].map((statement) => rawStatement(db, statement));
}

/**
 * Statements before the update that gives an endpoint an order; they do nothing if it has one. From
 * then on none of its deliveries has a retry time of its own. While held ones are released, none
 * that is newer is open. Its run stops, and a request that is sending counts as a run.
 */
function startOrderStatements({ db, id, isVisible }: Target): Statement[] {
  const { now } = db;
  const isUnordered = sql`id = ${id} and ordered = 0 and ${isVisible}`;
  const claimedUntil = sql`coalesce((select max(due_at) from ${webhookDeliveries}
    where endpoint_id = ${id} and state = ${DeliveryState.open} and ${isClaimedSql(sql`${now}`)}), 0)`;
  return [
    sql`update ${webhookEndpoints} set lease_until = max(lease_until, ${claimedUntil}),
        lease_backoff_until = iif(lease_until > ${now}, max(lease_backoff_until, ${now}), lease_backoff_until),
        next_attempt_at = iif(consecutive_failures = 0, max(${now}, ${claimedUntil}), next_attempt_at)
      where ${isUnordered} and next_attempt_at is not null`,
    sql`update ${webhookDeliveries} set due_at = 0,
        state = iif(seq >= (select resume_from_seq from ${webhookEndpoints} where id = ${id}),
          ${DeliveryState.held}, ${DeliveryState.open})
      where endpoint_id = ${id} and state = ${DeliveryState.open}
        and (due_at > 0 or seq >= (select resume_from_seq from ${webhookEndpoints} where id = ${id}))
        and exists (select 1 from ${webhookEndpoints} where ${isUnordered})`,
  ].map((statement) => rawStatement(db, statement));
}

/**
 * Statements that pause an endpoint: they hold its open deliveries and reset its failure counters.
 */
export function pauseStatements(db: StoreDb, actor: Actor, id: number): Statement[] {
  const isVisible = endpointIsVisible(db, id, actor);
  const isActive = sql`status = ${EndpointStatus.active}`;
  return [
    endpointAuditStatement(
      db,
      'disabled',
      id,
      sql`${isVisible} and exists (select 1 from ${webhookEndpoints} where id = ${id} and ${isActive})`,
    ),
    rawStatement(
      db,
      sql`update ${webhookEndpoints} set status = ${EndpointStatus.paused}, updated_at = ${db.now},
          consecutive_failures = 0, failure_count = 0, first_failure_at = null, warning_level = 0, next_attempt_at = null,
          resume_from_seq = null
        where id = ${id} and ${isVisible} and ${isActive}`,
    ),
    rawStatement(
      db,
      sql`update ${webhookDeliveries} set state = ${DeliveryState.held}, due_at = 0
        where endpoint_id = ${id} and state = ${DeliveryState.open} and ${isVisible}
          and exists (select 1 from ${webhookEndpoints}
            where id = ${id} and status = ${EndpointStatus.paused})`,
    ),
  ];
}
