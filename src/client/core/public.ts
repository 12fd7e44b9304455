/**
 * The types of the package that do not depend on operations. The build copies this file into
 * `index.d.ts` without the imports, so it may import only {@link ErrorCode}, which the build
 * declares.
 */
import type { ErrorCode } from '../../base/error-codes.ts';

/** A value that JSON can express. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | JsonValue[]
  | { [name: string]: JsonValue };

/** A value in a request: dates may be `Date`, and members without a value are omitted. */
export type BodyValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | Date
  | readonly BodyValue[]
  | { readonly [name: string]: BodyValue };

/**
 * Lines to send: values, of which each becomes a line of JSON, or a text or file that has the lines
 * already.
 */
export type LinesInput<Line = BodyValue> = Iterable<Line> | AsyncIterable<Line> | string | Blob;

/** The value of a query parameter; one that is null or undefined is omitted, also in a list. */
export type QueryValue = string | number | boolean | Date | null | undefined;

/**
 * Query parameters. Lists are joined by commas. A list without values throws, except for `include`:
 * a filter without a value would let every record through.
 */
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[]>>;

/** An API key of a user, from the account pages. */
export interface ApiKey {
  /** Sent as `User-Token`. */
  token: string;
  /** Sent as `User-Secret-Key`. */
  secret: string;
}

/** Tokens of an app, as `onTokens` gets them. They can be stored as JSON. */
export interface Tokens {
  access_token: string;
  refresh_token: string;
  /** When the access token expires, in epoch milliseconds. */
  expires_at: number;
}

/** Tokens of an app as the client takes them. */
export interface StoredTokens {
  access_token: string;
  refresh_token: string;
  /**
   * A `Date`, epoch milliseconds, epoch seconds, or ISO 8601. Without it, the access token is used
   * until it is refused.
   */
  expires_at?: Date | number | string | undefined;
}

/**
 * Keeps the tokens of an app, by the alias of the store. A database that all processes of the app
 * share makes them agree: each change names the tokens that it replaces.
 */
export interface TokenStore {
  /** Returns the tokens of a store; `undefined` without any. */
  get(store: string): Promise<StoredTokens | undefined>;
  /**
   * Replaces the tokens in one step if `refresh_token` is still that of `expected` (`undefined`: if
   * there are none), and returns whether it did. `next` is `undefined` to delete them.
   */
  compareAndSet(
    store: string,
    expected: StoredTokens | undefined,
    next: Tokens | undefined,
  ): Promise<boolean>;
}

/** An app's access to a store, whose tokens one process keeps. */
export interface OAuthTokens {
  /** The client id of the app. Sent as `X-Partner-Client-ID`. */
  clientId: string;
  tokens: StoredTokens;
  /**
   * Stores new tokens. The client waits for it before it uses them. If it rejects, so does the call
   * that waits, and the next call gives the same tokens again.
   */
  onTokens?: ((tokens: Tokens) => Promise<void> | void) | undefined;
  tokenStore?: undefined;
}

/** An app's access to a store, whose tokens all processes of the app share. */
interface OAuthTokenStore {
  /** The client id of the app. Sent as `X-Partner-Client-ID`. */
  clientId: string;
  tokenStore: TokenStore;
}

/** An app's access to a store. */
export type OAuth = OAuthTokens | OAuthTokenStore;

/** How to reach the service. */
export interface ServiceConfig {
  /** Address of the service, such as `https://api.example.com`. */
  baseUrl?: string | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /** The longest time of one attempt, in milliseconds: 30,000. */
  timeoutMs?: number | undefined;
  /** How often a failed attempt is repeated: 4 times. */
  retries?: number | undefined;
  /** Ends all calls of the client. */
  signal?: AbortSignal | undefined;
}

/** How to read and write a store. */
export interface StoreOptions {
  /** Unknown fields and query parameters are errors. */
  strict?: boolean | undefined;
}

/** How to reach a store. */
export type ClientConfig = {
  /** Alias of the store. */
  store: string;
} & ServiceConfig &
  StoreOptions &
  ({ apiKey: ApiKey; oauth?: undefined } | { oauth: OAuth; apiKey?: undefined });

/** An app that merchants connect to their stores. */
export interface OAuthAppConfig extends ServiceConfig {
  /** The client id of the app, from the partner panel. */
  clientId: string;
  /** One of the redirect URIs of the app, byte for byte as it is registered. */
  redirectUri: string;
  tokenStore: TokenStore;
  /** The `iss` of the service, where it is not `baseUrl`. */
  issuer?: string | undefined;
}

/**
 * Belongs to one authorization. Keep it in the session of the merchant until they come back; it can
 * be stored as JSON.
 */
export interface KeptAuthorization {
  state: string;
  verifier: string;
  redirectUri: string;
}

/** A store that is connected. */
export interface ConnectedStore {
  /** Alias of the store. */
  store: string;
  /** The scopes that the merchant approved. */
  scopes: string[];
  tokens: Tokens;
}

