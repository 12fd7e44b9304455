import { and, eq, isNull, sql } from 'drizzle-orm';
import { hourMs, minuteMs } from '../../base/durations.ts';
import { log } from '../../base/log.ts';
import { abortCauseOf } from '../../data/core/data-errors.ts';
import { openDatabase, shardBinding, type Database } from '../../data/core/open-database.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import type { Statement } from '../../data/core/statement.ts';
import type { JobOutcome, JobRun } from '../../data/directory/job.ts';
import { longChanges } from '../../data/schema/store/upkeep-tables.ts';
import {
  declaredChanges,
  type ChangeStep,
  type LongChange,
} from '../../data/shards/long-changes.ts';
import { atRest } from '../../stores/move/at-rest.ts';
import { requireThat } from '../../stores/move/outgoing-move.ts';
import { noteChanges } from './begin-changes.ts';

/**
 * Chunks of one step of the job at most: an invocation may make 1,000 calls. The next minute goes
 * on.
 */
const chunksPerMinute = 200;

/** How far a change is. */
type ChangeProgress = Pick<
  typeof longChanges.$inferSelect,
  'step' | 'position' | 'rows' | 'started_at' | 'finished_at'
>;

/**
 * The outcome of some chunks: the change is finished, goes on later, or must wait for an operator.
 */
type Advance = 'finished' | 'unfinished' | 'refused';

/**
 * Makes the long changes of a release in one shard, one after the other. Each chunk is one
 * transaction of the shard with its progress. So a run that dies, or works beside another
 * one, leaves out no row and changes none twice. It takes a third of each minute at most, and rests
 * while a store moves.
 */
export async function runChanges(
  { env, job, now, hasTime, save }: JobRun,
  changes: readonly LongChange[] = declaredChanges,
): Promise<JobOutcome> {
  const shard = openDatabase(atRest(shardBinding(env, job.shard)));
  const context = { directory: openDatabase(env.DIRECTORY), shard, now };
  const budget = { chunks: chunksPerMinute };
  const mayGoOn = () => hasTime() && budget.chunks-- > 0;
  let rows = 0;
  try {
    for (const [index, change] of changes.entries()) {
      const { advance, progress } = await advanceChange(context, change, mayGoOn);
      rows += progress.rows;
      await save({
        done: index + (advance === 'finished' ? 1 : 0),
        total: changes.length,
        progress: {
          ...job.progress,
          change: change.name,
          step: progress.step,
          rows,
          isRefused: advance === 'refused',
        },
      });
      if (advance === 'refused') return { state: 'waits', dueAt: now() + hourMs };
      if (advance === 'unfinished') {
        return { state: 'waits', dueAt: Math.max(now() + minuteMs, progress.started_at) };
      }
    }
  } catch (error) {
    // A store moves, or another run is further.
    if (!['moving', 'move_lost'].includes(abortCauseOf(error) ?? '')) throw error;
    return { state: 'waits', dueAt: now() + minuteMs };
  }
  log('info', 'long_changes_finished', { shard: job.shard, rows });
  return { state: 'done', result: { counts: { rows } } };
}

interface Context {
  directory: Database;
  shard: Database;
  now: () => number;
}

async function advanceChange(
  context: Context,
  change: LongChange,
  mayGoOn: () => boolean,
): Promise<{ advance: Advance; progress: ChangeProgress }> {
  let progress = await readProgress(context, change);
  while (progress.finished_at === null) {
    const step = change.steps[progress.step];
    const isEarly = context.now() < progress.started_at;
    if (isEarly || !mayGoOn()) return { advance: 'unfinished', progress };
    if (!step) progress = await write(context, change, progress, { finished_at: context.now() });
    else if ('index' in step) {
      if (!(await isIndexable(context, change, step))) return { advance: 'refused', progress };
      progress = await write(context, change, progress, nextStep(progress), [
        createIndex(context, step),
      ]);
    } else progress = await changeRows(context, change, { step, progress });
  }
  return { advance: 'finished', progress };
}

/**
 * Reads how far a change is. It is noted already, unless its row went meanwhile. One round trip.
 */
async function readProgress(
  { shard, now }: Context,
  { name }: LongChange,
): Promise<ChangeProgress> {
  const isChange = eq(longChanges.name, name);
  const [, [progress]] = await shard.batch([
    noteChanges(shard, [name], now()),
    shard.select().from(longChanges).where(isChange),
  ]);
  if (!progress) throw new Error('no row of the change');
  return progress;
}

const nextStep = ({ step }: ChangeProgress) => ({ step: step + 1, position: null });

/**
 * Writes statements in one transaction with the progress after them. It aborts unless the change
 * is where it was.
 */
async function write(
  { shard }: Context,
  { name }: LongChange,
  progress: ChangeProgress,
  change: Partial<ChangeProgress>,
  statements: readonly Statement[] = [],
): Promise<ChangeProgress> {
  const { step, position } = progress;
  await shard.batch([
    requireThat(
      shard,
      sql`exists (select 1 from ${longChanges} where name = ${name} and step = ${step}
        and position is ${position} and finished_at is null)`,
    ),
    ...statements,
    shard
      .update(longChanges)
      .set(change)
      .where(and(eq(longChanges.name, name), isNull(longChanges.finished_at))),
  ]);
  return { ...progress, ...change };
}

/** Changes the next rows of a table. Two round trips, and those of the step. */
async function changeRows(
  context: Context,
  change: LongChange,
  { step, progress }: { step: Exclude<ChangeStep, { index: string }>; progress: ChangeProgress },
): Promise<ChangeProgress> {
  const { shard, directory } = context;
  const key = sql.identifier(step.key);
  const found = await shard.all<{ id: number }>(
    sql`select ${key} as id from ${sql.identifier(step.table)}
      ${progress.position === null ? sql`` : sql`where ${key} > ${progress.position}`}
      order by ${key} limit ${step.rowsPerChunk}`,
  );
  const keys = found.map(({ id }) => id);
  const last = keys.at(-1);
  if (last === undefined) return write(context, change, progress, nextStep(progress));
  const statements = await step.statements({ directory, shard, now: context.now() }, keys);
  const after = { position: last, rows: progress.rows + keys.length };
  return write(context, change, progress, after, statements);
}

/**
 * Whether a table has few enough rows for an index. Alerts if it has not. Reads at most `maxRows`
 * and one.
 */
async function isIndexable(
  { shard }: Context,
  { name }: LongChange,
  { index, table, maxRows }: Extract<ChangeStep, { index: string }>,
): Promise<boolean> {
  const found = await shard.get<{ rows: number }>(
    sql`select count(*) as rows from (select 1 from ${sql.identifier(table)} limit ${maxRows + 1})`,
  );
  if (found.rows <= maxRows) return true;
  log('error', 'long_change_refused', {
    alert: true,
    change: name,
    index,
    table,
    max_rows: maxRows,
  });
  return false;
}

const createIndex = (
  { shard }: Context,
  { index, table, columns }: Extract<ChangeStep, { index: string }>,
) =>
  rawDatabaseStatement(
    shard,
    sql`create index if not exists ${sql.identifier(index)} on ${sql.identifier(table)} ${sql.raw(columns)}`,
  );
