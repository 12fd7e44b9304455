import { is, Param, Placeholder, type SQLWrapper } from 'drizzle-orm';
import { SQLiteAsyncDialect, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database } from './open-database.ts';
import { textStatement } from './raw.ts';
import { rowDecoder, type RowDecoder } from './row-decoder.ts';

const dialect = new SQLiteAsyncDialect();

/** A parameter of a statement, from the values of one use. */
type Parameter = (values: Readonly<Record<string, unknown>>) => unknown;

/** A statement that Drizzle has built once, with placeholders where values go. */
interface Shape {
  sql: string;
  parameters: readonly Parameter[];
  decode: RowDecoder;
}

const shapesByTable = new WeakMap<SQLiteTable, Map<string, Shape>>();

/** Shapes that a table keeps. A client chooses the fields of a body, so it could invent many. */
const maxShapes = 200;

/**
 * A statement that returns rows of a table. `build` creates its text at the first use of `key`, with
 * `sql.placeholder(name)` for each value; later uses only fill in values. To build the text of one select takes Drizzle
 * longer than all the rest of a simple request.
 */
export function shapedStatement<Row>(
  database: Database,
  table: SQLiteTable,
  { key, build }: { key: string; build: () => SQLWrapper },
  values: Readonly<Record<string, unknown>>,
) {
  let shapes = shapesByTable.get(table);
  if (!shapes) shapesByTable.set(table, (shapes = new Map()));
  let shape = shapes.get(key);
  if (!shape) {
    if (shapes.size >= maxShapes) shapes.clear();
    shapes.set(key, (shape = makeShape(table, build())));
  }
  const { sql, parameters, decode } = shape;
  const bound = parameters.map((parameter) => parameter(values));
  return textStatement<Row>(database, sql, bound, decode);
}

function makeShape(table: SQLiteTable, query: SQLWrapper): Shape {
  const { sql, params } = dialect.sqlToQuery(query.getSQL());
  return { sql, parameters: params.map(toParameter), decode: rowDecoder(table) };
}

/** Drizzle's own `fillPlaceholders` also encodes nulls, which makes them zeros and JSON texts. */
function toParameter(param: unknown): Parameter {
  if (is(param, Placeholder)) return (values) => values[param.name];
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
  const { encoder } = param;
  const { name } = param.value;
  return (values) => {
    const value = values[name];
    return value === null ? null : encoder.mapToDriverValue(value);
  };
}
