import { sql, type SQL } from 'drizzle-orm';
import { openDatabase, shardBinding } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import type { Store } from '../core/store.ts';
import { oauthEvents, oauthGrants } from '../schema/store/grants-tables.ts';
import { isHereSql } from '../schema/store/placement-tables.ts';
import { isConnectedGrant, isGrantPlaced } from './grant-conditions.ts';

/** An app that is connected to a store. Times are epoch milliseconds. */
export interface AppConnection {
  storeId: number;
  clientId: string;
  /**
   * The hosts that consents to an assistant showed; null if one was to a program of a device, or of
   * the app of a partner.
   */
  hosts: string | null;
  /** The scopes of all its grants together, as bits. */
  scopes: number;
  /** Who gave its grants. */
  userIds: readonly number[];
  /** When its oldest live grant was created. */
  connectedAt: number;
  /**
   * When it last redeemed a code or refreshed a token; an app in use refreshes every ten minutes.
   */
  lastUsedAt: number;
}

/** The most connections that are returned. */
const maxConnections = 1_000;

/**
 * The apps that are connected to these stores, oldest first. One round trip to each of their
 * shards, in parallel.
 */
export async function listConnections(
  env: Env,
  stores: readonly Pick<Store, 'id' | 'shard'>[],
  now: number,
): Promise<AppConnection[]> {
  const storesByShard = Map.groupBy(stores, ({ shard }) => shard);
  const found = await Promise.all(
    [...storesByShard].map(([shard, ofShard]) =>
      queryShard<Omit<AppConnection, 'scopes' | 'userIds'> & { scopes: string; userIds: string }>(
        shardBinding(env, shard),
        sql`select store_id as "storeId", client_id as "clientId",
            json_group_array(distinct scopes) as scopes,
            json_group_array(distinct user_id) as "userIds",
            iif(count(*) = count(host), group_concat(distinct host), null) as hosts,
            min(created_at) as "connectedAt", max(rotated_at) as "lastUsedAt"
          from ${oauthGrants}
          where store_id in (
            select value from json_each(${JSON.stringify(ofShard.map(({ id }) => id))}))
            and ${isConnectedGrant(now)}
          group by store_id, client_id
          order by min(created_at)
          limit ${maxConnections}`,
      ),
    ),
  );
  return found.flat().map(({ scopes, userIds, ...row }) => ({
    ...row,
    scopes: unionScopes(scopes),
    userIds: JSON.parse(userIds) as number[],
  }));
}

// SQLite has no aggregate for a bitwise OR.
const unionScopes = (json: string) =>
  (JSON.parse(json) as number[]).reduce((union, bits) => union | bits, 0);

/**
 * The number of stores that each of these apps is connected to, by client id. An app without any is
 * not in the map. One round trip to each shard, in parallel; none without ids.
 */
export async function countInstallsIn(
  shards: readonly D1Database[],
  clientIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, number>> {
  const totals = new Map<string, number>();
  if (clientIds.length === 0) return totals;
  const counts = await queryShards<{ clientId: string; installs: number }>(
    shards,
    sql`select client_id as "clientId", count(distinct store_id) as installs from ${oauthGrants}
      where client_id in (select value from json_each(${JSON.stringify(clientIds)}))
        and ${isConnectedGrant(now)} and ${isGrantPlaced}
      group by client_id`,
  );
  // A store is in one shard only, so the counts of the shards add up.
  for (const { clientId, installs } of counts) {
    totals.set(clientId, (totals.get(clientId) ?? 0) + installs);
  }
  return totals;
}

/** The use of an app in one shard. */
interface AppPresence {
  clientId: string;
  /** Stores that it is connected to. */
  installs: number;
  /** When one of its grants was last created, used or revoked (epoch milliseconds). */
  lastEventAt: number;
}

/** All apps that have grants in a shard. Reads each grant once. One round trip. */
export const countAllInstalls = (shard: D1Database, now: number): Promise<AppPresence[]> =>
  queryShard<AppPresence>(
    shard,
    sql`select client_id as "clientId",
        count(distinct iif(${isConnectedGrant(now)}, store_id, null)) as installs,
        max(max(created_at, coalesce(rotated_at, 0), coalesce(revoked_at, 0))) as "lastEventAt"
      from ${oauthGrants} where ${isGrantPlaced} group by client_id`,
  );

/** An event of a grant of an app. */
interface AppEvent {
  kind: string;
  /** `null` once the grant has been deleted. */
  storeAlias: string | null;
  /** Epoch milliseconds. */
  at: number;
}

/** The most events that are returned. */
const maxAppEvents = 50;

/** The latest events of an app, newest first. One round trip to each shard, in parallel. */
export async function listAppEventsIn(
  shards: readonly D1Database[],
  clientId: string,
): Promise<AppEvent[]> {
  const events = await queryShards<AppEvent>(
    shards,
    sql`select event.kind, event.at,
        (select store_alias from ${oauthGrants} where id = event.grant_id) as "storeAlias"
      from ${oauthEvents} as event
      where event.client_id = ${clientId} and ${isHereSql('event.store_id')}
      order by event.at desc limit ${maxAppEvents}`,
  );
  return events.toSorted((one, other) => other.at - one.at).slice(0, maxAppEvents);
}

async function queryShards<Row>(shards: readonly D1Database[], query: SQL): Promise<Row[]> {
  return (await Promise.all(shards.map((shard) => queryShard<Row>(shard, query)))).flat();
}

async function queryShard<Row>(binding: D1Database, query: SQL): Promise<Row[]> {
  const shard = openDatabase(binding);
  const [rows] = await shard.batch([rawDatabaseStatement<Row>(shard, query)]);
  return rows;
}
