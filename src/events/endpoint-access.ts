import { and, eq, ne, sql, type SQL } from 'drizzle-orm';
import { computed } from '../db/relations.ts';
import { EndpointStatus, webhookEndpoints, webhookSubscriptions } from '../db/schema/webhooks.ts';
import type { StoreDb } from '../db/store.ts';
import type { Actor } from './audit.ts';
import type { EventName } from './catalogue.ts';

/** An app owns the endpoints that it made, a header pair all of the store's. */
export type Owner = Pick<Actor, 'clientId'>;

/** The endpoints that a caller's own rows are about, deleted ones among them. */
export const owned = ({ clientId }: Owner): SQL | undefined =>
  clientId === null ? undefined : eq(webhookEndpoints.client_id, clientId);

/** The endpoints that a caller may see and change. */
export const visible = (owner: Owner): SQL | undefined =>
  and(ne(webhookEndpoints.status, EndpointStatus.deleted), owned(owner));

/** The endpoint of a log, which outlives the endpoint itself. */
export const logged = (id: number, owner: Owner): SQL | undefined =>
  and(eq(webhookEndpoints.id, id), owned(owner));

/** The id of a log's endpoint inside a statement; null when it is not the caller's to read. */
export const loggedId = (db: StoreDb, id: number, owner: Owner): SQL =>
  sql`(select ${webhookEndpoints.id} from ${webhookEndpoints}
    where ${webhookEndpoints.store_id} = ${db.store.id} and ${logged(id, owner)})`;

/** Holds when the caller may change the endpoint. */
export const isVisible = (db: StoreDb, id: number, owner: Owner): SQL =>
  sql`exists (select 1 from ${webhookEndpoints}
    where ${webhookEndpoints.store_id} = ${db.store.id} and ${webhookEndpoints.id} = ${id}
      and ${visible(owner)})`;

/** The events an endpoint subscribed to, read with it. */
export const subscribed = {
  events: computed(
    sql`(select json_group_array(event) from ${webhookSubscriptions}
      where endpoint_id = ${webhookEndpoints.id})`,
    (text: string) => JSON.parse(text) as EventName[],
  ),
};
