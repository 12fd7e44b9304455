import { schemaOf } from './column-kind.ts';
import { filterNames } from './listing-filter.ts';
import type { ListingFilter } from './listing-filter.ts';
import type { Language } from './listing-options.ts';

/** One query parameter as the document shows it. */
export interface ListingParameter {
  name: string;
  description: string;
  schema: Record<string, unknown>;
}

const TEXT = { type: 'string' };

/** The parameters that a list knows. */
export function listingParameters(language: Language) {
  const { perPage = 10, sort, search, dates, includes = [], closedIncludes, parents } = language;
  const comparable = listed(Object.keys(search));
  const parameters: ListingParameter[] = [
    { name: 'page', description: 'Number of the page, from 1.', schema: positive(1) },
    {
      name: 'limit',
      description: 'Rows a page; above 100 counts as 100.',
      schema: positive(perPage),
    },
    {
      name: 'orderBy',
      description: `Sort keys, several with ";": ${listed(sort)}. The id is always the last key.`,
      schema: { ...TEXT, default: 'id' },
    },
    {
      name: 'sortedBy',
      description: 'Direction of all sort keys, in any case.',
      schema: { ...TEXT, enum: ['asc', 'desc'], default: 'asc' },
    },
    {
      name: 'search',
      description: `"field:value" or a value for all text columns, several with ";": ${comparable}.`,
      schema: TEXT,
    },
    {
      name: 'searchFields',
      description: `"field:condition" with like, = or in, several with ";": ${comparable}.`,
      schema: TEXT,
    },
    {
      name: 'searchJoin',
      description: 'How several pairs of search combine.',
      schema: { ...TEXT, enum: ['and', 'or'], default: 'and' },
    },
    {
      name: 'date',
      description: `"field:YYYY-MM-DD" or "field:YYYY-MM-DD|YYYY-MM-DD", days of the store's zone, both ends included: ${listed(dates)}.`,
      schema: TEXT,
    },
    {
      name: 'include',
      description:
        includes.length > 0 ? `Names with commas: ${listed(includes)}.` : 'No names yet.',
      schema: TEXT,
    },
    { name: 'skipCache', description: 'Accepted; nothing is cached.', schema: TEXT },
  ];
  if (closedIncludes) {
    const description = `Names with commas, no others: ${listed(closedIncludes)}.`;
    parameters.push({ name: 'includes', description, schema: TEXT });
  }
  if (parents !== undefined) {
    const schema = { type: 'boolean', default: false };
    parameters.push({ name: 'onlyParents', description: 'Only records without a parent.', schema });
  }
  const filters = Object.entries(language.filters ?? {});
  for (const [name, filter] of filters) parameters.push(ofFilter(name, filter));
  const names = [
    ...parameters.map(({ name }) => name),
    // An array is sent under two names; the document shows the one without brackets.
    ...filters.flatMap(([name, filter]) => filterNames(name, filter).slice(1)),
  ];
  return { names, parameters };
}

function ofFilter(name: string, filter: ListingFilter): ListingParameter {
  const { column, kind, type } = filter;
  if (kind === 'any') {
    const description = `Any of these values of ${column}, with commas or as ${name}[].`;
    return { name, description: filter.description ?? description, schema: TEXT };
  }
  const description = kind === 'contains' ? `Text in ${column}.` : `Value of ${column}.`;
  return { name, description: filter.description ?? description, schema: schemaOf(type) };
}

function positive(preset: number) {
  return { type: 'integer', minimum: 1, default: preset };
}

function listed(names: readonly string[]): string {
  return names.join(', ');
}
