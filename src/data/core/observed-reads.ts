import { abortWith } from './data-errors.ts';
import { preparable } from './drizzle-adapter.ts';
import { textStatement, type Database } from './open-database.ts';
import { prepareStatement, typedStatement, type Statement } from './statement.ts';

/** A select that ran, and what it returned before it was decoded. */
export interface ObservedRead {
  sql: string;
  params: readonly unknown[];
  columns: number;
  count: number;
  /** The rows as a JSON array of arrays. */
  rows: string;
}

/** The same statements, which also add what they returned to `reads`. */
export const observed = (statements: readonly Statement[], reads: ObservedRead[]) =>
  statements.map((statement) => observedStatement(statement, reads));

function observedStatement(statement: Statement, reads: ObservedRead[]): Statement {
  const prepared = prepareStatement(statement);
  const query = prepared.getQuery();
  return typedStatement(
    preparable(() => ({
      stmt: prepared.stmt,
      getQuery: () => query,
      mapResult: (result: D1Result<Record<string, unknown>>, isFromBatch?: boolean) => {
        const rows = result.results.map((row) => Object.values(row));
        const [first = []] = rows;
        reads.push({
          ...query,
          columns: first.length,
          count: rows.length,
          rows: JSON.stringify(rows),
        });
        return prepared.mapResult(result, isFromBatch);
      },
    })),
  );
}

/**
 * Aborts the batch with `RecordChanged` unless the select still returns what it returned then, in
 * all its parts: columns, counters, relations. A select, so it writes nothing. Values and not
 * digests, because SQLite has no digest.
 */
export function assertUnchanged(database: Database, read: ObservedRead) {
  const { sql, params, columns, count, rows } = read;
  const values = Array.from({ length: columns }, (_, index) => `value ->> ${index}`).join(', ');
  const differs =
    count === 0
      ? ''
      : ` and not exists (select * from present except select ${values} from json_each(?))`;
  return textStatement(
    database,
    `select iif(is_same, 1, ${abortWith('unchanged')}) from (
      with present as materialized (${sql})
      select (select count(*) from present) = ?${differs} as is_same)`,
    [...params, count, ...(count === 0 ? [] : [rows])],
  );
}
