import { index, integer, sqliteTable } from 'drizzle-orm/sqlite-core';
import { auditColumns, id } from '../columns.ts';

/**
 * The audit of a store: actions on its apps, webhooks, settings, payment and e-mail configuration,
 * and all that assistants change. A line is written in the batch of the change and kept for a year.
 * Members and keys are in `audit` of the directory.
 */
export const storeAudit = sqliteTable(
  'store_audit',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    ...auditColumns(),
    /**
     * `total_changes()` before the line: of an assistant's change that changed nothing, the batch
     * deletes it again.
     */
    changes_before: integer('changes_before'),
  },
  (table) => [
    index('store_audit_store').on(table.store_id, table.at),
    index('store_audit_at').on(table.at),
  ],
);
