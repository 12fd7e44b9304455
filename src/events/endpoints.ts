import { and, eq, sql } from 'drizzle-orm';
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
import { audited, type Actor } from './audit.ts';
import type { EventName } from './catalogue.ts';
import { slots } from './deliver-pool.ts';
import { visible } from './endpoint-access.ts';

/** How many webhooks a store may have. */
export const maxEndpoints = 20;

interface NewEndpoint {
  url: string;
  name: string;
  events: readonly EventName[];
  /** Sealed. */
  secret: string;
}

/** Adds an endpoint with its subscriptions. Throws `InvalidBody` when the store has its 20. One round trip. */
export async function createEndpoint(
  db: StoreDb,
  actor: Actor,
  { events, secret, ...values }: NewEndpoint,
) {
  const { store } = db;
  const count = sql`(select count(*) from ${webhookEndpoints}
    where store_id = ${store.id} and status <> ${EndpointStatus.deleted})`;
  try {
    const [rows] = await db.batch([
      db.insertion(webhookEndpoints, {
        ...values,
        client_id: actor.clientId,
        concurrency: slots,
        secret_current: secret,
      }),
      rawStatement(
        db,
        sql`insert into ${webhookSubscriptions} (store_id, event, endpoint_id)
          select ${store.id}, value, last_insert_rowid() from json_each(${JSON.stringify(events)})`,
      ),
      db.must(sql`${count} <= ${maxEndpoints}`),
      // The table of subscriptions has no rowid, so this is still the endpoint's.
      audited(db, actor, 'created', sql`last_insert_rowid()`, sql`true`),
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
export async function deleteEndpoint(db: StoreDb, actor: Actor, id: number) {
  const [rows] = await db.batch([
    db.change(webhookEndpoints, and(eq(webhookEndpoints.id, id), visible(actor)), {
      status: EndpointStatus.deleted,
      wake_at: null,
      release_from: null,
    }),
    audited(db, actor, 'deleted', id, sql`changes() > 0`),
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
