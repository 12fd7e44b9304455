import { sql } from 'drizzle-orm';
import { answered } from '../answered.ts';
import { openShard } from '../open.ts';
import { plainStatement } from '../raw.ts';
import { oauthEvents, oauthGrants } from '../schema/grants.ts';
import { shardBindings } from '../shards.ts';

/** Something that happened to a grant of an app. */
export interface AppEvent {
  kind: string;
  /** Alias of the store; `null` once the grant has been cleared away. */
  merchant: string | null;
  /** Epoch milliseconds. */
  at: number;
}

/** How many events of an app are shown. */
const latest = 50;

/** The latest events of an app, the newest first. One round trip to each shard, all at once. */
export async function eventsOfApp(env: Env, clientId: string): Promise<AppEvent[]> {
  const found = await Promise.all(
    [...shardBindings(env).values()].map((binding) => {
      const shard = openShard(binding);
      return answered(
        shard.batch([
          plainStatement<AppEvent>(
            shard,
            sql`select event.kind, event.at,
                (select merchant from ${oauthGrants} where id = event.grant_id) as merchant
              from ${oauthEvents} as event
              where event.client_id = ${clientId}
              order by event.at desc limit ${latest}`,
          ),
        ]),
      );
    }),
  );
  return found
    .flat(2)
    .toSorted((one, other) => other.at - one.at)
    .slice(0, latest);
}
