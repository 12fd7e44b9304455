import { DatabaseUnavailable } from '../../base/errors.ts';

/** How long a read waits for a replica alone, in milliseconds. */
export const hedgeMs = 300;

const late = Symbol('late');

/** Waits for the result no longer than this; then `late`. */
async function withinTime<T>(result: Promise<T>, ms: number): Promise<T | typeof late> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<typeof late>((resolve) => {
    timer = setTimeout(() => resolve(late), ms);
  });
  try {
    return await Promise.race([result, end]);
  } finally {
    clearTimeout(timer);
  }
}

/** A batch that either copy may run. */
interface NearBatch<T> {
  /** Returns `undefined` after any failure, since only the primary may refuse. Never rejects. */
  atReplica: () => Promise<T | undefined>;
  atPrimary: () => Promise<T>;
  /** Runs later batches at the primary. Returns how to go back to the replica. */
  leaveReplica: () => (() => void) | undefined;
}

/**
 * Runs a batch at a replica, and at the primary after any failure. Asks the primary as well if the replica has not answered
 * after `hedgeMs`: the first rows count. What the primary refuses is refused at once.
 */
export async function runNear<T>({ atReplica, atPrimary, leaveReplica }: NearBatch<T>): Promise<T> {
  const near = atReplica();
  const first = await withinTime(near, hedgeMs);
  if (first !== late) return first ?? atPrimary();
  const returnToReplica = leaveReplica();
  const primary = atPrimary().then((rows) => ({ rows, isNear: false }));
  const nearRows = near.then((rows) => (rows ? { rows, isNear: true } : primary));
  // A primary that does not answer either leaves the replica the rest of its time.
  const primaryRows = primary.catch((error: unknown) => {
    if (error instanceof DatabaseUnavailable) return nearRows;
    throw error;
  });
  const { rows, isNear } = await Promise.race([nearRows, primaryRows]);
  // So that a record that is missing there is looked for at the primary.
  if (isNear) returnToReplica?.();
  return rows;
}
