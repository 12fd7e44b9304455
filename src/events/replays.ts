import { sql } from 'drizzle-orm';
import { rawStatement } from '../db/raw.ts';
import { webhookReplays } from '../db/schema/webhook-upkeep.ts';
import { webhookEndpoints } from '../db/schema/webhooks.ts';
import type { StoreDb } from '../db/store.ts';
import { logged, loggedId, type Owner } from './endpoint-access.ts';
import type { ReplayRow } from './replay-record.ts';

type Stored = Omit<ReplayRow, 'filter'> & { filter: string };

const read = ({ filter, ...row }: Stored): ReplayRow => ({
  ...row,
  filter: JSON.parse(filter) as ReplayRow['filter'],
});

/**
 * The replays of an endpoint, newest first; `undefined` when the caller has no such endpoint. `next` continues
 * the list. One round trip.
 */
export async function replaysOf(
  db: StoreDb,
  owner: Owner,
  id: number,
  { limit, before }: { limit: number; before: number | undefined },
): Promise<{ rows: ReplayRow[]; next: number | null } | undefined> {
  const [endpoints, found] = await db.batch([
    db.select(webhookEndpoints, { where: logged(id, owner) }),
    rawStatement<Stored>(
      db,
      sql`select * from ${webhookReplays} where endpoint_id = ${loggedId(db, id, owner)}
        ${before === undefined ? sql`` : sql`and id < ${before}`}
        order by id desc limit ${limit + 1}`,
    ),
  ]);
  if (endpoints.length === 0) return undefined;
  const rows = found.slice(0, limit).map(read);
  return { rows, next: found.length > limit ? (rows.at(-1)?.id ?? null) : null };
}

/** One replay of an endpoint; `undefined` when the caller has no such endpoint or replay. One round trip. */
export async function replayOf(
  db: StoreDb,
  owner: Owner,
  id: number,
  replayId: number,
): Promise<ReplayRow | undefined> {
  const [rows] = await db.batch([
    rawStatement<Stored>(
      db,
      sql`select * from ${webhookReplays}
        where endpoint_id = ${loggedId(db, id, owner)} and id = ${replayId}`,
    ),
  ]);
  return rows[0] && read(rows[0]);
}
