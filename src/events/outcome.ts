/** Why a delivery did not arrive, as the delivery log names it. */
export type SendError =
  | 'timeout'
  | 'connect'
  | 'dns'
  | 'tls'
  | 'edge_52x'
  | 'http_4xx'
  | 'http_5xx'
  | 'redirect'
  | 'blocked_url'
  | 'internal';

/**
 * What a result means for delivery and lane (webhooks 3.4). `unsendable` is our own loss of the event's body, which no
 * repetition brings back and no endpoint is to blame for; a destination that our guard refuses is an endpoint failure.
 */
export type Outcome =
  | 'delivered'
  | 'endpoint failure'
  | 'slow down'
  | 'payload refused'
  | 'gone'
  | 'unsendable';

/** Answers that judge this one payload, and not the endpoint. */
const refusals: ReadonlySet<number | null> = new Set([400, 405, 409, 413, 415, 422]);

/** The class of a result. `retryAfter` is the pause that it asks for, `null` without one. */
export function outcomeOf(
  { code, error }: { code: number | null; error: SendError | null },
  retryAfter: number | null,
): Outcome {
  if (error === null) return 'delivered';
  if (code === 410) return 'gone';
  if (code === 429 || (code === 503 && retryAfter !== null)) return 'slow down';
  return refusals.has(code) ? 'payload refused' : 'endpoint failure';
}

/** The error that a status stands for, `null` for a 2xx. `text` is the beginning of the response's body. */
export function errorOfCode(code: number, text: string): SendError | null {
  if (code >= 200 && code < 300) return null;
  if (code >= 300 && code < 400) return 'redirect';
  if (code < 500) return 'http_4xx';
  // Cloudflare answers 1016 in a 530 for a name that does not resolve, 525 and 526 for a failed handshake.
  if (code === 530 && text.includes('1016')) return 'dns';
  if (code === 525 || code === 526) return 'tls';
  if ((code >= 520 && code < 530) || code === 530) return 'edge_52x';
  return 'http_5xx';
}

const thrown: readonly [SendError, RegExp][] = [
  ['tls', /\b(?:tls|ssl|certificate)\b/i],
  ['dns', /\bdns\b/i],
  ['connect', /network connection lost|connect|reset|refused|internal error; reference/i],
];

/** The error that a rejected `fetch` stands for; local workerd tells DNS and TLS failures apart from nothing. */
export function errorOfThrown(error: unknown): SendError {
  const message = error instanceof Error ? error.message : '';
  return thrown.find(([, pattern]) => pattern.test(message))?.[0] ?? 'internal';
}
