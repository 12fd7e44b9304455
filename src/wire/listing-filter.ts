import { Malformed, valueOf } from './column-kind.ts';
import type { Kind } from './column-kind.ts';
import type { Condition } from './condition.ts';
import { oneOf } from './search.ts';

/**
 * A query parameter of its own that narrows a list by one column. `contains` is for text, `any`
 * takes `name=1,2` and `name[]=1&name[]=2`. An empty value asks nothing.
 */
export interface ListingFilter<Column extends string = string> {
  column: Column;
  /** Other columns that `contains` looks into as well. */
  or?: readonly Column[];
  kind: 'contains' | 'equals' | 'any';
  type: Kind;
  description?: string;
}

/** A filter: text anywhere in a column. */
export function contains<const Column extends string>(column: Column, description?: string) {
  return filter(column, 'contains', 'text', description);
}

/** A filter: text anywhere in one of several columns. */
export function containsAny<const Column extends string>(
  columns: readonly [Column, ...Column[]],
  description?: string,
): ListingFilter<Column> {
  return { ...contains(columns[0], description), or: columns.slice(1) };
}

/** A filter: the value of a column. */
export function equals<const Column extends string>(
  column: Column,
  type: Kind,
  description?: string,
) {
  return filter(column, 'equals', type, description);
}

/** A filter: any of several values of a column. */
export function anyOf<const Column extends string>(
  column: Column,
  type: Kind,
  description?: string,
) {
  return filter(column, 'any', type, description);
}

/** The names under which a filter is sent. */
export function filterNames(name: string, { kind }: ListingFilter): string[] {
  return kind === 'any' ? [name, `${name}[]`] : [name];
}

/** The condition of a filter's values, undefined when they ask nothing. */
export function readFilter(
  { column, or = [], kind, type }: ListingFilter,
  texts: readonly string[],
): Condition | Malformed | undefined {
  const asked = texts.filter((text) => text !== '');
  const [text] = asked;
  if (text === undefined) return undefined;
  if (kind === 'any')
    return oneOf(
      column,
      type,
      asked.flatMap((part) => part.split(',')),
    );
  const value = valueOf(type, text);
  if (value instanceof Malformed) return value;
  if (kind === 'equals') return { column, is: 'equals', value };
  const found = [column, ...or].map((name) => ({
    column: name,
    is: 'contains' as const,
    text: String(value),
  }));
  return found.length === 1 ? found[0] : { any: found };
}

function filter<Column extends string>(
  column: Column,
  kind: ListingFilter['kind'],
  type: Kind,
  description?: string,
): ListingFilter<Column> {
  return { column, kind, type, ...(description !== undefined && { description }) };
}
