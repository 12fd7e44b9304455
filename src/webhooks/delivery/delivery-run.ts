import { log } from '../../base/log.ts';
import type { Settings } from '../../base/settings.ts';
import { DeliveryState } from '../../data/schema/store/webhooks-tables.ts';
import type { AcquiredLeases } from './acquire.ts';
import { applyResult } from './apply-result.ts';
import { attemptDelivery } from './attempt.ts';
import type { DeliveryDeps } from './deps.ts';
import {
  checkActive,
  isCheckDue,
  isRecentlyChecked,
  hasWork,
  maxConcurrentSends,
  type DueDelivery,
  type LeasedEndpoint,
} from './leased-endpoint.ts';
import { type EndpointSource, ResultBuffer } from './result-buffer.ts';
import type { StallDetector } from './stall-detector.ts';
import type { ReleasedEndpoint } from './write-results.ts';

const flushEveryMs = 1_000;
const flushEveryResults = 20;

/** Pause between two requests for workers of one endpoint: a worker that left may come back. */
const requestWorkersEveryMs = 1_000;

export interface RunOptions {
  /** Milliseconds from now; later no send starts. */
  budgetMs: number;
  /** Whether the run serves the slow queues. */
  isSlow: boolean;
  stallDetector: StallDetector;
  /** Enqueues released endpoints that have more to send. Never rejects. */
  wake: (shard: number, released: readonly ReleasedEndpoint[]) => Promise<void>;
  /** Invites `count` workers to join the lease of an endpoint. Never rejects. */
  requestWorkers: (endpoint: LeasedEndpoint, count: number) => Promise<void>;
}

interface Leased extends AcquiredLeases {
  source: EndpointSource;
  buffer: ResultBuffer;
}

/**
 * One run of a worker: leases endpoints, sends their due deliveries, writes the results and
 * releases the endpoints. The methods stand in the order of a delivery. Make one object for each
 * run, and call `execute` once.
 */
export class DeliveryRun {
  readonly #settings: Settings;
  readonly #deps: DeliveryDeps;
  readonly #options: RunOptions;
  readonly #startedAt: number;
  readonly #failures: unknown[] = [];
  #sources: Leased[] = [];
  #endpoints: LeasedEndpoint[] = [];
  /** Sends, checks and claims that have started and not ended. */
  #activeTasks = 0;
  #taskEnd = Promise.withResolvers<void>();
  #isChecking = false;

  constructor(settings: Settings, deps: DeliveryDeps, options: RunOptions) {
    this.#settings = settings;
    this.#deps = deps;
    this.#options = options;
    this.#startedAt = deps.now();
  }

