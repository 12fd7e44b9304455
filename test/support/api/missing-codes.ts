import { errorCodes } from '../../../src/base/error-codes.ts';

/**
 * Returns the error codes that no passed test got. `codes` are those that `recordCode` recorded in
 * them.
 */
export function missingCodes(tests: readonly { codes: readonly string[] }[]): string[] {
  const observed = new Set(tests.flatMap(({ codes }) => codes));
  return Object.keys(errorCodes).filter((code) => !observed.has(code));
}
