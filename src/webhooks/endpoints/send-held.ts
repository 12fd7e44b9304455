import { and, eq, sql } from 'drizzle-orm';
import { conflict, gone, insufficientScope, ValidationError } from '../../base/errors.ts';
import { rawStatement } from '../../data/core/raw.ts';
import { markPreparatory } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { requiredScopes } from '../../data/grants/event-catalogue.ts';
import { endpointWithIdMayReceive } from '../../data/grants/grant-conditions.ts';
import {
  DeliveryState,
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
} from '../../data/schema/store/webhooks-tables.ts';
import { checkUrl } from '../check-url.ts';
import { type AttemptResult, attemptDelivery } from '../delivery/attempt.ts';
import { findDelivery, type LoggedDeliveryDetails } from '../log/delivery-record.ts';
import { loadSigningKeys } from '../signing-keys.ts';
import { endpointAuditStatement, type Actor } from './audit-endpoint.ts';
import { endpointIsVisible, isVisibleTo } from './endpoint-access.ts';
import type { PingContext } from './ping.ts';
import { isWaiting, proveStatements } from './prove-endpoint.ts';

/**
 * How long no other caller sends a delivery that is being sent: longer than a request can last.
 * `due_at` of a held delivery holds the end of this time, and a resume keeps it, so that no worker
 * sends the delivery meanwhile.
 */
const claimMs = 30_000;

/** The delivery as it was claimed. */
interface Claim {
  attempts: number;
  /** Time of the event, epoch milliseconds. */
  triggered_at: number | null;
}

/** Whose credential it is, and which scopes it covers. */
type HasScope = NonNullable<Parameters<typeof findDelivery>[4]>;

/**
 * Sends one held delivery at once, whether or not its endpoint is active, and returns it. An
 * accepted delivery is not sent again when the endpoint is resumed; another one stays held. Of
 * parallel calls one sends. Returns `undefined` when the caller may not see the endpoint or has no
 * such delivery. Throws
 *
 * - a 409 for a delivery that is not held, or is being sent,
 * - a 410 after its body has been purged,
 * - a 403 for an event that the endpoint may not receive now,
 * - a `ValidationError` when the URL policy rejects the URL.
 */
export async function sendHeldDelivery(
  db: StoreDb,
  actor: Actor,
  { id, seq, hasScope }: { id: number; seq: number; hasScope?: HasScope },
  context: PingContext,
): Promise<LoggedDeliveryDetails | undefined> {
  const [delivery, [endpoint]] = await Promise.all([
    findDelivery(db, actor, id, seq, hasScope),
    db
      .batch([
        db.select(webhookEndpoints, {
          where: and(eq(webhookEndpoints.id, id), isVisibleTo(actor)),
        }),
      ])
      .then(([rows]) => rows),
  ]);
  if (!delivery || !endpoint) return undefined;
  const { event, body, changed, event_id: eventId } = delivery;
  if (delivery.state !== DeliveryState.held) throw notHeld();
  if (event === null || (body === null && delivery.withheld === null)) throw bodyGone();
  if (body === null) throw insufficientScope(requiredScopes(event));
  const problem = await checkUrl(endpoint.url, context.settings, context.deps);
  if (problem !== undefined) throw new ValidationError({ url: [problem] });

  const secrets = await loadSigningKeys(
    { ...endpoint, store_id: db.store.id },
    db.now,
    context.settings.sealingKeys,
  );
  const claim = await claimDelivery(db, actor, id, seq);
  if (!claim) throw await reasonOf(db, id, seq, event);
  const result = await attemptDelivery(
    {
      shard: db.store.shard,
      id,
      url: endpoint.url,
      apiVersion: endpoint.api_version,
      epoch: endpoint.epoch,
      timeoutMs: endpoint.timeout_ms,
      provenAt: endpoint.proven_at,
      secrets,
    },
    {
      seq,
      eventId,
      attempts: claim.attempts,
      content: { event, body, changed, triggeredAt: claim.triggered_at ?? delivery.created_at },
    },
    context.settings,
    context.deps,
  );
  await recordResult(db, { id, seq, attempts: claim.attempts + 1, url: endpoint.url }, result, {
    keyId: secrets.primary.id,
  });
  if (result.response.error === null && isWaiting(endpoint)) db.wakeEndpoints([id]);
  return findDelivery(db, actor, id, seq, hasScope);
}

