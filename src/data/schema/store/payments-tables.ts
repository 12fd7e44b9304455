import { sql } from 'drizzle-orm';
import { index, integer, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { booleanColumn, id, json, epochMs, timestamps } from '../columns.ts';

/** The payment types that every store has. */
export const paymentAliases = [
  'credit_card',
  'pix',
  'pix_in_installments',
  'billet',
  'deposit',
  'wallet',
] as const;

/** The payment types of a store, inserted with it. */
export const payments = sqliteTable(
  'payments',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    alias: text('alias', { enum: paymentAliases }).notNull(),
    name: text('name').notNull(),
    name_folded: text('name_folded').notNull(),
    icon_url: text('icon_url'),
    ...timestamps(),
  },
  (table) => [
    uniqueIndex('payments_alias').on(table.store_id, table.alias),
    index('payments_store').on(table.store_id),
    index('payments_name').on(table.store_id, table.name_folded),
    index('payments_created').on(table.store_id, table.created_at),
    index('payments_updated').on(table.store_id, table.updated_at),
  ],
);

/**
 * Contracts of a store with payment gateways. `gateways` holds the aliases of the gateways. With
 * `auto_capture`, an authorized card is captured `capture_hour_delay` hours later.
 */
export const affiliations = sqliteTable(
  'affiliations',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    name: text('name').notNull(),
    active: booleanColumn('active').notNull(),
    backup: booleanColumn('backup').notNull(),
    auto_capture: booleanColumn('auto_capture').notNull(),
    capture_hour_delay: integer('capture_hour_delay').notNull(),
    force_minimum_tax: booleanColumn('force_minimum_tax').notNull(),
    status: text('status', { enum: ['active', 'pending', 'refused'] }).notNull(),
    auth_type: text('auth_type', { enum: ['none', 'key', 'oauth'] }).notNull(),
    statement_descriptor: text('statement_descriptor'),
    gateways: json<string[]>('gateways').notNull(),
    ...timestamps(),
  },
  (table) => [index('affiliations_store').on(table.store_id)],
);

/**
 * The configuration of each payment type of a store; at most one is shown first
 * (`default_display`). `min_installment_value` in cents, discounts in per cent.
 */
export const paymentConfigurations = sqliteTable(
  'payment_configurations',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    payment_id: integer('payment_id')
      .notNull()
      .references(() => payments.id, { onDelete: 'cascade' }),
    affiliation_id: integer('affiliation_id').references(() => affiliations.id, {
      onDelete: 'set null',
    }),
    active: booleanColumn('active').notNull().default(false),
    default_display: booleanColumn('default_display').notNull().default(false),
    spread: booleanColumn('spread').notNull().default(false),
    ignore_promotions: booleanColumn('ignore_promotions').notNull().default(false),
    accumulate_discount: booleanColumn('accumulate_discount').notNull().default(false),
    percent_discount: real('percent_discount').notNull().default(0),
    min_installment_value: integer('min_installment_value').notNull().default(0),
    max_installments_without_tax: integer('max_installments_without_tax').notNull().default(1),
    billet_expire_days: integer('billet_expire_days').notNull().default(3),
    days_to_cancel_unpaid_billets: integer('days_to_cancel_unpaid_billets').notNull().default(5),
    hours_to_cancel_unpaid_pix: integer('hours_to_cancel_unpaid_pix').notNull().default(24),
    billet_instructions: text('billet_instructions'),
    ...timestamps(),
  },
  (table) => [
    uniqueIndex('payment_configurations_payment').on(table.payment_id),
    index('payment_configurations_store').on(table.store_id),
    index('payment_configurations_affiliation').on(table.affiliation_id),
    uniqueIndex('payment_configurations_default')
      .on(table.store_id)
      .where(sql`${table.default_display} = 1`),
  ],
);

/**
 * The installment plan of a payment type, each number at most once. `tax` and `percent_discount` in
 * per cent.
 */
export const paymentInstallments = sqliteTable(
  'payment_installments',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    payment_id: integer('payment_id')
      .notNull()
      .references(() => payments.id, { onDelete: 'cascade' }),
    installment: integer('installment').notNull(),
    tax: real('tax').notNull(),
    percent_discount: real('percent_discount').notNull(),
    start_at: epochMs('start_at'),
    end_at: epochMs('end_at'),
    ...timestamps(),
  },
  (table) => [uniqueIndex('payment_installments_number').on(table.payment_id, table.installment)],
);
