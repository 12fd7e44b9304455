import { fakeDatabase } from './fake-database.ts';

/** When a database call loses its connection: before it runs, or after the commit. */
export type BatchLoss = 'before' | 'after' | undefined;

/**
 * Wraps a database so that its first batches fail as a lost connection does; `losses` has one entry
 * per batch.
 */
export function flakyDatabase(binding: D1Database, losses: BatchLoss[]): D1Database {
  const left = [...losses];
  const lost = () => new Error('D1_ERROR: Network connection lost.');
  return fakeDatabase({
    prepare: (sql: string) => binding.prepare(sql),
    batch: async (statements: D1PreparedStatement[]) => {
      const loss = left.shift();
      if (loss === 'before') throw lost();
      const results = await binding.batch(statements);
      if (loss === 'after') throw lost();
      return results;
    },
  });
}
