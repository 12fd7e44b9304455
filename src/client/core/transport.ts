import { ApiError } from './api-error.ts';
import { apiKeyCredentials, type Credentials } from './credentials.ts';
import type { EncodedBody } from './encode.ts';
import { OAuthCredentials } from './oauth.ts';
import type { CallOptions, ClientConfig } from './public.ts';
import {
  type Attempt,
  type IsExpected,
  openAnswer,
  readAnswer,
  Sender,
  type ServiceAnswer,
} from './sender.ts';
import { sleep, untilAborted } from './wait.ts';

/** One request to the service. The path begins with `/` and has its query. */
export interface TransportRequest extends CallOptions {
  method: string;
  path: string;
  body?: EncodedBody | undefined;
  isExpected?: IsExpected | undefined;
}

/** In characters. Servers and proxies before the service may refuse a longer address. */
const maxPathLength = 4_000;

/**
 * Returns a GET that has a body, or whose query makes its address too long, as QUERY (RFC 10008),
 * which a list answers alike.
 */
function asSent(request: TransportRequest): TransportRequest {
  const { method, path, body } = request;
  if (method !== 'GET' || (!body && path.length <= maxPathLength)) return request;
  if (body) return { ...request, method: 'QUERY' };
  const [list = '', ...query] = path.split('?');
  const form = { bytes: query.join('?'), contentType: 'application/x-www-form-urlencoded' };
  return { ...request, method: 'QUERY', path: list, body: form };
}

/** Sends requests with credentials and idempotency keys. */
export class Transport {
  readonly #config: ClientConfig;
  readonly #sender: Sender;
  readonly #credentials: Credentials;

  constructor(config: ClientConfig, defaultUrl: string) {
    this.#config = config;
    this.#sender = new Sender(config, defaultUrl);
    if (!config.apiKey === !config.oauth) throw new TypeError('Pass either apiKey or oauth.');
    this.#credentials = config.oauth
      ? new OAuthCredentials(config.oauth, config.store, this.#sender)
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

  /**
   * Makes a request with credentials. A 401 of an app is answered by one refresh and one
   * repetition.
   */
  async #authenticated<T>(
    asked: TransportRequest,
    read: (attempt: Attempt<Response>) => Attempt<T>,
  ): Promise<T> {
    const request = asSent(asked);
    const signals = [request.signal, this.#config.signal];
    const common = this.#headersOf(request);
    for (let isRenewed = false; ; isRenewed = true) {
      const credentials = await untilAborted(() => this.#credentials.headers(), signals);
      const attempt = read((signal) =>
        this.#sender.fetch(request.path, {
          method: request.method,
          headers: { ...common, ...credentials },
          signal,
          ...(request.body && { body: request.body.bytes }),
        }),
      );
      try {
        return await this.#sender.repeat(attempt, signals, request.timeoutMs);
      } catch (error) {
        if (isRenewed || !(error instanceof ApiError) || error.status !== 401) throw error;
        await untilAborted(() => this.#credentials.renew(credentials, error), signals);
      }
    }
  }

  #headersOf({ method, body, headers, idempotencyKey, ifMatch, ifNoneMatch }: TransportRequest) {
    const isRead = ['GET', 'QUERY'].includes(method);
    const sent: Record<string, string | false | undefined> = {
      Accept: 'application/json, application/x-ndjson',
      'Content-Type': body?.contentType,
      Prefer: this.#config.strict && 'handling=strict',
      'Idempotency-Key': !isRead && (idempotencyKey ?? createKey()),
      'If-Match': ifMatch,
      'If-None-Match': ifNoneMatch,
      ...headers,
    };
    const present = Object.entries(sent).filter((entry): entry is [string, string] => !!entry[1]);
    return Object.fromEntries(present);
  }
}

/** Creates an idempotency key: 128 random bits. */
const createKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
