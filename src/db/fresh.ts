import { StaleRevision } from '../problem.ts';

const attempts = 5;

/**
 * Reads, decides and writes again when another writer was faster. Throws the last `StaleRevision`
 * (answered as 503) when that happens five times in a row.
 */
export async function untilFresh<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StaleRevision) || tried === attempts) throw error;
    }
  }
}
