import { toBase64 } from '../../base/crypto/base64.ts';
import type { Settings } from '../../base/settings.ts';
import { signRequest } from '../signature.ts';
import { validateUrl } from '../url-rules.ts';
import type { DeliveryDeps } from './deps.ts';
import type { DueDelivery, LeasedEndpoint } from './leased-endpoint.ts';
import {
  classifyOutcome,
  parseRetryAfter,
  errorOfStatus,
  errorOfThrown,
  type SendError,
  type Outcome,
} from './outcome.ts';

/** The fields of an endpoint and of a delivery that an attempt needs. */
type Receiver = Pick<
  LeasedEndpoint,
  'shard' | 'id' | 'url' | 'apiVersion' | 'epoch' | 'timeoutMs' | 'secrets' | 'provenAt'
>;
type Message = Pick<DueDelivery, 'seq' | 'eventId' | 'attempts' | 'content'>;

export interface AttemptResult {
  response: WebhookResponse;
  outcome: Outcome;
  /** The pause that the response asked for. */
  retryAfterMs: number | null;
  host: string;
}

/** Attempts one delivery. Never rejects because of the receiver. */
export async function attemptDelivery(
  endpoint: Receiver,
  delivery: Message,
  settings: Settings,
  deps: DeliveryDeps,
): Promise<AttemptResult> {
  const host = URL.canParse(endpoint.url) ? new URL(endpoint.url).host : '';
  const response = await signAndSend(endpoint, delivery, settings, deps);
  if (!response) {
    const failure = { ...noResponse, at: deps.now(), durationMs: 0, error: 'internal' } as const;
    return { response: failure, outcome: 'unsendable', retryAfterMs: null, host };
  }
  const retryAfterMs = parseRetryAfter(response.headers?.['retry-after'], deps.now());
  const outcome = classifyOutcome(response, retryAfterMs);
  // A receiver that has never accepted anything rejects more than this payload.
  const isRejectedUnverified = endpoint.provenAt === null && outcome === 'payload_rejected';
  return {
    response,
    outcome: isRejectedUnverified ? 'endpoint_failure' : outcome,
    retryAfterMs,
    host,
  };
}

/** Returns `undefined` when the event or a secret is missing. */
async function signAndSend(
  { shard, id, url, apiVersion, epoch, timeoutMs, secrets }: Receiver,
  { seq, eventId, attempts, content }: Message,
  settings: Settings,
  deps: DeliveryDeps,
): Promise<WebhookResponse | undefined> {
  if (!content || !secrets) return undefined;
  const at = deps.now();
  const isInvalid = validateUrl(url, settings) !== undefined;
  const error = isInvalid ? 'blocked_url' : await deps.checkHost?.(shard, url);
  if (error !== undefined) return { ...noResponse, at, durationMs: 0, error };
  const request = await signRequest({
    ...content,
    serviceName: settings.serviceName,
    secrets,
    endpoint: id,
    epoch,
    seq,
    eventId,
    apiVersion,
    attempt: attempts + 1,
    at,
  });
  return sendWebhook({ url, timeoutMs, ...request }, deps);
}

interface OutgoingRequest {
  url: string;
  headers: Record<string, string>;
  bytes: Uint8Array;
  /**
   * Of the whole exchange, in milliseconds from the call. A pause of the isolate counts as one
   * {@link timeoutSteps}th.
   */
  timeoutMs: number;
}

/** The result of one POST. `status` is null without a response; `error` is null after a 2xx. */
export interface WebhookResponse {
  /** Time of sending, epoch milliseconds. */
  at: number;
  durationMs: number;
  status: number | null;
  error: SendError | null;
  headers: Record<string, string> | null;
  snippet: BodySnippet | null;
}

/** The beginning of a response body, as the delivery log shows it. */
export interface BodySnippet {
  text: string;
  /** `base64` if the bytes are not UTF-8. */
  encoding: 'utf-8' | 'base64';
  truncated: boolean;
}

/** Members of a {@link WebhookResponse} when no request was sent or no response came. */
const noResponse = { status: null, headers: null, snippet: null } as const;

/**
 * Sends one request. Never rejects: every failure is a result. Does not follow redirects. A 2xx
 * counts as success even when its body hangs or breaks.
 */
