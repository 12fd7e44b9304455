import { sql, type SQL } from 'drizzle-orm';
import { hourMs } from '../../base/durations.ts';
import { rawStatement } from '../../data/core/raw.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import {
  DeliveryState,
  webhookDeliveries,
  webhookEndpoints,
} from '../../data/schema/store/webhooks-tables.ts';
import { hasLogOf, logEndpointId, type EndpointOwner } from '../endpoints/endpoint-access.ts';
import { firstSeqAt } from './seq-range.ts';

/** The number of newest deliveries that the statistics cover. */
export const statsSampleSize = 1_000;

/** Open deliveries are counted up to this number. */
const maxCountedPending = 10_000;

interface Percentiles {
  p50: number | null;
  p95: number | null;
}

/**
 * Statistics of an endpoint. All but the last two members cover the newest `sampled` deliveries.
 */
export interface EndpointDeliveryStats {
  sampled: number;
  states: Record<'open' | 'delivered' | 'gave_up' | 'held' | 'cancelled', number>;
  /** Delivered share of those delivered or given up, 0 to 1; null without any. */
  success_rate: number | null;
  /** Of the successful request. */
  duration_ms: Percentiles;
  /** From the event to its 2xx response. */
  lag_ms: Percentiles;
  pending: number;
  oldest_pending_seconds: number | null;
}

type Sample = Pick<
  typeof webhookDeliveries.$inferSelect,
  'state' | 'duration_ms' | 'created_at' | 'done_at'
>;

/**
 * Returns `undefined` when the caller may not read the log. One round trip; the rows read are
 * bounded.
 */
export async function loadDeliveryStats(
  db: StoreDb,
  owner: EndpointOwner,
  id: number,
): Promise<EndpointDeliveryStats | undefined> {
  const endpoint = logEndpointId(db, id, owner);
  const [endpoints, samples, [pending]] = await db.batch([
    db.select(webhookEndpoints, { where: hasLogOf(id, owner) }),
    samplesOf(db, endpoint),
    rawStatement<{ count: number; oldest: number | null }>(
      db,
      sql`select count, (select created_at from ${webhookDeliveries}
          where endpoint_id = ${endpoint} and seq = first) as oldest
        from (select count(*) as count, min(seq) as first from (
          select seq from ${webhookDeliveries}
          where endpoint_id = ${endpoint} and state = ${sql.raw(`${DeliveryState.open}`)}
          limit ${maxCountedPending}))`,
    ),
  ]);
  if (endpoints.length === 0) return undefined;
  const oldest = pending?.oldest ?? null;
  return {
    ...calculateStats(samples),
    pending: pending?.count ?? 0,
    oldest_pending_seconds:
      oldest === null ? null : Math.max(0, Math.floor((db.now - oldest) / 1000)),
  };
}

/**
 * Deliveries of one hour (epoch milliseconds of its start) in one state, whose last attempt failed
 * or not.
 */
export interface DeliveriesOfHour {
  hour: number;
  /** `DeliveryState` */
  state: number;
  has_failed: 0 | 1;
  count: number;
}

/** The number of newest deliveries that a history covers at most. */
const maxHistory = 20_000;

/**
 * Counts the deliveries of an endpoint since `from` by hour and state, with the statistics of the
 * newest. Returns `undefined` when the caller may not read the log. One round trip; the rows read
 * are bounded.
 */
export async function loadDeliveryHistory(
  db: StoreDb,
  owner: EndpointOwner,
  id: number,
  from: number,
): Promise<{ hours: DeliveriesOfHour[]; durations: Percentiles } | undefined> {
  const endpoint = logEndpointId(db, id, owner);
  const [endpoints, hours, samples] = await db.batch([
    db.select(webhookEndpoints, { where: hasLogOf(id, owner) }),
    rawStatement<DeliveriesOfHour>(
      db,
      sql`select created_at - created_at % ${sql.raw(String(hourMs))} as hour, state, has_failed, count(*) as count
        from (select created_at, state, error is not null as has_failed from ${webhookDeliveries}
          where endpoint_id = ${endpoint} and seq >= ${firstSeqAt(endpoint, from)}
          order by seq desc limit ${maxHistory})
        where created_at >= ${from} group by 1, 2, 3`,
    ),
    samplesOf(db, endpoint),
  ]);
  if (endpoints.length === 0) return undefined;
  return { hours, durations: calculateStats(samples).duration_ms };
}

/** The newest deliveries. */
const samplesOf = (db: StoreDb, endpoint: SQL) =>
  rawStatement<Sample>(
    db,
    sql`select state, duration_ms, created_at, done_at from ${webhookDeliveries}
      where endpoint_id = ${endpoint} order by seq desc limit ${statsSampleSize}`,
  );

export function calculateStats(
  samples: readonly Sample[],
): Omit<EndpointDeliveryStats, 'pending' | 'oldest_pending_seconds'> {
  const count = (state: number) => samples.filter((one) => one.state === state).length;
  const states = {
    open: count(DeliveryState.open),
    delivered: count(DeliveryState.delivered),
    gave_up: count(DeliveryState.gaveUp),
    held: count(DeliveryState.held),
    cancelled: count(DeliveryState.cancelled),
  };
  const ended = states.delivered + states.gave_up;
  const delivered = samples.filter(({ state }) => state === DeliveryState.delivered);
  return {
    sampled: samples.length,
    states,
    success_rate: ended === 0 ? null : states.delivered / ended,
    duration_ms: calculatePercentiles(delivered.flatMap(({ duration_ms: ms }) => ms ?? [])),
    lag_ms: calculatePercentiles(
      delivered.flatMap((one) => (one.done_at === null ? [] : one.done_at - one.created_at)),
    ),
  };
}

/** Uses the nearest rank. */
function calculatePercentiles(values: readonly number[]): Percentiles {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? null;
  return { p50: at(0.5), p95: at(0.95) };
}
