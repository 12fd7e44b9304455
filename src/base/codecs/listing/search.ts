import {
  isText,
  ParseError,
  parseCondition,
  type FieldType,
  type Condition,
} from './field-types.ts';

/** The columns that `search` accepts. */
export type SearchFields = Readonly<Record<string, FieldType>>;

/** The comparisons of `searchFields`. */
export type Comparison = 'like' | '=' | 'in';

/** The most values of a search: each costs a look-up, or a scan of many records. */
const maxPairs = 5;
const maxComparisons = 20;

/** Parses `searchFields`: pairs `field:condition`, separated by `;`. */
export function parseSearchFields(
  columns: SearchFields,
  text: string,
): Map<string, Comparison> | ParseError {
  const comparisons = new Map<string, Comparison>();
  const pairs = text.split(';');
  if (pairs.length > maxComparisons) {
    return new ParseError(`Must contain at most ${maxComparisons} conditions.`);
  }
  for (const pair of pairs) {
    const [column, comparison] = splitPair(pair);
    const type = fieldTypeOf(columns, column);
    if (!type) return unknownColumn(columns);
    const keyword = comparison?.toLowerCase();
    if (keyword !== 'like' && keyword !== '=' && keyword !== 'in') {
      return new ParseError('Must be field:condition, where the condition is like, = or in.');
    }
    if (keyword === 'like' && !isText(type)) {
      return new ParseError('Must use like only with text columns.');
    }
    comparisons.set(column, keyword);
  }
  return comparisons;
}

/**
 * A word before a colon of a search that is no field of the list, so that both were taken as text.
 */
export interface UnknownField {
  name: string;
  /** No blank follows its colon, as in `nme:azul`. */
  isTight: boolean;
}

/** How a list searches. */
export interface Searching {
  columns: SearchFields;
  comparisons: ReadonlyMap<string, Comparison>;
  join: 'and' | 'or';
}

/**
 * Parses `search`: `field:value`, or a value for all text columns. Several are separated by `;`. A
 * backslash makes `;`, `:` and `,` characters of a text. A word that is no field is a part of the
 * text, too; adds it to `unknown`.
 */
export function parseSearch(
  searching: Searching,
  text: string,
  unknown: UnknownField[],
): Condition | ParseError {
  const parts = splitAt(text, ';').map((part) => part.trim());
  // A separator at the end separates nothing; separators alone are an empty search.
  const filled = parts.filter((part) => part !== '');
  const pairs = filled.length > 0 ? filled : parts.slice(0, 1);
  if (pairs.length > maxPairs) {
    return new ParseError(
      `Must contain at most ${maxPairs} values; a ";" in a text is sent as "\\;".`,
    );
  }
  const conditions: Condition[] = [];
  for (const pair of pairs) {
    const [word = '', ...rest] = splitAt(pair, ':');
    const value = rest.join(':');
    const name = word.trim();
    const isField = rest.length > 0 && Object.hasOwn(searching.columns, name);
    if (!isField && rest.length > 0 && /^[a-z]\w*$/i.test(name) && !value.startsWith('//')) {
      unknown.push({ name, isTight: /^\S/.test(value) });
    }
    const condition = isField
      ? compare(searching, name, splitValues(value))
      : searchAllText(searching, splitValues(pair));
    if (condition instanceof ParseError) return condition;
    conditions.push(condition);
  }
  return searching.join === 'or' ? { any: conditions } : { all: conditions };
}

const splitValues = (text: string) =>
  splitAt(text, ',').map((part) => part.replaceAll(/\\([\\;:,])/g, '$1'));

/** A value of `search` with its field, which was sent apart from it. */
export const searchPair = (field: string, value: string) =>
  `${field}:${value.replaceAll(/[\\;]/g, String.raw`\$&`)}`;

/** Splits at a character, but not where a backslash stands before it. No query has a NUL. */
const splitAt = (text: string, separator: string): string[] =>
  text.replaceAll(/\\[\\;:,]|[;:,]/g, (found) => (found === separator ? '\0' : found)).split('\0');

function searchAllText(searching: Searching, values: readonly string[]): Condition | ParseError {
  const any: Condition[] = [];
  for (const [column, type] of Object.entries(searching.columns)) {
    if (!isText(type)) continue;
    const condition = compare(searching, column, values);
    if (condition instanceof ParseError) return condition;
    any.push(condition);
  }
  return any.length > 0 ? { any } : new ParseError('Must be field:value.');
}

/** Compares a column with a text, or with one of its parts between commas. */
function compare(
  { columns, comparisons }: Searching,
  column: string,
  parts: readonly string[],
): Condition | ParseError {
  const type = fieldTypeOf(columns, column);
  if (!type) return unknownColumn(columns);
  const comparison = comparisons.get(column) ?? (isText(type) ? 'like' : '=');
  if (comparison === 'in') return parseCondition(column, type, 'in', parts);
  return parseCondition(column, type, comparison === '=' ? 'equals' : 'contains', [parts.join()]);
}

function splitPair(pair: string): [string, string | undefined] {
  const colon = pair.indexOf(':');
  return colon < 0 ? [pair, undefined] : [pair.slice(0, colon).trim(), pair.slice(colon + 1)];
}

function fieldTypeOf(columns: SearchFields, column: string): FieldType | undefined {
  return Object.hasOwn(columns, column) ? columns[column] : undefined;
}

function unknownColumn(columns: SearchFields): ParseError {
  return new ParseError(`Must name one of ${Object.keys(columns).join(', ')}.`);
}
