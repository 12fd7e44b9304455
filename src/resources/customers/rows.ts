import { eq } from 'drizzle-orm';
import { chosen, many } from '../../db/relations.ts';
import { addresses, customers } from '../../db/schema/store.ts';
import { operation } from '../../http/operation.ts';
import { data, nothing, page } from '../../http/replies.ts';
import { containsAny, listing } from '../../wire/listing.ts';
import { Customer } from '../shapes/customer.ts';
import { updateCustomer } from './changing.ts';
import { createCustomer } from './creating.ts';
import { deleteCustomer } from './deleting.ts';
import { CustomerChanges, NewCustomer } from './requests.ts';

const includes = ['addresses'] as const;

const customerList = listing({
  sort: ['first_name', 'last_name', 'email'],
  search: {
    first_name: 'text',
    last_name: 'text',
    email: 'text',
    type: 'word',
    cpf: 'exact',
    cnpj: 'exact',
    phone: 'exact',
    anonymized: 'bool',
  },
  filters: {
    q: containsAny(['full_name', 'email'], 'Text in the full name or the e-mail address.'),
  },
  includes,
});

const relations = { addresses: many(addresses, eq(addresses.customer_id, customers.id)) };
const included = (names: readonly string[]) => chosen(relations, names);

export const customerOperations = [
  operation({
    id: 'listCustomers',
    route: 'GET /{alias}/customers',
    access: 'customers.read',
    query: customerList,
    reply: page(Customer),
    rejects: [400],
    run: ({ db, query }) => db.page(customers, query, { extras: included(query.includes) }),
  }),
  operation({
    id: 'createCustomer',
    route: 'POST /{alias}/customers',
    access: 'customers.write',
    body: NewCustomer,
    reply: data(201, Customer),
    rejects: [400, 422],
    note: 'A person (f) has a CPF, a company (j) a CNPJ, and neither the other; both are checked by their digits and kept without punctuation, as is the phone. The e-mail address is unique in its store. Up to 10 addresses come with a new customer, each with an event of its own.',
    run: ({ db, body }) => createCustomer(db, body),
  }),
  operation({
    id: 'showCustomer',
    route: 'GET /{alias}/customers/{id}',
    access: 'customers.read',
    query: listing({ includes }),
    reply: data(200, Customer),
    rejects: [404],
    run: ({ db, ids, query }) => db.find(customers, ids.id, included(query.includes)),
  }),
  operation({
    id: 'updateCustomer',
    route: 'PUT /{alias}/customers/{id}',
    access: 'customers.write',
    body: CustomerChanges,
    reply: data(200, Customer),
    rejects: [404, 422],
    note: 'With another type the document of the old one goes. A customer who is anonymised is not changed any more.',
    run: ({ db, ids, body }) => updateCustomer(db, ids.id, body),
  }),
  operation({
    id: 'deleteCustomer',
    route: 'DELETE /{alias}/customers/{id}',
    access: 'customers.write',
    reply: nothing(),
    rejects: [404],
    note: 'A customer who has ordered is anonymised: anonymized is true, everything personal is null here, in the addresses and in orders and transactions, and the id stays. Of an address the state and the country stay.',
    run: ({ db, ids }) => deleteCustomer(db, ids.id),
  }),
];
