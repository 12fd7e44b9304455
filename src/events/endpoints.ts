import { and, eq, ne, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { computed } from '../db/relations.ts';
import { rawStatement } from '../db/raw.ts';
import {
  DeliveryState,
  EndpointStatus,
  webhookDeliveries,
  webhookEndpoints,
  webhookSubscriptions,
} from '../db/schema/webhooks.ts';
import type { StoreDb } from '../db/store.ts';
import { InvalidBody, StaleRevision } from '../problem.ts';
import type { EventName } from './catalogue.ts';

/** How many webhooks a store may have. */
export const maxEndpoints = 20;

/** The events an endpoint subscribed to, read with it. */
export const subscribed = {
  events: computed(
    sql`(select json_group_array(event) from ${webhookSubscriptions}
      where endpoint_id = ${webhookEndpoints.id})`,
    (text: string) => JSON.parse(text) as EventName[],
  ),
};

/** The endpoints that a caller may see: an app only its own, a header pair all of the store's. */
export function visible(clientId: string | null): SQL | undefined {
  return and(
    ne(webhookEndpoints.status, EndpointStatus.deleted),
    clientId === null ? undefined : eq(webhookEndpoints.client_id, clientId),
  );
}

interface NewEndpoint {
  url: string;
  name: string;
  events: readonly EventName[];
  clientId: string | null;
  /** Sealed. */
  secret: string;
}

/** Adds an endpoint with its subscriptions. Throws `InvalidBody` when the store has its 20. One round trip. */
export async function createEndpoint(
  db: StoreDb,
  { events, clientId, secret, ...values }: NewEndpoint,
) {
  const { store } = db;
  const count = sql`(select count(*) from ${webhookEndpoints}
    where store_id = ${store.id} and status <> ${EndpointStatus.deleted})`;
  try {
    const [rows] = await db.batch([
      db.insertion(webhookEndpoints, { ...values, client_id: clientId, secret_current: secret }),
      rawStatement(
        db,
        sql`insert into ${webhookSubscriptions} (store_id, event, endpoint_id)
          select ${store.id}, value, last_insert_rowid() from json_each(${JSON.stringify(events)})`,
      ),
      db.must(sql`${count} <= ${maxEndpoints}`),
    ]);
    return rows[0];
  } catch (error) {
    if (!(error instanceof StaleRevision)) throw error;
    throw new InvalidBody({ url: [`A store has at most ${maxEndpoints} webhooks.`] });
  }
}

/**
 * Ends an endpoint: nothing is sent from here on, what is open is cancelled, the log stays for its time.
 * `undefined` when the caller sees none with this id. One round trip.
 */
export async function deleteEndpoint(db: StoreDb, clientId: string | null, id: number) {
  const [rows] = await db.batch([
    db.change(webhookEndpoints, and(eq(webhookEndpoints.id, id), visible(clientId)), {
      status: EndpointStatus.deleted,
      wake_at: null,
    }),
    rawStatement(
      db,
      sql`delete from ${webhookSubscriptions} where endpoint_id = ${id} and ${isDeleted(db, id)}`,
    ),
    rawStatement(
      db,
      sql`update ${webhookDeliveries} set state = ${DeliveryState.cancelled}, done_at = ${db.now}
        where endpoint_id = ${id} and state in (${DeliveryState.open}, ${DeliveryState.held})
        and ${isDeleted(db, id)}`,
    ),
  ]);
  return rows[0];
}

const isDeleted = (db: StoreDb, id: number) => sql`exists (select 1 from ${webhookEndpoints}
  where id = ${id} and store_id = ${db.store.id} and status = ${EndpointStatus.deleted})`;
