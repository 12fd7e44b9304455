import { seal, unseal } from '../crypto/seal.ts';
import { knownOf, remembering, type CarriedOut, type KeyedRequest } from '../db/claim.ts';
import type { StoreDb } from '../db/store.ts';
import { log } from '../log.ts';
import { InvalidBody, KeyTaken, Problem, unavailable } from '../problem.ts';

/** An answer as it is sent; `warnings` say what was ignored of the body. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
  warnings: readonly string[];
}

/** The header that names a request (draft-ietf-httpapi-idempotency-key-header). */
export const keyHeader = 'Idempotency-Key';

/** Bytes of an answer that is kept: sealed, they have to fit into a row of D1, which holds 2,000,000. */
const longestAnswer = 1_000_000;

/** After a change for so long its answer may still be on its way into the database. */
const underWayMs = 30_000;

const encoder = new TextEncoder();

/** A request that is carried out once, however often it comes; `sealingKey` is the deployment's. */
export class Once {
  readonly #db: StoreDb;
  readonly #request: KeyedRequest;
  readonly #sealingKey: string;

  constructor(db: StoreDb, request: KeyedRequest, sealingKey: string) {
    this.#db = db;
    this.#request = request;
    this.#sealingKey = sealingKey;
  }

  /**
   * The answer that the request had; `undefined` when it has not been carried out. Throws a 422 when the key came with
   * another request, a 409 when the change was made and its answer is not there. One round trip.
   */
  async recalled(): Promise<Answer | undefined> {
    const [[known]] = await this.#db.batch([knownOf(this.#db, this.#request)]);
    if (!known) return undefined;
    if (known.fingerprint !== this.#request.fingerprint) {
      throw refusal(422, 'key_reused', 'Came with another request before.');
    }
    const answer = await this.#opened(known);
    return { ...answer, headers: { ...answer.headers, 'Idempotent-Replayed': 'true' } };
  }

  /**
   * Does the work, whose change takes the key in its own transaction, and keeps the answer; `known` is the answer
   * where it is the same whatever is done, and is then kept by that transaction too. Who is second answers as the
   * first, or throws as {@link recalled} does. One round trip more than the work, none where the answer is known.
   */
  async carryOut(work: () => Promise<Answer>, known: Answer | undefined): Promise<Answer> {
    const early = known && (await this.#sealed(known));
    const claim = this.#db.claim(this.#request, early ?? null);
    let answer: Answer;
    try {
      answer = await work();
    } catch (error) {
      // What is refused may be so because the same request was faster: its name is taken, its record gone.
      const other = isRefusal(error) && !claim.isTaken ? await this.recalled() : undefined;
      if (other) return other;
      throw error instanceof KeyTaken ? unavailable() : error;
    }
    if (!claim.isTaken || early === undefined) await this.#keep(answer);
    return answer;
  }

  /** The change was made, so whatever becomes of the answer's copy, the caller gets the answer. */
  async #keep(answer: Answer): Promise<void> {
    try {
      const sealed = (await this.#sealed(answer)) ?? null;
      await this.#db.batch([remembering(this.#db, this.#request, sealed)]);
    } catch (error) {
      const reason = error instanceof Error ? error.name : typeof error;
      log('error', 'idempotent_answer_lost', { store: this.#db.store.id, reason });
    }
  }

  async #sealed(answer: Answer): Promise<string | undefined> {
    const text = JSON.stringify(answer);
    const isTooLong = encoder.encode(text).length > longestAnswer;
    return isTooLong ? undefined : seal(this.#sealingKey, text, this.#place);
  }

  async #opened({ answer, created_at: at }: CarriedOut): Promise<Answer> {
    if (answer !== null) {
      // Sealed by `#sealed` for this very key.
      return JSON.parse(await unseal(this.#sealingKey, answer, this.#place)) as Answer;
    }
    if (this.#db.now - at >= underWayMs) {
      throw refusal(409, 'answer_lost', 'This request was carried out; its answer is not kept.');
    }
    throw refusal(409, 'request_under_way', 'The change was made; its answer is on its way.', {
      'Retry-After': '1',
    });
  }

  /** What a sealed answer belongs to, so that it opens nowhere else. */
  get #place(): string {
    return `idempotent-answer:${this.#db.store.id}:${this.#request.key}`;
  }
}

const isRefusal = (error: unknown) =>
  error instanceof KeyTaken ||
  error instanceof InvalidBody ||
  (error instanceof Problem && error.status < 500);

const refusal = (
  status: 409 | 422,
  code: string,
  sentence: string,
  headers: Record<string, string> = {},
) => new Problem(status, { code, headers, errors: { [keyHeader]: [sentence] } });
