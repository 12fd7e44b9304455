import { sql } from 'drizzle-orm';
import { answered } from '../answered.ts';
import { openShard } from '../open.ts';
import { plainStatement } from '../raw.ts';
import { oauthGrants } from '../schema/grants.ts';
import { shardBindings } from '../shards.ts';
import { isConnected } from './is-connected.ts';

/**
 * How many stores each of these apps is connected to now, by client id; an app without any is not in the map.
 * One round trip to each shard, all at once, none without ids.
 */
export async function countInstalls(
  env: Env,
  clientIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, number>> {
  const total = new Map<string, number>();
  if (clientIds.length === 0) return total;
  const counts = await Promise.all(
    [...shardBindings(env).values()].map((binding) => {
      const shard = openShard(binding);
      return answered(
        shard.batch([
          plainStatement<{ client_id: string; installs: number }>(
            shard,
            sql`select client_id, count(distinct store_id) as installs from ${oauthGrants}
              where client_id in (select value from json_each(${JSON.stringify(clientIds)}))
                and ${isConnected(now)}
              group by client_id`,
          ),
        ]),
      );
    }),
  );
  // A store lives in one shard alone.
  for (const { client_id, installs } of counts.flat(2)) {
    total.set(client_id, (total.get(client_id) ?? 0) + installs);
  }
  return total;
}
