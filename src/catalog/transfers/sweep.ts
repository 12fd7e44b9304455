import { sql } from 'drizzle-orm';
import { dayMs } from '../../base/durations.ts';
import { prepareSql } from '../../data/core/raw.ts';
import { wake } from '../../data/queues.ts';
import { isHereSql } from '../../data/schema/store/placement-tables.ts';
import type { SweepContext, SweepTask } from '../../data/sweep-task.ts';
import { hasDueTransfers } from './transfer-step.ts';
import { keptTable } from './waiting-table.ts';

/** Transfers are kept for so long after their end, and so are the files of exports. */
export const keptMs = 7 * dayMs;

/** Transfers that one run deletes. */
const purgeLimit = 20;

/** Errors that one statement deletes. */
const errorsPerDelete = 2_000;

/**
 * Requests a step if anything is due: it replaces a message that was lost. Returns whether it did.
 */
async function wakeDue(context: SweepContext): Promise<number> {
  if (!(await hasDueTransfers(context))) return 0;
  await wake(context.env, 'transfers', { v: 1, shard: context.shard });
  return 1;
}

/**
 * Deletes old transfers with their files: first in the bucket, so that none is forgotten. Returns
 * their number.
 */
async function purgeTransfers({ env, db, now, hasTime }: SweepContext): Promise<number> {
  const { results } = await prepareSql(
    db,
    sql`select id, kind, file, parts from transfers
      where finished_at < ${now() - keptMs} and ${isHereSql('transfers.store_id')}
      order by finished_at limit ${purgeLimit}`,
  ).all<{ id: number; kind: string; file: string; parts: string }>();
  let purged = 0;
  for (const { id, file, parts } of results) {
    if (!hasTime()) break;
    const names = JSON.parse(parts) as string[];
    const keys = [file, keptTable(file), ...names.map((name) => `${file}/${name}`)];
    await env.ARCHIVE.delete(keys.slice(0, 1_000));
    const deleteErrors = prepareSql(
      db,
      sql`delete from transfer_errors where id in (
        select id from transfer_errors where transfer_id = ${id} limit ${errorsPerDelete})`,
    );
    while ((await deleteErrors.run()).meta.changes === errorsPerDelete);
    await prepareSql(db, sql`delete from transfers where id = ${id}`).run();
    purged += 1;
  }
  return purged;
}

export const transferTasks: readonly SweepTask[] = [
  { name: 'transfers', run: wakeDue, untilMs: 20_000 },
  {
    name: 'transfers_purged',
    run: purgeTransfers,
    untilMs: 20_000,
    limit: purgeLimit,
    restsDuringMoves: true,
  },
];
