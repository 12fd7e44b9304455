import fc from 'fast-check';
import { Problem } from '../../src/problem.ts';

/** One of several that run a property at the same time; it shares nothing with the others but the database. */
export interface LaneOfRuns<Value> {
  arbitrary: fc.Arbitrary<Value>;
  run: (value: Value) => Promise<void>;
  /** Reads again what is there, after a run of which nobody knows how far it came. */
  recover: () => Promise<void>;
  /** Looks at the whole after the last run. */
  end: () => Promise<void>;
}

const lanes = 8;

/** How many runs may be lost to the local runtime before that is a failure by itself. */
const mostInterruptions = 5;

/**
 * Runs a property `runs` times, in lanes at once, since most of a run is waiting; `open` is told for how many runs a lane
 * must suffice. A run whose database was away for a
 * moment says nothing of what is tested: it does not count, another one takes its place. Throws the first failure
 * when all lanes are over.
 */
export async function inLanes<Value>(
  runs: number,
  open: (runs: number) => Promise<LaneOfRuns<Value>>,
): Promise<void> {
  let interruptions = 0;
  const work = async () => {
    const { arbitrary, run, recover, end } = await open(runs / lanes + mostInterruptions);
    const property = fc.asyncProperty(arbitrary, async (value) => {
      try {
        await run(value);
      } catch (error) {
        interruptions += isInterruption(error) ? 1 : 0;
        if (!isInterruption(error) || interruptions > mostInterruptions) throw error;
        await recover();
        fc.pre(false);
      }
    });
    await fc.assert(property, { numRuns: runs / lanes, endOnFailure: true });
    await end();
  };
  const done = await Promise.allSettled(Array.from({ length: lanes }, work));
  for (const one of done) if (one.status === 'rejected') throw one.reason;
}

/** Whether the local database was away, as a row says it (503) and as the binding does. */
const isInterruption = (error: unknown) =>
  error instanceof Problem
    ? error.status === 503
    : error instanceof Error && error.message.includes('Network connection lost');
