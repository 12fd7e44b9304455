import { SecretMode } from '../db/schema/webhooks.ts';

/** The columns of an endpoint that say which secrets sign, sealed or not; times are epoch milliseconds. */
export interface SecretColumns {
  secret_current: string;
  secret_previous: string | null;
  secret_previous_until: number | null;
  secret_mode: number;
  secret_overlap_ms: number;
}

/** The secrets of one request, as text in whatever form the columns hold them, or as keys. */
export interface SigningSecrets<Secret = string> {
  /** Signs the header of the specification. */
  primary: Secret;
  /** Signs a second header, whose name has this at its end. */
  second?: { secret: Secret; suffix: 'Next' | 'Previous' };
}

type Rotation = Pick<
  SecretColumns,
  'secret_previous' | 'secret_previous_until' | 'secret_mode' | 'secret_overlap_ms'
>;

/**
 * What the columns come to at `now`: an overlap that has ended is committed for as long again, and what was
 * committed ends by itself. Answers with the same values while nothing has ended.
 */
export function rotationAt(columns: Rotation, now: number): Rotation {
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

/** Which secrets sign what is sent at `now` (webhooks 3.13): one, or two while a rotation is under way. */
export function signingSecrets(columns: SecretColumns, now: number): SigningSecrets {
  const current = columns.secret_current;
  const { secret_previous: previous, secret_mode: mode } = rotationAt(columns, now);
  if (mode === SecretMode.single || previous === null) return { primary: current };
  return mode === SecretMode.overlap
    ? { primary: previous, second: { secret: current, suffix: 'Next' } }
    : { primary: current, second: { secret: previous, suffix: 'Previous' } };
}
