import { sql } from 'drizzle-orm';
import { compileSql, parameter, parameters } from '../../data/core/raw.ts';
import { DeliveryState, EndpointStatus } from '../../data/schema/store/webhooks-tables.ts';
import { snapshot, type DueDelivery, type LeasedEndpoint } from './leased-endpoint.ts';
import {
  leasedColumns,
  loadDueDeliveries,
  maxBatchBodyBytes,
  toLeasedEndpoint,
  withBodiesSql,
  type DueDeliveryRow,
  type LeasedEndpointRow,
  type LoadOptions,
  withholdUnreceivable,
} from './load-endpoints.ts';

/** An invitation to join the lease of an endpoint, from a queue message. */
export interface JoinRequest {
  endpoint: number;
  generation: number;
  worker: number;
}

const [id, generation, now, worker, size] = parameters('id', 'generation', 'now', 'worker', 'size');

const share = compileSql<{ id: number; generation: number; lastLoaded: number }>(sql`
  update webhook_endpoints set lease_claimed_seq = ${parameter('lastLoaded')}
  where id = ${id} and lease_generation = ${generation} and lease_workers = 1 and lease_claimed_seq is null and lease_backoff_until = 0
  returning last_seq, lease_claimed_seq`);

// Bit n of `lease_workers` stands for worker n: it joins once and claims only after it joined. The
// last worker that leaves ends the lease.
const isOpen = sql`lease_generation = ${generation} and lease_until > ${now} and lease_backoff_until = 0 and status = ${EndpointStatus.active}
    and lease_workers > 0 and (lease_workers & ${worker} > 0) = ${parameter('hasJoined')} and lease_claimed_seq < last_seq`;

interface ClaimValues extends Record<string, number> {
  id: number;
  generation: number;
  now: number;
  worker: number;
  hasJoined: 0 | 1;
  size: number;
}

const selectBatch = compileSql<ClaimValues & { bytes: number }>(
  withBodiesSql(sql`select delivery.seq, delivery.event_id, delivery.attempts, delivery.counted_failures, delivery.due_at, delivery.trigger
   from (select * from webhook_endpoints where id = ${id} and ${isOpen}) endpoint
   join webhook_deliveries delivery on delivery.endpoint_id = endpoint.id
     and delivery.seq > endpoint.lease_claimed_seq and delivery.seq <= endpoint.lease_claimed_seq + ${size}
   where delivery.state = ${DeliveryState.open} and delivery.due_at = 0`),
);

const claimBatch = compileSql<ClaimValues>(sql`
  update webhook_endpoints set lease_claimed_seq = min(lease_claimed_seq + ${size}, last_seq),
    lease_workers = lease_workers | ${worker}
  where id = ${id} and ${isOpen}
  returning lease_claimed_seq, ${leasedColumns}`);

interface ClaimedDeliveries {
  deliveries: DueDelivery[];
  /** Sequence numbers behind them that are not claimed. */
  remaining: number;
}

/**
 * Shares the lease of a shareable endpoint, or claims the next batch of a shared lease, and records
 * the result on the endpoint. Returns how many deliveries remain to be claimed. One round trip.
 * Never rejects: if the database or the archive fails, deliveries that were claimed wait for the
 * end of the lease.
 */
export async function claimMore(
  db: D1Database,
  endpoint: LeasedEndpoint,
  options: ClaimOptions,
): Promise<number> {
  const isSharing = endpoint.isShareable;
  const applyCheck = snapshot([endpoint]);
  const query = isSharing ? shareLease(db, endpoint) : claimDeliveries(db, endpoint, options);
  const claimed = await query.catch(() => undefined);
  // Only an active endpoint can be claimed from, so a claim is an active check, too.
  if (claimed && !isSharing) applyCheck(() => false);
  endpoint.isShareable = false;
  endpoint.canClaimMore = claimed !== undefined;
  endpoint.deliveries.push(...(claimed?.deliveries ?? []));
  return claimed?.remaining ?? 0;
}

/**
 * Lets every worker of the lease claim the deliveries behind the loaded batch; `undefined` when the
 * lease is over.
 */
async function shareLease(
  db: D1Database,
  { id, generation, deliveries }: LeasedEndpoint,
): Promise<ClaimedDeliveries | undefined> {
  const lastLoaded = Math.max(...deliveries.map(({ seq, dueAt }) => (dueAt === 0 ? seq : 0)));
  const update = share(db, { id, generation, lastLoaded });
  const row = (await update.all<Pick<ClaimedRow, 'last_seq' | 'lease_claimed_seq'>>()).results[0];
  return row && { deliveries: [], remaining: row.last_seq - row.lease_claimed_seq };
}

/** Claims the next batch for this worker; `undefined` when none remains or the lease is over. */
async function claimDeliveries(
  db: D1Database,
  { id, generation, worker }: LeasedEndpoint,
  options: ClaimOptions,
): Promise<ClaimedDeliveries | undefined> {
  const claimed = await claim(db, { endpoint: id, generation, worker }, true, options);
  if (!claimed) return undefined;
  const { last_seq: last, lease_claimed_seq: claimedSeq } = claimed.row;
  const deliveries = await loadDueDeliveries(options.archive, claimed.deliveries);
  return { deliveries, remaining: last - claimedSeq };
}

/**
 * Joins a shared lease and claims its next batch. Returns `undefined` when none remains or the
 * lease is over. One round trip; rejects when the database fails.
 */
export async function joinLease(
  shard: number,
  db: D1Database,
  join: JoinRequest,
  options: Omit<LoadOptions, 'worker'>,
): Promise<LeasedEndpoint | undefined> {
  const claimed = await claim(db, join, false, options);
  if (!claimed) return undefined;
  const { row, deliveries } = claimed;
  return toLeasedEndpoint(shard, row, deliveries, { ...options, worker: join.worker });
}

export type ClaimOptions = Pick<LoadOptions, 'now' | 'batchSize' | 'archive'>;
type ClaimedRow = LeasedEndpointRow & { lease_claimed_seq: number };

async function claim(
  db: D1Database,
  { endpoint, generation, worker }: JoinRequest,
  hasJoined: boolean,
  { now, batchSize }: ClaimOptions,
) {
  // Small batches, so that all workers finish at about the same time.
  const size = Math.ceil(batchSize / 3);
  const values: ClaimValues = {
    id: endpoint,
    generation,
    now,
    worker: 1 << worker,
    hasJoined: hasJoined ? 1 : 0,
    size,
  };
  const [batch, update] = await db.batch<DueDeliveryRow | ClaimedRow>([
    selectBatch(db, { ...values, bytes: maxBatchBodyBytes }),
    claimBatch(db, values),
  ]);
  const row = update?.results[0] as ClaimedRow | undefined;
  if (!row) return undefined;
  const loaded = (batch?.results ?? []) as DueDeliveryRow[];
  return { row, deliveries: await withholdUnreceivable(db, endpoint, loaded) };
}
