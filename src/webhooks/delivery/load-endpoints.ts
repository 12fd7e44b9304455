import { sql, type SQL } from 'drizzle-orm';
import type { KeyRing } from '../../base/crypto/keys.ts';
import { minuteMs } from '../../base/durations.ts';
import { log } from '../../base/log.ts';
import { compileSql, parameter } from '../../data/core/raw.ts';
import { endpointWithIdMayReceive } from '../../data/grants/grant-conditions.ts';
import { DeliveryState } from '../../data/schema/store/webhooks-tables.ts';
import { bodyBytes, bodyColumns, type BodyColumns } from '../archive/archive-columns.ts';
import { loadBodies, type ReadableArchive } from '../archive/read-archive.ts';
import type { SigningKey, SigningSecrets } from '../signature.ts';
import { loadSigningKeys, type SecretColumns } from '../signing-keys.ts';
import { maxConcurrentSends, type DueDelivery, type LeasedEndpoint } from './leased-endpoint.ts';

/** Bytes of event bodies that the endpoints of one lease request hold in memory. */
export const maxBatchBodyBytes = 4_000_000;

/** A send must end within the time that a runtime update leaves to work in flight. */
const maxTimeoutMs = 10_000;

/**
 * Backoff after an unreadable secret, or archive. It is our failure, so it does not count against
 * the endpoint.
 */
const unreadableSecretBackoffMs = 10 * minuteMs;
const unreadableArchiveBackoffMs = minuteMs;

/**
 * A query that adds event bodies to `deliveries`, a query for `seq, event_id, attempts,
 * counted_failures, due_at, trigger` of the endpoint `id`. The parameter `bytes` limits the sum of
 * the bodies; the first delivery is always included. `may_receive` is 0 if the endpoint may not
 * receive the event at the time `now`.
 */
export const withBodiesSql = (deliveries: SQL) => sql`
  select seq, event_id, attempts, counted_failures, due_at, trigger, event, changed, body, archived, triggered_at,
    may_receive from (
    select delivery.*, webhook_events.event, webhook_events.changed, ${bodyColumns('webhook_events')}, webhook_events.created_at as triggered_at,
      ${endpointWithIdMayReceive(parameter('id'), sql`webhook_events.event`, parameter('now'))} as may_receive,
      sum(coalesce(${bodyBytes('webhook_events')}, 0)) over (order by delivery.due_at, delivery.seq)
        - coalesce(${bodyBytes('webhook_events')}, 0) as before
    from (${deliveries}) delivery left join webhook_events on webhook_events.id = delivery.event_id
  ) where before < ${parameter('bytes')} order by due_at, seq`;

/** The columns of {@link LeasedEndpointRow}. */
export const leasedColumns = sql`id, store_id, url, api_version, epoch, secret_current, secret_previous,
    secret_previous_until, secret_mode, secret_overlap_ms, last_seq, lease_until, lease_generation, consecutive_failures,
    failure_count, first_failure_at, last_success_at, proven_at, latency_ms, ordered, concurrency,
    timeout_ms`;

export interface LeasedEndpointRow extends SecretColumns {
  id: number;
  store_id: number;
  url: string;
  api_version: string;
  epoch: number;
  last_seq: number;
  lease_until: number;
  lease_generation: number;
  consecutive_failures: number;
  failure_count: number;
  first_failure_at: number | null;
  last_success_at: number | null;
  proven_at: number | null;
  latency_ms: number;
  ordered: number;
  concurrency: number;
  timeout_ms: number;
}

/** A row of {@link withBodiesSql}. The event columns are null when the event is gone. */
export interface DueDeliveryRow extends BodyColumns {
  seq: number;
  event_id: string;
  attempts: number;
  counted_failures: number;
  due_at: number;
  trigger: string;
  event: string | null;
  /** See `webhookEvents`. */
  changed: string | null;
  triggered_at: number | null;
  may_receive: 0 | 1;
}

export interface LoadOptions {
  /** Epoch milliseconds. */
  now: number;
  leaseMs: number;
  /** Deliveries that one worker loads of an endpoint at once. */
  batchSize: number;
  sealingKeys: KeyRing;
  /** Holds the bodies of older events. */
  archive?: ReadableArchive | undefined;
  /** See `LeasedEndpoint.worker`. */
  worker: number;
  /** Where the secrets open, if that is not the store of the endpoint. */
  secretContext?: string;
}

/**
 * Builds a leased endpoint from its rows; decrypts its signing secrets once for all sends, and
 * reads bodies from the archive. If either fails, the endpoint sends nothing and waits.
 */
