import { and, eq, ne, sql, type SQL } from 'drizzle-orm';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { EventName } from '../../data/grants/event-catalogue.ts';
import { computedColumn } from '../../data/queries/relations.ts';
import {
  EndpointStatus,
  webhookEndpoints,
  webhookSubscriptions,
} from '../../data/schema/store/webhooks-tables.ts';
import type { Actor } from './audit-endpoint.ts';

/**
 * An app owns the endpoints that it created; an API key (`clientId` null) owns all endpoints of the
 * store.
 */
export type EndpointOwner = Pick<Actor, 'clientId'>;

/** Condition: the caller owns the endpoint, which may be deleted. */
export const isOwnedBy = ({ clientId }: EndpointOwner): SQL | undefined =>
  clientId === null ? undefined : eq(webhookEndpoints.client_id, clientId);

/** Condition: the caller may read and change the endpoint. */
export const isVisibleTo = (owner: EndpointOwner): SQL | undefined =>
  and(ne(webhookEndpoints.status, EndpointStatus.deleted), isOwnedBy(owner));

/** Condition: the caller may read the log of the endpoint, which outlives the endpoint. */
export const hasLogOf = (id: number, owner: EndpointOwner): SQL | undefined =>
  and(eq(webhookEndpoints.id, id), isOwnedBy(owner));

/** Scalar: the id of the endpoint, or null when the caller may not read its log. */
export const logEndpointId = (db: StoreDb, id: number, owner: EndpointOwner): SQL =>
  sql`(select ${webhookEndpoints.id} from ${webhookEndpoints}
    where ${webhookEndpoints.store_id} = ${db.store.id} and ${hasLogOf(id, owner)})`;

/** Condition: the endpoint exists and the caller may change it. */
export const endpointIsVisible = (db: StoreDb, id: number, owner: EndpointOwner): SQL =>
  sql`exists (select 1 from ${webhookEndpoints}
    where ${webhookEndpoints.store_id} = ${db.store.id} and ${webhookEndpoints.id} = ${id}
      and ${isVisibleTo(owner)})`;

/** The subscribed events, as an extra column of an endpoint. */
export const subscriptionExtras = {
  events: computedColumn(
    sql`(select json_group_array(event) from ${webhookSubscriptions}
      where endpoint_id = ${webhookEndpoints.id})`,
    (text: string) => JSON.parse(text) as EventName[],
  ),
};
