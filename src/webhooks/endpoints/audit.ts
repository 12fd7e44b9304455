import { sql, type SQL } from 'drizzle-orm';
import { rawStatement } from '../../db/core/raw.ts';
import type { StoreDb } from '../../db/core/store-db.ts';
import { webhookAudit } from '../../db/schema/store/webhook-operations.ts';

/** The principal that changes a webhook. */
export interface Actor {
  /** Names the credential without its secret. */
  key: string;
  userId: number;
  /** The partner app, or `null` for an API key. */
  clientId: string | null;
}

export type AuditedAction =
  | 'created'
  | 'edited'
  | 'enabled'
  | 'disabled'
  | 'deleted'
  | 'resumed'
  | 'secret_rotated'
  | 'secret_committed'
  | 'replayed';

/** A statement for the batch of a change: records who changed what of an endpoint, if the condition `when` holds. */
export function auditStatement(
  db: StoreDb,
  { key, userId }: Actor,
  action: AuditedAction,
  endpoint: SQL | number,
  when: SQL,
) {
  return rawStatement(
    db,
    sql`insert into ${webhookAudit} (store_id, endpoint_id, action, actor, user_id, at)
      select ${db.store.id}, ${endpoint}, ${action}, ${key}, ${userId}, ${db.now} where ${when}`,
  );
}
