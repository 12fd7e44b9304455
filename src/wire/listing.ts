import { z } from 'zod';
import type { Kind } from './column-kind.ts';
import type { Condition } from './condition.ts';
import type { ListingFilter } from './listing-filter.ts';
import { listingParameters } from './listing-parameters.ts';
import type { ListingParameter } from './listing-parameters.ts';
import { readListing } from './read-listing.ts';

export type { Condition } from './condition.ts';
export { anyOf, contains, equals } from './listing-filter.ts';

/** What a query asks of a list, in no database's words. */
export interface Listing<Column extends string = string> {
  page: number;
  perPage: number;
  /** The sort keys; `id` is the last one, so that pages never overlap. */
  order: { column: Column; descending: boolean }[];
  where: Condition<Column>;
  includes: string[];
}

/** The columns and names that a list knows besides `id`, `created_at` and `updated_at`. */
export interface ListingOptions<
  Sort extends string = string,
  Search extends string = string,
  Dates extends string = string,
  Filtered extends string = string,
  Parent extends string = string,
> {
  sort?: readonly Sort[];
  /** `text` columns are searched without a field name too. */
  search?: Readonly<Record<Search, Kind>>;
  dates?: readonly Dates[];
  includes?: readonly string[];
  /** Names of the parameter `includes`, where any other name is refused. */
  closedIncludes?: readonly string[];
  filters?: Readonly<Record<string, ListingFilter<Filtered>>>;
  /** The column that is null in a parent; adds the parameter `onlyParents`. */
  parents?: Parent;
  /** Rows a page without `limit`. */
  perPage?: 10 | 100;
}

/** The query parameters of one list: how they are read, and how they are documented. */
export interface ListingContract<Column extends string> {
  /** Reads raw parameters; inside `inZone`, as the days of `date` are those of a zone. */
  schema: z.ZodType<Listing<Column>, Record<string, string | string[]>>;
  /** Every parameter that is not unknown. */
  names: readonly string[];
  parameters: readonly ListingParameter[];
}

/** The query language of a list (contract 1.7, 1.8). */
export function listing<
  const Sort extends string = never,
  const Search extends string = never,
  const Dates extends string = never,
  const Filtered extends string = never,
  const Parent extends string = never,
>(options: ListingOptions<Sort, Search, Dates, Filtered, Parent> = {}) {
  const language = {
    ...options,
    sort: ['id', ...(options.sort ?? []), 'created_at', 'updated_at'],
    search: { id: 'id' as const, ...options.search },
    dates: ['created_at', 'updated_at', ...(options.dates ?? [])],
  };
  const { names, parameters } = listingParameters(language);
  const schema = z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .transform((query, context) => readListing(language, query, context));
  type Column = 'id' | 'created_at' | 'updated_at' | Sort | Search | Dates | Filtered | Parent;
  // The readers check every column against these lists, which is what the type argument says.
  return { schema, names, parameters } as unknown as ListingContract<Column>;
}
