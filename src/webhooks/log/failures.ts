import { sql } from 'drizzle-orm';
import { rawStatement } from '../../data/core/raw.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { EventName } from '../../data/grants/event-catalogue.ts';
import { NoticeKind, webhookNotices } from '../../data/schema/store/webhook-operations-tables.ts';
import {
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from '../../data/schema/store/webhooks-tables.ts';
import type { BodySnippet } from '../delivery/attempt.ts';
import type { SendError } from '../delivery/outcome.ts';
import { isVisibleTo, logEndpointId, type EndpointOwner } from '../endpoints/endpoint-access.ts';
import { endpointStateOf, type EndpointState } from '../endpoints/endpoint-state.ts';
import { lastSuccessSql, nextAttemptSql } from '../events/fan-out.ts';

/** The newest attempts that are looked at. */
const maxAttempts = 100;

/**
 * Attempts that failed in the same way. Times are epoch milliseconds; `seq` to `response` are those
 * of the newest.
 */
interface FailureKind {
  error: SendError;
  status: number | null;
  count: number;
  last_at: number;
  seq: number;
  event: EventName | null;
  host: string;
  response: BodySnippet | null;
}

/** How an endpoint does, and how its newest attempts failed. */
interface EndpointFailures {
  id: number;
  state: EndpointState;
  isProven: boolean;
  failingSince: number | null;
  lastSuccessAt: number | null;
  nextAttemptAt: number | null;
  kinds: FailureKind[];
}

/**
 * Groups the failures among the newest attempts by their kind, the latest first. Returns
 * `undefined` when the caller may not read the endpoint. One round trip; the rows read are bounded.
 */
export async function loadFailures(
  db: StoreDb,
  owner: EndpointOwner,
  id: number,
): Promise<EndpointFailures | undefined> {
  const endpoint = logEndpointId(db, id, owner);
  const [endpoints, notices, kinds] = await db.batch([
    db.select(webhookEndpoints, {
      where: sql`${webhookEndpoints.id} = ${id} and ${isVisibleTo(owner)}`,
      extras: {
        lastSuccessAt: sql<number | null>`${lastSuccessSql}`,
        nextAttemptAt: nextAttemptSql,
      },
    }),
    rawStatement<{ kind: string }>(
      db,
      sql`select kind from ${webhookNotices} where endpoint_id = ${endpoint}
          and kind in (${NoticeKind.gone}, ${NoticeKind.disabled}) order by id desc limit 1`,
    ),
    rawStatement<Omit<FailureKind, 'response'> & { response: string | null }>(
      db,
      // With one max(), SQLite takes the other columns from its row.
      sql`select failure.*, webhook_events.event,
          (select response_body from ${webhookAttempts}
            where webhook_attempts.endpoint_id = ${endpoint} and webhook_attempts.seq = failure.seq and webhook_attempts.number = failure.number) as response
        from (select error, response_status as status, count(*) as count, max(at) as last_at, seq, number, host
          from (select error, response_status, at, seq, number, host from ${webhookAttempts}
            where endpoint_id = ${endpoint} order by seq desc, number desc limit ${maxAttempts})
          where error is not null group by error, response_status) failure
        left join ${webhookDeliveries} delivery on delivery.endpoint_id = ${endpoint} and delivery.seq = failure.seq
        left join ${webhookEvents} on webhook_events.id = delivery.event_id
        order by failure.last_at desc, failure.seq desc`,
    ),
  ]);
  const [found] = endpoints;
  if (!found) return undefined;
  return {
    id,
    state: endpointStateOf({ status: found.status, failingSince: found.first_failure_at, notices }),
    isProven: found.proven_at !== null,
    failingSince: found.first_failure_at,
    lastSuccessAt: found.lastSuccessAt,
    nextAttemptAt: found.nextAttemptAt,
    kinds: kinds.map(({ response, ...kind }) => ({
      ...kind,
      response: response === null ? null : (JSON.parse(response) as BodySnippet),
    })),
  };
}
