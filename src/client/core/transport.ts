import { ApiError, errorOf } from './api-error.ts';
import { apiKeyCredentials, type Credentials } from './credentials.ts';
import type { EncodedBody } from './encode.ts';
import { OAuthCredentials, type RefreshResponse } from './oauth.ts';
import type { CallOptions, ClientConfig } from './public.ts';
import { sleep, type Signals, throwIfAborted, untilAborted } from './wait.ts';

/** The longest `Retry-After` that the client waits for; a longer one is left to the caller. */
const maxWaitMs = 60_000;

const firstWaitMs = 250;

/** Whether the same request may succeed soon. A change has an idempotency key, so it is applied once. */
function isTransient({ code, status }: ApiError): boolean {
  if (status === 0) return code === 'network' || code === 'timeout';
  return status === 429 || (status >= 502 && status < 600) || code === 'request_under_way';
}

/**
 * Returns how long to wait before the next attempt, in milliseconds; `undefined` if there should be none. Waits double, and
 * vary at random so that clients that failed together do not return together.
 */
function waitBefore(failure: unknown, attempt: number, retries: number): number | undefined {
  if (!(failure instanceof ApiError) || attempt > retries || !isTransient(failure))
    return undefined;
  const asked = retryAfterMs(failure.headers?.get('Retry-After'));
  if (asked > maxWaitMs) return undefined;
  const backoff = Math.min(firstWaitMs * 2 ** (attempt - 1), 8_000);
  return Math.max(asked, backoff / 2) + (Math.random() * backoff) / 2;
}

/** Parses `Retry-After`: seconds, or a date (RFC 9110). */
function retryAfterMs(value: string | null | undefined): number {
  if (!value) return 0;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? 0 : ms;
}

/** One request to the service. The path begins with `/` and has its query. */
export interface TransportRequest extends CallOptions {
  method: string;
  path: string;
  body?: EncodedBody | undefined;
  /** Whether an answer that is not 2xx is a success all the same. */
  isExpected?: (status: number, text: string) => boolean;
}

/** A successful answer, with its body as text. */
export interface ServiceAnswer {
  status: number;
  headers: Headers;
  text: string;
}

type Attempt<T> = (signal: AbortSignal) => Promise<T>;

const defaultTimeoutMs = 30_000;

/** Sends requests: credentials, idempotency keys, time limits, repetitions and the bookmark. */
export class Transport {
  readonly #config: ClientConfig;
  /** Address of the service, without a slash at its end. */
  readonly #origin: string;
  readonly #credentials: Credentials;
  #bookmark = '';