export async function toLeasedEndpoint(
  shard: number,
  row: LeasedEndpointRow,
  due: readonly DueDeliveryRow[],
  { now, leaseMs, batchSize, sealingKeys, archive, worker, secretContext }: LoadOptions,
): Promise<LeasedEndpoint> {
  const [secrets, loaded] = await Promise.all([
    loadSecrets(row, now, sealingKeys, secretContext),
    loadDueDeliveries(archive, due).catch(() => undefined),
  ]);
  const ordered = row.ordered !== 0;
  // A worker is invited only after a success.
  const provenAt = row.proven_at ?? (worker > 0 ? now : null);
  const concurrency = ordered ? 1 : Math.max(1, row.concurrency);
  const { deliveries, suspect } = selectDeliveries(loaded ?? [], {
    consecutiveFailures: row.consecutive_failures,
    ordered,
  });
  return {
    deliveries: [...deliveries],
    suspect,
    isShareable:
      worker === 0 &&
      due.length === batchSize &&
      concurrency >= maxConcurrentSends &&
      row.consecutive_failures === 0,
    shard,
    id: row.id,
    storeId: row.store_id,
    generation: row.lease_generation,
    worker,
    // Half the lease, so that sends in flight end before the lease does.
    sendUntil: row.lease_until - leaseMs / 2,
    url: row.url,
    apiVersion: row.api_version,
    epoch: row.epoch,
    secrets,
    ordered,
    concurrency,
    timeoutMs: Math.min(row.timeout_ms, maxTimeoutMs),
    health: {
      consecutiveFailures: row.consecutive_failures,
      failureCount: row.failure_count,
      firstFailureAt: row.first_failure_at,
      lastSuccessAt: row.last_success_at,
      latencyMs: row.latency_ms,
      backoffUntil:
        secrets === undefined
          ? now + unreadableSecretBackoffMs
          : loaded === undefined
            ? now + unreadableArchiveBackoffMs
            : null,
      goneAt: null,
    },
    isUnverified: provenAt === null,
    provenAt,
    hasSent: false,
    nextIndex: 0,
    checkedIndex: 0,
    canClaimMore: worker > 0,
    isClaiming: false,
    workersRequestedAt: 0,
    inFlight: 0,
    hasDelivered: false,
    isReleased: false,
    isStopped: false,
  };
}

/** Completes deliveries with their bodies. Rejects if the archive cannot be read. */
export async function loadDueDeliveries(
  archive: ReadableArchive | undefined,
  due: readonly DueDeliveryRow[],
): Promise<DueDelivery[]> {
  const bodies = await loadBodies(
    archive,
    due.map(({ event_id: id, body, archived }) => ({ id, body, archived })),
  );
  return due.map((row, index) => toDueDelivery(row, bodies[index] ?? null));
}

function toDueDelivery(row: DueDeliveryRow, body: string | null): DueDelivery {
  const { event, changed, triggered_at: triggeredAt } = row;
  const hasContent = event !== null && body !== null && triggeredAt !== null;
  return {
    seq: row.seq,
    eventId: row.event_id,
    content: hasContent ? { event, body, changed, triggeredAt } : null,
    attempts: row.attempts,
    countedFailures: row.counted_failures,
    dueAt: row.due_at,
    isReplay: row.trigger !== 'event',
  };
}

/**
 * Selects the due deliveries that an endpoint sends, oldest first. In backoff it is one probe: the
 * oldest delivery, in the next step the newest, in turn. So one event that always fails is
 * distinguished from an endpoint that does. An ordered endpoint probes only with its oldest
 * delivery.
 */
export function selectDeliveries(
  due: readonly DueDelivery[],
  { consecutiveFailures, ordered }: { consecutiveFailures: number; ordered: boolean },
): { deliveries: readonly DueDelivery[]; suspect: DueDelivery | null } {
  const [oldest] = due;
  const newest = due.at(-1);
  if (consecutiveFailures === 0 || !oldest || !newest) return { deliveries: due, suspect: null };
  const isNewestStep = !ordered && consecutiveFailures % 2 === 0 && newest.seq !== oldest.seq;
  if (!isNewestStep) return { deliveries: [oldest], suspect: null };
  return { deliveries: [newest], suspect: oldest.attempts > 0 ? oldest : null };
}

async function loadSecrets(
  row: LeasedEndpointRow,
  now: number,
  sealingKeys: KeyRing,
  context?: string,
): Promise<SigningSecrets<SigningKey> | undefined> {
  try {
    return await loadSigningKeys(row, now, sealingKeys, context);
  } catch {
    log('error', 'webhook_secret_unreadable', { alert: true, endpoint: row.id });
    return undefined;
  }
}

const hold = compileSql<{ keys: string }>(sql`
  update webhook_deliveries set state = ${DeliveryState.held}, due_at = 0
  where state = ${DeliveryState.open} and (endpoint_id, seq) in (
    select value ->> 0, value ->> 1 from json_each(${parameter('keys')}))`);

/**
 * Holds the loaded deliveries that the endpoint may not receive any more, and returns the others.
 * One round trip, none if it may receive all of them. That is the usual case, because the end of a
 * consent pauses the endpoint. The exceptions are expired grants, and events that the endpoint was
 * subscribed to before.
 */
export async function withholdUnreceivable(
  db: D1Database,
  endpoint: number,
  rows: readonly DueDeliveryRow[],
): Promise<readonly DueDeliveryRow[]> {
  const unreceivable = rows.filter((row) => row.may_receive === 0);
  if (unreceivable.length === 0) return rows;
  const keys = JSON.stringify(unreceivable.map(({ seq }) => [endpoint, seq]));
  await hold(db, { keys }).run();
  return rows.filter((row) => row.may_receive === 1);
}
