import { eq, and } from 'drizzle-orm';
import * as z from 'zod';
import { arrayOf, uniqueBy } from '../base/codecs/fields/arrays-and-objects.ts';
import { recordTimes } from '../base/codecs/fields/date-time.ts';
import { idOutput } from '../base/codecs/fields/ids.ts';
import { nameKey } from '../base/codecs/fields/normalize-text.ts';
import { orNull } from '../base/codecs/fields/nullable.ts';
import { bool, boolOutput } from '../base/codecs/fields/scalars.ts';
import { colour, url } from '../base/codecs/fields/string-formats.ts';
import { line } from '../base/codecs/fields/text.ts';
import { listing, recordQuery } from '../base/codecs/listing/listing.ts';
import { explain, explainBodies, explainBody, explainChanges } from '../base/codecs/meaning.ts';
import { requestBodies } from '../base/codecs/request-bodies.ts';
import type { StoreDb } from '../data/core/store-db.ts';
import { insertChildrenStatement } from '../data/queries/child-rows.ts';
import { countDetachedStatement, readDetached, removeCounted } from '../data/queries/detached.ts';
import { pickRelations, toMany } from '../data/queries/relations.ts';
import { filters, filterValues } from '../data/schema/store/categories-tables.ts';
import { explainOperations, operation } from '../http/operation.ts';
import { bareRecord, data, dataListOfOne, deleted, page } from '../http/replies.ts';

/** A filter value in responses of POST and PUT. */
const FilterOptionSchema = z
  .object({
    id: idOutput,
    name: z.string(),
    color: z.string().nullable(),
    image_url: z.string().nullable(),
  })
  .meta({ id: 'FilterOption' });

const filterOptionMeanings = {
  name: 'What buyers read; unique in the filter, ignoring letter case.',
  color: 'Colour of the swatch beside the name, as #RGB or #RRGGBB.',
  image_url: 'Address of a picture beside the name, which you host.',
};

/* @__PURE__ */ explain(
  FilterOptionSchema,
  'One choice of a filter, such as Blue of the filter Colour.',
  filterOptionMeanings,
);

/**
 * A filter value in responses of GET: merged with `FilterOptionAdditionalResponse` of the
 * specification.
 */
const FilterOptionReadSchema = z
  .object({ ...FilterOptionSchema.shape, ...recordTimes })
  .meta({ id: 'FilterOptionRead' });

/* @__PURE__ */ explain(
  FilterOptionReadSchema,
  'A filter value as lists and single reads return it.',
  filterOptionMeanings,
);

/** A filter; `values` is present when `include` names it. */
const FilterSchema = z
  .object({
    id: idOutput,
    name: z.string(),
    searchable: boolOutput,
    navigation: boolOutput,
    ...recordTimes,
    values: z.object({ data: z.array(FilterOptionReadSchema) }).optional(),
  })
  .meta({ id: 'Filter' });

/* @__PURE__ */ explain(
  FilterSchema,
  'A property by which buyers narrow down lists of products, such as the colour.',
  {
    name: 'What buyers read above the values; unique in the store, ignoring letter case.',
    searchable: 'Whether the search of the shop looks at the values.',
    navigation: 'Whether the shop offers the filter beside lists of products.',
    values: 'Up to 100 values, by id; with include=values.',
  },
);

export const FilterOptionRequest = requestBodies({
  required: { name: line(100) },
  optional: { color: [orNull(colour), null], image_url: [orNull(url()), null] },
});

/* @__PURE__ */ explainBodies(FilterOptionRequest, FilterOptionSchema, {
  FilterValueInput: 'One more choice of a filter, such as Blue of the filter Colour.',
  FilterValuePatch: 'The fields of a choice of a filter to change.',
});

const values = arrayOf(FilterOptionRequest.post, { max: 100 }).superRefine(
  uniqueBy(({ name }) => nameKey(name), 'name'),
);

const fields = {
  required: { name: line(100) },
  optional: { searchable: [bool, true], navigation: [bool, true] },
} as const;

