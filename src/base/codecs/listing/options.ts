import type { FieldType, Condition } from './field-types.ts';
import type { ListingFilter } from './list-filters.ts';
import type { SearchFields, UnknownField } from './search.ts';

/** A sort value as the database has it. */
export type SortValue = string | number | null;

/** A place between two records of a list, which a cursor leads to. */
export interface ListPosition {
  /** The number of the page that starts here, or ends here if `isBack`. */
  page: number;
  /** The sort values of the record before this place, or after it if `isBack`. */
  values: readonly SortValue[];
  /** Whether the page before this place is meant. */
  isBack: boolean;
  /** A lower bound of the number of records, if an earlier page found too many to count. */
  total?: number | undefined;
}

/** The parsed query of a list, independent of the database. */
export interface Listing<Column extends string = string> {
  page: number;
  perPage: number;
  /** The parameter `cursor`, still sealed. */
  cursor?: string | undefined;
  /** The position that the cursor holds; `page` is then that of the position. */
  position?: ListPosition | undefined;
  /** The sort keys. `id` is always the last one, so that pages never overlap. */
  order: { column: Column; descending: boolean }[];
  where: Condition<Column>;
  includes: string[];
  /** Words that `search` took as text although they look like fields. */
  unknownFields?: UnknownField[];
}

/**
 * The columns of a list for sorting, searching and filtering, besides `id`, `created_at` and
 * `updated_at`.
 */
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
  filters: Readonly<Record<string, ListingFilter>>;
}
