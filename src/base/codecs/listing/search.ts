import {
  ParseError,
  parseFieldValue,
  type FieldType,
  type Condition,
  type ComparedValue,
} from './field-types.ts';

/** The columns that `search` accepts. */
export type SearchFields = Readonly<Record<string, FieldType>>;

/** The comparisons of `searchFields`. */
export type Comparison = 'like' | '=' | 'in';

/** The most values of a search: each costs a look-up, or a scan of many records. */
const MAX_PAIRS = 5;
const MAX_COMPARISONS = 20;
const MAX_VALUES = 100;

/** Parses `searchFields`: pairs `field:condition`, separated by `;`. */
export function parseSearchFields(
  columns: SearchFields,
  text: string,
): Map<string, Comparison> | ParseError {
  const comparisons = new Map<string, Comparison>();
  const pairs = text.split(';');
  if (pairs.length > MAX_COMPARISONS) {
    return new ParseError(`Must contain at most ${MAX_COMPARISONS} conditions.`);
  }
  for (const pair of pairs) {
    const [column, comparison] = splitPair(pair);
    const type = fieldTypeOf(columns, column);
    if (!type) return unknownColumn(columns);
    const keyword = comparison?.toLowerCase();
    if (keyword !== 'like' && keyword !== '=' && keyword !== 'in') {
      return new ParseError('Must be field:condition, where the condition is like, = or in.');
    }
    if (keyword === 'like' && type !== 'text') {
      return new ParseError('Must use like only with text columns.');
    }
    comparisons.set(column, keyword);
  }
  return comparisons;
}

/** Parses `search`: `field:value`, or a value for all text columns. Several are separated by `;`. */
export function parseSearch(
  columns: SearchFields,
  comparisons: ReadonlyMap<string, Comparison>,
  join: 'and' | 'or',
  text: string,
): Condition | ParseError {
  const pairs = text.split(';');
  if (pairs.length > MAX_PAIRS) return new ParseError(`Must contain at most ${MAX_PAIRS} values.`);
  const conditions: Condition[] = [];
  for (const pair of pairs) {
    const [column, value] = splitPair(pair);
    const condition =
      value === undefined
        ? searchAllText(columns, comparisons, pair)
        : compare(columns, comparisons, column, value);
    if (condition instanceof ParseError) return condition;
    conditions.push(condition);
  }
  return join === 'or' ? { any: conditions } : { all: conditions };
}

function searchAllText(
  columns: SearchFields,
  comparisons: ReadonlyMap<string, Comparison>,
  value: string,
): Condition | ParseError {
  const any: Condition[] = [];
  for (const [column, type] of Object.entries(columns)) {
    if (type !== 'text') continue;
    const condition = compare(columns, comparisons, column, value);
    if (condition instanceof ParseError) return condition;
    any.push(condition);
  }
  return any.length > 0 ? { any } : new ParseError('Must be field:value.');
}

function compare(
  columns: SearchFields,
  comparisons: ReadonlyMap<string, Comparison>,
  column: string,
  text: string,
): Condition | ParseError {
  const type = fieldTypeOf(columns, column);
  if (!type) return unknownColumn(columns);
  const comparison = comparisons.get(column) ?? (type === 'text' ? 'like' : '=');
  if (comparison === 'in') return parseInCondition(column, type, text.split(','));
  const value = parseFieldValue(type, text);
  if (value instanceof ParseError) return value;
  return comparison === 'like'
    ? { column, is: 'contains', text: String(value) }
    : { column, is: 'equals', value };
}

/** Parses the condition that a column has one of several values. */
export function parseInCondition(
  column: string,
  type: FieldType,
  texts: readonly string[],
): Condition | ParseError {
  if (texts.length > MAX_VALUES)
    return new ParseError(`Must contain at most ${MAX_VALUES} values.`);
  const values = new Set<ComparedValue>();
  for (const text of texts) {
    const value = parseFieldValue(type, text);
    if (value instanceof ParseError) return value;
    values.add(value);
  }
  return { column, is: 'in', values: [...values] };
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
