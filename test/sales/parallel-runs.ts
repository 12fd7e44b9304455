import fc from 'fast-check';
import { HttpError } from '../../src/base/errors.ts';

/** One of several runners that check a property at the same time; they share only the database. */
export interface PropertyRunner<Value> {
  arbitrary: fc.Arbitrary<Value>;
  run: (value: Value) => Promise<void>;
  /** Reads the expected state again after an interrupted run, whose progress is unknown. */
  recover: () => Promise<void>;
  /** Checks the final state after the last run. */
  finish: () => Promise<void>;
}

const runners = 8;

/** More interrupted runs than this fail the test. */
const maxInterruptions = 5;

/**
 * Checks a property in `runs` runs. Several runners work at the same time, because a run mostly
 * waits. `open` gets the number of runs that its runner must be able to make. A run that loses its
 * database connection is repeated. Throws the first failure after all runners have ended.
 */
export async function runInParallel<Value>(
  runs: number,
  open: (runs: number) => Promise<PropertyRunner<Value>>,
): Promise<void> {
  let interruptions = 0;
  const work = async () => {
    const { arbitrary, run, recover, finish } = await open(runs / runners + maxInterruptions);
    const property = fc.asyncProperty(arbitrary, async (value) => {
      try {
        await run(value);
      } catch (error) {
        interruptions += isInterruption(error) ? 1 : 0;
        if (!isInterruption(error) || interruptions > maxInterruptions) throw error;
        await recover();
        fc.pre(false);
      }
    });
    await fc.assert(property, { numRuns: runs / runners, endOnFailure: true });
    await finish();
  };
  const results = await Promise.allSettled(Array.from({ length: runners }, work));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/**
 * Whether a run lost its database connection: as a 503 of an operation, or as an error of the
 * binding.
 */
const isInterruption = (error: unknown) =>
  error instanceof HttpError
    ? error.status === 503
    : error instanceof Error && error.message.includes('Network connection lost');
