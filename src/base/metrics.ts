/** The indexes of data points: one kind for each row of the table in `ops/OPERATIONS.md`. */
type MetricKind = 'request' | 'run' | 'sweep' | 'mail' | 'dead_letters';

/**
 * The content of a point: texts that name something, and numbers. Names are those of the table in
 * `ops/OPERATIONS.md`.
 */
interface Point {
  /** At most 18. Never a secret, a body or personal data. */
  names: readonly string[];
  /** At most 20. A missing number is 0, because columns have no names. */
  values: readonly (number | undefined)[];
}

/**
 * The bindings that a point needs. Both are missing in a runtime that is not started by
 * wrangler.toml.
 */
export type MetricBindings = Partial<Pick<Env, 'METRICS' | 'CF_VERSION_METADATA'>>;

/**
 * Writes one data point: `blob1` is the version of the Worker, `blob2` and on are the names,
 * `double1` and on the values. The platform writes it after the response, for a fixed price.
 */
export function recordPoint(env: MetricBindings, kind: MetricKind, { names, values }: Point): void {
  env.METRICS?.writeDataPoint({
    indexes: [kind],
    blobs: [versionOf(env), ...names],
    doubles: values.map((value) => value ?? 0),
  });
}

/** The id of the deployed version; `local` where there is none. */
export const versionOf = ({ CF_VERSION_METADATA: version }: MetricBindings) =>
  version?.id || 'local';
