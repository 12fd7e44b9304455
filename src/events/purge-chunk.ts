/** Rows that one statement of the purge takes at most: it must not hold up those who write meanwhile. */
export const purgeChunk = 5_000;

/** One statement of the purge, to be run until it takes less than a chunk. */
export interface Purge {
  sql: string;
  values: readonly (string | number)[];
}
