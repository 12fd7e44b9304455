import { tidy, type Slice } from '../db/grants/tidy.ts';
import { openShard } from '../db/open.ts';
import { shardBindings } from '../db/shards.ts';
import { log } from '../log.ts';

/** The alphabet of ids in the order of SQLite's comparison. */
const alphabet = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
const prefixes = alphabet.length ** 2;
const minutesOfDay = 1_440;

/**
 * What cron does each minute: tidies one of 1,440 parts of the grants of every shard, so that each grant has
 * its turn once a day and a minute never has much to do. Never rejects: a shard that fails is logged.
 */
export async function tidyGrants(env: Env, now: number): Promise<void> {
  const slice = sliceOf(Math.floor(now / 60_000) % minutesOfDay);
  await Promise.all(
    [...shardBindings(env)].map(async ([shard, binding]) => {
      try {
        await tidy(openShard(binding), slice, now);
      } catch (error) {
        const message = error instanceof Error ? error.message : '';
        log('error', 'oauth_tidy_failed', { shard, message });
      }
    }),
  );
}

/** The ids whose turn a minute of the day is. */
export function sliceOf(minute: number): Slice {
  const from = boundary(minute) ?? '';
  return { from: minute === 0 ? '' : from, to: boundary(minute + 1) };
}

function boundary(minute: number): string | undefined {
  const prefix = Math.floor((minute * prefixes) / minutesOfDay);
  const [first, second] = [Math.floor(prefix / alphabet.length), prefix % alphabet.length];
  return first < alphabet.length ? `${alphabet[first]}${alphabet[second]}` : undefined;
}
