import { listing } from '../../../codecs/listing/listing.ts';
import { filters, filterValues } from '../../../db/schema/store/categories.ts';
import { operation } from '../../../http/operation.ts';
import { dataListOfOne, emptyObject, page } from '../../../http/replies.ts';
import { FilterOptionSchema, FilterOptionReadSchema } from '../../../schemas/catalog/filter.ts';
import {
  belongsToFilter,
  createFilterValue,
  deleteFilterValue,
  updateFilterValue,
} from './commands.ts';
import { FilterOptionRequest } from './requests.ts';

const valueList = listing({ sort: ['name'], search: { name: 'text' }, perPage: 100 });

export const filterValueOperations = [
  operation({
    id: 'listFilterValues',
    route: 'GET /{alias}/catalog/filters/{filterId}/values',
    access: 'catalog.read',
    query: valueList,
    reply: page(FilterOptionReadSchema),
    errors: [404],
    note: '404 only when the filter does not exist. 100 records per page unless limit is sent.',
    run: ({ db, ids, query }) =>
      db.pageOfParent(filters, ids.filterId, filterValues, query, { where: belongsToFilter(ids) }),
  }),
  operation({
    id: 'createFilterValue',
    route: 'POST /{alias}/catalog/filters/{filterId}/values',
    access: 'catalog.write',
    body: FilterOptionRequest.post,
    reply: dataListOfOne(FilterOptionSchema),
    errors: [400, 404],
    note: 'The name of a value is unique in its filter, ignoring letter case.',
    run: ({ db, ids, body }) => createFilterValue(db, ids.filterId, body),
  }),
  operation({
    id: 'showFilterValue',
    route: 'GET /{alias}/catalog/filters/{filterId}/values/{id}',
    access: 'catalog.read',
    reply: dataListOfOne(FilterOptionReadSchema),
    errors: [404],
    run: ({ db, ids }) => db.find(filterValues, ids.id, {}, belongsToFilter(ids)),
  }),
  operation({
    id: 'updateFilterValue',
    route: 'PUT /{alias}/catalog/filters/{filterId}/values/{id}',
    access: 'catalog.write',
    body: FilterOptionRequest.put,
    reply: dataListOfOne(FilterOptionSchema),
    errors: [400, 404],
    run: ({ db, ids, body }) => updateFilterValue(db, ids, body),
  }),
  operation({
    id: 'deleteFilterValue',
    route: 'DELETE /{alias}/catalog/filters/{filterId}/values/{id}',
    access: 'catalog.write',
    reply: emptyObject(),
    errors: [400, 404],
    run: ({ db, ids }) => deleteFilterValue(db, ids),
  }),
];
