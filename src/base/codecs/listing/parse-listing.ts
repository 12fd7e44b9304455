import type * as z from 'zod';
import { costOf } from '../fields/string-input.ts';
import { type Condition, maxValueLength, ParseError, parseFieldValue } from './field-types.ts';
import { parseFilter } from './list-filters.ts';
import type { Listing, ResolvedListingOptions } from './options.ts';
import {
  parseClosedIncludes,
  parseCursor,
  parseDate,
  parseInclude,
  parseKeyword,
  parseLimit,
  parseOrderBy,
  parsePage,
} from './parse-parameters.ts';
import {
  type Comparison,
  parseSearch,
  parseSearchFields,
  searchPair,
  type UnknownField,
} from './search.ts';

type Query = Readonly<Record<string, string | string[]>>;

/** Parses all parameters of a list. Each malformed parameter adds an issue under its name. */
export function parseListing(
  options: ResolvedListingOptions,
  query: Query,
  context: z.core.$RefinementCtx,
): Listing {
  const valueOrIssue = <T>(name: string, value: T | ParseError, fallback: T): T => {
    if (!(value instanceof ParseError)) return value;
    context.addIssue({ code: 'custom', message: value.message, path: [name] });
    return fallback;
  };
  const keyed = keyedTexts(query);
  const parse = <T>(
    name: string,
    fallback: T,
    parser: (text: string) => T | ParseError,
    separator?: ',' | ';',
  ): T => {
    const plain = query[name];
    const listed = separator && query[`${name}[]`];
    const pairs = keyed[name];
    if (plain === undefined && listed === undefined && pairs === undefined) return fallback;
    const texts = [plain ?? [], listed ?? [], pairs ?? []].flat();
    const isOne = texts.length === 1 || separator !== undefined;
    const value = isOne
      ? parseCheap(texts.join(separator), parser)
      : new ParseError('Must be sent once.');
    return valueOrIssue(name, value, fallback);
  };

  const descending =
    parse('sortedBy', 'asc', (text) => parseKeyword(['asc', 'desc'], text)) === 'desc';
  const keys = parse('orderBy', ['id'], (text) => parseOrderBy(options.sort, text), ';');
  const order = keys.includes('id') ? keys.slice(0, keys.indexOf('id') + 1) : [...keys, 'id'];

  const conditions: Condition[] = [];
  const addCondition = (condition: Condition | undefined) =>
    condition && conditions.push(condition);
  const { search, dates, parents } = options;
  const join = parse<'and' | 'or'>('searchJoin', 'and', (text) =>
    parseKeyword(['and', 'or'], text),
  );
  const comparisons = parse(
    'searchFields',
    new Map<string, Comparison>(),
    (text) => parseSearchFields(search, text),
    ';',
  );
  const unknownFields: UnknownField[] = [];
  const searching = { columns: search, comparisons, join };
  addCondition(
    parse<Condition | undefined>(
      'search',
      undefined,
      (text) => parseSearch(searching, text, unknownFields),
      ';',
    ),
  );
  addCondition(parse<Condition | undefined>('date', undefined, (text) => parseDate(dates, text)));
  for (const [name, filter] of Object.entries(options.filters)) {
    const isList = filter.kind === 'any';
    const plain = query[name];
    const listed = isList ? query[`${name}[]`] : undefined;
    if (plain === undefined && listed === undefined) continue;
    const texts = [plain ?? [], listed ?? []].flat();
    const condition =
      texts.length > 1 && !isList
        ? new ParseError('Must be sent once.')
        : (findCostly(texts) ?? parseFilter(filter, texts));
    addCondition(valueOrIssue(name, condition, undefined));
  }
  if (
    parents !== undefined &&
    parse('onlyParents', false, (text) => parseFieldValue('bool', text))
  ) {
    addCondition({ column: parents, is: 'null' });
  }

  const { includes = [], closedIncludes } = options;
  const openIncludes = parse('include', [], (text) => parseInclude(includes, text), ',');
  const checkedIncludes = closedIncludes
    ? parse('includes', [], (text) => parseClosedIncludes(closedIncludes, text), ',')
    : [];
  const perPage = parse('limit', options.perPage ?? 10, parseLimit);
  const cursor = parse<string | undefined>('cursor', undefined, parseCursor);
  const page = parse('page', 1, (text) => {
    const number = parsePage(text);
    if (number instanceof ParseError) return number;
    return cursor === undefined ? number : new ParseError('Must not be sent with a cursor.');
  });
  return {
    page,
    perPage,
    cursor,
    order: order.map((column) => ({ column, descending })),
    where: { all: conditions },
    includes: [...new Set([...openIncludes, ...checkedIncludes])],
    ...(unknownFields.length > 0 && { unknownFields }),
  };
}

/**
 * The pairs `field:value` of parameters that were sent as `search[field]`, by the name before the
 * brackets.
 */
function keyedTexts(query: Query): Readonly<Record<string, readonly string[]>> {
  const keyed: Record<string, string[]> = {};
  for (const [sentName, values] of Object.entries(query)) {
    const [, name = '', field] = sentName.endsWith(']')
      ? (/^(\w+)\[(\w+)\]$/.exec(sentName) ?? [])
      : [];
    if (field === undefined) continue;
    for (const value of [values].flat()) {
      // A value that is refused for its length is not worth to be rewritten.
      (keyed[name] ??= []).push(refuseCostly(value) ? value : searchPair(field, value));
    }
  }
  return keyed;
}

const findCostly = (texts: readonly string[]): ParseError | undefined =>
  texts.map(refuseCostly).find((error) => error !== undefined);

/**
 * Rejects a parameter that is too long or has too many combining marks, before it is split, folded
 * or matched.
 */
function refuseCostly(text: string): ParseError | undefined {
  const cost = costOf(text, maxValueLength);
  return cost === undefined ? undefined : new ParseError(cost);
}

const parseCheap = <T>(text: string, parser: (text: string) => T | ParseError): T | ParseError =>
  refuseCostly(text) ?? parser(text);