/** The events that the webhook of an app itself receives. */
export interface AppDelivery {
  event:
    | 'app.connected'
    | 'app.disconnected'
    | 'customer.anonymized'
    | 'store.closed'
    | 'store.renamed';
  /** Local time of the store: `2031-03-05 09:04:07`. */
  time: string;
  /** The id of a store is for ever; its alias may change. */
  merchant: { id: number; alias: string };
  resource: {
    client_id: string;
    /** Why the last connection to the store ended, for `app.disconnected`. */
    reason?: string;
    /** The customer, for `customer.anonymized`. */
    id?: number;
    /** When the data of the store are erased, for `store.closed`. */
    erase_at?: string;
    /** The alias of the store now, and the one that it left, for `store.renamed`. */
    alias?: string;
    former_alias?: string;
  };
}

/** Options of every method. */
export interface CallOptions {
  /** Ends the call, also while it waits for its next attempt. */
  signal?: AbortSignal | undefined;
  /** The longest time of one attempt, in milliseconds. */
  timeoutMs?: number | undefined;
  /** Identifies a change, so that it is applied once. A random key for each call by default. */
  idempotencyKey?: string | undefined;
  /**
   * The `etag` of the record that the change is based on: code `precondition_failed` if it has
   * changed since.
   */
  ifMatch?: string | undefined;
  /** The `etag` of a known state: code `not_modified` if it has not changed. */
  ifNoneMatch?: string | undefined;
  /** Further headers. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of `request`. */
export interface RequestOptions extends CallOptions {
  query?: Query | undefined;
  /** JSON by default; a text or bytes are sent as they are. */
  body?: BodyValue | object;
  /** Media type of a text or of bytes. */
  contentType?: string | undefined;
}

/** The data of a call with its response. */
export interface CallResponse<T> {
  data: T;
  status: number;
  headers: Headers;
  /** Tag of the record as it is now, for `ifMatch` and `ifNoneMatch`. */
  etag: string | undefined;
  /** Names this request in the log of the service. */
  requestId: string | undefined;
  /** Names of fields and parameters that the service ignored. */
  warning: string | undefined;
  /** Whether an earlier attempt had applied this change. */
  isReplayed: boolean;
}

/** A call under way: a promise of its data. */
export interface Call<T> extends Promise<T> {
  /** The data with status, headers and tag of the response. */
  withResponse: () => Promise<CallResponse<T>>;
}

/** One page of a list. */
export interface Page<T, Meta = JsonValue> {
  data: T[];
  meta: Meta;
  /** Loads the next page; `undefined` after the last. */
  next: () => Promise<Page<T, Meta> | undefined>;
}

/** A list, which is asked for when it is read: `for await (const item of list)` walks all pages. */
export interface List<T, Meta = JsonValue> extends AsyncIterable<T> {
  /** Loads the first page. */
  page: () => Promise<Page<T, Meta>>;
  /** Loads all records, or the first `limit`. */
  all: (options?: { limit?: number }) => Promise<T[]>;
}

/** Codes of failures that are not an answer of the service, and of its authorization server. */
export type LocalErrorCode =
  /**
   * No answer, or a broken one. The client does not know whether the change was applied; the same
   * `idempotencyKey` applies it once.
   */
  | 'network'
  /** No answer in time. As for `network`. */
  | 'timeout'
  /** An answer without a code, such as that of a proxy. */
  | 'unexpected_answer'
  /** The record has the tag of `ifNoneMatch`. */
  | 'not_modified'
  /** A delivery that is not genuine, or too old. */
  | 'signature'
  /** The merchant came back with an address that belongs to another authorization, or to none. */
  | 'state_mismatch'
  /** The merchant came back from another authorization server (RFC 9207). */
  | 'issuer_mismatch'
  /** The address that the merchant came back to is incomplete, or names something twice. */
  | 'invalid_callback'
  /** The merchant declined. */
  | 'access_denied'
  /** The app has no tokens of this store: it was not connected, or was uninstalled. */
  | 'not_connected'
  /** The access of the app has ended: the merchant must authorize it again. */
  | 'invalid_grant'
  /** The app does not exist, or was disabled. */
  | 'invalid_client'
  | 'invalid_request'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type';

/** The members of an {@link ApiError}. */
export interface ErrorDetails {
  code: ErrorCode | LocalErrorCode;
  /** Status of the answer; 0 if there was none. */
  status: number;
  /** The next step for the caller. */
  hint: string;
  /** Messages by field, for data that do not fit. */
  errors: Readonly<Record<string, readonly string[]>>;
  /** Names the request in the log of the service. */
  requestId: string | undefined;
  /** Page about the code. */
  documentationUrl: string | undefined;
  headers: Headers | undefined;
}

/** The headers of a delivery, of any framework. */
export type DeliveryHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A delivery: its headers, and its body as it was received. */
export interface ReceivedDelivery {
  headers: DeliveryHeaders;
  body: string | Uint8Array | ArrayBuffer;
}

/** Options of `webhooks.verify`. */
export interface VerifyOptions {
  /** How old a delivery may be, and how far ahead its clock: 300 seconds. */
  toleranceSeconds?: number | undefined;
}

/** Values from the headers of a delivery. */
export interface DeliveryInfo {
  /** Id of the event, the same in all its deliveries: skip an id that was handled already. */
  id: string;
  /**
   * The deliveries of one webhook are numbered without gaps; a new epoch starts after the service
   * was restored.
   */
  sequence: { epoch: number; number: number };
  /** 1 for the first attempt. */
  attempt: number;
  /**
   * Names of the fields of `resource` that an update changed, such as `skus.price_sale`; empty for
   * other events. Not signed.
   */
  changed: string[];
}
