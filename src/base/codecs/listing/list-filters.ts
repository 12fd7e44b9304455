import { ParseError, parseFieldValue, type FieldType, type Condition } from './field-types.ts';
import { parseInCondition } from './search.ts';

/**
 * A query parameter that filters a list by one column. `contains` is for text; `any` accepts `name=1,2` and
 * `name[]=1&name[]=2`. An empty value has no effect.
 */
export interface ListingFilter<Column extends string = string> {
  column: Column;
  /** Other columns that `contains` searches as well. */
  or?: readonly Column[];
  kind: 'contains' | 'equals' | 'any';
  type: FieldType;
  description?: string;
}

/** Filter: text anywhere in a column. */
export function contains<const Column extends string>(column: Column, description?: string) {
  return filter(column, 'contains', 'text', description);
}

/** Filter: text anywhere in one of several columns. */
export function containsAny<const Column extends string>(
  columns: readonly [Column, ...Column[]],
  description?: string,
): ListingFilter<Column> {
  return { ...contains(columns[0], description), or: columns.slice(1) };
}

/** Filter: the value of a column. */
export function equals<const Column extends string>(
  column: Column,
  type: FieldType,
  description?: string,
) {
  return filter(column, 'equals', type, description);
}

/** Filter: any of several values of a column. */
export function anyOf<const Column extends string>(
  column: Column,
  type: FieldType,
  description?: string,
) {
  return filter(column, 'any', type, description);
}

/** Returns the parameter names of a filter. */
export function filterNames(name: string, { kind }: ListingFilter): string[] {
  return kind === 'any' ? [name, `${name}[]`] : [name];
}

/** Parses the values of a filter; undefined if all are empty. */
export function parseFilter(
  { column, or = [], kind, type }: ListingFilter,
  texts: readonly string[],
): Condition | ParseError | undefined {
  const values = texts.filter((text) => text !== '');
  const [text] = values;
  if (text === undefined) return undefined;
  if (kind === 'any') {
    const parts = values.flatMap((part) => part.split(','));
    return parseInCondition(column, type, parts);
  }
  const value = parseFieldValue(type, text);
  if (value instanceof ParseError) return value;
  if (kind === 'equals') return { column, is: 'equals', value };
  const conditions = [column, ...or].map((name) => ({
    column: name,
    is: 'contains' as const,
    text: String(value),
  }));
  return conditions.length === 1 ? conditions[0] : { any: conditions };
}

function filter<Column extends string>(
  column: Column,
  kind: ListingFilter['kind'],
  type: FieldType,
  description?: string,
): ListingFilter<Column> {
  return { column, kind, type, ...(description !== undefined && { description }) };
}
