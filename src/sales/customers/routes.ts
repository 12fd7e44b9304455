import { eq } from 'drizzle-orm';
import { cnpj, cpf } from '../../base/codecs/fields/brazilian-documents.ts';
import { phone } from '../../base/codecs/fields/string-formats.ts';
import { anyOf, containsAny, listing, recordQuery } from '../../base/codecs/listing/listing.ts';
import { customerLinkedFilters } from '../../catalog/linked-filters.ts';
import { pickRelations, toMany } from '../../data/queries/relations.ts';
import { addresses, customers } from '../../data/schema/store/customers-tables.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import { data, emptyObject, page, longListNote } from '../../http/replies.ts';
import { updateCustomer, createCustomer, deleteCustomer } from './commands.ts';
import { CustomerExportSchema, exportCustomer } from './export.ts';
import { CustomerChanges, NewCustomer } from './requests.ts';
import { CustomerSchema } from './schema.ts';

const includes = ['addresses'] as const;

const customerList = listing({
  sort: ['first_name', 'last_name', 'email'],
  search: {
    first_name: 'text',
    last_name: 'text',
    email: 'email',
    type: ['f', 'j'],
    cpf,
    cnpj,
    phone,
    anonymized: 'bool',
  },
  filters: {
    q: containsAny(
      { full_name: 'text', email: 'email' },
      'Customers whose full name or e-mail address contains this text. For tax numbers use search.',
    ),
    city: anyOf(
      'city',
      'word',
      'Has an address in any of these cities, by their whole names, separated by commas or as several city[]. With state, in that state.',
    ),
    state: anyOf(
      'state',
      'word',
      'Has an address in any of these states, such as SP, separated by commas or as several state[].',
    ),
  },
  includes,
});

const relations = { addresses: toMany(addresses, eq(addresses.customer_id, customers.id)) };
const included = (names: readonly string[]) => pickRelations(relations, names);

export const customerOperations = [
  operation({
    id: 'listCustomers',
    route: 'GET /{alias}/customers',
    access: 'customers.read',
    query: customerList,
    reply: page(CustomerSchema),
    errors: [400],
    note: longListNote,
    run: ({ db, query }) =>
      db.page(customers, query, {
        extras: included(query.includes),
        linked: customerLinkedFilters(db, query.where),
      }),
  }),
  operation({
    id: 'createCustomer',
    route: 'POST /{alias}/customers',
    access: 'customers.write',
    body: NewCustomer,
    reply: data(201, CustomerSchema),
    errors: [400, 422],
    run: ({ db, body }) => createCustomer(db, body),
  }),
  operation({
    id: 'showCustomer',
    route: 'GET /{alias}/customers/{id}',
    access: 'customers.read',
    query: recordQuery(includes),
    reply: data(200, CustomerSchema),
    errors: [404],
    run: ({ db, ids, query }) => db.find(customers, ids.id, included(query.includes)),
  }),
  operation({
    id: 'updateCustomer',
    route: 'PUT /{alias}/customers/{id}',
    access: 'customers.write',
    body: CustomerChanges,
    reply: data(200, CustomerSchema),
    errors: [404, 422],
    run: ({ db, ids, body }) => updateCustomer(db, ids.id, body),
  }),
  operation({
    id: 'deleteCustomer',
    route: 'DELETE /{alias}/customers/{id}',
    access: 'customers.write',
    reply: emptyObject(),
    errors: [404],
    run: ({ db, ids, background }) => deleteCustomer(db, ids.id, background.wakeNotices),
  }),
  operation({
    id: 'exportCustomer',
    route: 'POST /{alias}/customers/{id}/export',
    access: 'customers.read',
    reply: data(200, CustomerExportSchema),
    isSeveralSteps: true,
    errors: [404],
    run: ({ db, ids, principal }) => exportCustomer(db, ids.id, principal),
  }),
];

/* @__PURE__ */ explainOperations({
  createCustomer:
    'A person (f) has a CPF, a company (j) a CNPJ, never both. The numbers are validated by their check digits; they and the phone are stored without punctuation. The e-mail address is unique in the store. A new customer can have up to 10 addresses, and each sends an event of its own.',
  updateCustomer:
    'Another type removes the document of the previous type. A customer who is anonymised cannot be changed.',
  deleteCustomer:
    'A customer with orders is anonymised and keeps the id: anonymized is true, and all personal data is null here, in the addresses and in orders and transactions, in carts left as a guest, and in comments on products. Addresses keep state and country. Events that were recorded before keep what they said until they are deleted, after 30 days at most.',
  exportCustomer:
    'Changes nothing. Other kinds of records than the customer and its addresses need the scope with which they are read elsewhere: else left_out names them. At most 1,000 records of a kind and 6 MiB: else 400 (answer_too_large); then read their lists page by page.',
});
