import { and, eq, sql, not, inArray } from 'drizzle-orm';
import { reserveIds, baseColumns } from '../../data/core/reserved-ids.ts';
import { retryInTurns } from '../../data/core/retry-contention.ts';
import { lastResult } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { noteAnonymized } from '../../data/grants/app-notices.ts';
import { throwIfInvalid } from '../../data/queries/references.ts';
import { assertOthersUnchanged } from '../../data/queries/revision.ts';
import { carts } from '../../data/schema/store/carts-tables.ts';
import { addresses, customers } from '../../data/schema/store/customers-tables.ts';
import { orders, orderAddresses } from '../../data/schema/store/orders-tables.ts';
import { productComments } from '../../data/schema/store/product-extras-tables.ts';
import { transactions } from '../../data/schema/store/transactions-tables.ts';
import { publish } from '../../webhooks/events/publish.ts';
import { toCustomerCreatedEvent } from '../created-event.ts';
import { toAddressCreatedEvent } from './address-commands.ts';
import type { NewCustomer, CustomerChanges } from './requests.ts';
import { assertNotAnonymized, validateDocuments, mergeDocuments, hasDocument } from './rules.ts';

/**
 * Creates a customer with addresses and publishes an event for each. Throws `ValidationError` when
 * the e-mail address is taken. Two round trips.
 */
export async function createCustomer(db: StoreDb, body: NewCustomer) {
  const [reserved] = await db.batch([reserveIds(db, body.addresses.length + 1)]);
  const last = reserved[0]?.last ?? 0;
  const ids = { customer: last - body.addresses.length, lastAddress: last };
  const { statements, events } = planNewCustomer(db, ids, body);
  const [rows] = await publish(db, statements, events);
  return rows[0];
}

/** The statements and events of a new customer with addresses, under reserved ids. */
function planNewCustomer(
  db: StoreDb,
  { customer: id, lastAddress }: { customer: number; lastAddress: number },
  { addresses: sentAddresses, ...values }: NewCustomer,
) {
  const newAddresses = sentAddresses.map((address, index) => ({
    ...address,
    customer_id: id,
    ...baseColumns(db, lastAddress - sentAddresses.length + 1 + index),
  }));
  return {
    statements: [
      db.insertStatement(customers, values, id),
      ...sentAddresses.map((address, index) =>
        db.insertStatement(addresses, { ...address, customer_id: id }, newAddresses[index]?.id),
      ),
    ] as const,
    events: [
      toCustomerCreatedEvent(db, {
        ...values,
        ...baseColumns(db, id),
        anonymized: false,
        addresses: { data: newAddresses },
      }),
      ...newAddresses.map((address) => toAddressCreatedEvent(db, address)),
    ],
  };
}

const documentColumns = ['type', 'cpf', 'cnpj'] as const;

/**
 * Updates a customer without an event. Throws `ValidationError` for an anonymised customer. Two
 * round trips.
 */
export const updateCustomer = (db: StoreDb, id: number, changes: CustomerChanges) =>
  retryInTurns(db, [customers, id], async () => {
    const before = await db.find(customers, id);
    if (!before) return undefined;
    assertNotAnonymized(before.anonymized);
    const documents = mergeDocuments(before, changes);
    throwIfInvalid(validateDocuments(documents, { isRequired: hasDocument(before) }));
    const setsDocuments = documentColumns.some((name) => changes[name] !== undefined);
    const isActive = sql`exists (select 1 from ${customers} where ${and(
      eq(customers.id, id),
      eq(customers.anonymized, false),
    )})`;
    const results = await db.batch([
      db.assert(isActive),
      ...assertOthersUnchanged(db, customers, before, changes, documentColumns),
      db.updateStatement(customers, eq(customers.id, id), {
        ...changes,
        ...(setsDocuments && documents),
      }),
      db.selectOne(customers, id),
    ]);
    return lastResult(results)[0];
  });

/**
 * Deletes a customer with all addresses, or anonymises a customer who has orders, and notes it for
 * apps that may have seen the customer. Calls `onNoted` if there are any. Returns `undefined` when
 * the store has no such customer. One round trip.
 */
export async function deleteCustomer(db: StoreDb, id: number, onNoted: () => void) {
  const hasOrders = sql`exists (select 1 from ${orders}
    where ${orders.store_id} = ${db.store.id} and ${orders.customer_id} = ${id})`;
  const [noted, , , deleted, remaining] = await db.batch([
    noteAnonymized(db, id),
    anonymizeCartsStatement(db, id),
    anonymizeCommentsStatement(db, id),
    db.deleteStatement(customers, and(eq(customers.id, id), not(hasOrders))),
    db.selectOne(customers, id),
    // A customer who is still there has orders.
    ...anonymizeStatements(db, id),
  ]);
  if (noted.length > 0) onNoted();
  return deleted[0] ?? remaining[0];
}

/** Clears an address. State and country stay, for taxes and statistics. */
const blankAddress = {
  receiver: null,
  zipcode: null,
  street: null,
  number: null,
  complement: null,
  neighborhood: null,
  city: null,
} as const;

const blankCustomer = {
  email: null,
  first_name: null,
  last_name: null,
  cpf: null,
  cnpj: null,
  phone: null,
  anonymized: true,
} as const;

/** Clears the payer, and the links to a billet with the name on it. */
const blankPayer = {
  holder_name: null,
  holder_document: null,
  truncated_card: null,
  billet_url: null,
  billet_whatsapp_link: null,
} as const;

/**
 * Clears all personal data of a customer, in the record, its addresses, and its orders and
 * transactions.
 */
function anonymizeStatements(db: StoreDb, id: number) {
  const orderIds = sql`(select ${orders.id} from ${orders}
    where ${orders.store_id} = ${db.store.id} and ${orders.customer_id} = ${id})`;
  // By their ids: beside the condition on the store, SQLite would read all payments of the store
  // instead.
  const paymentIds = sql`(select ${transactions.id} from ${transactions} where ${inArray(transactions.order_id, orderIds)})`;
  return [
    db.updateStatement(customers, eq(customers.id, id), blankCustomer),
    db.updateStatement(addresses, eq(addresses.customer_id, id), blankAddress),
    db.updateStatement(orderAddresses, inArray(orderAddresses.order_id, orderIds), blankAddress),
    db.updateStatement(transactions, inArray(transactions.id, paymentIds), blankPayer),
  ];
}

/**
 * Clears carts that the customer created as a guest. It finds them by the e-mail address of the
 * customer, so it must run before that is cleared.
 */
function anonymizeCartsStatement(db: StoreDb, id: number) {
  const emailKey = sql`(select ${customers.email_key} from ${customers}
    where ${customers.store_id} = ${db.store.id} and ${customers.id} = ${id})`;
  return db.updateStatement(carts, eq(carts.email_key, emailKey), {
    name: null,
    email: null,
    phone: null,
  });
}

/** Replaces the author of a comment. */
const blankAuthor = { name: 'Anonymous', email: 'anonymous@example.invalid' } as const;

/**
 * Removes the author from the comments on products that the customer wrote. Finds them by the
 * e-mail address, like the carts.
 */
function anonymizeCommentsStatement(db: StoreDb, id: number) {
  const email = sql`(select ${customers.email_folded} from ${customers}
    where ${customers.store_id} = ${db.store.id} and ${customers.id} = ${id})`;
  return db.updateStatement(productComments, eq(productComments.email_folded, email), blankAuthor);
}
