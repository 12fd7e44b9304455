import { listing, recordQuery } from '../../codecs/listing/listing.ts';
import { customizations } from '../../db/schema/store/product-extras.ts';
import { operation } from '../../http/operation.ts';
import { bareRecord, emptyObject, page } from '../../http/replies.ts';
import {
  CustomizationSchema,
  CustomizationReadSchema,
  selectCustomizationExtras,
  serializeCustomization,
} from '../../schemas/catalog/customization.ts';
import { createCustomization, updateCustomization } from './commands.ts';
import { CustomizationRequest } from './requests.ts';

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
    reply: page(CustomizationReadSchema, { emptyStatus: 404 }),
    errors: [404],
    note: 'A query without matches returns 404, whose body also has data and meta. A page after the last one returns 200.',
    run: async ({ db, query }) => {
      const found = await db.page(customizations, query, {
        extras: selectCustomizationExtras(query.includes),
      });
      return { ...found, rows: found.rows.map((row) => serializeCustomization(db.store, row)) };
    },
  }),
  operation({
    id: 'createCustomization',
    route: 'POST /{alias}/catalog/customizations',
    access: 'catalog.write',
    body: CustomizationRequest.post,
    reply: bareRecord(CustomizationSchema),
    errors: [400],
    note: 'values applies to the type select, which needs at least one. For other types it is stored empty.',
    run: ({ db, body }) => createCustomization(db, body),
  }),
  operation({
    id: 'showCustomization',
    route: 'GET /{alias}/catalog/customizations/{id}',
    access: 'catalog.read',
    query: recordQuery(includes),
    reply: bareRecord(CustomizationReadSchema),
    errors: [],
    run: async ({ db, ids, query }) => {
      const found = await db.find(
        customizations,
        ids.id,
        selectCustomizationExtras(query.includes),
      );
      return found && serializeCustomization(db.store, found);
    },
  }),
  operation({
    id: 'updateCustomization',
    route: 'PUT /{alias}/catalog/customizations/{id}',
    access: 'catalog.write',
    body: CustomizationRequest.put,
    reply: bareRecord(CustomizationSchema),
    errors: [400, 404],
    run: ({ db, ids, body }) => updateCustomization(db, ids.id, body),
  }),
  operation({
    id: 'deleteCustomization',
    route: 'DELETE /{alias}/catalog/customizations/{id}',
    access: 'catalog.write',
    reply: emptyObject(),
    errors: [404],
    run: ({ db, ids }) => db.remove(customizations, ids.id),
  }),
];
