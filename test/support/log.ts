import { env } from 'cloudflare:workers';
import { eventPrefix } from '../../src/events/event-id.ts';
import type { TestStore } from './store.ts';

export interface Logged {
  count: number;
  /** `webhook_deliveries.state`; 1 (delivered) when absent. */
  state?: number;
  event?: string;
  /** Of the first one, epoch milliseconds; each further one is a second later. */
  since?: number;
  /** Without it the events have no row, as after the purge. */
  body?: string | null;
}

/** A webhook of the store with nobody behind it. */
export async function webhookOf(store: TestStore, events = ['product.created']): Promise<number> {
  const url = 'http://127.0.0.1:9/nobody';
  const { body } = await store.api('POST /webhooks', { url, name: 'test', events });
  return body.data.id;
}

/** Adds deliveries to the log of a webhook, as if they had been published and sent. */
export async function fillLog(store: TestStore, id: number, wanted: Logged): Promise<void> {
  const { count, state = 1, event = 'product.created' } = wanted;
  const body = wanted.body === undefined ? `{"event":"${event}"}` : wanted.body;
  const since = wanted.since ?? Date.now() - count * 1000;
  const first = await env.STORE_0.prepare('select last_seq from webhook_endpoints where id = ?')
    .bind(id)
    .first<number>('last_seq');
  const start = first ?? 0;
  const numbered = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})`;
  const eventId = `'${eventPrefix(store.id)}' || printf('%012x%020x', ${since} + n.i * 1000, ${id} * 1000000 + ${start} + n.i)`;
  await env.STORE_0.batch([
    ...(body === null
      ? []
      : [
          env.STORE_0.prepare(
            `insert into webhook_events (id, store_id, event, body, created_at)
             ${numbered} select ${eventId}, ?1, ?2, ?3, ?4 + n.i * 1000 from n`,
          ).bind(store.id, event, body, since),
        ]),
    env.STORE_0.prepare(
      `insert into webhook_deliveries (endpoint_id, seq, event_id, state, due_at, attempts, code, duration_ms,
         created_at, done_at)
       ${numbered} select ?1, n.i + ?2, ${eventId}, ?3, 0, ?4, ?5, ?6, ?7 + n.i * 1000, ?8 + n.i * 1000 from n`,
    ).bind(
      id,
      start,
      state,
      state === 1 ? 1 : 0,
      state === 1 ? 200 : null,
      state === 1 ? 40 : null,
      since,
      state === 1 ? since + 60 : null,
    ),
    env.STORE_0.prepare('update webhook_endpoints set last_seq = last_seq + ?2 where id = ?1').bind(
      id,
      count,
    ),
  ]);
}

/** Every delivery of a webhook, oldest first. */
export async function logOf(id: number) {
  const all = 'select * from webhook_deliveries where endpoint_id = ? order by seq';
  return (await env.STORE_0.prepare(all).bind(id).all()).results;
}

/** The endpoint as it is stored. */
export const endpointOf = (id: number) =>
  env.STORE_0.prepare('select * from webhook_endpoints where id = ?').bind(id).first();

/** What the owner of an endpoint was told, oldest first. */
export async function noticesOf(id: number) {
  const all = 'select kind, at from webhook_notices where endpoint_id = ? order by id';
  return (await env.STORE_0.prepare(all).bind(id).all<{ kind: string; at: number }>()).results;
}

/** What the audit has of a webhook, oldest first. */
export async function auditOf(id: number) {
  const all = 'select * from webhook_audit where endpoint_id = ? order by id';
  const { results } = await env.STORE_0.prepare(all)
    .bind(id)
    .all<{ action: string; actor: string; user_id: number; store_id: number }>();
  return results;
}
