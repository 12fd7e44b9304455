import { customizations } from '../../db/schema/store.ts';
import { operation } from '../../http/operation.ts';
import { bare, nothing, page } from '../../http/replies.ts';
import { listing } from '../../wire/listing.ts';
import { Customization, CustomizationRead } from '../shapes/customization.ts';
import { included, present } from './reading.ts';
import { CustomizationRequest } from './request.ts';
import { createCustomization, updateCustomization } from './writing.ts';

const includes = ['products'] as const;

const customizationList = listing({
  sort: ['name', 'type', 'price', 'required'],
  search: { name: 'text', type: 'word', required: 'bool' },
  includes,
});

export const customizationOperations = [
  operation({
    id: 'listCustomizations',
    route: 'GET /{alias}/catalog/customizations',
    access: 'catalog.read',
    query: customizationList,
    reply: page(CustomizationRead, { emptyIs: 404 }),
    rejects: [404],
    note: 'The 404 of a query that matches nothing carries data and meta as well; a page past the end is 200.',
    run: async ({ db, query }) => {
      const found = await db.page(customizations, query, { extras: included(query.includes) });
      return { ...found, rows: found.rows.map((row) => present(db.store, row)) };
    },
  }),
  operation({
    id: 'createCustomization',
    route: 'POST /{alias}/catalog/customizations',
    access: 'catalog.write',
    body: CustomizationRequest.post,
    reply: bare(Customization),
    rejects: [400],
    note: 'values are for the type select, which needs one; with another type they are stored empty.',
    run: ({ db, body }) => createCustomization(db, body),
  }),
  operation({
    id: 'showCustomization',
    route: 'GET /{alias}/catalog/customizations/{id}',
    access: 'catalog.read',
    query: listing({ includes }),
    reply: bare(CustomizationRead),
    rejects: [],
    run: async ({ db, ids, query }) => {
      const found = await db.find(customizations, ids.id, included(query.includes));
      return found && present(db.store, found);
    },
  }),
  operation({
    id: 'updateCustomization',
    route: 'PUT /{alias}/catalog/customizations/{id}',
    access: 'catalog.write',
    body: CustomizationRequest.put,
    reply: bare(Customization),
    rejects: [400, 404],
    run: ({ db, ids, body }) => updateCustomization(db, ids.id, body),
  }),
  operation({
    id: 'deleteCustomization',
    route: 'DELETE /{alias}/catalog/customizations/{id}',
    access: 'catalog.write',
    reply: nothing(),
    rejects: [404],
    run: ({ db, ids }) => db.remove(customizations, ids.id),
  }),
];
