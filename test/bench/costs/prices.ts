/**
 * List prices of Cloudflare's paid plan in US dollars, without what the plan includes, as of
 * November 2026:
 *
 * - https://developers.cloudflare.com/workers/platform/pricing/ (requests, CPU, KV, D1)
 * - https://developers.cloudflare.com/queues/platform/pricing/
 * - https://developers.cloudflare.com/r2/pricing/
 */
export const prices = {
  /**
   * Per million. A queue message that starts a Worker is counted as a request, although the page
   * names only inbound ones.
   */
  requests: 0.3,
  /** Per million milliseconds. */
  cpuMs: 0.02,
  /** Per million. */
  rowsRead: 0.001,
  /** Per million. */
  rowsWritten: 1,
  /** Per million; a message is written, read and deleted. */
  queueOperations: 0.4,
  /** Per million. */
  kvReads: 0.5,
  kvWrites: 5,
  /** Per million lines (Workers Logs). */
  logLines: 0.6,
  /** Per gigabyte and month. */
  databaseStorage: 0.75,
} as const;

export const usageKinds = [
  'requests',
  'rowsRead',
  'rowsWritten',
  'queueOperations',
  'kvReads',
  'kvWrites',
] as const;

/** Usage of an invocation. */
export type Usage = Record<(typeof usageKinds)[number], number>;

/**
 * CPU of one invocation in milliseconds: an assumption, since the local runtime does not measure
 * it.
 */
export const assumedCpuMs = 3;

/** The price of a million times this usage. */
export function priceOfMillion(usage: Usage): number {
  const invocations = usage.requests * assumedCpuMs * prices.cpuMs;
  return usageKinds.reduce((sum, kind) => sum + usage[kind] * prices[kind], invocations);
}
