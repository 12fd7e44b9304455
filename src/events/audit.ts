import { sql, type SQL } from 'drizzle-orm';
import { rawStatement } from '../db/raw.ts';
import { webhookAudit } from '../db/schema/webhook-upkeep.ts';
import type { StoreDb } from '../db/store.ts';

/** Who changes a webhook: a principal, as far as webhooks need to know it. */
export interface Actor {
  /** Names the credential, never a secret. */
  key: string;
  userId: number;
  /** The partner app, or `null` for a header pair. */
  clientId: string | null;
}

export type AuditedAction =
  | 'created'
  | 'edited'
  | 'enabled'
  | 'disabled'
  | 'deleted'
  | 'resumed'
  | 'secret rotated'
  | 'secret committed'
  | 'replayed';

/**
 * A statement that records who did what to an endpoint (webhooks 3.10), for the batch of the change; `when` says
 * whether that change took place.
 */
export function audited(
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
