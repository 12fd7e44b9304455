import { minuteMs } from '../base/durations.ts';
import { openDatabase } from '../data/core/open-database.ts';
import { cleanUpGrants, type GrantIdRange } from '../data/grants/clean-up.ts';
import { listGrantors } from '../data/grants/former-members.ts';
import type { SweepContext } from '../data/sweep-task.ts';
import { endFormerMemberships } from './token/grant-steps.ts';

/** The alphabet of grant ids, in the collation order of SQLite. */
const alphabet = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
const prefixCount = alphabet.length ** 2;
const minutesPerDay = 1_440;

/**
 * Cleans up 1/1440 of the grants of a shard. The sweep calls it each minute, so each grant is
 * visited once a day and each run has little to do. Returns 0: it runs each minute, so nothing is
 * logged.
 */
export async function maintainGrants({ env, db, now }: SweepContext): Promise<number> {
  const at = now();
  const slice = sliceForMinute(Math.floor(at / minuteMs) % minutesPerDay);
  const database = openDatabase(db);
  const grantors = await listGrantors(database, slice, at);
  if (grantors.length > 0) await endFormerMemberships(env, database, grantors, at);
  await cleanUpGrants(database, slice, at);
  return 0;
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