const notHeld = () =>
  conflict('not_held', { seq: ['Is not held, or is being sent at this moment.'] });

const bodyGone = () => gone({ seq: ['The body of this event has been deleted.'] });

/**
 * Takes a held delivery for {@link claimMs}. Returns `undefined` when it may not be sent now. One
 * winner.
 */
async function claimDelivery(
  db: StoreDb,
  actor: Actor,
  id: number,
  seq: number,
): Promise<Claim | undefined> {
  const event = sql`(select event from webhook_events where id = webhook_deliveries.event_id)`;
  const [rows] = await db.batch([
    markPreparatory(
      rawStatement<Claim>(
        db,
        sql`update ${webhookDeliveries} set due_at = ${db.now + claimMs}
          where endpoint_id = ${id} and seq = ${seq} and state = ${DeliveryState.held} and due_at <= ${db.now}
            and ${endpointIsVisible(db, id, actor)} and ${endpointWithIdMayReceive(id, event, db.now)}
          returning attempts, (select created_at from webhook_events where id = event_id) as triggered_at`,
      ),
    ),
  ]);
  return rows[0];
}

/** The error of a delivery that could not be claimed. */
async function reasonOf(
  db: StoreDb,
  id: number,
  seq: number,
  event: Parameters<typeof requiredScopes>[0],
) {
  const [rows] = await db.batch([
    rawStatement<{ state: number; due_at: number }>(
      db,
      sql`select state, due_at from ${webhookDeliveries} where endpoint_id = ${id} and seq = ${seq}`,
    ),
  ]);
  const [row] = rows;
  const isFree = row?.state === DeliveryState.held && row.due_at <= db.now;
  return isFree ? insufficientScope(requiredScopes(event)) : notHeld();
}

interface Target {
  id: number;
  seq: number;
  /** With this one. */
  attempts: number;
  url: string;
}

/**
 * Writes the result: the delivery, the attempt, the health of the endpoint, and the author of the
 * action. One round trip.
 */
async function recordResult(
  db: StoreDb,
  { id, seq, attempts, url }: Target,
  { response, host }: AttemptResult,
  { keyId }: { keyId: string },
): Promise<void> {
  const { error, status, at, durationMs } = response;
  const isDelivered = error === null;
  const endedAt = at + durationMs;
  // It may have been resumed meanwhile: then a worker sends it when its time comes, unless it has
  // arrived.
  const where = sql`endpoint_id = ${id} and seq = ${seq}
    and state in (${DeliveryState.held}, ${DeliveryState.open})`;
  const result = sql`attempts = max(attempts, ${attempts}), response_status = ${status}, error = ${error},
    duration_ms = ${durationMs}, due_at = 0`;
  await db.batch([
    rawStatement(
      db,
      isDelivered
        ? sql`update ${webhookDeliveries} set ${result}, state = ${DeliveryState.delivered}, done_at = ${endedAt}
            where ${where}`
        : sql`update ${webhookDeliveries} set ${result} where ${where}`,
    ),
    rawStatement(
      db,
      sql`insert or ignore into ${webhookAttempts} (endpoint_id, seq, number, at, response_status, error,
          duration_ms, response_headers, response_body, key_id, host)
        values (${id}, ${seq}, ${attempts}, ${at}, ${status}, ${error}, ${durationMs},
          ${response.headers && JSON.stringify(response.headers)},
          ${response.snippet && JSON.stringify(response.snippet)}, ${keyId}, ${host})`,
    ),
    endpointAuditStatement(db, 'delivery_sent', id, sql`true`),
    ...(isDelivered
      ? [
          rawStatement(
            db,
            sql`update ${webhookEndpoints} set last_success_at = max(coalesce(last_success_at, 0), ${endedAt})
              where id = ${id} and store_id = ${db.store.id}`,
          ),
          ...proveStatements(db, id, url),
        ]
      : []),
  ]);
}
