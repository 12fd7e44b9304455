import { asc, sql, type SQL } from 'drizzle-orm';
import { rawStatement } from '../../data/core/raw.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { requiredScopes } from '../../data/grants/event-catalogue.ts';
import { mayReceive } from '../../data/grants/grant-conditions.ts';
import {
  DeliveryState,
  EndpointStatus,
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
} from '../../data/schema/store/webhooks-tables.ts';
import { bodyColumns, type BodyColumns } from '../archive/archive-columns.ts';
import { loadBodies } from '../archive/read-archive.ts';
import type { BodySnippet } from '../delivery/attempt.ts';
import { hasLogOf, logEndpointId, type EndpointOwner } from '../endpoints/endpoint-access.ts';
import type { LoggedDelivery } from './list-deliveries.ts';

/** An attempt in the log. */
export interface LoggedAttempt {
  number: number;
  at: number;
  response_status: number | null;
  error: string | null;
  duration_ms: number;
  host: string | null;
  key_id: string | null;
  response_headers: Record<string, string> | null;
  response_body: BodySnippet | null;
}

/**
 * A delivery with its attempts and the exact text that was signed. `body` is null after the event
 * has been purged, and if it is `withheld`. Then the caller is an app that may not receive the
 * event now.
 */
export interface LoggedDeliveryDetails extends LoggedDelivery {
  body: string | null;
  withheld: 'scope' | null;
  /** Whether its first attempt is still to come. */
  isPending: boolean;
  attemptLog: LoggedAttempt[];
}

type AttemptRow = typeof webhookAttempts.$inferSelect;

/** Whether the credential of a caller covers a scope. */
type HasScope = (scope: ReturnType<typeof requiredScopes>[number]) => boolean;

/**
 * Finds a delivery of an endpoint. Returns `undefined` when the caller may not read it. An app gets
 * the body only if its token covers the event and a connected grant still does. One round trip, and
 * one to the archive for an older event.
 */
export async function findDelivery(
  db: StoreDb,
  owner: EndpointOwner,
  id: number,
  seq: number,
  hasScope: HasScope = () => true,
): Promise<LoggedDeliveryDetails | undefined> {
  const endpoint = logEndpointId(db, id, owner);
  const { clientId } = owner;
  const event = sql`webhook_events.event`;
  const subscribed =
    clientId === null
      ? sql`1`
      : sql`(${event} is null or ${mayReceive({ storeId: db.store.id, clientId, event, now: db.now })})`;
  const [endpoints, deliveries, attempts] = await db.batch([
    db.select(webhookEndpoints, { where: hasLogOf(id, owner) }),
    rawStatement<LoggedDelivery & BodyColumns & { may_receive: 0 | 1; is_pending: 0 | 1 }>(
      db,
      sql`select delivery.*, webhook_events.event, webhook_events.changed, ${bodyColumns('webhook_events')}, ${subscribed} as may_receive,
          ${isFirstAttemptPending(sql`delivery.endpoint_id`)} as is_pending
        from ${webhookDeliveries} delivery
        left join webhook_events on webhook_events.id = delivery.event_id
        where delivery.endpoint_id = ${endpoint} and delivery.seq = ${seq}`,
    ),
    rawStatement<AttemptRow>(
      db,
      sql`select * from ${webhookAttempts} where endpoint_id = ${endpoint} and seq = ${seq}
        order by ${asc(webhookAttempts.number)}`,
    ),
  ]);
  const [delivery] = deliveries;
  if (!delivery) return undefined;
  const scopes = delivery.event === null ? [] : requiredScopes(delivery.event);
  const isReceived = delivery.may_receive === 1 && scopes.every(hasScope);
  const log = attempts.length > 0 ? attempts.map(toLoggedAttempt) : inferOnlyAttempt(delivery);
  const [body = null] = isReceived
    ? await loadBodies(db.archive, [{ ...delivery, id: delivery.event_id }])
    : [];
  return {
    ...delivery,
    ...(isReceived ? { body, withheld: null } : { body: null, withheld: 'scope' }),
    isPending: delivery.is_pending === 1,
    next_attempt_at: endpoints[0]?.next_attempt_at ?? null,
    attemptLog: log,
  };
}

const toLoggedAttempt = ({
  response_headers: headers,
  response_body: body,
  ...row
}: AttemptRow) => ({
  ...row,
  response_headers: headers === null ? null : (JSON.parse(headers) as Record<string, string>),
  response_body: body === null ? null : (JSON.parse(body) as BodySnippet),
});

/** A first attempt that succeeded has no row of its own: its delivery has the data. */
function inferOnlyAttempt(delivery: LoggedDelivery): LoggedAttempt[] {
  const { state, attempts, response_status, error, done_at: doneAt, duration_ms: ms } = delivery;
  if (state !== DeliveryState.delivered || attempts !== 1 || doneAt === null || ms === null) {
    return [];
  }
  const unknown = { host: null, key_id: null, response_headers: null, response_body: null };
  return [{ number: 1, at: doneAt - ms, response_status, error, duration_ms: ms, ...unknown }];
}

/**
 * The condition that a delivery (alias `delivery`) was never attempted and will be: it is open, or
 * held until its endpoint is resumed. To send it again would send it twice.
 */
export const isFirstAttemptPending = (endpoint: number | SQL) =>
  sql`(delivery.attempts = 0 and (delivery.state = ${DeliveryState.open} or (delivery.state = ${DeliveryState.held}
    and exists (select 1 from ${webhookEndpoints} waiting where waiting.id = ${endpoint}
      and (waiting.status <> ${EndpointStatus.active} or waiting.resume_from_seq <= delivery.seq)))))`;
