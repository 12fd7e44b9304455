import { eq } from 'drizzle-orm';
import { listing, recordQuery } from '../../codecs/listing/listing.ts';
import { pickRelations, toMany } from '../../db/query/relations.ts';
import { filters, filterValues } from '../../db/schema/store/categories.ts';
import { operation } from '../../http/operation.ts';
import { bareRecord, data, emptyObject, page } from '../../http/replies.ts';
import { FilterSchema } from '../../schemas/catalog/filter.ts';
import { createFilter } from './commands.ts';
import { FilterChanges, NewFilter } from './requests.ts';

const includes = ['values'] as const;

const filterList = listing({
  sort: ['name'],
  search: { name: 'text', searchable: 'bool', navigation: 'bool' },
  includes,
});

const relations = { values: toMany(filterValues, eq(filterValues.filter_id, filters.id)) };

const included = (names: readonly string[]) => pickRelations(relations, names);

export const filterOperations = [
  operation({
    id: 'listFilters',
    route: 'GET /{alias}/catalog/filters',
    access: 'catalog.read',
    query: filterList,
    reply: page(FilterSchema),
    errors: [400],
    run: ({ db, query }) => db.page(filters, query, { extras: included(query.includes) }),
  }),
  operation({
    id: 'createFilter',
    route: 'POST /{alias}/catalog/filters',
    access: 'catalog.write',
    body: NewFilter,
    reply: data(201, FilterSchema),
    errors: [400, 422],
    note: 'A new filter can be sent with up to 100 values. Later, values are changed with their own operations.',
    run: ({ db, body }) => createFilter(db, body),
  }),
  operation({
    id: 'showFilter',
    route: 'GET /{alias}/catalog/filters/{filterId}',
    access: 'catalog.read',
    query: recordQuery(includes),
    reply: bareRecord(FilterSchema),
    errors: [400, 404],
    run: ({ db, ids, query }) => db.find(filters, ids.filterId, included(query.includes)),
  }),
  operation({
    id: 'updateFilter',
    route: 'PUT /{alias}/catalog/filters/{filterId}',
    access: 'catalog.write',
    body: FilterChanges,
    reply: data(200, FilterSchema),
    errors: [400, 404, 422],
    run: ({ db, ids, body }) => db.update(filters, ids.filterId, body),
  }),
  operation({
    id: 'deleteFilter',
    route: 'DELETE /{alias}/catalog/filters/{filterId}',
    access: 'catalog.write',
    reply: emptyObject(),
    errors: [404],
    note: 'Deleting a filter deletes its values.',
    run: ({ db, ids }) => db.remove(filters, ids.filterId),
  }),
];
