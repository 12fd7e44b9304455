import { abortWith } from './abort.ts';
import type { Database } from './open-database.ts';
import { prepareStatement, typedStatement, type TypedStatement } from './statement.ts';

/**
 * Makes a page abort its batch if its computed columns hold more than `maxBytes`. So the database does not send an
 * answer that is too large anyway, this isolate does not decode it, and nothing is changed. The rows are computed once.
 */
export function boundPage<S extends TypedStatement<unknown>>(
  database: Database,
  page: S,
  columns: readonly string[],
  maxBytes: number,
): S {
  const prepared = prepareStatement(page);
  const { sql, params } = prepared.getQuery();
  const bytes = columns.map((name) => `coalesce(octet_length("${name}"), 0)`).join(' + ');
  const bounded = {
    sql: `select * from (with page as materialized (${sql})
      select * from page where iif(coalesce((select sum(${bytes}) from page), 0) <= ?, 1, ${abortWith('answer_too_large')}))`,
    params: [...params, maxBytes],
  };
  return typedStatement<S>({
    _prepare: () => ({
      getQuery: () => bounded,
      stmt: database.$client.prepare(bounded.sql),
      mapResult: prepared.mapResult.bind(prepared),
    }),
  });
}
