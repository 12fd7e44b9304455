import {
  isText,
  ParseError,
  parseCondition,
  type FieldType,
  type Condition,
} from './field-types.ts';

/**
 * A query parameter that filters a list by one column. `contains` is for text; `any` accepts
 * `name=1,2` and `name[]=1&name[]=2`. An empty value has no effect.
 */
export interface ListingFilter<Column extends string = string> {
  column: Column;
  /** Other columns that `contains` searches as well. */
  or?: readonly (readonly [Column, FieldType])[];
  kind: 'contains' | 'equals' | 'any';
  type: FieldType;
  description?: string;
  /** It does what `search` does with the field. */
  isOfSearch?: true;
}

/** Filter: text anywhere in a column. */
export function contains<const Column extends string>(column: Column, description?: string) {
  return filter(column, 'contains', 'text', description);
}

/** Filter: text anywhere in one of several columns. */
export function containsAny<const Column extends string>(
  columns: Readonly<Record<Column, FieldType>>,
  description?: string,
): ListingFilter<Column> {
  type Entries = [[Column, FieldType], ...[Column, FieldType][]];
  const [[column, type], ...or] = Object.entries(columns) as Entries;
  return { ...filter(column, 'contains', type, description), or };
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

/** The filters of the fields that a list searches. */
export const filtersOf = (search: Readonly<Record<string, FieldType>>) =>
  Object.fromEntries(
    Object.entries(search).map(([column, type]): [string, ListingFilter] => {
      const kind = isText(type) ? 'contains' : type === 'bool' ? 'equals' : 'any';
      return [column, { ...filter(column, kind, type), isOfSearch: true }];
    }),
  );

/** Parses the values of a filter; undefined if all are empty. */
export function parseFilter(
  { column, or = [], kind, type }: ListingFilter,
  texts: readonly string[],
): Condition | ParseError | undefined {
  const values = texts.filter((text) => text !== '');
  if (values.length === 0) return undefined;
  if (kind === 'any') {
    return parseCondition(
      column,
      type,
      'in',
      values.flatMap((part) => part.split(',')),
    );
  }
  const any: Condition[] = [];
  for (const [name, itsType] of [[column, type] as const, ...or]) {
    const condition = parseCondition(name, itsType, kind, values);
    if (condition instanceof ParseError) return condition;
    any.push(condition);
  }
  return any.length === 1 ? any[0] : { any };
}

function filter<Column extends string>(
  column: Column,
  kind: ListingFilter['kind'],
  type: FieldType,
  description?: string,
): ListingFilter<Column> {
  return { column, kind, type, ...(description !== undefined && { description }) };
}
