/** When a call to the database is lost: before it ran, or after it was committed. */
export type Loss = 'before' | 'after' | undefined;

/** A database whose first batches are lost one after the other, as a real one loses them. */
export function flaky(binding: D1Database, losses: Loss[]): D1Database {
  const left = [...losses];
  const lost = () => new Error('D1_ERROR: Network connection lost.');
  return {
    prepare: (sql: string) => binding.prepare(sql),
    batch: async (statements: D1PreparedStatement[]) => {
      const loss = left.shift();
      if (loss === 'before') throw lost();
      const results = await binding.batch(statements);
      if (loss === 'after') throw lost();
      return results;
    },
  } as unknown as D1Database;
}
