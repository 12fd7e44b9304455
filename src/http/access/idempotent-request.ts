import type { SQL } from 'drizzle-orm';
import { toBase64url } from '../../base/crypto/base64.ts';
import { computeMac } from '../../base/crypto/hmac.ts';
import { deriveKey, type KeyRing } from '../../base/crypto/keys.ts';
import { seal, unseal } from '../../base/crypto/seal.ts';
import {
  HttpError,
  IdempotencyKeyInUse,
  serviceUnavailable,
  ValidationError,
} from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import {
  IdempotencyRecorder,
  saveResponseStatements,
  isExecutedRequest,
  selectExecutedRequest,
  type ExecutedRequest,
  type IdempotencyKey,
} from '../../data/core/idempotency.ts';
import type { RecordChange } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Principal } from './principal.ts';

/** The header that identifies a request (draft-ietf-httpapi-idempotency-key-header). */
export const idempotencyKeyHeader = 'Idempotency-Key';

/** The parts that must be equal for two requests to be the same. */
interface RequestParts {
  idempotencyKey: string;
  /** Another key of the same call, which an earlier request may have had. */
  earlierKey?: string | undefined;
  method: string;
  /** Path and query, with sorted parameters. */
  address: string;
  /** The body in one spelling, or the digest of an upload. */
  body: Uint8Array;
}

const encoder = new TextEncoder();

/**
 * Returns the stored form of a key and its request. Keys belong to their caller: equal keys of two
 * callers differ here. Both values are MACs, because a plain digest of a short body, such as one
 * with a password, could be guessed.
 */
export async function fingerprintRequest(
  { key: caller }: Pick<Principal, 'key'>,
  { idempotencyKey, earlierKey, method, address, body }: RequestParts,
  checkKey: string,
  formerKeys: readonly string[] = [],
): Promise<IdempotencyKey> {
  const head = encoder.encode(`${JSON.stringify([method, address])}\n`);
  const request = new Uint8Array(head.length + body.length);
  request.set(head);
  request.set(body, head.length);
  const sent = [idempotencyKey, ...(earlierKey === undefined ? [] : [earlierKey])];
  const fingerprintsBy = async (root: string) => {
    const [fingerprint, ...keys] = await Promise.all([
      computeRequestMac(root, 'idempotent-request/v1', request),
      ...sent.map((key) =>
        computeRequestMac(
          root,
          'idempotency-key/v1',
          encoder.encode(JSON.stringify([caller, key])),
        ),
      ),
    ]);
    return keys.map((key) => ({ key, fingerprint }));
  };
  const found = await Promise.all([checkKey, ...formerKeys].map(fingerprintsBy));
  const [current, ...former] = found.flat();
  if (!current) throw new Error('a request has a key');
  return { ...current, former };
}

const computeRequestMac = async (root: string, label: string, bytes: Uint8Array) =>
  toBase64url(await computeMac(await deriveKey(root, label, 'sign'), bytes));

/**
 * The response of an operation as it is sent. `warnings` name the ignored fields of the request
 * body.
 */
export interface SerializedResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
  warnings: readonly string[];
}

/**
 * The longest response that is stored, in bytes. Sealed, it must fit into a row of D1 (2,000,000
 * bytes).
 */
const maxStoredBytes = 1_000_000;

/** For this long after a change, its response may still be on its way into the database. */
const inProgressMs = 30_000;

/** A request with an idempotency key: executed once, then replayed from its stored response. */
export class IdempotentRequest {
  readonly #db: StoreDb;
  readonly #key: IdempotencyKey;
  readonly #sealingKeys: KeyRing;
  readonly #keepsAnswer: boolean;
  readonly #record: RecordChange | undefined;

  /**
   * Without `keepsAnswer` a repetition is told that the request was executed. That saves a batch.
   * `record` goes with the change.
   */
  constructor(
    db: StoreDb,
    key: IdempotencyKey,
    sealingKeys: KeyRing,
    {
      keepsAnswer = true,
      record,
    }: { keepsAnswer?: boolean; record?: RecordChange | undefined } = {},
  ) {
    this.#db = db;
    this.#key = key;
    this.#sealingKeys = sealingKeys;
    this.#keepsAnswer = keepsAnswer;
    this.#record = record;
  }

