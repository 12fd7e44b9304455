import { sql } from 'drizzle-orm';
import { answered } from '../answered.ts';
import { openShard } from '../open.ts';
import { plainStatement } from '../raw.ts';
import { oauthGrants } from '../schema/grants.ts';
import { shardBinding } from '../shards.ts';
import type { Store } from '../store.ts';
import { isConnected } from './is-connected.ts';

/** An app that may use a store now; moments are epoch milliseconds. */
export interface Connection {
  storeId: number;
  clientId: string;
  /** Bits of all its grants together. */
  scopes: number;
  /** Of the oldest grant that lives. */
  connectedAt: number;
  /** The last time that it redeemed or refreshed, which an app in use does every ten minutes. */
  usedAt: number;
}

/** More apps than this are not shown. */
const most = 1_000;

/** The apps that are connected to these stores, the oldest first. One round trip to each of their shards, all at once. */
export async function connectionsOf(
  env: Env,
  stores: readonly Pick<Store, 'id' | 'shard'>[],
  now: number,
): Promise<Connection[]> {
  const byShard = Map.groupBy(stores, ({ shard }) => shard);
  const found = await Promise.all(
    [...byShard].map(([number, ofShard]) => {
      const shard = openShard(shardBinding(env, number));
      const ids = JSON.stringify(ofShard.map(({ id }) => id));
      return answered(
        shard.batch([
          plainStatement<Omit<Connection, 'scopes'> & { scopes: string }>(
            shard,
            sql`select store_id as "storeId", client_id as "clientId",
                json_group_array(distinct scopes) as scopes,
                min(created_at) as "connectedAt", max(rotated_at) as "usedAt"
              from ${oauthGrants}
              where store_id in (select value from json_each(${ids})) and ${isConnected(now)}
              group by store_id, client_id
              order by min(created_at)
              limit ${most}`,
          ),
        ]),
      );
    }),
  );
  return found.flat(2).map(({ scopes, ...row }) => ({ ...row, scopes: together(scopes) }));
}

// SQLite has no aggregate that joins bits.
const together = (json: string) =>
  (JSON.parse(json) as number[]).reduce((bits, more) => bits | more, 0);
