/** Rows that the statements of the Worker have read and written since its start. */
export const rowCounts = { rowsRead: 0, rowsWritten: 0 };

/** Wraps a database so that its batches add to `rowCounts`. */
export const countingRows = (db: D1Database): D1Database =>
  ({
    prepare: (text: string) => db.prepare(text),
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await db.batch(statements);
      for (const { meta } of results) {
        rowCounts.rowsRead += meta.rows_read;
        rowCounts.rowsWritten += meta.rows_written;
      }
      return results;
    },
  }) as unknown as D1Database;
