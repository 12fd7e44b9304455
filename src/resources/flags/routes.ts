import { listing } from '../../codecs/listing/listing.ts';
import { flags } from '../../db/schema/store/flags.ts';
import { operation } from '../../http/operation.ts';
import { bareRecord, data, emptyObject, page } from '../../http/replies.ts';
import { FlagSchema, flagExtras, serializeFlag } from '../../schemas/catalog/flag.ts';
import { createFlag, updateFlag } from './commands.ts';
import { FlagRequest } from './requests.ts';

const flagList = listing({
  sort: ['name', 'slug', 'active'],
  search: { name: 'text', slug: 'text', active: 'bool', is_visible: 'bool' },
});

export const flagOperations = [
  operation({
    id: 'listFlags',
    route: 'GET /{alias}/catalog/flags',
    access: 'catalog.read',
    query: flagList,
    reply: page(FlagSchema),
    errors: [400],
    run: async ({ db, query }) => {
      const found = await db.page(flags, query, { extras: flagExtras });
      return { ...found, rows: found.rows.map(serializeFlag) };
    },
  }),
  operation({
    id: 'createFlag',
    route: 'POST /{alias}/catalog/flags',
    access: 'catalog.write',
    body: FlagRequest.post,
    reply: data(201, FlagSchema),
    errors: [400, 422],
    note: 'A product has a flag when include_ids or a list in include matches it, and neither exclude_ids nor a list in exclude does. An empty list matches nothing.',
    run: ({ db, body }) => createFlag(db, body),
  }),
  operation({
    id: 'showFlag',
    route: 'GET /{alias}/catalog/flags/{id}',
    access: 'catalog.read',
    reply: bareRecord(FlagSchema),
    errors: [],
    note: 'total_products counts the active products that have the flag now. Deleted records are removed from the lists.',
    run: async ({ db, ids }) => {
      const found = await db.find(flags, ids.id, flagExtras);
      return found && serializeFlag(found);
    },
  }),
  operation({
    id: 'updateFlag',
    route: 'PUT /{alias}/catalog/flags/{id}',
    access: 'catalog.write',
    body: FlagRequest.put,
    reply: data(200, FlagSchema),
    errors: [400, 404, 422],
    note: 'Each list that is sent is replaced as a whole, including those in include and exclude. Fields that are not sent keep their values.',
    run: ({ db, ids, body }) => updateFlag(db, ids.id, body),
  }),
  operation({
    id: 'deleteFlag',
    route: 'DELETE /{alias}/catalog/flags/{id}',
    access: 'catalog.write',
    reply: emptyObject(),
    errors: [404],
    run: ({ db, ids }) => db.remove(flags, ids.id),
  }),
];
