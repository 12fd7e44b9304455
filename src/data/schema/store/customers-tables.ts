import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { booleanColumn, reservedId, timestamps } from '../columns.ts';

/**
 * Customers of a store. E-mail addresses are unique in a store, ignoring letter case (`email_key`).
 * Anonymizing a customer sets all personal data to null. Documents and phone numbers are stored
 * without punctuation. `full_name` is for searching.
 */
export const customers = sqliteTable(
  'customers',
  {
    id: reservedId(),
    store_id: integer('store_id').notNull(),
    email: text('email'),
    email_key: text('email_key'),
    email_folded: text('email_folded'),
    first_name: text('first_name'),
    first_name_folded: text('first_name_folded'),
    last_name: text('last_name'),
    last_name_folded: text('last_name_folded'),
    full_name: text('full_name').generatedAlwaysAs(
      sql`first_name_folded || coalesce(' ' || last_name_folded, '')`,
      { mode: 'virtual' },
    ),
    /** A person (`f`, with a CPF) or a company (`j`, with a CNPJ). */
    type: text('type', { enum: ['f', 'j'] }).notNull(),
    cpf: text('cpf'),
    cnpj: text('cnpj'),
    phone: text('phone'),
    anonymized: booleanColumn('anonymized').notNull().default(false),
    ...timestamps(),
  },
  (table) => [
    uniqueIndex('customers_email_key').on(table.store_id, table.email_key),
    index('customers_store').on(table.store_id),
    index('customers_email').on(table.store_id, table.email_folded),
    index('customers_first_name').on(table.store_id, table.first_name_folded),
    index('customers_last_name').on(table.store_id, table.last_name_folded),
    index('customers_cpf').on(table.store_id, table.cpf),
    index('customers_cnpj').on(table.store_id, table.cnpj),
    index('customers_phone').on(table.store_id, table.phone),
    index('customers_created').on(table.store_id, table.created_at),
    index('customers_updated').on(table.store_id, table.updated_at),
  ],
);

/**
 * Addresses of customers. Anonymizing the customer sets everything except state and country to
 * null.
 */
export const addresses = sqliteTable(
  'addresses',
  {
    id: reservedId(),
    store_id: integer('store_id').notNull(),
    customer_id: integer('customer_id')
      .notNull()
      .references(() => customers.id, { onDelete: 'cascade' }),
    receiver: text('receiver'),
    zipcode: text('zipcode'),
    street: text('street'),
    number: text('number'),
    complement: text('complement'),
    neighborhood: text('neighborhood'),
    city: text('city'),
    city_folded: text('city_folded'),
    state: text('state').notNull(),
    state_folded: text('state_folded').notNull(),
    /** ISO 3166-1, two letters. */
    country: text('country').notNull(),
    ...timestamps(),
  },
  (table) => [
    index('addresses_customer').on(table.store_id, table.customer_id),
    index('addresses_customer_key').on(table.customer_id),
    index('addresses_city').on(table.store_id, table.city_folded, table.customer_id),
    index('addresses_state').on(table.store_id, table.state_folded, table.customer_id),
  ],
);
