import { and, eq } from 'drizzle-orm';
import { addresses, customers } from '../../db/schema/store.ts';
import { operation } from '../../http/operation.ts';
import { data, nothing, page } from '../../http/replies.ts';
import { listing } from '../../wire/listing.ts';
import { Address } from '../shapes/customer.ts';
import { AddressChanges, NewAddress } from '../shapes/address-request.ts';
import { addAddress, isOf, updateAddress } from './addressing.ts';

const addressList = listing({
  sort: ['city', 'state', 'zipcode'],
  search: { city: 'text', state: 'exact', zipcode: 'exact', country: 'exact' },
});

export const addressOperations = [
  operation({
    id: 'listCustomerAddresses',
    route: 'GET /{alias}/customers/{id}/addresses',
    access: 'customers.read',
    query: addressList,
    reply: page(Address),
    rejects: [404],
    run: ({ db, ids, query }) =>
      db.pageUnder(customers, ids.id, addresses, query, { where: isOf(ids.id) }),
  }),
  operation({
    id: 'createCustomerAddress',
    route: 'POST /{alias}/customers/{id}/addresses',
    access: 'customers.write',
    body: NewAddress,
    reply: data(201, Address),
    rejects: [404, 422],
    note: 'In Brazil (country BR, the default) zipcode has eight digits, kept without a hyphen, and state is one of the 27.',
    run: ({ db, ids, body }) => addAddress(db, ids.id, body),
  }),
  operation({
    id: 'showCustomerAddress',
    route: 'GET /{alias}/customers/{customerId}/addresses/{id}',
    access: 'customers.read',
    reply: data(200, Address),
    rejects: [404],
    run: ({ db, ids }) => db.find(addresses, ids.id, {}, isOf(ids.customerId)),
  }),
  operation({
    id: 'updateCustomerAddress',
    route: 'PUT /{alias}/customers/{customerId}/addresses/{id}',
    access: 'customers.write',
    body: AddressChanges,
    reply: data(200, Address),
    rejects: [404, 422],
    run: ({ db, ids, body }) => updateAddress(db, ids, body),
  }),
  operation({
    id: 'deleteCustomerAddress',
    route: 'DELETE /{alias}/customers/{customerId}/addresses/{id}',
    access: 'customers.write',
    reply: nothing(),
    rejects: [404],
    note: 'Orders keep the address that they were sent to.',
    run: async ({ db, ids }) => {
      const [removed] = await db.batch([
        db.removal(addresses, and(eq(addresses.id, ids.id), isOf(ids.customerId))),
      ]);
      return removed[0];
    },
  }),
];
