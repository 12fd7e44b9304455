import { flags } from '../../db/schema/store.ts';
import { operation } from '../../http/operation.ts';
import { bare, data, nothing, page } from '../../http/replies.ts';
import { listing } from '../../wire/listing.ts';
import { Flag } from '../shapes/flag.ts';
import { createFlag, updateFlag } from './changes.ts';
import { flagExtras, shownFlag } from './reading.ts';
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
    reply: page(Flag),
    rejects: [400],
    run: async ({ db, query }) => {
      const found = await db.page(flags, query, { extras: flagExtras });
      return { ...found, rows: found.rows.map(shownFlag) };
    },
  }),
  operation({
    id: 'createFlag',
    route: 'POST /{alias}/catalog/flags',
    access: 'catalog.write',
    body: FlagRequest.post,
    reply: data(201, Flag),
    rejects: [400, 422],
    note: 'A product carries a flag when include_ids or a member of include names it and neither exclude_ids nor a member of exclude does; empty lists name nothing.',
    run: ({ db, body }) => createFlag(db, body),
  }),
  operation({
    id: 'showFlag',
    route: 'GET /{alias}/catalog/flags/{id}',
    access: 'catalog.read',
    reply: bare(Flag),
    rejects: [],
    note: 'total_products counts the active products that carry the flag now; a deleted record has left the lists.',
    run: async ({ db, ids }) => {
      const found = await db.find(flags, ids.id, flagExtras);
      return found && shownFlag(found);
    },
  }),
  operation({
    id: 'updateFlag',
    route: 'PUT /{alias}/catalog/flags/{id}',
    access: 'catalog.write',
    body: FlagRequest.put,
    reply: data(200, Flag),
    rejects: [400, 404, 422],
    note: 'Each list that is sent is replaced as a whole, those in include and exclude too; what is not sent stays.',
    run: ({ db, ids, body }) => updateFlag(db, ids.id, body),
  }),
  operation({
    id: 'deleteFlag',
    route: 'DELETE /{alias}/catalog/flags/{id}',
    access: 'catalog.write',
    reply: nothing(),
    rejects: [404],
    run: ({ db, ids }) => db.remove(flags, ids.id),
  }),
];
