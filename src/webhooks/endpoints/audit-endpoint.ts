import { sql, type SQL } from 'drizzle-orm';
import { storeAuditStatement } from '../../data/audit/audit-lines.ts';
import type { StoreDb } from '../../data/core/store-db.ts';

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
  | 'replayed'
  | 'delivery_sent';

/**
 * A statement for the batch of a change: records the action of the user of the handle on an
 * endpoint, if the condition `when` holds. `changes` is JSON, or null for no line.
 */
export const endpointAuditStatement = (
  db: StoreDb,
  action: AuditedAction,
  endpoint: SQL | number,
  when: SQL,
  changes: SQL = sql`'{}'`,
) =>
  storeAuditStatement(
    db,
    { action: `webhook.${action}`, target: { kind: 'webhook', id: endpoint }, changes },
    when,
  );
