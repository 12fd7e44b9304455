import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { booleanColumn, json, epochMs, reservedId, timestamps } from '../columns.ts';
import { orders } from './orders-tables.ts';

/** The states of a transaction. */
export const transactionStatuses = [
  'waiting_payment',
  'authorized',
  'paid',
  'refused',
  'cancelled',
  'refunded',
] as const;

export type TransactionStatus = (typeof transactionStatuses)[number];

/**
 * Transactions: payments of orders. Amounts in cents; `buyer_*` include the interest that the buyer
 * pays. `due_at` is when the timer is due that captures an authorized transaction or cancels an
 * unpaid one.
 */
export const transactions = sqliteTable(
  'transactions',
  {
    id: reservedId(),
    store_id: integer('store_id').notNull(),
    order_id: integer('order_id')
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    customer_id: integer('customer_id').notNull(),
    payment_id: integer('payment_id').notNull(),
    affiliation_id: integer('affiliation_id'),
    marketplace_id: integer('marketplace_id'),
    marketplace_account_id: integer('marketplace_account_id'),
    gateway_transaction_id: integer('gateway_transaction_id'),
    gateway_order_id: integer('gateway_order_id'),
    gateway_billet_id: integer('gateway_billet_id'),
    gateway_authorization_code: text('gateway_authorization_code'),
    amount: integer('amount').notNull(),
    buyer_amount: integer('buyer_amount').notNull(),
    installments: integer('installments').notNull(),
    installment_value: integer('installment_value').notNull(),
    buyer_installment_value: integer('buyer_installment_value').notNull(),
    status: text('status', { enum: transactionStatuses }).notNull(),
    error_message: text('error_message'),
    error_code: integer('error_code'),
    bank_name: text('bank_name'),
    bank_alias: text('bank_alias'),
    truncated_card: text('truncated_card'),
    holder_name: text('holder_name'),
    holder_document: text('holder_document'),
    billet_url: text('billet_url'),
    billet_barcode: text('billet_barcode'),
    billet_date: text('billet_date'),
    billet_our_number: text('billet_our_number'),
    billet_document_number: text('billet_document_number'),
    billet_whatsapp_link: text('billet_whatsapp_link'),
    antifraud_sale_id: integer('antifraud_sale_id'),
    antifraud_status: text('antifraud_status'),
    antifraud_score: text('antifraud_score'),
    sent_to_antifraud: booleanColumn('sent_to_antifraud').notNull(),
    total_logs: integer('total_logs').notNull(),
    capture_date: epochMs('capture_date'),
    authorized_at: epochMs('authorized_at'),
    captured_at: epochMs('captured_at'),
    cancelled_at: epochMs('cancelled_at'),
    due_at: epochMs('due_at'),
    metadata: json<{ key: string; value: string }[]>('metadata').notNull(),
    ...timestamps(),
  },
  (table) => [
    index('transactions_due')
      .on(table.store_id, table.due_at)
      .where(sql`${table.due_at} is not null`),
    index('transactions_order').on(table.order_id),
    index('transactions_store').on(table.store_id),
    index('transactions_status').on(table.store_id, table.status),
    index('transactions_created').on(table.store_id, table.created_at),
    index('transactions_updated').on(table.store_id, table.updated_at),
  ],
);
