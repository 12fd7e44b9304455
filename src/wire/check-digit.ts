/**
 * The check digit of Brazilian documents: the values weighed from the right with 2, 3, ... up to `heaviest` and
 * from 2 again, modulo 11.
 */
export function checkDigit(values: readonly number[], heaviest: number): number {
  const sum = values
    .toReversed()
    .reduce((total, value, place) => total + value * (2 + (place % (heaviest - 1))), 0);
  const rest = 11 - (sum % 11);
  return rest > 9 ? 0 : rest;
}
