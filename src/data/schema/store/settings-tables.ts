import { sql } from 'drizzle-orm';
import { check, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { booleanColumn, id, timestamps } from '../columns.ts';

/** The mail account of a store, at most one. The password is sealed. */
export const emailConfigurations = sqliteTable(
  'email_configurations',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    active: booleanColumn('active').notNull().default(true),
    show_order_number: booleanColumn('show_order_number').notNull().default(true),
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

/** The maximum of `cart_idle_minutes`: 30 days, after which a cart expires anyway. */
export const maxCartIdleMinutes = 43_200;

/** Settings of a store. Without a row the defaults apply. */
export const storeSettings = sqliteTable(
  'store_settings',
  {
    store_id: integer('store_id').primaryKey(),
    cart_idle_minutes: integer('cart_idle_minutes').notNull(),
  },
  (table) => [check('store_settings_idle', sql`${table.cart_idle_minutes} between 1 and 43200`)],
);
