import { fakeDatabase } from './fake-database.ts';

/** A database whose first batches fail with a message of D1, and the number of its batches. */
export function failingDatabase(binding: D1Database, message: string, times = Infinity) {
  const calls = { count: 0 };
  const database = fakeDatabase({
    prepare: (text: string) => binding.prepare(text),
    batch: (statements: D1PreparedStatement[]) => {
      calls.count += 1;
      return calls.count <= times
        ? Promise.reject(new Error(`D1_ERROR: ${message}`))
        : binding.batch(statements);
    },
  });
  return { calls, database };
}
