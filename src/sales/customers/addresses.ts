import { and, eq } from 'drizzle-orm';
import { listing } from '../../base/codecs/listing/listing.ts';
import { addresses, customers } from '../../data/schema/store/customers-tables.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import { data, emptyObject, page } from '../../http/replies.ts';
import { AddressChanges, country, NewAddress, state, zipcode } from '../address-request.ts';
import { createAddress, belongsToCustomer, updateAddress } from './address-commands.ts';
import { AddressSchema } from './schema.ts';

const addressList = listing({
  sort: ['city', 'state', 'zipcode'],
  search: { city: 'text', state, zipcode, country },
});

export const addressOperations = [
  operation({
    id: 'listCustomerAddresses',
    route: 'GET /{alias}/customers/{id}/addresses',
    access: 'customers.read',
    query: addressList,
    reply: page(AddressSchema),
    errors: [404],
    run: ({ db, ids, query }) =>
      db.pageOfParent(customers, ids.id, addresses, query, { where: belongsToCustomer(ids.id) }),
  }),
  operation({
    id: 'createCustomerAddress',
    route: 'POST /{alias}/customers/{id}/addresses',
    access: 'customers.write',
    body: NewAddress,
    reply: data(201, AddressSchema),
    errors: [404, 422],
    run: ({ db, ids, body }) => createAddress(db, ids.id, body),
  }),
  operation({
    id: 'showCustomerAddress',
    route: 'GET /{alias}/customers/{customerId}/addresses/{id}',
    access: 'customers.read',
    reply: data(200, AddressSchema),
    errors: [404],
    run: ({ db, ids }) => db.find(addresses, ids.id, {}, belongsToCustomer(ids.customerId)),
  }),
  operation({
    id: 'updateCustomerAddress',
    route: 'PUT /{alias}/customers/{customerId}/addresses/{id}',
    access: 'customers.write',
    body: AddressChanges,
    reply: data(200, AddressSchema),
    errors: [404, 422],
    run: ({ db, ids, body }) => updateAddress(db, ids, body),
  }),
  operation({
    id: 'deleteCustomerAddress',
    route: 'DELETE /{alias}/customers/{customerId}/addresses/{id}',
    access: 'customers.write',
    reply: emptyObject(),
    errors: [404],
    run: async ({ db, ids }) => {
      const [removed] = await db.batch([
        db.deleteStatement(
          addresses,
          and(eq(addresses.id, ids.id), belongsToCustomer(ids.customerId)),
        ),
      ]);
      return removed[0];
    },
  }),
];

/* @__PURE__ */ explainOperations({
  createCustomerAddress:
    'In Brazil (country BR, the default) zipcode has eight digits, stored without a hyphen, and state is one of the 27 states.',
  deleteCustomerAddress: 'Orders keep their copy of the address.',
});