  /** The condition that a request with this key was executed, whatever its body was. */
  get isExecuted(): SQL {
    return isExecutedRequest(this.#db, this.#key);
  }

  /**
   * Returns the stored response, or `undefined` when the request was not executed yet. Throws a 422
   * when the key belongs to a different request, and a 409 when the change was committed but its
   * response is not stored. One round trip.
   */
  async #replay(): Promise<SerializedResponse | undefined> {
    const [[executed]] = await this.#db.batch([selectExecutedRequest(this.#db, this.#key)]);
    if (!executed) return undefined;
    const sent = [this.#key, ...(this.#key.former ?? [])];
    if (!sent.some(({ fingerprint }) => fingerprint === executed.fingerprint)) {
      const sentence = 'This key was already used for a different request.';
      throw idempotencyError('key_reused', sentence);
    }
    const response = await this.#open(executed);
    return { ...response, headers: { ...response.headers, 'Idempotent-Replayed': 'true' } };
  }

  /**
   * Executes the request, or returns its stored response. The first batch of the work looks for the
   * key. The transaction of its change takes it, so only one of concurrent duplicates makes the
   * change. `constant` is the response when it is known in advance: the same transaction then
   * stores it. Otherwise `defer` gets the work of storing it, which the caller does not wait for.
   */
  async execute(
    work: () => Promise<SerializedResponse>,
    constant: SerializedResponse | undefined,
    defer: (storing: Promise<void>) => void,
  ): Promise<SerializedResponse> {
    const sealedConstant = constant && (await this.#seal(constant));
    const recorder = this.#db.recordChanges(
      new IdempotencyRecorder(this.#db, this.#key, sealedConstant ?? null, this.#record),
    );
    let response: SerializedResponse;
    try {
      response = await work();
    } catch (error) {
      recorder.isDecided = true;
      // A repetition may also be refused because the first request succeeded: a name is taken now,
      // or a record is gone.
      const first = isRejection(error) && !recorder.isRecorded ? await this.#replay() : undefined;
      if (first) return first;
      throw error instanceof IdempotencyKeyInUse ? serviceUnavailable() : error;
    }
    recorder.isDecided = true;
    const isStored = recorder.isRecorded && sealedConstant !== undefined;
    if (this.#keepsAnswer && !isStored) defer(this.#store(response));
    return response;
  }

  /**
   * Stores the response. A failure is only logged: the change was committed, so the caller must get
   * the response.
   */
  async #store(response: SerializedResponse): Promise<void> {
    try {
      const sealed = (await this.#seal(response)) ?? null;
      const { eventBudget: bytes, eventPace: pace } = this.#db;
      await this.#db.batch(
        saveResponseStatements(
          this.#db,
          this.#key,
          sealed,
          bytes !== undefined && pace !== 'free' ? { bytes, pace } : undefined,
        ),
      );
    } catch (error) {
      const reason = error instanceof Error ? error.name : typeof error;
      log('error', 'idempotent_response_lost', { store: this.#db.store.id, reason });
    }
  }

  async #seal(response: SerializedResponse): Promise<string | undefined> {
    const text = JSON.stringify(response);
    const isTooLong = encoder.encode(text).length > maxStoredBytes;
    return isTooLong ? undefined : seal(this.#sealingKeys, text, this.#sealContext(this.#key.key));
  }

  async #open({ key, response, created_at: at }: ExecutedRequest): Promise<SerializedResponse> {
    if (response !== null) {
      // Sealed by `#seal` for the key of this record.
      return JSON.parse(
        await unseal(this.#sealingKeys, response, this.#sealContext(key)),
      ) as SerializedResponse;
    }
    if (this.#db.now - at >= inProgressMs) {
      const sentence = 'This request was executed, but its response is not stored.';
      throw idempotencyError('answer_lost', sentence);
    }
    const sentence = 'This request was executed; its response is not stored yet. Try again.';
    throw idempotencyError('request_under_way', sentence, { 'Retry-After': '1' });
  }

  /** Binds a sealed response to its store and key. */
  #sealContext(key: string): string {
    return `idempotent-response:${this.#db.store.id}:${key}`;
  }
}

/** Whether the request was refused, rather than interrupted. */
const isRejection = (error: unknown) =>
  error instanceof IdempotencyKeyInUse ||
  error instanceof ValidationError ||
  (error instanceof HttpError && error.status < 500);

const idempotencyError = (
  code: 'key_reused' | 'answer_lost' | 'request_under_way',
  sentence: string,
  headers: Record<string, string> = {},
) => new HttpError(code, { headers, errors: { [idempotencyKeyHeader]: [sentence] } });
