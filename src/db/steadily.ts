import { Problem } from '../problem.ts';

const tries = 3;
const longestPauseMs = 60;

/**
 * Runs work again that failed because the database was away for a moment, three times in all. The work must
 * bear being done twice: the failed attempt may have been committed. Throws the 503 of the last one.
 */
export async function steadily<T>(work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      const isPassing = error instanceof Problem && error.status === 503;
      if (!isPassing || attempt === tries) throw error;
    }
    // Jitter, so that those who failed together do not come back together.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * longestPauseMs * attempt));
  }
}
