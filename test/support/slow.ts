import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** From `vitest.config.ts`. */
    isSlow: boolean;
  }
}

/** Whether this is a run of `npm run test:slow`. */
export const isSlow = inject('isSlow');

/**
 * The number of random runs of a test: `all` of a slow run, else what every run of the suite can
 * afford.
 */
export const runsOf = (all: number, usual: number) => (isSlow ? all : usual);

/** Of so many subjects, one more gets all kinds, but at most three do. */
const subjectsPerWhole = 20;

/**
 * Returns the kinds of a case that a test creates for one of many subjects: one kind, which changes
 * from subject to subject. One to three subjects get all kinds, and in a slow run each does. So the
 * tests grow with the sum of both numbers, not with their product.
 */
export function kindsFor<S, K>(
  subject: S,
  subjects: readonly S[],
  kinds: readonly K[],
): readonly K[] {
  const index = subjects.indexOf(subject);
  const whole = Math.min(3, Math.ceil(subjects.length / subjectsPerWhole));
  const hasAll = isSlow || index % Math.ceil(subjects.length / whole) === 0;
  return hasAll ? kinds : kinds.slice(index % kinds.length, (index % kinds.length) + 1);
}
