import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { epochMs, id, json } from '../columns.ts';

/**
 * Notices that owners and managers of a store receive by mail, and apps by their own webhook.
 * Triggers write a notice in the transaction of its cause. An app is connected or disconnected
 * (`store_audit`), or a webhook fails, is switched off (`webhook_notices`) or gets an address
 * (`webhook_endpoints`). For apps so does the code that anonymises a customer, or receives a
 * closing or renaming (`grants/app-notices.ts`). The sweep creates the mails (`mails`), one for
 * each member, and the events (`app_deliveries`) in the directory, and then deletes the row.
 */
export const storeNotices = sqliteTable(
  'store_notices',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    /** Unique among all shards: the mails of a notice that is read twice are the same. */
    key: text('key').notNull().unique(),
    kind: text('kind').notNull(),
    data: json<Record<string, string | number>>('data').notNull(),
    created_at: epochMs('created_at').notNull(),
  },
  (table) => [index('store_notices_store').on(table.store_id)],
);
