/** A list examines no more records than this before it answers, counts no further, and skips no further for `page`. */
export const maxLookedAt = 10_000;

/**
 * So many candidates are sorted rather than found by walking along the order of the list. In a store with more than
 * `maxLookedAt` records, no more are examined to count them.
 */
export const maxSorted = 1_000;