  /**
   * Returns overdue endpoints that it found, and the first failure of a database. Such a failure
   * loses nothing: leases expire and deliveries are sent again. Never rejects because of a database
   * or a receiver.
   */
  async execute(sources: readonly EndpointSource[]) {
    const { stallDetector } = this.#options;
    await this.#acquire(sources);
    void stallDetector.stalled.then((reason) => reason === 'timeout' && this.#releaseUnstarted());
    const timer = setInterval(() => this.#flushAll(), flushEveryMs);
    try {
      await this.#sendAll();
    } finally {
      clearInterval(timer);
      stallDetector.end();
    }
    await this.#releaseAll();
    logRun(this.#endpoints, this.#deps.now() - this.#startedAt);
    return {
      overdue: this.#sources.flatMap(({ overdue }) => overdue),
      failure: this.#failures[0],
    };
  }

  async #acquire(sources: readonly EndpointSource[]): Promise<void> {
    const { isSlow, wake, stallDetector } = this.#options;
    const options = { ...this.#deps, ...this.#settings, now: this.#startedAt, isSlow };
    this.#sources = await Promise.all(
      sources.map(async (source): Promise<Leased> => {
        const leases = await source.acquire(options);
        const buffer = new ResultBuffer(source, leases.endpoints, {
          now: this.#deps.now,
          isDone: (endpoint) => this.#isDone(endpoint),
          onReleased: (released) => wake(source.shard, released),
        });
        return { source, buffer, ...leases };
      }),
    );
    this.#endpoints = this.#sources.flatMap(({ endpoints }) => endpoints);
    this.#failures.push(...this.#sources.flatMap(({ failures }) => failures));
    stallDetector.mustRetry = this.#failures.length > 0;
    const deliveries = this.#endpoints.flatMap((endpoint) => endpoint.deliveries);
    for (const { content } of deliveries) stallDetector.bodyBytes += content?.body.length ?? 0;
  }

  /** Starts every task that can start, each time a task has ended, until none remains. */
  async #sendAll(): Promise<void> {
    for (;;) {
      this.#taskEnd = Promise.withResolvers();
      this.#startSends();
      this.#startActiveCheck();
      this.#reportIdle();
      this.#startClaims();
      if (this.#activeTasks === 0) return;
      await this.#taskEnd.promise;
    }
  }

  #startTask(task: Promise<void>, onEnd: () => void): void {
    this.#activeTasks += 1;
    task.then(
      () => {
        onEnd();
        this.#activeTasks -= 1;
        this.#taskEnd.resolve();
      },
      (error: unknown) => this.#taskEnd.reject(error),
    );
  }

  #startSends(): void {
    while (hasFreeConnection(this.#endpoints)) {
      const endpoint = this.#nextEndpoint();
      const delivery = endpoint?.deliveries[endpoint.nextIndex];
      if (!endpoint || !delivery) return;
      endpoint.nextIndex += 1;
      endpoint.inFlight += 1;
      this.#startTask(this.#send(endpoint, delivery), () => (endpoint.inFlight -= 1));
    }
  }

  #nextEndpoint = () => nextEndpoint(this.#endpoints, (endpoint) => this.#canSend(endpoint));

  #canSend({ sendUntil }: LeasedEndpoint): boolean {
    return this.#deps.now() < Math.min(this.#startedAt + this.#options.budgetMs, sendUntil);
  }

  async #send(endpoint: LeasedEndpoint, delivery: DueDelivery): Promise<void> {
    const { stallDetector } = this.#options;
    stallDetector.progress();
    const result = await attemptDelivery(endpoint, delivery, this.#settings, this.#deps);
    stallDetector.progress();
    const buffer = this.#sourceOf(endpoint)?.buffer;
    const attempt = applyResult(endpoint, delivery, result, this.#deps);
    buffer?.add(attempt);
    // Its successor goes out once this is stored: a worker that takes over must not send the one
    // that was given up.
    if (endpoint.ordered && attempt.next.state === DeliveryState.gaveUp) {
      await buffer?.flush().catch(() => (endpoint.isStopped = true));
    } else if (buffer?.pending === flushEveryResults) buffer.flushInBackground();
  }

  #sourceOf = ({ shard }: LeasedEndpoint) =>
    this.#sources.find(({ source }) => source.shard === shard);

  #flushAll(): void {
    for (const { buffer } of this.#sources) buffer.flushInBackground();
  }

  /** Checks, before the sends of an endpoint would pause, that the endpoints are still active. */
  #startActiveCheck(): void {
    const isDue = (endpoint: LeasedEndpoint) => isCheckDue(endpoint) && this.#canSend(endpoint);
    if (this.#isChecking || !this.#endpoints.some(isDue)) return;
    this.#isChecking = true;
    const checks = this.#sources.map(({ source, endpoints }) => checkActive(source, endpoints));
    const task = Promise.all(checks).then(() => undefined);
    this.#startTask(task, () => (this.#isChecking = false));
  }

  /**
   * A run that must be retried stays attached, and may only stall: then it releases what it could
   * not start.
   */
  #reportIdle(): void {
    const isBusy = this.#activeTasks > 0 && !this.#isChecking;
    const { stallDetector } = this.#options;
    if (!isBusy || stallDetector.mustRetry || this.#nextEndpoint()) return;
    stallDetector.idle();
  }

  #startClaims(): void {
    for (const endpoint of this.#endpoints) {
      if (endpoint.isClaiming || endpoint.isStopped || !this.#canClaim(endpoint)) continue;
      endpoint.isClaiming = true;
      this.#startTask(this.#claim(endpoint), () => (endpoint.isClaiming = false));
    }
  }

  #canClaim(endpoint: LeasedEndpoint): boolean {
    if (endpoint.health.backoffUntil !== null || !this.#canSend(endpoint)) return false;
    if (endpoint.isShareable) return endpoint.hasDelivered;
    // While a queue waits for this run, the batch ends after its first deliveries.
    return (
      endpoint.canClaimMore &&
      this.#options.stallDetector.isDetached &&
      endpoint.deliveries.length - endpoint.nextIndex <= maxConcurrentSends
    );
  }

  /** Claims more deliveries and requests workers for the rest. Never rejects. */
  async #claim(endpoint: LeasedEndpoint): Promise<void> {
    const source = this.#sourceOf(endpoint)?.source;
    if (!source) return;
    const now = this.#deps.now();
    const { batchSize } = this.#settings;
    const remaining = await source.claimMore(endpoint, { ...this.#deps, now, batchSize });
    const batches = Math.ceil(remaining / batchSize);
    if (batches === 0 || now < endpoint.workersRequestedAt + requestWorkersEveryMs) return;
    endpoint.workersRequestedAt = now;
    await this.#options.requestWorkers(endpoint, batches);
  }

  #isDone(endpoint: LeasedEndpoint): boolean {
    const canGoOn = hasWork(endpoint) && this.#canSend(endpoint);
    return endpoint.inFlight === 0 && !endpoint.isClaiming && !canGoOn;
  }

  /** On a stall: releases endpoints without a send in flight, so that another run can take them. */
  #releaseUnstarted(): void {
    for (const endpoint of this.#endpoints) {
      endpoint.isStopped ||=
        endpoint.inFlight === 0 && !endpoint.isClaiming && endpoint.worker === 0;
    }
    this.#flushAll();
  }

