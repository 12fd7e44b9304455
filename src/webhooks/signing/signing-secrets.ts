import { SecretMode } from '../../data/schema/store/webhooks-tables.ts';

/** The columns of an endpoint that select its signing secrets. Times are epoch milliseconds. */
export interface SecretColumns {
  secret_current: string;
  secret_previous: string | null;
  secret_previous_until: number | null;
  secret_mode: number;
  secret_overlap_ms: number;
}

/** The secrets that sign one request: encrypted texts, or imported keys. */
export interface SigningSecrets<Secret = string> {
  /** Signs the specification's header. */
  primary: Secret;
  /** Signs a second header, whose name ends in the suffix. */
  second?: { secret: Secret; suffix: 'Next' | 'Previous' };
}

type RotationColumns = Omit<SecretColumns, 'secret_current'>;

/**
 * Applies the clock to a rotation: an overlap that has ended is committed for as long again, and a committed rotation
 * ends. Returns the same object while nothing has ended. `now` is epoch milliseconds.
 */
export function rotationAt(columns: RotationColumns, now: number): RotationColumns {
  const { secret_mode: mode, secret_previous_until: until, secret_overlap_ms: overlap } = columns;
  if (mode === SecretMode.single || until === null || until > now) return columns;
  const end = until + overlap;
  return mode === SecretMode.overlap && end > now
    ? { ...columns, secret_mode: SecretMode.committed, secret_previous_until: end }
    : {
        ...columns,
        secret_mode: SecretMode.single,
        secret_previous: null,
        secret_previous_until: null,
      };
}

/** Selects the secrets that sign at `now`: one, or two during a rotation (see README: Rotation). */
export function secretsAt(columns: SecretColumns, now: number): SigningSecrets {
  const current = columns.secret_current;
  const { secret_previous: previous, secret_mode: mode } = rotationAt(columns, now);
  if (mode === SecretMode.single || previous === null) return { primary: current };
  return mode === SecretMode.overlap
    ? { primary: previous, second: { secret: current, suffix: 'Next' } }
    : { primary: current, second: { secret: previous, suffix: 'Previous' } };
}
