import { formatNumber } from '../field-messages.ts';
import { explainEnum } from '../meaning.ts';
import { fieldValueSchema } from './field-types.ts';
import type { ListingFilter } from './list-filters.ts';
import type { ResolvedListingOptions } from './options.ts';
import { maxSkipped } from './parse-parameters.ts';

/** One query parameter in the OpenAPI document. */
export interface QueryParameter {
  name: string;
  description: string;
  schema: Record<string, unknown>;
  /** The field that a filter compares. */
  column?: string;
  /** Whether the description of a filter leaves the meaning of the field to the document. */
  needsMeaning?: true;
  /** Whether a filter is that of a field of `search`. */
  isOfSearch?: true;
}

const textSchema = { type: 'string' };

/** Returns all parameters of a list with their documentation. */
export function listingParameters(options: ResolvedListingOptions) {
  const { perPage = 10, sort, search, dates, includes = [], closedIncludes, parents } = options;
  const comparable = joinNames(Object.keys(search));
  const parameters: QueryParameter[] = [
    {
      name: 'page',
      description: `Page number, from 1. A page past the end is empty. Pages reach the first ${formatNumber(maxSkipped)} records (page × limit); links.next of meta.pagination goes on without end.`,
      schema: positiveInteger(1),
    },
    {
      name: 'cursor',
      description:
        'Place in the list, from a link in meta.pagination.links. Instead of page, with the same query and credentials.',
      schema: textSchema,
    },
    {
      name: 'limit',
      description: 'Records per page. Values above 100 count as 100.',
      schema: positiveInteger(perPage),
    },
    {
      name: 'orderBy',
      description: `Sort fields, separated by ";": ${joinNames(sort)}. The id is always the last one.`,
      schema: { ...textSchema, default: 'id' },
    },
    {
      name: 'sortedBy',
      description: 'Direction of all sort fields, in upper or lower case.',
      schema: { ...textSchema, enum: ['asc', 'desc'], default: 'asc' },
    },
    {
      name: 'search',
      description: `"field:value", or a value for any text field. Separate up to five by ";", not by "\\;". Fields: ${comparable}.`,
      schema: textSchema,
    },
    {
      name: 'searchFields',
      description: `"field:condition", where the condition is like, = or in. Separate several by ";". Fields: ${comparable}.`,
      schema: textSchema,
    },
    {
      name: 'searchJoin',
      description: 'Whether all values of search must match, or any.',
      schema: { ...textSchema, enum: ['and', 'or'], default: 'and' },
    },
    {
      name: 'date',
      description: `"field:YYYY-MM-DD" or "field:YYYY-MM-DD|YYYY-MM-DD": days in the store's time zone, both included. Fields: ${joinNames(dates)}.`,
      schema: textSchema,
    },
    {
      name: 'include',
      description:
        includes.length > 0
          ? `Relations to include, separated by commas: ${joinNames(includes)}.`
          : 'Accepted, without effect on this list.',
      schema: includes.length > 0 ? namesOf(includes) : textSchema,
    },
    {
      name: 'skipCache',
      description: 'Accepted, without effect: responses are not cached.',
      schema: textSchema,
    },
  ];
  if (closedIncludes) {
    const description = `Relations to include, separated by commas: ${joinNames(closedIncludes)}. Any other name is an error.`;
    parameters.push({ name: 'includes', description, schema: namesOf(closedIncludes) });
  }
  if (parents !== undefined) {
    const schema = { type: 'boolean', default: false };
    parameters.push({
      name: 'onlyParents',
      description: 'true for records without a parent only.',
      schema,
    });
  }
  const filters = Object.entries(options.filters);
  for (const [name, filter] of filters) {
    const { isOfSearch } = filter;
    parameters.push({ ...filterParameter(name, filter), ...(isOfSearch && { isOfSearch }) });
  }
  // The document has only the names without brackets.
  const names = [
    ...parameters.map(({ name }) => name),
    ...filters.flatMap(([name, { kind }]) => (kind === 'any' ? [`${name}[]`] : [])),
    ...['include', 'orderBy', 'search', 'searchFields'].map((name) => `${name}[]`),
    ...(closedIncludes ? ['includes[]'] : []),
    ...Object.keys(search).flatMap((field) => [`search[${field}]`, `searchFields[${field}]`]),
    ...dates.map((field) => `date[${field}]`),
  ];
  return { names, parameters };
}

function filterParameter(name: string, filter: ListingFilter): QueryParameter {
  const { column, kind, type } = filter;
  if (kind === 'any') {
    const description = `Only records with one of these values of ${column}: separated by commas, or as several ${name}[].`;
    const schema = { type: 'array', items: fieldValueSchema(type) };
    return { name, schema, ...describe(filter, description) };
  }
  const description =
    kind === 'contains'
      ? `Only records whose ${column} contains this text.`
      : `Only records with this ${column}.`;
  return { name, schema: fieldValueSchema(type), ...describe(filter, description) };
}

/**
 * The own description of a filter, or the given one, which leaves the meaning of the field to the
 * document.
 */
const describe = ({ description, column }: ListingFilter, fallback: string) =>
  description === undefined
    ? { description: fallback, column, needsMeaning: true as const }
    : { description, column };

/** A list of some of these names, separated by commas. */
const namesOf = (names: readonly string[]) => ({
  type: 'array',
  items: { type: 'string', enum: [...names] },
});

function positiveInteger(defaultValue: number) {
  return { type: 'integer', minimum: 1, default: defaultValue };
}

function joinNames(names: readonly string[]): string {
  return names.join(', ');
}

/* @__PURE__ */ explainEnum(
  'SortDirection',
  'Whether a list starts with the smallest or the largest value.',
  { asc: 'Smallest, oldest or first letter first.', desc: 'The other way round.' },
);

/* @__PURE__ */ explainEnum('SearchJoin', 'How several values of search are combined.', {
  and: 'All of them must match.',
  or: 'One of them is enough.',
});
