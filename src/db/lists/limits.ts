/** A list looks at no more records than this before it answers, counts no further, and skips no further for `page`. */
export const maxLookedAt = 10_000;

/**
 * So many candidates are sorted rather than found by walking along the order of the list. In a store with more than
 * `maxLookedAt` records, no more are looked at to count them.
 */
export const maxSorted = 1_000;

/** The database ends a batch with this name when a list without an index for its order matches more than `maxLookedAt`. */
export const listTooLongAbort = 'list_too_long';
