import { index, integer, sqliteTable } from 'drizzle-orm/sqlite-core';
import { auditColumns, id } from '../columns.ts';

/**
 * The audit of a store: actions on its apps, webhooks, settings, payment and e-mail configuration, written in the batch
 * of the change. Members and keys are in `audit` of the directory. Kept for a year.
 */
export const storeAudit = sqliteTable(
  'store_audit',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    ...auditColumns(),
  },
  (table) => [
    index('store_audit_store').on(table.store_id, table.at),
    index('store_audit_at').on(table.at),
  ],
);
