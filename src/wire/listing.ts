import * as z from 'zod';
import type { Listing, ListingOptions } from './listing-options.ts';
import { listingParameters } from './listing-parameters.ts';
import type { ListingParameter } from './listing-parameters.ts';
import { readListing } from './read-listing.ts';

export type { Condition } from './condition.ts';
export type { Listing } from './listing-options.ts';
export { anyOf, contains, containsAny, equals } from './listing-filter.ts';

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
