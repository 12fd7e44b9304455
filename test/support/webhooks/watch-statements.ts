import { db } from './consumer.ts';

/**
 * Returns the database, wrapped so that `runs` records the cost of each statement that starts with
 * `prefix`.
 */
export function watchStatements(prefix: string) {
  const runs: { changes: number; read: number }[] = [];
  const database = {
    prepare: (sql: string) => ({
      bind: (...values: unknown[]) => ({
        run: async () => {
          const result = await db
            .prepare(sql)
            .bind(...values)
            .run();
          const { changes, rows_read: read } = result.meta;
          if (sql.trim().startsWith(prefix)) runs.push({ changes, read });
          return result;
        },
      }),
    }),
  } as unknown as D1Database;
  return { database, runs };
}
