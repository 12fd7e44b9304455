import { log } from '../../base/log.ts';
import type { AcquiredLeases, LeaseOptions, LeaseRequest } from './acquire.ts';
import type { CompletedAttempt } from './apply-result.ts';
import { findStopped, type LeasedEndpoint } from './leased-endpoint.ts';
import { claimMore, type ClaimOptions } from './share.ts';
import { acquireSendableLeases } from './unverified-endpoints.ts';
import { type ReleasedEndpoint, writeResults } from './write-results.ts';

/** Pauses between the attempts of one flush, in milliseconds. */
const flushRetryDelaysMs = [100, 400];

interface ResultBufferOptions {
  now: () => number;
  /** Whether an endpoint has nothing left to do in this run. */
  isDone: (endpoint: LeasedEndpoint) => boolean;
  /** Called after a flush that released endpoints with more to send. Never rejects. */
  onReleased: (released: ReleasedEndpoint[]) => Promise<void>;
}

/**
 * Results of one run for one source that are not in the database yet. A result leaves only after
 * its commit.
 */
export class ResultBuffer {
  readonly #source: Pick<EndpointSource, 'write'>;
  readonly #endpoints: readonly LeasedEndpoint[];
  readonly #options: ResultBufferOptions;
  readonly #attempts: CompletedAttempt[] = [];
  #pending = 0;
  #isClosing = false;
  #lastFlush: Promise<void> = Promise.resolve();

  constructor(
    source: Pick<EndpointSource, 'write'>,
    endpoints: readonly LeasedEndpoint[],
    options: ResultBufferOptions,
  ) {
    this.#source = source;
    this.#endpoints = endpoints;
    this.#options = options;
  }

  /** Results since the last call of `flush`, without those that a flush is writing. */
  get pending(): number {
    return this.#pending;
  }

  add(attempt: CompletedAttempt): void {
    this.#attempts.push(attempt);
    this.#pending += 1;
  }

  /**
   * Writes all results and releases the endpoints that are done. Flushes run one after the other.
   * Rejects when the database fails three times; the next flush then writes the same results again.
   */
  flush(): Promise<void> {
    this.#pending = 0;
    const flush = this.#lastFlush.then(() => this.#flushNow());
    this.#lastFlush = flush.catch(() => undefined);
    return flush;
  }

  /**
   * Flushes without a result: the next flush repeats a failed one, and the failure of `close`
   * counts.
   */
  flushInBackground(): void {
    this.flush().catch(() => undefined);
  }

  /** The last flush: releases every endpoint. Call it only when no send is in flight. */
  close(): Promise<void> {
    this.#isClosing = true;
    return this.flush();
  }

  async #flushNow(): Promise<void> {
    const attempts = [...this.#attempts];
    const releasing = this.#endpoints.filter(
      (endpoint) => !endpoint.isReleased && (this.#isClosing || this.#options.isDone(endpoint)),
    );
    if (attempts.length === 0 && releasing.length === 0) return;
    // While the release is repeated, the lease still holds: a claim would get what the next lease
    // sends, too.
    for (const endpoint of releasing) endpoint.isStopped = true;
    const released = await this.#writeWithRetry(attempts, releasing);
    this.#attempts.splice(0, attempts.length);
    for (const endpoint of releasing) endpoint.isReleased = true;
    if (released.length > 0) await this.#options.onReleased(released);
  }

  async #writeWithRetry(
    attempts: readonly CompletedAttempt[],
    releasing: readonly LeasedEndpoint[],
  ): Promise<ReleasedEndpoint[]> {
    const write = () => this.#source.write(attempts, releasing, this.#options.now());
    for (const delayMs of flushRetryDelaysMs) {
      try {
        return await write();
      } catch (error) {
        const message = error instanceof Error ? error.message : '';
        log('warn', 'webhook_flush_retried', { results: attempts.length, message });
        await new Promise((resolve) => setTimeout(resolve, delayMs));
      }
    }
    return write();
  }
}

/**
 * A database with endpoints and their deliveries, as a run uses it: a shard, or the directory for
 * the webhooks of apps.
 */
export interface EndpointSource {
  /** Where the checks of hosts are kept. No two sources of a run have the same. */
  readonly shard: number;
  /** Leases endpoints with their due deliveries. Never rejects. */
  acquire: (options: LeaseOptions) => Promise<AcquiredLeases>;
  /**
   * Returns the ids of those endpoints that must get nothing more. Rejects when the database fails.
   */
  findStopped: (endpoints: readonly LeasedEndpoint[]) => Promise<ReadonlySet<number>>;
  /**
   * Shares the lease of an endpoint or claims more of it; returns how many deliveries remain. Never
   * rejects.
   */
  claimMore: (endpoint: LeasedEndpoint, options: ClaimOptions) => Promise<number>;
  /**
   * Writes results, and releases the endpoints in `releasing`. A repetition changes nothing.
   * Rejects when the database fails.
   */
  write: (
    attempts: readonly CompletedAttempt[],
    releasing: readonly LeasedEndpoint[],
    now: number,
  ) => Promise<ReleasedEndpoint[]>;
}

/** The endpoints of a shard that a request names. */
export const shardSource = (request: LeaseRequest): EndpointSource => ({
  shard: request.shard,
  acquire: (options) => acquireSendableLeases(request, options),
  findStopped: (endpoints) => findStopped(request.db, endpoints),
  claimMore: (endpoint, options) => claimMore(request.db, endpoint, options),
  write: (...results) => writeResults(request.db, ...results),
});