export const NewFilter = requestBodies({
  ...fields,
  optional: {
    ...fields.optional,
    values: [
      values.describe('First values of the filter; later ones have their own operations.'),
      [],
    ],
  },
}).post;

/* @__PURE__ */ explainBody(NewFilter, FilterSchema, {
  FilterInput: 'A new property that buyers narrow lists by, with its choices if you send them.',
});

/** The body of PUT. Values are changed by their own operations. */
const FilterChanges = requestBodies(fields).put;

/* @__PURE__ */ explainChanges(FilterChanges, FilterSchema, {
  FilterPatch: 'The fields of such a property to change; its choices have operations of their own.',
});

/** Creates a filter with its values. One round trip. */
export async function createFilter(db: StoreDb, { values, ...filter }: z.output<typeof NewFilter>) {
  const [first, ...others] = values;
  const [rows] = await db.batch([
    db.insertStatement(filters, filter),
    ...(first
      ? [
          insertChildrenStatement(db, valuesOfFilter, db.lastInsertedId(filters), [
            first,
            ...others,
          ]),
        ]
      : []),
  ]);
  return rows[0];
}

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
    hasListTag: true,
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
    reply: deleted(),
    errors: [404],
    run: ({ db, ids }) => removeCounted(db, filters, ids.filterId),
  }),
];

const valuesOfFilter = {
  table: filterValues,
  parent: filters,
  parentColumn: 'filter_id',
} as const;

/** Ids of the path of one value. */
interface ValueIds {
  filterId: number;
  id: number;
}

const belongsToFilter = ({ filterId }: { filterId: number }) =>
  eq(filterValues.filter_id, filterId);

/**
 * Adds a value to a filter. Returns `undefined` when the store has no such filter. One round trip.
 */
async function createFilterValue(
  db: StoreDb,
  filterId: number,
  body: z.output<typeof FilterOptionRequest.post>,
) {
  const [inserted, rows] = await db.batch([
    insertChildrenStatement(db, valuesOfFilter, filterId, [body]),
    db.select(filterValues, { where: eq(filterValues.id, db.lastInsertedId(filterValues)) }),
  ]);
  return inserted.length > 0 ? rows[0] : undefined;
}

/** Updates a value. Returns `undefined` when the filter has no such value. One round trip. */
async function updateFilterValue(
  db: StoreDb,
  ids: ValueIds,
  body: z.output<typeof FilterOptionRequest.put>,
) {
  const [, rows] = await db.batch([
    db.updateStatement(filterValues, and(eq(filterValues.id, ids.id), belongsToFilter(ids)), body),
    db.selectOne(filterValues, ids.id, {}, belongsToFilter(ids)),
  ]);
  return rows[0];
}

/** Deletes a value. Returns `undefined` when the filter has no such value. One round trip. */
async function deleteFilterValue(db: StoreDb, ids: ValueIds) {
  const [counted, gone] = await db.batch([
    countDetachedStatement(db, filterValues, ids.id),
    db.deleteStatement(filterValues, and(eq(filterValues.id, ids.id), belongsToFilter(ids))),
  ]);
  return gone[0] && readDetached(counted);
}

const valueList = listing({ sort: ['name'], search: { name: 'text' }, perPage: 100 });

export const filterValueOperations = [
  operation({
    id: 'listFilterValues',
    route: 'GET /{alias}/catalog/filters/{filterId}/values',
    access: 'catalog.read',
    query: valueList,
    hasListTag: true,
    reply: page(FilterOptionReadSchema),
    errors: [404],
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
    reply: deleted(),
    errors: [400, 404],
    run: ({ db, ids }) => deleteFilterValue(db, ids),
  }),
];

/* @__PURE__ */ explainOperations({
  createFilter:
    'A new filter can be sent with up to 100 values. Later, values are changed with their own operations.',
  deleteFilter:
    'Deleting a filter deletes its values, and categories lose them: X-Warning says how many.',
  deleteFilterValue: 'Categories lose the value: X-Warning says how many.',
  listFilterValues:
    '404 only when the filter does not exist. 100 records per page unless limit is sent.',
  createFilterValue: 'The name of a value is unique in its filter, ignoring letter case.',
});
