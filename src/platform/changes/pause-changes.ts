import { sql } from 'drizzle-orm';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import type { Job } from '../../data/directory/job.ts';
import { wake } from '../../data/queues.ts';
import { jobs } from '../../data/schema/directory/operators-tables.ts';
import { rolloutMs } from './begin-changes.ts';

/** The shard of an act on its long changes, and why. */
interface ChangesAct {
  shard: number;
  reason: string;
}

/** Paused work is due at no time. It has one, so that the sweep sees that the shard has its job. */
const never = 8.64e15;

/** The open job of the long changes of a shard. The index of due jobs finds it. */
const openJobOf = (shard: number) =>
  sql`shard = ${shard} and due_at is not null and kind = 'shard_change' and finished_at is null`;

/**
 * Pauses the long changes of a shard until {@link continueChanges}, and returns their job; `undefined` if there is nothing to change.
 * A step that is under way ends within its third of a minute. What is done stays done. A second time changes nothing.
 */
export const pauseChanges = (action: ActionContext, act: ChangesAct): Promise<Job | undefined> =>
  changeJob(action, act, {
    name: 'shard.changes_paused',
    which: sql`state <> 'paused'`,
    assignments: sql`state = 'paused', due_at = ${never}, leased_until = 0,
      progress = json_set(progress, '$.pausedAt', ${action.now})`,
  });

/**
 * Continues the long changes of a shard that were paused. A step that failed or was refused is repeated at once. Returns their job;
 * `undefined` if there is nothing to change. No step begins before the release has all the traffic.
 */
export async function continueChanges(
  action: ActionContext,
  act: ChangesAct,
): Promise<Job | undefined> {
  const { env, now } = action;
  const job = await changeJob(action, act, {
    name: 'shard.changes_continued',
    which: sql`(state = 'paused' or leased_until <= ${now}) and due_at > max(${now}, created_at + ${rolloutMs})`,
    assignments: sql`state = 'waiting', due_at = max(${now}, created_at + ${rolloutMs}), error = null,
      progress = json_remove(progress, '$.failures', '$.pausedAt')`,
  });
  if (job) action.defer(wake(env, 'sweep', { v: 1, shard: act.shard, round: 0 }));
  return job;
}

/** Changes the open job of a shard where it fulfils a condition, with its line of the audit, and reads it. One round trip. */
async function changeJob(
  { directory, actor, from, now }: ActionContext,
  { shard, reason }: ChangesAct,
  {
    name,
    which,
    assignments,
  }: Record<'which' | 'assignments', ReturnType<typeof sql>> & {
    name: 'shard.changes_paused' | 'shard.changes_continued';
  },
): Promise<Job | undefined> {
  const isWanted = sql`${openJobOf(shard)} and ${which}`;
  const target = { kind: 'shard', id: shard } as const;
  const line = { at: now, actor, from, action: name, target, reason };
  const [, , found] = await directory.batch([
    auditStatement(directory, line, sql`exists (select 1 from ${jobs} where ${isWanted})`),
    rawDatabaseStatement(directory, sql`update ${jobs} set ${assignments} where ${isWanted}`),
    directory.select().from(jobs).where(openJobOf(shard)),
  ]);
  return found[0];
}
