import * as z from 'zod';
import { filtersOf } from './list-filters.ts';
import type { Listing, ListingOptions, ResolvedListingOptions } from './options.ts';
import { listingParameters, type QueryParameter } from './parameters.ts';
import { parseListing } from './parse-listing.ts';
import type { SearchFields } from './search.ts';

export type { Condition } from './field-types.ts';
export type { Listing } from './options.ts';
export { anyOf, contains, containsAny, equals } from './list-filters.ts';

/** The query parameters of one list: how to parse them and how to document them. */
export interface ListingDefinition<Column extends string> {
  /** Parses raw parameters. Only inside `runInZone`, because `date` is in days of a zone. */
  schema: z.ZodType<Listing<Column>, Record<string, string | string[]>>;
  /** Names of all known parameters. */
  names: readonly string[];
  /** Relations that `include` accepts. */
  includes: readonly string[];
  parameters: readonly QueryParameter[];
  /** The fields that `date` accepts. */
  dates: readonly string[];
}

/** Declares the query parameters of a list (see README: Lists). */
export function listing<
  const Sort extends string = never,
  const Search extends string = never,
  const Dates extends string = never,
  const Filtered extends string = never,
  const Parent extends string = never,
>(options: ListingOptions<Sort, Search, Dates, Filtered, Parent> = {}) {
  const search: SearchFields = { id: 'id', ...options.search };
  const resolved: ResolvedListingOptions = {
    ...options,
    sort: ['id', ...(options.sort ?? []), 'created_at', 'updated_at'],
    search,
    filters: { ...filtersOf(search), ...options.filters },
    dates: ['created_at', 'updated_at', ...(options.dates ?? [])],
  };
  const { names, parameters } = listingParameters(resolved);
  const schema = z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .transform((query, context) => parseListing(resolved, query, context));
  type Column = 'id' | 'created_at' | 'updated_at' | Sort | Search | Dates | Filtered | Parent;
  // The parsers check each column against these lists, as the type argument states.
  const { includes = [] } = options;
  const { dates } = resolved;
  return { schema, names, includes, parameters, dates } as unknown as ListingDefinition<Column>;
}

const recordParameters = ['include', 'include[]', 'skipCache'];

/** Declares the query parameters of one record: the relations that it can include. */
export function recordQuery(includes: readonly string[]) {
  const { schema, parameters } = listing({ includes });
  return {
    schema,
    names: recordParameters,
    includes,
    parameters: parameters.filter(({ name }) => recordParameters.includes(name)),
  };
}
