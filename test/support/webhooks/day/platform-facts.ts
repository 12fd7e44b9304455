/**
 * The platform of a simulated day. Times without a source are assumed: only a real account shows
 * them (`src/deploy/FIRST-HOUR.md`). Sources as of November 2026:
 *
 * - https://developers.cloudflare.com/queues/platform/limits/ and
 *   /configuration/consumer-concurrency/
 * - https://developers.cloudflare.com/d1/platform/limits/ and /observability/debug-d1/
 */
export const platform = {
  /**
   * How long a batch takes the thread of its database: for itself, for each statement, and for each
   * row that it changes. Measured on the local runtime, where a statement took up to 0.25 ms and a
   * row with an index up to 0.05 ms. A change with its event so takes 2.4 ms, of the 2 to 4 ms in
   * `src/ops/SCALE.md`.
   */
  service: { batchMs: 0.6, statementMs: 0.3, rowMs: 0.05 },
  /**
   * A call that waits longer fails. A statement ends after 30 s by the documents; that a wait does
   * is assumed.
   */
  longestWaitMs: 30_000,
  /** One way to a database in the same data centre, and in another. Assumed. */
  hopMs: 1,
  farHopMs: 45,
  /** From sending to the consumer. Assumed. */
  queueLatencyMs: 200,
  queueCallMs: 10,
  /** Until a batch of an isolate that died comes again. Assumed. */
  redeliveryMs: 30_000,
  /** Consumers of a queue by the documents; how fast they are added is assumed. */
  maxConsumers: 250,
  scalingMs: 10_000,
  /**
   * How long a release keeps the thread of each shard, for a migration of a large table. Assumed.
   */
  migrationMs: 2_000,
} as const;
