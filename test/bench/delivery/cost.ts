/** Rows that the Worker's own statements read and wrote since it began. */
export const cost = { rowsRead: 0, rowsWritten: 0 };

/** A database that adds up what its batches cost. */
export const counted = (db: D1Database): D1Database =>
  ({
    prepare: (text: string) => db.prepare(text),
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await db.batch(statements);
      for (const { meta } of results) {
        cost.rowsRead += meta.rows_read;
        cost.rowsWritten += meta.rows_written;
      }
      return results;
    },
  }) as unknown as D1Database;
