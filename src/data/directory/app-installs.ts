import { desc, eq, sql } from 'drizzle-orm';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { appInstalls } from '../schema/directory/partners-tables.ts';

/** The use of an app in a shard: connected stores, and the time of the last event of its grants. */
interface CountedApp {
  clientId: string;
  installs: number;
  lastEventAt: number;
}

/** Replaces the counts of one shard. One round trip; it writes only what changed. */
export async function replaceInstalls(
  directory: Database,
  shard: number,
  counted: readonly CountedApp[],
): Promise<void> {
  const rows = JSON.stringify(counted);
  await directory.batch([
    rawDatabaseStatement(
      directory,
      sql`delete from ${appInstalls} where shard = ${shard}
          and client_id not in (select value ->> 'clientId' from json_each(${rows}))`,
    ),
    rawDatabaseStatement(
      directory,
      sql`insert into ${appInstalls} (client_id, shard, installs, last_event_at)
          select value ->> 'clientId', ${shard}, value ->> 'installs', value ->> 'lastEventAt'
          from json_each(${rows}) where true
          on conflict do update set installs = excluded.installs, last_event_at = excluded.last_event_at
            where installs <> excluded.installs or last_event_at <> excluded.last_event_at`,
    ),
  ]);
}

/** The counted installs of apps in all shards, by client id. One round trip. */
export async function sumInstalls(
  directory: Database,
  clientIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const sums = await directory
    .select({ clientId: appInstalls.client_id, installs: sql<number>`sum(installs)` })
    .from(appInstalls)
    .where(
      sql`${appInstalls.client_id} in (select value from json_each(${JSON.stringify(clientIds)}))`,
    )
    .groupBy(appInstalls.client_id);
  return new Map(sums.map(({ clientId, installs }) => [clientId, installs]));
}

/** The shards in which an app was used last, the latest first. One round trip. */
export async function listLatestShards(
  directory: Database,
  clientId: string,
  limit: number,
): Promise<number[]> {
  const rows = await directory
    .select({ shard: appInstalls.shard })
    .from(appInstalls)
    .where(eq(appInstalls.client_id, clientId))
    .orderBy(desc(appInstalls.last_event_at))
    .limit(limit);
  return rows.map(({ shard }) => shard);
}
