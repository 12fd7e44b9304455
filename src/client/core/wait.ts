/** Signals of which each may end a call. */
export type Signals = readonly (AbortSignal | undefined)[];

/** Rejects with the reason of the first signal that is aborted. */
export function throwIfAborted(signals: Signals) {
  for (const signal of signals) signal?.throwIfAborted();
}

/** When work counts as failed. */
interface Limit {
  ms: number;
  error: () => Error;
}

/**
 * Runs `work` with a signal that is aborted when one of `signals` is, or at the limit. Rejects at
 * once in these cases, even if `work` continues.
 */
export async function untilAborted<T>(
  work: (signal: AbortSignal) => Promise<T>,
  signals: Signals,
  limit?: Limit,
): Promise<T> {
  throwIfAborted(signals);
  const controller = new AbortController();
  const cleanups: (() => void)[] = [];
  const ended = new Promise<never>((_resolve, reject) => {
    const end = (reason: unknown) => {
      reject(reason);
      controller.abort(reason);
    };
    for (const signal of signals) {
      const listener = () => end(signal?.reason);
      signal?.addEventListener('abort', listener);
      cleanups.push(() => signal?.removeEventListener('abort', listener));
    }
    if (limit) {
      const timer = setTimeout(() => end(limit.error()), limit.ms);
      cleanups.push(() => clearTimeout(timer));
    }
  });
  try {
    return await Promise.race([work(controller.signal), ended]);
  } finally {
    for (const cleanup of cleanups) cleanup();
  }
}

/** Waits. Rejects with the reason of a signal that is aborted meanwhile. */
export async function sleep(ms: number, signals: Signals): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slept = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await untilAborted(() => slept, signals);
  } finally {
    clearTimeout(timer);
  }
}
