import { ConflictError, HttpError } from '../../errors.ts';

const maxTransientAttempts = 3;
const maxPauseMs = 60;

/**
 * Runs `work` up to three times while it throws a 503, as it does when the database cannot be reached. `work` must be
 * safe to repeat, because a failed attempt may have been committed. Throws the last 503.
 */
export async function retryTransient<T>(work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      const isTransient = error instanceof HttpError && error.status === 503;
      if (!isTransient || attempt === maxTransientAttempts) throw error;
    }
    // Jitter: requests that failed together must not return together.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * maxPauseMs * attempt));
  }
}

const maxConflictAttempts = 8;

/**
 * Runs `work` (read, decide, write) again when another writer was faster. `attempt` counts from 1. Throws the
 * last `ConflictError` after eight attempts; HTTP returns it as a 503.
 */
export async function retryOnConflict<T>(work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt === maxConflictAttempts) throw error;
    }
  }
}
