/**
 * The round trips of a request to the database of its store, which its caller waits for. Tests
 * count them.
 */
export const roundTrips = {
  /** A read, or a change that reads nothing before it. */
  simple: 1,
  /** A new product, whose brand and names are read first. */
  product: 2,
  /** To the directory, for an API key that the isolate does not know. */
  unknownKey: 1,
} as const;
