import { db } from './lanes.ts';

/** The database, and what each run of the statements that begin like this cost. */
export function watching(beginning: string) {
  const runs: { changes: number; read: number }[] = [];
  const watched = {
    prepare: (sql: string) => ({
      bind: (...values: unknown[]) => ({
        run: async () => {
          const result = await db
            .prepare(sql)
            .bind(...values)
            .run();
          const { changes, rows_read: read } = result.meta;
          if (sql.trim().startsWith(beginning)) runs.push({ changes, read });
          return result;
        },
      }),
    }),
  } as unknown as D1Database;
  return { watched, runs };
}