  async #releaseAll(): Promise<void> {
    const onFailure = (error: unknown) => void this.#failures.push(error);
    await Promise.all(this.#sources.map(({ buffer }) => buffer.close().catch(onFailure)));
  }
}

function logRun(endpoints: readonly LeasedEndpoint[], durationMs: number): void {
  if (endpoints.length === 0) return;
  const sends = endpoints.reduce((sum, { nextIndex }) => sum + nextIndex, 0);
  const failing = endpoints.filter(({ health }) => health.consecutiveFailures > 0);
  log('info', 'webhook_endpoints_drained', {
    durationMs,
    endpoints: endpoints.length,
    sends,
    failing: failing.map(({ id }) => id),
  });
}

/**
 * Concurrent sends of an endpoint while others have work too, or before its first success in this
 * run.
 */
const reducedConcurrency = 2;

/**
 * Selects the endpoint that gets the next free connection: the least busy one below its
 * concurrency. Returns `undefined` when no send can start. An endpoint without a success gets one
 * connection while others wait, or while it is unverified.
 */
function nextEndpoint(
  endpoints: readonly LeasedEndpoint[],
  canSend: (endpoint: LeasedEndpoint) => boolean,
): LeasedEndpoint | undefined {
  const ready = endpoints.filter(
    (endpoint) => hasWork(endpoint) && canSend(endpoint) && isRecentlyChecked(endpoint),
  );
  const isContended = ready.length > 1;
  const limitOf = ({ hasDelivered, provenAt }: LeasedEndpoint) => {
    if (provenAt === null) return 1;
    if (isContended) return hasDelivered ? reducedConcurrency : 1;
    return hasDelivered ? maxConcurrentSends : reducedConcurrency;
  };
  return ready
    .filter((endpoint) => endpoint.inFlight < Math.min(endpoint.concurrency, limitOf(endpoint)))
    .sort((a, b) => a.inFlight - b.inFlight || a.nextIndex - b.nextIndex)[0];
}

/** Whether one of the five connections for sends is free. */
const hasFreeConnection = (endpoints: readonly LeasedEndpoint[]): boolean =>
  endpoints.reduce((sum, { inFlight }) => sum + inFlight, 0) < maxConcurrentSends;
