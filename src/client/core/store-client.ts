import { PendingCall } from './api-call.ts';
import { decodeDates } from './dates.ts';
import { encodeBody, withQuery } from './encode.ts';
import { RemoteList, type LoadPage } from './list.ts';
import type {
  BodyValue,
  Call,
  CallOptions,
  CallResponse,
  ClientConfig,
  JsonValue,
  List,
  RequestOptions,
} from './public.ts';
import type { ServiceAnswer } from './sender.ts';
import { Transport, type TransportRequest } from './transport.ts';

const base = '/v2';

/** Calls operations of one store. */
export class StoreClient {
  readonly transport: Transport;
  readonly #store: string;
  readonly #dateFields: ReadonlySet<string>;

  constructor(config: ClientConfig, defaultUrl: string, dateFields: ReadonlySet<string>) {
    if (!/^[\w-]+$/.test(config.store ?? ''))
      throw new TypeError('store must be the alias of a store.');
    this.#store = config.store;
    this.#dateFields = dateFields;
    this.transport = new Transport(config, defaultUrl);
  }

  /**
   * Returns the path of the service for a path of the document, one within the store, or a link of
   * an answer.
   */
  resolve(path: string): string {
    const [, link] = /^https?:\/\/[^/]+.*?(\/v2\/.*)$/.exec(path) ?? [];
    if (link !== undefined) return link;
    const rooted = path.startsWith('/') ? path : `/${path}`;
    if (rooted.startsWith(`${base}/`)) return rooted;
    if (rooted.startsWith('/{alias}')) return base + rooted.replace('{alias}', this.#store);
    return rooted.startsWith('/auth/') ? base + rooted : `${base}/${this.#store}${rooted}`;
  }

  /**
   * Calls any operation. The data are the body as it was sent, of the type that the caller names.
   */
  request<T = JsonValue>(method: string, path: string, options: RequestOptions = {}): Call<T> {
    const { query, body, contentType, ...rest } = options;
    const encoded = encodeBody(body, contentType);
    const request = { ...rest, method, path: withQuery(this.resolve(path), query), body: encoded };
    return new PendingCall(this.#receive(request, (answer) => parseBody(answer) as T));
  }

  /** Walks a list. The records are as they were sent. */
  walk(path: string, options: Omit<RequestOptions, 'body' | 'contentType'> = {}): List<JsonValue> {
    const { query, ...rest } = options;
    const load = this.#pageLoader<JsonValue>(rest, (value) => value);
    return new RemoteList(load, this.resolve(path), query);
  }

  /**
   * Calls an operation that returns a record. `pick` takes it out of the body, in which dates are
   * `Date`.
   */
  call<T>(
    method: string,
    path: string,
    body: BodyValue | object,
    { contentType, ...options }: CallOptions & { contentType?: string | undefined },
    pick: (body: JsonValue) => T,
  ): Call<T> {
    const request = { ...options, method, path, body: encodeBody(body, contentType) };
    return new PendingCall(
      this.#receive(request, (answer) => pick(this.#decode(parseBody(answer)))),
    );
  }

  /** Returns a list whose dates are `Date`. */
  list(path: string, query: RequestOptions['query'], options: CallOptions): List<JsonValue> {
    return new RemoteList(
      this.#pageLoader(options, (value) => this.#decode(value)),
      path,
      query,
    );
  }

  #decode(body: JsonValue): JsonValue {
    // Dates take the place of texts and objects; the published types say where.
    return decodeDates(body, this.#dateFields) as JsonValue;
  }

  async #receive<T>(
    request: TransportRequest,
    read: (answer: ServiceAnswer) => T,
  ): Promise<CallResponse<T>> {
    const answer = await this.transport.send(request);
    const { status, headers } = answer;
    return {
      data: read(answer),
      status,
      headers,
      etag: headers.get('ETag') ?? undefined,
      requestId: headers.get('X-Request-Id') ?? undefined,
      warning: headers.get('X-Warning') ?? undefined,
      isReplayed: headers.get('Idempotent-Replayed') === 'true',
    };
  }

  #pageLoader<T>(
    options: CallOptions,
    decode: (value: JsonValue) => JsonValue,
  ): LoadPage<T, JsonValue> {
    return async (path) => {
      const isExpected = (status: number, text: string) => status === 404 && isEmptyList(text);
      const answer = await this.transport.send({ ...options, method: 'GET', path, isExpected });
      const { data = [], meta = {} } = decode(parseBody(answer)) as Partial<ListBody<T>>;
      return { data, meta, next: this.#nextOf(meta, path) };
    };
  }

  /** Finds the next page in `meta.pagination.links.next`, or in the cursor of a long list. */
  #nextOf({ pagination, cursor }: ListBody<unknown>['meta'], path: string): string | undefined {
    if (pagination?.links?.next) return this.resolve(pagination.links.next);
    if (!cursor?.next) return undefined;
    return withQuery(path.replace(/([?&])cursor=[^&]*&?/, '$1').replace(/[?&]$/, ''), {
      cursor: cursor.next,
    });
  }
}

/** The body of a list. */
interface ListBody<T> {
  data: T[];
  meta: { pagination?: { links?: { next?: string } }; cursor?: { next?: string } };
}

/** Whether a 404 is that of a list without any match, not that of its parent. */
function isEmptyList(text: string): boolean {
  try {
    return Array.isArray((JSON.parse(text) as Partial<ListBody<unknown>>).data);
  } catch {
    return false;
  }
}

/** Returns the JSON of an answer, and a text for other media types. */
function parseBody({ headers, text }: ServiceAnswer): JsonValue {
  const isJson = headers.get('Content-Type')?.startsWith('application/json');
  return isJson ? (JSON.parse(text) as JsonValue) : text;
}
