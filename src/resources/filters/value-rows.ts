import { and, eq } from 'drizzle-orm';
import { insertionBelow } from '../../db/children.ts';
import { newestOf } from '../../db/links.ts';
import { filters, filterValues } from '../../db/schema/store.ts';
import { operation } from '../../http/operation.ts';
import { dataOfOne, nothing, page } from '../../http/replies.ts';
import { listing } from '../../wire/listing.ts';
import { FilterOption, FilterOptionRead } from '../shapes/filter.ts';
import { FilterOptionRequest } from './request.ts';
import { valuesOf } from './writing.ts';

const valueList = listing({ sort: ['name'], search: { name: 'text' }, perPage: 100 });

/** A value is found only under its own filter. */
const isUnder = ({ filterId }: { filterId: number }) => eq(filterValues.filter_id, filterId);

export const filterValueOperations = [
  operation({
    id: 'listFilterValues',
    route: 'GET /{alias}/catalog/filters/{filterId}/values',
    access: 'catalog.read',
    query: valueList,
    reply: page(FilterOptionRead),
    rejects: [404],
    note: '404 only when the filter does not exist; 100 rows a page unless limit says otherwise.',
    run: ({ db, ids, query }) =>
      db.pageUnder(filters, ids.filterId, filterValues, query, { where: isUnder(ids) }),
  }),
  operation({
    id: 'createFilterValue',
    route: 'POST /{alias}/catalog/filters/{filterId}/values',
    access: 'catalog.write',
    body: FilterOptionRequest.post,
    reply: dataOfOne(FilterOption),
    rejects: [400, 404],
    note: 'The name of a value is unique in its filter, without regard to letter case.',
    run: async ({ db, ids, body }) => {
      const newest = eq(filterValues.id, newestOf(db, filterValues));
      const [made, rows] = await db.batch([
        insertionBelow(db, valuesOf, ids.filterId, [body]),
        db.select(filterValues, { where: newest }),
      ]);
      return made.length > 0 ? rows[0] : undefined;
    },
  }),
  operation({
    id: 'showFilterValue',
    route: 'GET /{alias}/catalog/filters/{filterId}/values/{id}',
    access: 'catalog.read',
    reply: dataOfOne(FilterOptionRead),
    rejects: [404],
    run: ({ db, ids }) => db.find(filterValues, ids.id, {}, isUnder(ids)),
  }),
  operation({
    id: 'updateFilterValue',
    route: 'PUT /{alias}/catalog/filters/{filterId}/values/{id}',
    access: 'catalog.write',
    body: FilterOptionRequest.put,
    reply: dataOfOne(FilterOption),
    rejects: [400, 404],
    run: async ({ db, ids, body }) => {
      const [, rows] = await db.batch([
        db.change(filterValues, and(eq(filterValues.id, ids.id), isUnder(ids)), body),
        db.selectOne(filterValues, ids.id, {}, isUnder(ids)),
      ]);
      return rows[0];
    },
  }),
  operation({
    id: 'deleteFilterValue',
    route: 'DELETE /{alias}/catalog/filters/{filterId}/values/{id}',
    access: 'catalog.write',
    reply: nothing(),
    rejects: [400, 404],
    run: async ({ db, ids }) => {
      const [removed] = await db.batch([
        db.removal(filterValues, and(eq(filterValues.id, ids.id), isUnder(ids))),
      ]);
      return removed[0];
    },
  }),
];