  constructor(config: ClientConfig, defaultUrl: string) {
    this.#config = config;
    this.#origin = (config.baseUrl ?? defaultUrl).replace(/\/+$/, '').replace(/\/v2$/, '');
    if (!/^https?:\/\/[^/]+/.test(this.#origin)) {
      throw new TypeError('baseUrl must be an address such as https://api.example.com.');
    }
    if (!config.apiKey === !config.oauth) throw new TypeError('Pass either apiKey or oauth.');
    this.#credentials = config.oauth
      ? new OAuthCredentials(config.oauth, (form) => this.#refresh(form))
      : apiKeyCredentials(config.apiKey);
  }

  /** Sends a request until it succeeds or fails for good. */
  send(request: TransportRequest): Promise<ServiceAnswer> {
    return this.#authenticated(
      request,
      (attempt) => (signal) => readAnswer(attempt, signal, request.isExpected),
    );
  }

  /** Sends a request until a success begins to arrive. The caller reads the body. */
  open(request: TransportRequest): Promise<Response> {
    return this.#authenticated(request, (attempt) => (signal) => openAnswer(attempt, signal));
  }

  /** Waits, unless the client or the call is ended. */
  pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return sleep(ms, [signal, this.#config.signal]);
  }

  /** Makes a request with credentials. A 401 of an app is answered by one refresh and one repetition. */
  async #authenticated<T extends { headers: Headers }>(
    request: TransportRequest,
    read: (attempt: Attempt<Response>) => Attempt<T>,
  ): Promise<T> {
    const signals = [request.signal, this.#config.signal];
    const common = this.#headersOf(request);
    for (let isRenewed = false; ; isRenewed = true) {
      const credentials = await untilAborted(() => this.#credentials.headers(), signals);
      const attempt = read((signal) =>
        this.#fetch(request.path, {
          method: request.method,
          headers: { ...common, ...credentials },
          signal,
          ...(request.body && { body: request.body.bytes }),
        }),
      );
      try {
        const answer = await this.#repeat(attempt, signals, request.timeoutMs);
        this.#keepBookmark(answer.headers.get('X-Bookmark'));
        return answer;
      } catch (error) {
        if (isRenewed || !(error instanceof ApiError) || error.status !== 401) throw error;
        await untilAborted(() => this.#credentials.renew(credentials, error), signals);
      }
    }
  }

  /** Makes attempts until one succeeds, or fails in a way that the next one would, too. */
  async #repeat<T>(
    attempt: Attempt<T>,
    signals: Signals,
    timeoutMs = this.#config.timeoutMs ?? defaultTimeoutMs,
  ): Promise<T> {
    const hint = `No answer within ${timeoutMs} ms. Raise timeoutMs, or try again.`;
    const limit = { ms: timeoutMs, error: () => new ApiError('timeout', { hint }) };
    for (let count = 1; ; count++) {
      try {
        return await untilAborted(attempt, signals, limit);
      } catch (error) {
        throwIfAborted(signals);
        const wait = waitBefore(error, count, this.#config.retries ?? 4);
        if (wait === undefined) throw error;
        await sleep(wait, signals);
      }
    }
  }

  async #refresh(form: Record<string, string>): Promise<RefreshResponse> {
    const body = new URLSearchParams(form);
    const attempt = (signal: AbortSignal) =>
      readAnswer(() => this.#fetch('/oauth/token', { method: 'POST', body, signal }), signal);
    // The signals of single calls do not end a refresh, which other calls may wait for.
    const { text } = await this.#repeat(attempt, [this.#config.signal], 10_000);
    return JSON.parse(text) as RefreshResponse;
  }

  /** A redirect is not followed: it would take the credentials along. */
  #fetch(path: string, init: RequestInit): Promise<Response> {
    const send = this.#config.fetch ?? globalThis.fetch;
    return send(this.#origin + path, { ...init, redirect: 'manual' });
  }

  #headersOf({ method, body, headers, idempotencyKey, ifMatch, ifNoneMatch }: TransportRequest) {
    const { strict, nearest } = this.#config;
    const isRead = method === 'GET';
    const wishes = [strict && 'handling=strict', isRead && nearest && 'read=nearest'];
    const sent: Record<string, string | false | undefined> = {
      Accept: 'application/json, application/x-ndjson',
      'Content-Type': body?.contentType,
      Prefer: wishes.filter(Boolean).join(', '),
      'Idempotency-Key': !isRead && (idempotencyKey ?? createKey()),
      'X-Bookmark': isRead && this.#bookmark,
      'If-Match': ifMatch,
      'If-None-Match': ifNoneMatch,
      ...headers,
    };
    const present = Object.entries(sent).filter((entry): entry is [string, string] => !!entry[1]);
    return Object.fromEntries(present);
  }

  /** Keeps the latest state that the client has seen. Within a database, a later bookmark is the greater text. */
  #keepBookmark(seen: string | null) {
    if (!seen) return;
    const databaseOf = (bookmark: string) => bookmark.slice(0, bookmark.lastIndexOf('.'));
    if (databaseOf(seen) !== databaseOf(this.#bookmark) || seen > this.#bookmark) {
      this.#bookmark = seen;
    }
  }
}

const networkError = (cause: unknown) =>
  new ApiError('network', {
    hint: 'No complete answer came. Check the network and baseUrl, then try again.',
    cause,
  });

/** Makes one attempt and reads the whole answer; throws an {@link ApiError} unless it is a success. */
async function readAnswer(
  attempt: Attempt<Response>,
  signal: AbortSignal,
  isExpected?: TransportRequest['isExpected'],
): Promise<ServiceAnswer> {
  let response: Response;
  let text: string;
  try {
    response = await attempt(signal);
    text = await response.text();
    // An answer that was cut off may look complete to `fetch`.
    if (response.ok && isJson(response)) JSON.parse(text);
  } catch (cause) {
    throw networkError(cause);
  }
  const { status, headers, ok } = response;
  if (!ok && !isExpected?.(status, text)) throw errorOf(status, headers, text);
  return { status, headers, text };
}

/** Makes one attempt and returns the answer when it is a success. */
async function openAnswer(attempt: Attempt<Response>, signal: AbortSignal): Promise<Response> {
  const response = await attempt(signal).catch((cause: unknown) => {
    throw networkError(cause);
  });
  if (response.ok) return response;
  throw errorOf(response.status, response.headers, await response.text().catch(() => ''));
}

const isJson = ({ headers }: Response) =>
  headers.get('Content-Type')?.startsWith('application/json') ?? false;

/** Creates an idempotency key: 128 random bits. */
const createKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
