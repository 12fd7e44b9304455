import { StaleRevision } from '../problem.ts';

const attempts = 8;

/**
 * Reads, decides and writes again when another writer was faster; `tried` counts from 1. Throws the last `StaleRevision`
 * (answered as 503) when that happens eight times in a row.
 */
export async function untilFresh<T>(attempt: (tried: number) => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt(tried);
    } catch (error) {
      if (!(error instanceof StaleRevision) || tried === attempts) throw error;
    }
  }
}
