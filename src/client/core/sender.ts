import { ApiError, errorOf } from './api-error.ts';
import type { ServiceConfig } from './public.ts';
import { sleep, type Signals, throwIfAborted, untilAborted } from './wait.ts';

/** The longest `Retry-After` that the client waits for; a longer one is left to the caller. */
const maxWaitMs = 60_000;

const firstWaitMs = 250;

/**
 * Whether the same request may succeed soon. A change has an idempotency key, so it is applied
 * once.
 */
function isTransient({ code, status }: ApiError): boolean {
  if (status === 0) return code === 'network' || code === 'timeout';
  return status === 429 || (status >= 502 && status < 600) || code === 'request_under_way';
}

/**
 * Returns how long to wait before the next attempt, in milliseconds; `undefined` if there should be
 * none. Waits double, and vary at random so that clients that failed together do not return
 * together.
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

/** A successful answer, with its body as text. */
export interface ServiceAnswer {
  status: number;
  headers: Headers;
  text: string;
}

export type Attempt<T> = (signal: AbortSignal) => Promise<T>;

const defaultTimeoutMs = 30_000;

/** Whether an answer that is not 2xx is a success all the same. */
export type IsExpected = (status: number, text: string) => boolean;

/** A form for an endpoint of the authorization server. */
interface FormRequest {
  path: string;
  /** Makes the fields of the next attempt. */
  fields: () => Promise<Record<string, string>>;
  /**
   * Whether the same form may be sent again after a lost answer. A refusal for now (429, 503) is
   * always repeated.
   */
  isRepeatable: boolean;
}

const formTimeoutMs = 10_000;

/** Sends requests without credentials: address, time limits and repetitions. */
export class Sender {
  /** Address of the service, without a slash at its end. */
  readonly origin: string;
  readonly #config: ServiceConfig;

  constructor(config: ServiceConfig, defaultUrl: string) {
    this.#config = config;
    this.origin = (config.baseUrl ?? defaultUrl).replace(/\/+$/, '').replace(/\/v2$/, '');
    if (!/^https?:\/\/[^/]+/.test(this.origin)) {
      throw new TypeError('baseUrl must be an address such as https://api.example.com.');
    }
  }

  /** Makes attempts until one succeeds, or fails in a way that the next one would, too. */
  async repeat<T>(
    attempt: Attempt<T>,
    signals: Signals,
    timeoutMs = this.#config.timeoutMs ?? defaultTimeoutMs,
    mayRepeat: (error: unknown) => boolean = () => true,
  ): Promise<T> {
    const hint = `No answer within ${timeoutMs} ms. Raise timeoutMs, or try again.`;
    const limit = { ms: timeoutMs, error: () => new ApiError('timeout', { hint }) };
    for (let count = 1; ; count++) {
      try {
        return await untilAborted(attempt, signals, limit);
      } catch (error) {
        throwIfAborted(signals);
        const wait = waitBefore(error, count, this.#config.retries ?? 4);
        if (wait === undefined || !mayRepeat(error)) throw error;
        await sleep(wait, signals);
      }
    }
  }

  /** Posts a form to the authorization server, and returns the JSON of a success. */
  async postForm<T>({ path, fields, isRepeatable }: FormRequest): Promise<T> {
    const attempt = async (signal: AbortSignal) => {
      const body = new URLSearchParams(await fields());
      return readAnswer(() => this.fetch(path, { method: 'POST', body, signal }), signal);
    };
    const mayRepeat = (error: unknown) =>
      isRepeatable || (error instanceof ApiError && [429, 503].includes(error.status));
    const { text } = await this.repeat(attempt, [this.#config.signal], formTimeoutMs, mayRepeat);
    return JSON.parse(text) as T;
  }

  /** A redirect is not followed: it would take the credentials along. */
  fetch(path: string, init: RequestInit): Promise<Response> {
    const send = this.#config.fetch ?? globalThis.fetch;
    return send(this.origin + path, { ...init, redirect: 'manual' });
  }
}

const networkError = (cause: unknown) =>
  new ApiError('network', {
    hint: 'No complete answer came. Check the network and baseUrl, then try again.',
    cause,
  });

/**
 * Makes one attempt and reads the whole answer; throws an {@link ApiError} unless it is a success.
 */
export async function readAnswer(
  attempt: Attempt<Response>,
  signal: AbortSignal,
  isExpected?: IsExpected,
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
export async function openAnswer(
  attempt: Attempt<Response>,
  signal: AbortSignal,
): Promise<Response> {
  const response = await attempt(signal).catch((cause: unknown) => {
    throw networkError(cause);
  });
  if (response.ok) return response;
  throw errorOf(response.status, response.headers, await response.text().catch(() => ''));
}

const isJson = ({ headers }: Response) =>
  headers.get('Content-Type')?.startsWith('application/json') ?? false;
