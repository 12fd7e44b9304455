import { env } from 'cloudflare:workers';
import { conformEvent } from './conform.ts';
import type { TestStore } from './store.ts';

/** A delivery body as a receiver parses it. */
export interface ReceivedEvent {
  event: string;
  time: string;
  merchant: { id: number; alias: string };
  resource: {
    quantity: number;
    sku: { data: { total_in_stock: number } };
    skus: { data: { sku: string }[] };
  };
}

/** The names of the events that a store recorded from the n-th on, oldest first. */
export const eventNamesOf = async (store: TestStore, from = 0) =>
  (await eventsOf(store)).slice(from).map(({ event }) => event);

/** A webhook of the store whose receiver is nobody: for tests that look at what is recorded. */
export async function subscribe(store: TestStore, events: readonly string[]): Promise<number> {
  const url = 'http://127.0.0.1:9/nobody';
  const { body } = await store.api('POST /webhooks', { url, name: 'test', events });
  return body.data.id;
}

/** The events that a store recorded, oldest first, each as its published schema says. */
export async function eventsOf(store: TestStore): Promise<ReceivedEvent[]> {
  const { results } = await env.STORE_0.prepare(
    `select body from webhook_events e
     where store_id = ? order by (select min(seq) from webhook_deliveries where event_id = e.id)`,
  )
    .bind(store.id)
    .all<{ body: string }>();
  return results.map(({ body }) => {
    const received = JSON.parse(body) as ReceivedEvent;
    conformEvent(received);
    return received;
  });
}
