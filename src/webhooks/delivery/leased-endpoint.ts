import { sql } from 'drizzle-orm';
import { prepareSql } from '../../data/core/raw.ts';
import { EndpointStatus } from '../../data/schema/store/webhooks-tables.ts';
import type { SigningKey, SigningSecrets } from '../signature.ts';

/**
 * Sends of one run at the same time. A Worker has six connections; the sixth serves the database
 * and the queues.
 */
export const maxConcurrentSends = 5;

/** An open delivery as it was when its endpoint was leased. */
export interface DueDelivery {
  seq: number;
  eventId: string;
  /** `null` when the row of the event is gone, so that there is nothing to send. */
  content: { event: string; body: string; changed: string | null; triggeredAt: number } | null;
  /** Attempts so far. */
  attempts: number;
  /** Attempts whose failure counts against the delivery itself. */
  countedFailures: number;
  /** Epoch milliseconds; 0 unless the delivery has its own retry schedule. */
  dueAt: number;
  /** Created by a replay instead of a new event. */
  isReplay: boolean;
}

/** The health of an endpoint as one run changes it. Times are epoch milliseconds. */
export interface EndpointHealth {
  /** Backoff steps in a row. Above 0, the endpoint gets one probe per step. */
  consecutiveFailures: number;
  /** Failures since `firstFailureAt` that count towards disabling the endpoint. */
  failureCount: number;
  /** Start of the current failure; no delivery has succeeded since. */
  firstFailureAt: number | null;
  lastSuccessAt: number | null;
  /** Moving average of the response time. */
  latencyMs: number;
  /** Set by a failure in this run: nothing is sent before. */
  backoffUntil: number | null;
  /** Send time of the request that the receiver rejected with 410. */
  goneAt: number | null;
}

/** An endpoint as one worker sees it: the worker that took the lease, or one that joined it. */
export interface LeasedEndpoint {
  readonly shard: number;
  readonly id: number;
  readonly storeId: number;
  /** Number of the lease. Results of an older lease cannot release the endpoint. */
  readonly generation: number;
  /** 0 took the lease; workers that joined count from 1. */
  readonly worker: number;
  /** Epoch milliseconds; no send starts later. */
  readonly sendUntil: number;
  readonly url: string;
  readonly apiVersion: string;
  readonly epoch: number;
  /** Signing secrets at the time of the lease; `undefined` when one could not be decrypted. */
  readonly secrets: SigningSecrets<SigningKey> | undefined;
  readonly ordered: boolean;
  readonly concurrency: number;
  readonly timeoutMs: number;
  /** Nothing had been accepted at this URL when the endpoint was leased. */
  readonly isUnverified: boolean;
  /** Due deliveries in the order of sending; claimed ones are appended. */
  readonly deliveries: DueDelivery[];
  /**
   * The oldest delivery while the newest is the probe. If the probe succeeds, only this delivery
   * fails.
   */
  readonly suspect: DueDelivery | null;
  /**
   * More than one batch is due and the receiver allows full concurrency, so other workers may join.
   */
  isShareable: boolean;
  /** Unclaimed deliveries of the shared lease may be claimed. */
  canClaimMore: boolean;
  isClaiming: boolean;
  /** Last request for more workers, epoch milliseconds. */
  workersRequestedAt: number;
  health: EndpointHealth;
  /** Index in `deliveries` of the next one to send. */
  nextIndex: number;
  /** `nextIndex` at the last check that the endpoint is active. */
  checkedIndex: number;
  inFlight: number;
  /**
   * The first 2xx of the URL, epoch milliseconds; until then one send at a time, and none after a
   * failure.
   */
  provenAt: number | null;
  /** A request went out in this run, or was blocked by the URL policy. */
  hasSent: boolean;
  /** A delivery has succeeded in this run; until then the endpoint gets few connections. */
  hasDelivered: boolean;
  isReleased: boolean;
  /** Nothing more is sent in this run. */
  isStopped: boolean;
}

/** Whether a delivery remains to be sent and nothing forbids it. */
export function hasWork(endpoint: LeasedEndpoint): boolean {
  return (
    !endpoint.isStopped &&
    endpoint.nextIndex < endpoint.deliveries.length &&
    endpoint.health.backoffUntil === null
  );
}

/** Sends that one worker starts at most after an endpoint was disabled (fault 45). */
const sendsPerCheck = 6;

/** With this many remaining sends, the next check starts, so that sends rarely wait for it. */
const checkAheadSends = 1;

// A run has few endpoints. Ids out of JSON would cost three rows read each instead of one.
const stoppedSql = (endpoints: readonly LeasedEndpoint[]) => sql`
  select id from webhook_endpoints
  where id in ${endpoints.map(({ id }) => id)}
    and (status <> ${EndpointStatus.active} or lease_backoff_until > 0)`;

const remainingSends = ({ nextIndex, checkedIndex }: LeasedEndpoint) =>
  checkedIndex + sendsPerCheck - nextIndex;

/** Whether another send may start without a new check. */
export const isRecentlyChecked = (endpoint: LeasedEndpoint) => remainingSends(endpoint) > 0;

/** Whether the endpoint has more to send than the last check allows. */
const needsCheck = (endpoint: LeasedEndpoint) =>
  hasWork(endpoint) && endpoint.deliveries.length - endpoint.nextIndex > remainingSends(endpoint);

/** Whether sending will soon pause for lack of a check. */
export const isCheckDue = (endpoint: LeasedEndpoint) =>
  needsCheck(endpoint) && remainingSends(endpoint) <= checkAheadSends;

/**
 * Snapshots the progress of endpoints before a query that says whether they are active. The
 * returned callback applies the result: it stops the inactive ones and lets the others continue
 * from the snapshot.
 */
export function snapshot(
  endpoints: readonly LeasedEndpoint[],
): (isStopped: (endpoint: LeasedEndpoint) => boolean) => void {
  const positions = endpoints.map((endpoint) => ({ endpoint, index: endpoint.nextIndex }));
  return (isStopped) => {
    for (const { endpoint, index } of positions) {
      endpoint.checkedIndex = Math.max(endpoint.checkedIndex, index);
      endpoint.isStopped ||= isStopped(endpoint);
    }
  };
}

/**
 * The ids of those endpoints of a shard that are not active any more or back off. Rejects when the
 * database fails.
 */
export async function findStopped(
  db: D1Database,
  endpoints: readonly LeasedEndpoint[],
): Promise<ReadonlySet<number>> {
  const [found] = await db.batch<{ id: number }>([prepareSql(db, stoppedSql(endpoints))]);
  return new Set(found?.results.map(({ id }) => id));
}

/**
 * Checks that the endpoints of a source are still active and stops the others. One round trip for
 * all endpoints that need a check, none if no endpoint does. Never rejects: if the query fails, the
 * endpoints stop, and the next lease takes the rest.
 */
export async function checkActive(
  source: { findStopped: (endpoints: readonly LeasedEndpoint[]) => Promise<ReadonlySet<number>> },
  endpoints: readonly LeasedEndpoint[],
): Promise<void> {
  const checked = endpoints.filter(needsCheck);
  if (checked.length === 0) return;
  const applyCheck = snapshot(checked);
  try {
    const stopped = await source.findStopped(checked);
    applyCheck(({ id }) => stopped.has(id));
  } catch {
    applyCheck(() => true);
  }
}
