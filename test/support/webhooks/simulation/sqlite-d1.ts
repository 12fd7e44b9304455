import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** The bound parameters of a statement, so that a simulation can inspect what is written. */
export const boundParameters = new WeakMap<object, readonly unknown[]>();

/**
 * Creates a D1 database over SQLite in memory. A batch is one transaction, and every promise
 * settles in the same turn, so that a simulation is deterministic. `rewrite` can break a statement
 * to show that a simulation detects it. Implements only the part of D1 that is used.
 */
export function createSqliteD1(
  schema: readonly string[],
  rewrite: (sql: string) => string = (sql) => sql,
): D1Database {
  const sqlite = new DatabaseSync(':memory:', {
    // As in D1.
    enableDoubleQuotedStringLiterals: true,
  });
  for (const sql of schema) sqlite.exec(sql);
  const compiled = new Map<string, StatementSync>();
  const compile = (sql: string) => {
    let statement = compiled.get(sql);
    if (!statement) compiled.set(sql, (statement = sqlite.prepare(rewrite(sql))));
    return statement;
  };
  const changes = sqlite.prepare('select changes() as n');
  const runs = new WeakMap<object, () => D1Result>();

  const prepared = (sql: string, parameters: readonly unknown[]): D1PreparedStatement => {
    const run = () => {
      const results = compile(sql).all(...parameters.map(stored));
      const isRead = /^\s*(?:select|with)\b/i.test(sql);
      const count = isRead ? 0 : Number(changes.get()?.n);
      return { results, success: true, meta: { changes: count } } as unknown as D1Result;
    };
    const statement = {
      bind: (...values: unknown[]) => prepared(sql, values),
      all: async () => run(),
      run: async () => run(),
      first: async (column?: string) => {
        const row = (run().results[0] ?? null) as Record<string, unknown> | null;
        return row && column ? row[column] : row;
      },
      raw: async () => run().results.map((row) => Object.values(row as object)),
    } as unknown as D1PreparedStatement;
    runs.set(statement, run);
    boundParameters.set(statement, parameters);
    return statement;
  };

  return {
    prepare: (sql: string) => prepared(sql, []),
    batch: async (statements: D1PreparedStatement[]) => {
      sqlite.exec('begin immediate');
      try {
        const results = statements.map((statement) => runs.get(statement)?.());
        sqlite.exec('commit');
        return results;
      } catch (error) {
        sqlite.exec('rollback');
        throw error;
      }
    },
  } as unknown as D1Database;
}

const stored = (value: unknown): SQLInputValue =>
  typeof value === 'boolean' ? Number(value) : (value as SQLInputValue);
