import { sql } from 'drizzle-orm';
import { rawStatement } from '../db/raw.ts';
import { DeliveryState, webhookDeliveries, webhookEndpoints } from '../db/schema/webhooks.ts';
import type { StoreDb } from '../db/store.ts';
import { logged, loggedId, type Owner } from './endpoint-access.ts';

/** The newest deliveries that the numbers are made of. */
export const sampleSize = 1_000;

/** Where counting what is open stops. */
export const pendingLimit = 10_000;

interface Percentiles {
  p50: number | null;
  p95: number | null;
}

/** How an endpoint is doing. All but the last two members are about the newest `sampled` deliveries. */
export interface DeliveryStats {
  sampled: number;
  states: Record<'open' | 'delivered' | 'gave_up' | 'held' | 'cancelled', number>;
  /** Of those that ended in delivery or in giving up, 0 to 1; null when there is none. */
  success_rate: number | null;
  /** Of the request that was answered with 2xx. */
  duration_ms: Percentiles;
  /** From the event to the answer with 2xx. */
  lag_ms: Percentiles;
  pending: number;
  oldest_pending_seconds: number | null;
}

type Sample = Pick<
  typeof webhookDeliveries.$inferSelect,
  'state' | 'duration_ms' | 'created_at' | 'done_at'
>;

/** `undefined` when the caller has no such endpoint. One round trip; what it reads is bounded. */
export async function deliveryStats(
  db: StoreDb,
  owner: Owner,
  id: number,
): Promise<DeliveryStats | undefined> {
  const endpoint = loggedId(db, id, owner);
  const [endpoints, samples, [pending]] = await db.batch([
    db.select(webhookEndpoints, { where: logged(id, owner) }),
    rawStatement<Sample>(
      db,
      sql`select state, duration_ms, created_at, done_at from ${webhookDeliveries}
        where endpoint_id = ${endpoint} order by seq desc limit ${sampleSize}`,
    ),
    rawStatement<{ count: number; oldest: number | null }>(
      db,
      sql`select count, (select created_at from ${webhookDeliveries}
          where endpoint_id = ${endpoint} and seq = first) as oldest
        from (select count(*) as count, min(seq) as first from (
          select seq from ${webhookDeliveries}
          where endpoint_id = ${endpoint} and state = ${sql.raw(`${DeliveryState.open}`)}
          limit ${pendingLimit}))`,
    ),
  ]);
  if (endpoints.length === 0) return undefined;
  const oldest = pending?.oldest ?? null;
  return {
    ...statsOf(samples),
    pending: pending?.count ?? 0,
    oldest_pending_seconds:
      oldest === null ? null : Math.max(0, Math.floor((db.now - oldest) / 1000)),
  };
}

/** What a sample of deliveries comes to. */
export function statsOf(
  samples: readonly Sample[],
): Omit<DeliveryStats, 'pending' | 'oldest_pending_seconds'> {
  const count = (state: number) => samples.filter((one) => one.state === state).length;
  const states = {
    open: count(DeliveryState.open),
    delivered: count(DeliveryState.delivered),
    gave_up: count(DeliveryState.gaveUp),
    held: count(DeliveryState.held),
    cancelled: count(DeliveryState.cancelled),
  };
  const ended = states.delivered + states.gave_up;
  const arrived = samples.filter(({ state }) => state === DeliveryState.delivered);
  return {
    sampled: samples.length,
    states,
    success_rate: ended === 0 ? null : states.delivered / ended,
    duration_ms: percentiles(arrived.flatMap(({ duration_ms: ms }) => ms ?? [])),
    lag_ms: percentiles(
      arrived.flatMap((one) => (one.done_at === null ? [] : one.done_at - one.created_at)),
    ),
  };
}

/** By nearest rank. */
function percentiles(values: readonly number[]): Percentiles {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? null;
  return { p50: at(0.5), p95: at(0.95) };
}
