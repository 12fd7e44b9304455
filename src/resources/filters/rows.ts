import { eq } from 'drizzle-orm';
import { chosen, many } from '../../db/relations.ts';
import { filters, filterValues } from '../../db/schema/store.ts';
import { operation } from '../../http/operation.ts';
import { bare, data, nothing, page } from '../../http/replies.ts';
import { listing } from '../../wire/listing.ts';
import { Filter } from '../shapes/filter.ts';
import { FilterChanges, NewFilter } from './request.ts';
import { createFilter } from './writing.ts';

const includes = ['values'] as const;

const filterList = listing({
  sort: ['name'],
  search: { name: 'text', searchable: 'bool', navigation: 'bool' },
  includes,
});

const relations = { values: many(filterValues, eq(filterValues.filter_id, filters.id)) };

const included = (names: readonly string[]) => chosen(relations, names);

export const filterOperations = [
  operation({
    id: 'listFilters',
    route: 'GET /{alias}/catalog/filters',
    access: 'catalog.read',
    query: filterList,
    reply: page(Filter),
    rejects: [400],
    run: ({ db, query }) => db.page(filters, query, { extras: included(query.includes) }),
  }),
  operation({
    id: 'createFilter',
    route: 'POST /{alias}/catalog/filters',
    access: 'catalog.write',
    body: NewFilter,
    reply: data(201, Filter),
    rejects: [400, 422],
    note: 'Up to 100 values come with a new filter; afterwards each has rows of its own.',
    run: ({ db, body }) => createFilter(db, body),
  }),
  operation({
    id: 'showFilter',
    route: 'GET /{alias}/catalog/filters/{filterId}',
    access: 'catalog.read',
    query: listing({ includes }),
    reply: bare(Filter),
    rejects: [400, 404],
    run: ({ db, ids, query }) => db.find(filters, ids.filterId, included(query.includes)),
  }),
  operation({
    id: 'updateFilter',
    route: 'PUT /{alias}/catalog/filters/{filterId}',
    access: 'catalog.write',
    body: FilterChanges,
    reply: data(200, Filter),
    rejects: [400, 404, 422],
    run: ({ db, ids, body }) => db.update(filters, ids.filterId, body),
  }),
  operation({
    id: 'deleteFilter',
    route: 'DELETE /{alias}/catalog/filters/{filterId}',
    access: 'catalog.write',
    reply: nothing(),
    rejects: [404],
    note: 'The values of a deleted filter go with it.',
    run: ({ db, ids }) => db.remove(filters, ids.filterId),
  }),
];
