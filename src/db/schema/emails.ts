import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { flag, id, timestamps } from './columns.ts';

/** The mail account that a store's e-mails are sent with; a store has at most one. The password is sealed. */
export const emailConfigurations = sqliteTable(
  'email_configurations',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    active: flag('active').notNull().default(true),
    show_order_number: flag('show_order_number').notNull().default(true),
    order_number: text('order_number').notNull().default(''),
    resume_values: text('resume_values').notNull().default(''),
    product_review_days: integer('product_review_days').notNull().default(7),
    host: text('host').notNull(),
    port: integer('port').notNull(),
    username: text('username').notNull(),
    password_sealed: text('password_sealed').notNull(),
    encryption: text('encryption', { enum: ['tls', 'ssl', 'starttls', 'none'] }).notNull(),
    from: text('from').notNull(),
    name: text('name').notNull(),
    ...timestamps(),
  },
  (table) => [uniqueIndex('email_configurations_store').on(table.store_id)],
);
