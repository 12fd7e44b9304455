import { sql } from 'drizzle-orm';
import { rawStatement } from '../../data/core/raw.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { webhookReplays } from '../../data/schema/store/webhook-operations-tables.ts';
import { webhookEndpoints } from '../../data/schema/store/webhooks-tables.ts';
import { hasLogOf, logEndpointId, type EndpointOwner } from '../endpoints/endpoint-access.ts';
import type { ReplayRow } from './record.ts';

type StoredReplay = Omit<ReplayRow, 'filter'> & { filter: string };

const parseReplay = ({ filter, ...row }: StoredReplay): ReplayRow => ({
  ...row,
  filter: JSON.parse(filter) as ReplayRow['filter'],
});

/**
 * Lists the replays of an endpoint, newest first. `next` is the value of `before` for the next page. Returns `undefined`
 * when the caller may not read them. One round trip.
 */
export async function listReplays(
  db: StoreDb,
  owner: EndpointOwner,
  id: number,
  { limit, before }: { limit: number; before: number | undefined },
): Promise<{ rows: ReplayRow[]; next: number | null } | undefined> {
  const [endpoints, found] = await db.batch([
    db.select(webhookEndpoints, { where: hasLogOf(id, owner) }),
    rawStatement<StoredReplay>(
      db,
      sql`select * from ${webhookReplays} where endpoint_id = ${logEndpointId(db, id, owner)}
        ${before === undefined ? sql`` : sql`and id < ${before}`}
        order by id desc limit ${limit + 1}`,
    ),
  ]);
  if (endpoints.length === 0) return undefined;
  const rows = found.slice(0, limit).map(parseReplay);
  return { rows, next: found.length > limit ? (rows.at(-1)?.id ?? null) : null };
}

/** Finds a replay of an endpoint. Returns `undefined` when the caller may not read it. One round trip. */
export async function findReplay(
  db: StoreDb,
  owner: EndpointOwner,
  id: number,
  replayId: number,
): Promise<ReplayRow | undefined> {
  const [rows] = await db.batch([
    rawStatement<StoredReplay>(
      db,
      sql`select * from ${webhookReplays}
        where endpoint_id = ${logEndpointId(db, id, owner)} and id = ${replayId}`,
    ),
  ]);
  return rows[0] && parseReplay(rows[0]);
}
