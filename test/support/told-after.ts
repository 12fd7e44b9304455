import { env } from 'cloudflare:workers';

/** The names of the events that an endpoint was told after a number of its sequence. */
export async function toldAfter(endpoint: number, seq: number): Promise<string[]> {
  const { results } = await env.STORE_0.prepare(
    `select e.event from webhook_deliveries d join webhook_events e on e.id = d.event_id
     where d.endpoint_id = ? and d.seq > ? order by d.seq`,
  )
    .bind(endpoint, seq)
    .all<{ event: string }>();
  return results.map(({ event }) => event);
}

/** The number of the last event that an endpoint was told. */
export const sequenceOf = async (endpoint: number) =>
  (await env.STORE_0.prepare('select last_seq from webhook_endpoints where id = ?')
    .bind(endpoint)
    .first<number>('last_seq')) ?? 0;
