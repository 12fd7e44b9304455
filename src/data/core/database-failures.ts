import { DatabaseUnavailable, type DatabaseFailure } from '../../base/errors.ts';

/**
 * The messages of D1 that are neither a constraint nor a mistake of ours, with the outcome of the statements that each
 * reports. The first match counts. A message that is not listed, such as a syntax error or a wrong type, is a bug and
 * becomes a 500.
 *
 * - `not_run`: nothing was run, so anything may be repeated.
 * - `unknown`: it may have been committed, so only what changes nothing, or recognises its own commit, may be repeated.
 * - `overloaded`: nothing was run, but the database has too much to do. A repetition would add to it.
 * - `too_heavy`: the statement was too much for the database. A repetition would fail too, and each one stops all
 *   stores of a shard.
 * - `full`: the database takes no more data until space is freed.
 */
export const databaseFailures: readonly (readonly [text: string, failure: DatabaseFailure])[] = [
  ['Exceeded maximum DB size', 'full'],
  ["exceeded D1's maximum account storage limit", 'full'],
  ['Exceeded maximum account storage limit', 'full'],
  ['database or disk is full', 'full'],
  ['exceeded its CPU time limit and was reset', 'too_heavy'],
  ['exceeded its memory limit and was reset', 'too_heavy'],
  ['storage operation exceeded timeout which caused object to be reset', 'too_heavy'],
  ['is overloaded', 'overloaded'],
  ['Cannot resolve D1 DB due to transient issue', 'not_run'],
  ['Internal error while starting up D1 DB storage caused object to be reset', 'not_run'],
  ["Can't read from request stream because client disconnected", 'not_run'],
  ['reset because its code was updated', 'unknown'],
  ['Internal error in D1 DB storage caused object to be reset', 'unknown'],
  ['Network connection lost', 'unknown'],
  // How D1 reports a fault of its own that has no message.
  ['internal error; reference', 'unknown'],
];

/**
 * Returns the failure of the database that a message of D1 reports; `undefined` for a message that is about the
 * statement.
 */
export const findDatabaseFailure = (message: string): DatabaseFailure | undefined =>
  databaseFailures.find(([text]) => message.includes(text))?.[1];

/** Returns the failure of its database that a failed call reports, whether `toAppError` has mapped it or not. */
export const failureOf = (error: unknown): DatabaseFailure | undefined =>
  error instanceof DatabaseUnavailable ? error.failure : findDatabaseFailure(String(error));

/**
 * Runs statements, and once more when D1 says that nothing was run, or when they only read. Costs nothing unless they
 * fail. `run` throws errors of D1 as `toAppError` maps them.
 */
export async function runAgainIfSafe<T>(run: () => Promise<T>, onlyReads: () => boolean) {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable) || !error.mayRepeat(onlyReads())) throw error;
  }
  await new Promise((resolve) => setTimeout(resolve, Math.random() * maxPauseMs));
  return run();
}

/** Before the second attempt. Random: requests that failed together must not return together. */
const maxPauseMs = 50;
