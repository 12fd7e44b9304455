import { sql } from 'drizzle-orm';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { retryTransient } from '../core/retry-contention.ts';
import { withdrawalProgress } from '../schema/store/upkeep-tables.ts';
import { revokeStatements } from './add-and-revoke.ts';

/**
 * The time of the last withdrawal whose grants this shard has ended; 0 at first. One round trip.
 */
export async function findWithdrawalProgress(shard: Database): Promise<number> {
  const [[row]] = await shard.batch([
    rawDatabaseStatement<{ done_to: number }>(
      shard,
      sql`select done_to from ${withdrawalProgress} where id = 1`,
    ),
  ]);
  return row?.done_to ?? 0;
}

/**
 * The grants that end with a withdrawal of apps: all of them, or those that were created until
 * then.
 */
interface EndedGrants {
  clientIds: readonly string[];
  /** `undefined` for all. */
  createdUntil: number | undefined;
  /**
   * The withdrawal that is done afterwards; `undefined` outside the sweep, which goes through them
   * in order.
   */
  doneTo: number | undefined;
}

/**
 * Ends grants of apps in a shard, and pauses their webhooks there. One batch, which is safe to
 * repeat.
 */
export async function endGrantsOfApps(
  shard: Database,
  { clientIds, createdUntil = Infinity, doneTo }: EndedGrants,
  now: number,
): Promise<void> {
  const isOld = createdUntil === Infinity ? sql`true` : sql`created_at <= ${createdUntil}`;
  const ending = sql`client_id in (select value from json_each(${JSON.stringify(clientIds)})) and ${isOld}`;
  const progress = rawDatabaseStatement(
    shard,
    sql`insert into ${withdrawalProgress} (id, done_to) values (1, ${doneTo ?? 0})
      on conflict do update set done_to = max(done_to, excluded.done_to)`,
  );
  await retryTransient(() =>
    shard.batch([
      ...revokeStatements(shard, ending, 'app_withdrawn', now),
      ...(doneTo === undefined ? [] : [progress]),
    ]),
  );
}
