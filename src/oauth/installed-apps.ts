import { minuteMs } from '../base/durations.ts';
import { openDatabase, shardBindings } from '../data/core/open-database.ts';
import { listLatestShards, replaceInstalls, sumInstalls } from '../data/directory/app-installs.ts';
import {
  countAllInstalls,
  countInstallsIn,
  listAppEventsIn,
} from '../data/grants/grant-queries.ts';
import { listInstallsIn } from '../data/grants/installs.ts';
import type { SweepContext } from '../data/sweep-task.ts';

/**
 * Shards that a page asks itself. A larger deployment keeps counts in the directory, which are up
 * to six hours old, so that the number of shards does not matter.
 */
export const maxAskedShards = 16;

const countEveryMinutes = 360;

/**
 * The number of stores that each of these apps is connected to, by client id. An app without any
 * may be missing.
 */
export async function countInstalls(
  env: Env,
  clientIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, number>> {
  const shards = [...shardBindings(env).values()];
  return shards.length <= maxAskedShards
    ? countInstallsIn(shards, clientIds, now)
    : sumInstalls(openDatabase(env.DIRECTORY), clientIds);
}

/** The latest events of an app: of all shards, or of those in which it was used last. */
export const listAppEvents = async (env: Env, clientId: string) =>
  listAppEventsIn(await shardsOfApp(env, clientId), clientId);

/** A page of an app's stores after one: of all shards, or of those in which it was used last. */
export const listAppInstalls = async (
  env: Env,
  page: { clientId: string; after: number; now: number },
) => listInstallsIn(await shardsOfApp(env, page.clientId), page);

async function shardsOfApp(env: Env, clientId: string): Promise<D1Database[]> {
  const shards = shardBindings(env);
  if (shards.size <= maxAskedShards) return [...shards.values()];
  const directory = openDatabase(env.DIRECTORY);
  const latest = await listLatestShards(directory, clientId, maxAskedShards);
  return latest.flatMap((shard) => shards.get(shard) ?? []);
}

/**
 * Counts the installs of a shard for the directory, four times a day, and only where pages read
 * them there. A task of the sweep. Returns the number of apps.
 */
export async function keepInstalls({ env, shard, db, now }: SweepContext): Promise<number> {
  const isStep = Math.floor(now() / minuteMs) % countEveryMinutes === shard % countEveryMinutes;
  if (!isStep || shardBindings(env).size <= maxAskedShards) return 0;
  const counted = await countAllInstalls(db, now());
  await replaceInstalls(openDatabase(env.DIRECTORY), shard, counted);
  return counted.length;
}
