import { sql } from 'drizzle-orm';
import { index, integer, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { flag, id, json, moment, timestamps } from './columns.ts';

/** The payment types of every store (contract 3.11). */
export const paymentAliases = [
  'credit_card',
  'pix',
  'pix_in_installments',
  'billet',
  'deposit',
  'wallet',
] as const;

/** The ways to pay in a store, made with it. */
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
 * A store's contracts with payment gateways. `gateways` holds their aliases (`resources/payments/gateways`);
 * authorised cards are captured by themselves `capture_hour_delay` hours later where `auto_capture` is set.
 */
export const affiliations = sqliteTable(
  'affiliations',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    name: text('name').notNull(),
    active: flag('active').notNull(),
    backup: flag('backup').notNull(),
    auto_capture: flag('auto_capture').notNull(),
    capture_hour_delay: integer('capture_hour_delay').notNull(),
    force_minimum_tax: flag('force_minimum_tax').notNull(),
    status: text('status', { enum: ['active', 'pending', 'refused'] }).notNull(),
    auth_type: text('auth_type', { enum: ['none', 'key', 'oauth'] }).notNull(),
    statement_descriptor: text('statement_descriptor'),
    gateways: json<string[]>('gateways').notNull(),
    ...timestamps(),
  },
  (table) => [index('affiliations_store').on(table.store_id)],
);

/**
 * How a store takes one payment type: one configuration each, at most one of them shown first
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
    active: flag('active').notNull().default(false),
    default_display: flag('default_display').notNull().default(false),
    spread: flag('spread').notNull().default(false),
    ignore_promotions: flag('ignore_promotions').notNull().default(false),
    accumulate_discount: flag('accumulate_discount').notNull().default(false),
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

/** The installments of the plan of a payment type, each number once. `tax` and `percent_discount` in per cent. */
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
    start_at: moment('start_at'),
    end_at: moment('end_at'),
    ...timestamps(),
  },
  (table) => [uniqueIndex('payment_installments_number').on(table.payment_id, table.installment)],
);
