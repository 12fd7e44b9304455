import { sql, type SQL } from 'drizzle-orm';
import { withDbErrors } from '../core/errors.ts';
import { openDatabase } from '../core/open.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { shardBinding, shardBindings } from '../core/shards.ts';
import type { Store } from '../core/store.ts';
import { oauthEvents, oauthGrants } from '../schema/store/grants.ts';
import { isConnectedGrant } from './connected.ts';

/** An app that is connected to a store. Times are epoch milliseconds. */
interface AppConnection {
  storeId: number;
  clientId: string;
  /** The scopes of all its grants together, as bits. */
  scopes: number;
  /** When its oldest live grant was created. */
  connectedAt: number;
  /** When it last redeemed a code or refreshed a token; an app in use refreshes every ten minutes. */
  lastUsedAt: number;
}

/** The most connections that are returned. */
const maxConnections = 1_000;

/** The apps that are connected to these stores, oldest first. One round trip to each of their shards, in parallel. */
export async function listConnections(
  env: Env,
  stores: readonly Pick<Store, 'id' | 'shard'>[],
  now: number,
): Promise<AppConnection[]> {
  const storesByShard = Map.groupBy(stores, ({ shard }) => shard);
  const found = await Promise.all(
    [...storesByShard].map(([shard, ofShard]) =>
      queryShard<Omit<AppConnection, 'scopes'> & { scopes: string }>(
        shardBinding(env, shard),
        sql`select store_id as "storeId", client_id as "clientId",
            json_group_array(distinct scopes) as scopes,
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
  return found.flat().map(({ scopes, ...row }) => ({ ...row, scopes: unionScopes(scopes) }));
}

// SQLite has no aggregate for a bitwise OR.
const unionScopes = (json: string) =>
  (JSON.parse(json) as number[]).reduce((union, bits) => union | bits, 0);

/**
 * The number of stores that each of these apps is connected to, by client id. An app without any is not in the map.
 * One round trip to each shard, in parallel; none without ids.
 */
export async function countInstalls(
  env: Env,
  clientIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, number>> {
  const totals = new Map<string, number>();
  if (clientIds.length === 0) return totals;
  const counts = await queryAllShards<{ clientId: string; installs: number }>(
    env,
    sql`select client_id as "clientId", count(distinct store_id) as installs from ${oauthGrants}
      where client_id in (select value from json_each(${JSON.stringify(clientIds)}))
        and ${isConnectedGrant(now)}
      group by client_id`,
  );
  // A store is in one shard only, so the counts of the shards add up.
  for (const { clientId, installs } of counts) {
    totals.set(clientId, (totals.get(clientId) ?? 0) + installs);
  }
  return totals;
}

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
export async function listAppEvents(env: Env, clientId: string): Promise<AppEvent[]> {
  const events = await queryAllShards<AppEvent>(
    env,
    sql`select event.kind, event.at,
        (select store_alias from ${oauthGrants} where id = event.grant_id) as "storeAlias"
      from ${oauthEvents} as event
      where event.client_id = ${clientId}
      order by event.at desc limit ${maxAppEvents}`,
  );
  return events.toSorted((one, other) => other.at - one.at).slice(0, maxAppEvents);
}

async function queryAllShards<Row>(env: Env, query: SQL): Promise<Row[]> {
  const results = await Promise.all(
    [...shardBindings(env).values()].map((binding) => queryShard<Row>(binding, query)),
  );
  return results.flat();
}

async function queryShard<Row>(binding: D1Database, query: SQL): Promise<Row[]> {
  const shard = openDatabase(binding);
  const [rows] = await withDbErrors(shard.batch([rawDatabaseStatement<Row>(shard, query)]));
  return rows;
}
