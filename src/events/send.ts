import type { Ports } from './clock.ts';
import { errorOfCode, errorOfThrown, type SendError } from './outcome.ts';
import { headersToKeep, readSnippet, type Snippet } from './send-response.ts';

export interface Outgoing {
  url: string;
  headers: Record<string, string>;
  bytes: Uint8Array;
  /** For the whole exchange, in milliseconds, counted from the call. */
  timeoutMs: number;
}

/** What came of one POST. `code` is missing when no response came, `error` when it was a 2xx. */
export interface Sent {
  /** When it was sent, epoch milliseconds. */
  at: number;
  durationMs: number;
  code: number | null;
  error: SendError | null;
  headers: Record<string, string> | null;
  snippet: Snippet | null;
}

/**
 * Sends one request. Never rejects: whatever goes wrong is a result. Redirects are not followed, and a 2xx
 * counts even when its body then hangs or breaks.
 */
export async function send(outgoing: Outgoing, ports: Ports): Promise<Sent> {
  const at = ports.now();
  const aborter = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Beside the signal, because nothing says when a `fetch` notices that.
  const expired = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), outgoing.timeoutMs);
  });
  try {
    const asked = ports.fetch(outgoing.url, {
      method: 'POST',
      headers: outgoing.headers,
      body: outgoing.bytes,
      redirect: 'manual',
      signal: aborter.signal,
    });
    // An answer after the timeout interests nobody, nor does its failure.
    asked.catch(() => undefined);
    const response = await Promise.race([asked, expired]);
    const durationMs = ports.now() - at;
    if (response === 'timeout') {
      return { ...nothing, at, durationMs, error: 'timeout' };
    }
    return { at, durationMs, ...(await read(response, expired)) };
  } catch (error) {
    return { ...nothing, at, durationMs: ports.now() - at, error: errorOfThrown(error) };
  } finally {
    clearTimeout(timer);
    aborter.abort();
  }
}

/** The result of a request that was not made, or got no answer. */
export const nothing = { code: null, headers: null, snippet: null } as const;

async function read(response: Response, expired: Promise<unknown>) {
  const snippet = await readSnippet(response, expired).catch(() => null);
  const error = errorOfCode(response.status, snippet?.text ?? '');
  // These codes are the edge's own words about the receiver, so there is nothing of the receiver to keep.
  const isOurs = error === 'edge_52x' || error === 'dns' || error === 'tls';
  return isOurs
    ? { ...nothing, code: response.status, error }
    : { code: response.status, error, headers: headersToKeep(response), snippet };
}
