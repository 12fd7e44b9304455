import { asc, sql } from 'drizzle-orm';
import { rawStatement } from '../db/raw.ts';
import {
  DeliveryState,
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
} from '../db/schema/webhooks.ts';
import type { StoreDb } from '../db/store.ts';
import type { LoggedDelivery } from './delivery-log.ts';
import { logged, loggedId, type Owner } from './endpoint-access.ts';
import type { Snippet } from './send-response.ts';

/** One try as the log has it. */
export interface LoggedAttempt {
  number: number;
  at: number;
  code: number | null;
  error: string | null;
  duration_ms: number;
  host: string | null;
  key_id: string | null;
  response_headers: Record<string, string> | null;
  response_body: Snippet | null;
}

/** A delivery with every try and the exact text that is signed; `body` is null once that is kept no longer. */
export interface DeliveryDetails extends LoggedDelivery {
  body: string | null;
  log: LoggedAttempt[];
}

type AttemptRow = typeof webhookAttempts.$inferSelect;

/** One delivery of an endpoint's log; `undefined` when the caller has no such endpoint or delivery. One round trip. */
export async function deliveryDetails(
  db: StoreDb,
  owner: Owner,
  id: number,
  seq: number,
): Promise<DeliveryDetails | undefined> {
  const endpoint = loggedId(db, id, owner);
  const [endpoints, deliveries, attempts] = await db.batch([
    db.select(webhookEndpoints, { where: logged(id, owner) }),
    rawStatement<LoggedDelivery & { body: string | null }>(
      db,
      sql`select d.*, e.event, e.body from ${webhookDeliveries} d
        left join webhook_events e on e.id = d.event_id
        where d.endpoint_id = ${endpoint} and d.seq = ${seq}`,
    ),
    rawStatement<AttemptRow>(
      db,
      sql`select * from ${webhookAttempts} where endpoint_id = ${endpoint} and seq = ${seq}
        order by ${asc(webhookAttempts.number)}`,
    ),
  ]);
  const [delivery] = deliveries;
  if (!delivery) return undefined;
  const log = attempts.length > 0 ? attempts.map(attemptOf) : onlyAttempt(delivery);
  return { ...delivery, wake_at: endpoints[0]?.wake_at ?? null, log };
}

const attemptOf = ({ response_headers: headers, response_body: body, ...row }: AttemptRow) => ({
  ...row,
  response_headers: headers === null ? null : (JSON.parse(headers) as Record<string, string>),
  response_body: body === null ? null : (JSON.parse(body) as Snippet),
});

/** A first try that succeeded is told by its delivery alone. */
function onlyAttempt(delivery: LoggedDelivery): LoggedAttempt[] {
  const { state, attempts, code, error, done_at: doneAt, duration_ms: ms } = delivery;
  if (state !== DeliveryState.delivered || attempts !== 1 || doneAt === null || ms === null) {
    return [];
  }
  const unknown = { host: null, key_id: null, response_headers: null, response_body: null };
  return [{ number: 1, at: doneAt - ms, code, error, duration_ms: ms, ...unknown }];
}