export async function sendWebhook(
  { url, headers, bytes, timeoutMs }: OutgoingRequest,
  { now, fetch }: Pick<DeliveryDeps, 'now' | 'fetch'>,
): Promise<WebhookResponse> {
  const at = now();
  const aborter = new AbortController();
  // In addition to the signal: when a `fetch` notices an abort is undefined.
  const { expired, stop } = startTimeout(timeoutMs);
  try {
    const request = fetch(url, {
      method: 'POST',
      headers,
      body: bytes,
      redirect: 'manual',
      signal: aborter.signal,
    });
    // A failure after the timeout must not become an unhandled rejection.
    request.catch(() => undefined);
    const response = await Promise.race([request, expired]);
    const durationMs = now() - at;
    if (response === 'timeout') return { ...noResponse, at, durationMs, error: 'timeout' };
    return { at, durationMs, ...(await readResponse(response, expired)) };
  } catch (error) {
    return { ...noResponse, at, durationMs: now() - at, error: errorOfThrown(error) };
  } finally {
    stop();
    aborter.abort();
  }
}

/** Timers that make up one timeout. An exchange needs fewer turns of the event loop. */
const timeoutSteps = 20;

/**
 * Starts a timeout that measures the receiver, not this isolate. While other work keeps the event
 * loop busy, no request leaves and no response is read. Then the timer of a whole timeout would
 * fire before the response that waits beside it. A timer in steps fires once after such a pause,
 * however long it was, and leaves the other steps to the receiver.
 */
function startTimeout(ms: number): { expired: Promise<'timeout'>; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<'timeout'>((resolve) => {
    const startStep = (number: number) => {
      timer = setTimeout(
        () => (number === timeoutSteps ? resolve('timeout') : startStep(number + 1)),
        // Rounded up: no receiver gets less than its timeout.
        Math.ceil(ms / timeoutSteps),
      );
    };
    startStep(1);
  });
  return { expired, stop: () => clearTimeout(timer) };
}

async function readResponse(response: Response, expired: Promise<unknown>) {
  const { status } = response;
  const snippet = await readSnippet(response, expired).catch(() => null);
  const error = errorOfStatus(status, snippet?.text ?? '');
  // The edge created these responses, so they contain nothing of the receiver.
  const isFromEdge = error === 'edge_52x' || error === 'dns' || error === 'tls';
  return isFromEdge
    ? { ...noResponse, status, error }
    : { status, error, headers: pickHeaders(response), snippet };
}

const readLimit = 64 * 1024;
const snippetLimit = 2 * 1024;
const emptySnippet: BodySnippet = { text: '', encoding: 'utf-8', truncated: false };

/**
 * Reads a body to its end, so that the connection can be reused. Cancels beyond 64 KB and when
 * `stop` settles first. Keeps the first 2 KB. Rejects when the connection breaks.
 */
async function readSnippet(response: Response, stop: Promise<unknown>): Promise<BodySnippet> {
  // Most responses are empty, and a reader costs more than everything else here.
  if (response.headers.get('content-length') === '0') return emptySnippet;
  const kept = new Uint8Array(snippetLimit);
  let total = 0;
  let isCancelled = false;
  const reader = response.body?.getReader();
  while (reader) {
    const chunk = await Promise.race([reader.read(), stop.then(() => undefined)]);
    if (chunk?.value && total < snippetLimit) {
      kept.set(chunk.value.subarray(0, snippetLimit - total), total);
    }
    total += chunk?.value?.length ?? 0;
    if (chunk?.done) break;
    if (!chunk || total > readLimit) {
      isCancelled = true;
      // Not awaited: a receiver that hangs may never confirm.
      reader.cancel().catch(() => undefined);
      break;
    }
  }
  const truncated = isCancelled || total > snippetLimit;
  return { ...decode(kept.subarray(0, Math.min(total, snippetLimit))), truncated };
}

function decode(bytes: Uint8Array): Pick<BodySnippet, 'text' | 'encoding'> {
  try {
    // As a stream: a character that is cut off at the end is dropped instead of rejected.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, {
      stream: true,
    });
    return { text, encoding: 'utf-8' };
  } catch {
    return { text: toBase64(bytes), encoding: 'base64' };
  }
}

const keptHeaders = ['content-type', 'retry-after', 'server', 'location'];

/** The response headers that the log keeps, with the query of a `location` masked. */
function pickHeaders(response: Response): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of keptHeaders) {
    const value = response.headers.get(name);
    if (value !== null) kept[name] = value.replace(/\?.*$/s, '?…').slice(0, 300);
  }
  return kept;
}
