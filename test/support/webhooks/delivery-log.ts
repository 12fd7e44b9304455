import { eventPrefix } from '../../../src/data/core/event-id.ts';
import { databaseOf, databaseOfId } from '../fixtures/shards.ts';
import type { TestStore } from '../fixtures/store.ts';

export interface LogContents {
  /** Number of deliveries to add. */
  count: number;
  /** `webhook_deliveries.state`; 1 (delivered) when absent. */
  state?: number;
  event?: string;
  /** Time of the first delivery in epoch milliseconds; each further one is a second later. */
  since?: number;
  /** Body of the events; `null` for purged events, whose rows are gone. */
  body?: string | null;
}

/** Creates a webhook whose receiver does not exist. */
export async function createTestWebhook(
  store: TestStore,
  events = ['product.created'],
): Promise<number> {
  const url = 'http://127.0.0.1:9/unreachable';
  const { body } = await store.api('POST /webhooks', { url, name: 'test', events });
  return body.data.id;
}

/** Adds deliveries to the log of a webhook as if they had been published and sent. */
export async function fillDeliveryLog(
  store: TestStore,
  id: number,
  contents: LogContents,
): Promise<void> {
  const { count, state = 1, event = 'product.created' } = contents;
  const body = contents.body === undefined ? `{"event":"${event}"}` : contents.body;
  const since = contents.since ?? Date.now() - count * 1000;
  const database = databaseOf(store);
  const first = await database
    .prepare('select last_seq from webhook_endpoints where id = ?')
    .bind(id)
    .first<number>('last_seq');
  const start = first ?? 0;
  const numbered = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})`;
  const eventId = `'${eventPrefix(store.id)}' || printf('%012x%020x', ${since} + n.i * 1000, ${id} * 1000000 + ${start} + n.i)`;
  await database.batch([
    ...(body === null
      ? []
      : [
          database
            .prepare(
              `insert into webhook_events (id, store_id, event, body, created_at)
             ${numbered} select ${eventId}, ?1, ?2, ?3, ?4 + n.i * 1000 from n`,
            )
            .bind(store.id, event, body, since),
        ]),
    database
      .prepare(
        `insert into webhook_deliveries (endpoint_id, seq, event_id, state, due_at, attempts, response_status, duration_ms,
         created_at, done_at)
       ${numbered} select ?1, n.i + ?2, ${eventId}, ?3, 0, ?4, ?5, ?6, ?7 + n.i * 1000, ?8 + n.i * 1000 from n`,
      )
      .bind(
        id,
        start,
        state,
        state === 1 ? 1 : 0,
        state === 1 ? 200 : null,
        state === 1 ? 40 : null,
        since,
        state === 1 ? since + 60 : null,
      ),
    database
      .prepare('update webhook_endpoints set last_seq = last_seq + ?2 where id = ?1')
      .bind(id, count),
  ]);
}

/** Reads all deliveries of a webhook, oldest first. */
export async function deliveryLogOf(id: number) {
  const query = 'select * from webhook_deliveries where endpoint_id = ? order by seq';
  return (await databaseOfId(id).prepare(query).bind(id).all()).results;
}

/** Reads the row of an endpoint. */
export const endpointOf = (id: number) =>
  databaseOfId(id).prepare('select * from webhook_endpoints where id = ?').bind(id).first();

/** Reads the notices about an endpoint, oldest first. */
export async function noticesOf(id: number) {
  const query = 'select kind, at from webhook_notices where endpoint_id = ? order by id';
  return (await databaseOfId(id).prepare(query).bind(id).all<{ kind: string; at: number }>())
    .results;
}

/** Reads the audit log of a webhook, oldest first. */
export async function auditOfEndpoint(id: number) {
  const query = `select *, substr(action, 9) as action from store_audit
    where target_kind = 'webhook' and target_id = ? order by id`;
  const { results } = await databaseOfId(id)
    .prepare(query)
    .bind(String(id))
    .all<{ action: string; actor_kind: string; actor_id: string; store_id: number }>();
  return results;
}
