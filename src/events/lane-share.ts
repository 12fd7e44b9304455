import { DeliveryState, EndpointStatus } from '../db/schema/webhooks.ts';
import { deliveryOf, laneOf, type DueRow, type EndpointRow, type Opening } from './lane-open.ts';
import { laneColumns, maxBytes, withBodies } from './lane-page.ts';
import type { Delivery, Lane } from './lane.ts';

/** A call for help, as a hint brings it. */
export interface Call {
  endpoint: number;
  generation: number;
  worker: number;
}

const offerSql = `
  update webhook_endpoints set lease_claimed = ?3
  where id = ?1 and lease_gen = ?2 and lease_workers = 1 and lease_claimed is null and lease_rest = 0
  returning last_seq, lease_claimed`;

// By its bit a consumer joins once, and goes on only where it has; the last one that leaves ends the lease.
const isOpen = `lease_gen = ?2 and lease_until > ?3 and lease_rest = 0 and status = ${EndpointStatus.active}
    and lease_workers > 0 and (lease_workers & ?4 > 0) = ?5 and lease_claimed < last_seq`;

const pageSql = withBodies(
  `select d.seq, d.event_id, d.attempts, d.refusals, d.due_at, d.trigger
   from (select * from webhook_endpoints where id = ?1 and ${isOpen}) e
   join webhook_deliveries d on d.endpoint_id = e.id
     and d.seq > e.lease_claimed and d.seq <= e.lease_claimed + ?6
   where d.state = ${DeliveryState.open} and d.due_at = 0`,
  '?7',
);

const takeSql = `
  update webhook_endpoints set lease_claimed = min(lease_claimed + ?6, last_seq),
    lease_workers = lease_workers | ?4
  where id = ?1 and ${isOpen}
  returning lease_claimed, ${laneColumns}`;

/** What was taken, and how many deliveries at most are behind it. */
export interface More {
  deliveries: Delivery[];
  behind: number;
}

/**
 * Opens what lies behind the lane's own page to all who are at work under the same lease; `undefined` when the lease is
 * over. One round trip; rejects when the database does.
 */
export async function offer(
  db: D1Database,
  { id, generation, deliveries }: Lane,
): Promise<More | undefined> {
  const last = Math.max(...deliveries.map(({ seq, dueAt }) => (dueAt === 0 ? seq : 0)));
  const offered = db.prepare(offerSql).bind(id, generation, last);
  const row = (await offered.all<Pick<TakenRow, 'last_seq' | 'lease_claimed'>>()).results[0];
  return row && { deliveries: [], behind: row.last_seq - row.lease_claimed };
}

/**
 * Takes the next page of a lane that is shared, which nobody else then has: `undefined` when there is none, or the lease
 * is over. One round trip; rejects when the database does, and what it may have taken waits for the lease to end.
 */
export async function takeMore(
  db: D1Database,
  { id, generation, worker }: Lane,
  { now, pageSize }: Pick<Opening, 'now' | 'pageSize'>,
): Promise<More | undefined> {
  const taken = await take(db, { endpoint: id, generation, worker }, true, { now, pageSize });
  if (!taken) return undefined;
  const { last_seq, lease_claimed } = taken.endpoint;
  return { deliveries: taken.rows.map(deliveryOf), behind: last_seq - lease_claimed };
}

/** Comes to help: the lane with its next page, `undefined` when there is nothing to help with any more. */
export async function join(
  shard: number,
  db: D1Database,
  call: Call,
  options: Omit<Opening, 'worker'>,
): Promise<Lane | undefined> {
  const taken = await take(db, call, false, options);
  return taken && laneOf(shard, taken.endpoint, taken.rows, { ...options, worker: call.worker });
}

type TakenRow = EndpointRow & { lease_claimed: number };

async function take(
  db: D1Database,
  { endpoint, generation, worker }: Call,
  isAtWork: boolean,
  { now, pageSize }: Pick<Opening, 'now' | 'pageSize'>,
) {
  // Small pages, so that all who help are done at about the same time.
  const size = Math.ceil(pageSize / 3);
  const open = [endpoint, generation, now, 1 << worker, isAtWork ? 1 : 0, size];
  const [page, taking] = await db.batch<DueRow | TakenRow>([
    db.prepare(pageSql).bind(...open, maxBytes),
    db.prepare(takeSql).bind(...open),
  ]);
  const row = taking?.results[0] as TakenRow | undefined;
  return row && { endpoint: row, rows: (page?.results ?? []) as DueRow[] };
}
