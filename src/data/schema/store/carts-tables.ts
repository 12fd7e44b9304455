import { sql } from 'drizzle-orm';
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { epochMs, reservedId, reservedIdOfPart, timestamps } from '../columns.ts';
import { skus } from './catalog-tables.ts';
import { customers } from './customers-tables.ts';

/** The states of a cart; the last two are final. */
export const cartStatuses = ['open', 'abandoned', 'converted', 'expired'] as const;

export type CartStatus = (typeof cartStatuses)[number];

/**
 * Carts of a customer, or of a guest with `name`, `email` and `phone`, never both. A cart is idle
 * since `edited_at`; `reminders` counts the reminders since then; `due_at` is when its timer is
 * due. `revision` is its optimistic lock.
 */
export const carts = sqliteTable(
  'carts',
  {
    id: reservedId(),
    store_id: integer('store_id').notNull(),
    revision: integer('revision').notNull().default(1),
    token: text('token').notNull(),
    status: text('status', { enum: cartStatuses }).notNull().default('open'),
    customer_id: integer('customer_id').references(() => customers.id, { onDelete: 'set null' }),
    name: text('name'),
    name_folded: text('name_folded'),
    email: text('email'),
    email_folded: text('email_folded'),
    email_key: text('email_key'),
    phone: text('phone'),
    shipment_service: text('shipment_service'),
    value_shipment: integer('value_shipment').notNull(),
    reminders: integer('reminders').notNull().default(0),
    reminded_at: epochMs('reminded_at'),
    abandoned_at: epochMs('abandoned_at'),
    edited_at: epochMs('edited_at').notNull(),
    due_at: epochMs('due_at'),
    ...timestamps(),
  },
  (table) => [
    uniqueIndex('carts_token').on(table.store_id, table.token),
    // An index on state and time would read carts without contact details each minute until they
    // expire. The store comes first, so that the timers read a few records of each store, however
    // many are due.
    index('carts_due')
      .on(table.store_id, table.due_at)
      .where(sql`${table.due_at} is not null`),
    index('carts_store').on(table.store_id),
    index('carts_status').on(table.store_id, table.status),
    index('carts_customer').on(table.customer_id),
    index('carts_created').on(table.store_id, table.created_at),
    index('carts_updated').on(table.store_id, table.updated_at),
  ],
);

/**
 * The items of a cart, each SKU at most once. Prices are those of the SKUs until the cart becomes
 * an order.
 */
export const cartItems = sqliteTable(
  'cart_items',
  {
    id: reservedIdOfPart(),
    store_id: integer('store_id').notNull(),
    cart_id: integer('cart_id')
      .notNull()
      .references(() => carts.id, { onDelete: 'cascade' }),
    sku_id: integer('sku_id')
      .notNull()
      .references(() => skus.id, { onDelete: 'cascade' }),
    quantity: integer('quantity').notNull(),
    ...timestamps(),
  },
  (table) => [
    primaryKey({ columns: [table.cart_id, table.sku_id] }),
    index('cart_items_sku_key').on(table.sku_id),
  ],
);
