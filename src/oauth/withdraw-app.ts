import { log } from '../base/log.ts';
import { openDatabase, shardBindings } from '../data/core/open-database.ts';
import { retryTransient } from '../data/core/retry-contention.ts';
import { listWithdrawals, withdrawApp, type RecordedWithdrawal } from '../data/directory/apps.ts';
import { wakeNotices } from '../data/grants/app-notices.ts';
import { endGrantsOfApps, findWithdrawalProgress } from '../data/grants/withdrawals.ts';
import type { SweepContext } from '../data/sweep-task.ts';

/** Shards in which a request ends grants itself. The sweep does the others within a minute. */
export const maxShardsAtOnce = 12;

/**
 * Disables an app or makes it a draft again. First prevents new grants; then ends its grants and
 * pauses its webhooks, also in the partner's own stores. Once the directory has recorded it, it
 * needs no further call. Each shard that does not respond, is being restored or is beyond the first
 * {@link maxShardsAtOnce} is done by its sweep ({@link endWithdrawnGrants}).
 */
export async function withdrawAppEverywhere(
  env: Env,
  clientId: string,
  now: number,
  state: 'disabled' | 'draft' = 'disabled',
  by?: RecordedWithdrawal,
): Promise<void> {
  const directory = openDatabase(env.DIRECTORY);
  await retryTransient(() => withdrawApp(directory, { clientId, state, now }, by));
  await endGrantsEverywhere(env, [clientId], now);
}

/**
 * Ends all grants of withdrawn apps in the first shards, and leaves the others to their sweep.
 * Never rejects.
 */
export async function endGrantsEverywhere(
  env: Env,
  clientIds: readonly string[],
  now: number,
): Promise<void> {
  const first = [...shardBindings(env)].slice(0, maxShardsAtOnce);
  await Promise.all(
    first.map(async ([shard, binding]) => {
      const all = { clientIds, createdUntil: undefined, doneTo: undefined };
      try {
        await endGrantsOfApps(openDatabase(binding), all, now);
        await wakeNotices(env, shard);
      } catch {
        log('warn', 'app_withdrawal_delayed', { client: clientIds[0], shard });
      }
    }),
  );
}

/** Withdrawals of one run; there are seldom any. */
export const maxWithdrawals = 50;

/**
 * A consent whose request began this long after that of a withdrawal may still have been committed
 * before it. An app that is withdrawn later than its consent was checked must lose the grant
 * (`issueCode`).
 */
const overlapMs = 10_000;

/**
 * Ends the grants of withdrawn apps in one shard. A task of the sweep. An app that was returned to
 * draft keeps grants that are younger than its withdrawal: its partner has connected it again.
 * Returns the number of withdrawals. Costs two calls that read a row each when there is none.
 */
export async function endWithdrawnGrants({ env, db, now, hasTime }: SweepContext): Promise<number> {
  const shard = openDatabase(db);
  const doneTo = await findWithdrawalProgress(shard);
  const withdrawals = await listWithdrawals(openDatabase(env.DIRECTORY), doneTo, maxWithdrawals);
  let done = 0;
  for (const { clientId, withdrawnAt, state } of withdrawals) {
    if (!hasTime()) break;
    const createdUntil = state === 'disabled' ? undefined : withdrawnAt + overlapMs;
    const ended = { clientIds: [clientId], createdUntil, doneTo: withdrawnAt };
    await endGrantsOfApps(shard, ended, now());
    done += 1;
  }
  return done;
}
