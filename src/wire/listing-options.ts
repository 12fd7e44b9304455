import type { Kind } from './column-kind.ts';
import type { Condition } from './condition.ts';
import type { ListingFilter } from './listing-filter.ts';
import type { Searchable } from './search.ts';

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

/** The options of a list with the columns that every list knows. */
export interface Language extends ListingOptions {
  sort: readonly string[];
  search: Searchable;
  dates: readonly string[];
}
