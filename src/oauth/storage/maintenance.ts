import { openDatabase } from '../../db/core/open.ts';
import { shardBindings } from '../../db/core/shards.ts';
import { cleanUpGrants, type GrantIdRange } from '../../db/grants/clean-up.ts';
import { listGrantors } from '../../db/grants/former-members.ts';
import { log } from '../../log.ts';
import { endFormerMemberships } from '../token/grantor.ts';

/** The alphabet of grant ids, in the collation order of SQLite. */
const alphabet = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
const prefixCount = alphabet.length ** 2;
const minutesPerDay = 1_440;

/**
 * Cleans up 1/1440 of the grants of every shard. Cron calls it each minute, so each grant is visited once a day and
 * each run has little to do. Never rejects: the failure of a shard is logged.
 */
export async function maintainGrants(env: Env, now: number): Promise<void> {
  const slice = sliceForMinute(Math.floor(now / 60_000) % minutesPerDay);
  await Promise.all(
    [...shardBindings(env)].map(async ([shard, binding]) => {
      try {
        const database = openDatabase(binding);
        const grantors = await listGrantors(database, slice, now);
        if (grantors.length > 0) await endFormerMemberships(env, database, grantors, now);
        await cleanUpGrants(database, slice, now);
      } catch (error) {
        const message = error instanceof Error ? error.message : '';
        log('error', 'oauth_maintenance_failed', { shard, message });
      }
    }),
  );
}

/** Returns the range of grant ids for a minute of the day. */
export function sliceForMinute(minute: number): GrantIdRange {
  const from = sliceBoundary(minute) ?? '';
  return { from: minute === 0 ? '' : from, to: sliceBoundary(minute + 1) };
}

function sliceBoundary(minute: number): string | undefined {
  const prefix = Math.floor((minute * prefixCount) / minutesPerDay);
  const [first, second] = [Math.floor(prefix / alphabet.length), prefix % alphabet.length];
  return first < alphabet.length ? `${alphabet[first]}${alphabet[second]}` : undefined;
}
