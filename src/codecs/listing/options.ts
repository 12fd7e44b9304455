import type { FieldType, Condition } from './field-types.ts';
import type { ListingFilter } from './filters.ts';
import type { SearchFields } from './search.ts';

/** The parsed query of a list, independent of the database. */
export interface Listing<Column extends string = string> {
  page: number;
  perPage: number;
  /** The sort keys. `id` is always the last one, so that pages never overlap. */
  order: { column: Column; descending: boolean }[];
  where: Condition<Column>;
  includes: string[];
}

/** The columns of a list for sorting, searching and filtering, besides `id`, `created_at` and `updated_at`. */
export interface ListingOptions<
  Sort extends string = string,
  Search extends string = string,
  Dates extends string = string,
  Filtered extends string = string,
  Parent extends string = string,
> {
  sort?: readonly Sort[];
  /** A `search` without a field name searches the `text` columns. */
  search?: Readonly<Record<Search, FieldType>>;
  dates?: readonly Dates[];
  includes?: readonly string[];
  /** Names for the parameter `includes`, which rejects any other name. */
  closedIncludes?: readonly string[];
  filters?: Readonly<Record<string, ListingFilter<Filtered>>>;
  /** The column that is null for parents. Adds the parameter `onlyParents`. */
  parents?: Parent;
  /** Records per page without `limit`; 10 by default. */
  perPage?: 10 | 100;
}

/** The options of a list, with the columns that every list has. */
export interface ResolvedListingOptions extends ListingOptions {
  sort: readonly string[];
  search: SearchFields;
  dates: readonly string[];
}
