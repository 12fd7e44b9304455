import { hourMs } from '../../base/durations.ts';

/** Why an attempt failed, as the delivery log names it. */
export const sendErrors = [
  'timeout',
  'connect',
  'dns',
  'tls',
  'edge_52x',
  'http_4xx',
  'http_5xx',
  'redirect',
  'blocked_url',
  'internal',
] as const;

export type SendError = (typeof sendErrors)[number];

/**
 * The meaning of a result for the delivery and its endpoint (see README: Outcomes). `unsendable`
 * means that the body is lost on our side: no retry helps, and the endpoint is not at fault. A URL
 * that the URL policy rejects is an `endpoint_failure`.
 */
export type Outcome =
  | 'delivered'
  | 'endpoint_failure'
  | 'throttled'
  | 'payload_rejected'
  | 'gone'
  | 'unsendable';

/** Statuses that reject this payload and say nothing about the endpoint. */
const rejectedStatuses: ReadonlySet<number | null> = new Set([400, 405, 409, 413, 415, 422]);

/** Classifies a result. `retryAfterMs` is the pause that the response asked for, or `null`. */
export function classifyOutcome(
  { status, error }: { status: number | null; error: SendError | null },
  retryAfterMs: number | null,
): Outcome {
  if (error === null) return 'delivered';
  if (status === 410) return 'gone';
  if (status === 429 || (status === 503 && retryAfterMs !== null)) return 'throttled';
  return rejectedStatuses.has(status) ? 'payload_rejected' : 'endpoint_failure';
}

/** The error of a status, `null` for a 2xx. `text` is the beginning of the response body. */
export function errorOfStatus(status: number, text: string): SendError | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return 'redirect';
  if (status < 500) return 'http_4xx';
  // Cloudflare reports an unknown name as error 1016 in a 530, and a failed TLS handshake as 525 or
  // 526.
  if (status === 530 && text.includes('1016')) return 'dns';
  if (status === 525 || status === 526) return 'tls';
  if ((status >= 520 && status < 530) || status === 530) return 'edge_52x';
  return 'http_5xx';
}

const thrownPatterns: readonly [SendError, RegExp][] = [
  ['tls', /\b(?:tls|ssl|certificate)\b/i],
  ['dns', /\bdns\b/i],
  ['connect', /network connection lost|connect|reset|refused|internal error; reference/i],
];

/**
 * The error of a rejected `fetch`. The local workerd reports DNS and TLS failures as connection
 * failures.
 */
export function errorOfThrown(error: unknown): SendError {
  const message = error instanceof Error ? error.message : '';
  return thrownPatterns.find(([, pattern]) => pattern.test(message))?.[0] ?? 'internal';
}

/** The longest pause that a receiver may ask for, in milliseconds. */
const maxRetryAfterMs = 12 * hourMs;

const httpDate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/;

/**
 * The pause that a `Retry-After` header asks for (RFC 9110 10.2.3: seconds or a date), in
 * milliseconds, 12 hours at most. Returns `null` for anything else. `now` is epoch milliseconds.
 */
export function parseRetryAfter(value: string | null | undefined, now: number): number | null {
  const text = value?.trim() ?? '';
  const pauseMs = /^\d+$/.test(text)
    ? Number(text) * 1000
    : httpDate.test(text)
      ? Date.parse(text) - now
      : Number.NaN;
  return Number.isNaN(pauseMs) ? null : Math.min(Math.max(pauseMs, 0), maxRetryAfterMs);
}
