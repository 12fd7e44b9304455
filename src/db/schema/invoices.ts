import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { moment, reservedId, timestamps } from './columns.ts';
import { orders } from './orders.ts';

/** The states of an invoice (sources 6); `cancelled` is the last one. */
export const invoiceStatuses = ['issued', 'corrected', 'cancelled'] as const;

/** Fiscal documents of orders, which are cancelled and never removed. `value` in cents. */
export const invoices = sqliteTable(
  'invoices',
  {
    id: reservedId(),
    store_id: integer('store_id').notNull(),
    order_id: integer('order_id')
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    series: integer('series').notNull(),
    access_key: text('access_key').notNull(),
    access_key_key: text('access_key_key').notNull(),
    value: integer('value').notNull(),
    issued_at: moment('issued_at').notNull(),
    url: text('url'),
    status: text('status', { enum: invoiceStatuses }).notNull(),
    ...timestamps(),
  },
  (table) => [
    uniqueIndex('invoices_access_key').on(table.store_id, table.access_key_key),
    index('invoices_order').on(table.order_id),
  ],
);
