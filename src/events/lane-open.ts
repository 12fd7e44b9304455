import { log } from '../log.ts';
import { slots } from './deliver-pool.ts';
import type { Delivery, Lane } from './lane.ts';
import { sendable } from './lane-probe.ts';
import { signingKeysOf, type SigningKey } from './signing-keys.ts';
import type { SecretColumns, SigningSecrets } from './signing-secrets.ts';

/** No send outlives the time that a runtime update leaves to work under way. */
const longestTimeoutMs = 10_000;

/** How long a lane rests whose secret cannot be read: a matter for us, not for the endpoint. */
const brokenRestMs = 600_000;

/** An endpoint as the lease reads it. */
export interface EndpointRow extends SecretColumns {
  id: number;
  store_id: number;
  url: string;
  api_version: string;
  epoch: number;
  last_seq: number;
  lease_until: number;
  lease_gen: number;
  fail_streak: number;
  fail_count: number;
  first_fail_at: number | null;
  last_ok_at: number | null;
  latency_ms: number;
  ordered: number;
  concurrency: number;
  timeout_ms: number;
}

/** A due delivery as the lease reads it; without event columns when the event is gone. */
export interface DueRow {
  seq: number;
  event_id: string;
  attempts: number;
  refusals: number;
  due_at: number;
  trigger: string;
  event: string | null;
  body: string | null;
  triggered_at: number | null;
}

/** Who opens a lane, and how. */
export interface Opening {
  /** Epoch milliseconds. */
  now: number;
  leaseMs: number;
  pageSize: number;
  sealingKey: string;
  /** 0 for who leases the lane, from 1 on for who comes to help. */
  worker: number;
}

/** The lane of a leased endpoint, its secret unsealed once for all its sends. */
export async function laneOf(
  shard: number,
  row: EndpointRow,
  due: DueRow[],
  { now, leaseMs, pageSize, sealingKey, worker }: Opening,
): Promise<Lane> {
  const secrets = await openSecrets(row, now, sealingKey);
  const ordered = row.ordered !== 0;
  const concurrency = ordered ? 1 : Math.max(1, row.concurrency);
  const { deliveries, suspect } = sendable(due.map(deliveryOf), {
    failStreak: row.fail_streak,
    ordered,
  });
  return {
    deliveries: [...deliveries],
    suspect,
    isShareable:
      worker === 0 && due.length === pageSize && concurrency >= slots && row.fail_streak === 0,
    shard,
    id: row.id,
    generation: row.lease_gen,
    worker,
    // Half a lease, so that what is under way at the end is over before the lease is.
    until: row.lease_until - leaseMs / 2,
    url: row.url,
    apiVersion: row.api_version,
    epoch: row.epoch,
    secrets,
    ordered,
    concurrency,
    timeoutMs: Math.min(row.timeout_ms, longestTimeoutMs),
    health: {
      failStreak: row.fail_streak,
      failCount: row.fail_count,
      firstFailAt: row.first_fail_at,
      lastOkAt: row.last_ok_at,
      latencyMs: row.latency_ms,
      backoffUntil: secrets === undefined ? now + brokenRestMs : null,
      goneAt: null,
    },
    next: 0,
    seenAt: 0,
    mayTakeMore: worker > 0,
    isTaking: false,
    calledAt: 0,
    inFlight: 0,
    hasArrived: false,
    isReleased: false,
    isStopped: false,
  };
}

async function openSecrets(
  row: EndpointRow,
  now: number,
  sealingKey: string,
): Promise<SigningSecrets<SigningKey> | undefined> {
  try {
    return await signingKeysOf(row, now, sealingKey);
  } catch {
    log('error', 'webhook_secret_unreadable', { alert: true, endpoint: row.id });
    return undefined;
  }
}

/** A delivery as a lane has it. */
export function deliveryOf(row: DueRow): Delivery {
  const { event, body, triggered_at: triggeredAt } = row;
  const isThere = event !== null && body !== null && triggeredAt !== null;
  return {
    seq: row.seq,
    eventId: row.event_id,
    content: isThere ? { event, body, triggeredAt } : null,
    attempts: row.attempts,
    refusals: row.refusals,
    dueAt: row.due_at,
    isReplay: row.trigger !== 'event',
  };
}
