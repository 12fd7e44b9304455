import { expectDocumentedEvent } from '../api/conform.ts';
import { databaseOf, databaseOfId } from '../fixtures/shards.ts';
import type { TestStore } from '../fixtures/store.ts';

/** A parsed body of a delivery. */
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

/** The names of the recorded events of a store from index `from` on, oldest first. */
export const recordedEventNames = async (store: TestStore, from = 0) =>
  (await recordedEvents(store)).slice(from).map(({ event }) => event);

/**
 * Creates a webhook whose receiver does not exist, for tests of recorded events. Returns its id.
 */
export async function subscribeEndpoint(
  store: TestStore,
  events: readonly string[],
): Promise<number> {
  const url = 'http://127.0.0.1:9/unreachable';
  const { body } = await store.api('POST /webhooks', { url, name: 'test', events });
  return body.data.id;
}

/**
 * Like {@link subscribeEndpoint}, at a receiver that has accepted a delivery, so that requests send
 * to it themselves.
 */
export async function subscribeProven(store: TestStore, events: readonly string[]) {
  const endpoint = await subscribeEndpoint(store, events);
  await databaseOf(store)
    .prepare('update webhook_endpoints set proven_at = 1 where id = ?')
    .bind(endpoint)
    .run();
  return endpoint;
}

/** The recorded events of a store, oldest first. Checks each against its published schema. */
export async function recordedEvents(store: TestStore): Promise<ReceivedEvent[]> {
  const { results } = await databaseOf(store)
    .prepare(
      `select body from webhook_events e
     where store_id = ? order by (select min(seq) from webhook_deliveries where event_id = e.id)`,
    )
    .bind(store.id)
    .all<{ body: string }>();
  return results.map(({ body }) => {
    const received = JSON.parse(body) as ReceivedEvent;
    expectDocumentedEvent(received);
    return received;
  });
}

/** The names of the events of an endpoint after a sequence number. */
export async function eventNamesAfter(endpoint: number, seq: number): Promise<string[]> {
  const { results } = await databaseOfId(endpoint)
    .prepare(
      `select e.event from webhook_deliveries d join webhook_events e on e.id = d.event_id
     where d.endpoint_id = ? and d.seq > ? order by d.seq`,
    )
    .bind(endpoint, seq)
    .all<{ event: string }>();
  return results.map(({ event }) => event);
}

/** The last sequence number of an endpoint. */
export const lastSequence = async (endpoint: number) =>
  (await databaseOfId(endpoint)
    .prepare('select last_seq from webhook_endpoints where id = ?')
    .bind(endpoint)
    .first<number>('last_seq')) ?? 0;
