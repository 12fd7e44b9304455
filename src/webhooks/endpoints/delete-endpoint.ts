import { and, eq, sql } from 'drizzle-orm';
import { rawStatement } from '../../data/core/raw.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import {
  DeliveryState,
  EndpointStatus,
  webhookDeliveries,
  webhookEndpoints,
  webhookSubscriptions,
} from '../../data/schema/store/webhooks-tables.ts';
import { endpointAuditStatement, type Actor } from './audit-endpoint.ts';
import { isVisibleTo } from './endpoint-access.ts';

/**
 * Deletes an endpoint: cancels its open and held deliveries and keeps its log until the purge.
 * Returns `undefined` when the caller may not see it. One round trip.
 */
export async function deleteEndpoint(db: StoreDb, actor: Actor, id: number) {
  const [rows] = await db.batch([
    db.updateStatement(webhookEndpoints, and(eq(webhookEndpoints.id, id), isVisibleTo(actor)), {
      status: EndpointStatus.deleted,
      next_attempt_at: null,
      resume_from_seq: null,
    }),
    endpointAuditStatement(db, 'deleted', id, sql`changes() > 0`),
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
