import { minuteMs } from '../base/durations.ts';

/** A statement that is too heavy resets its database, which fails all that run or wait there. */
interface Reset {
  /** Epoch milliseconds of the first failure. */
  at: number;
  /** The operations that failed with it in this isolate, each with its store. */
  operations: Set<string>;
  /** Whether the operation that failed first had failed alone in the reset before. */
  isRepetition: boolean;
}

/** Failures that come within this time are of one reset. */
const failuresMs = 2_000;

/** How long a reset is remembered. */
const rememberedMs = 10 * minuteMs;

/** The last reset of each database, as this isolate saw it. */
const lastResets = new Map<string, Reset>();

/**
 * Notes that an operation failed because its database was reset. The operation is the cause only if
 * it repeats alone: nothing else failed with it this time, nor in the reset before. `isFirst`: the
 * first failure of the reset that this isolate saw.
 */
export function noteReset(database: string, operation: string, now: number) {
  const last = lastResets.get(database);
  const age = last ? now - last.at : Infinity;
  if (last && age >= 0 && age < failuresMs) {
    last.operations.add(operation);
    return { isCause: isAlone(last, operation) && last.isRepetition, isFirst: false };
  }
  const isRepetition =
    last !== undefined && isAlone(last, operation) && age >= 0 && age < rememberedMs;
  lastResets.set(database, { at: now, operations: new Set([operation]), isRepetition });
  return { isCause: isRepetition, isFirst: true };
}

const isAlone = ({ operations }: Reset, operation: string) =>
  operations.size === 1 && operations.has(operation);
