import type { KeyRing } from '../crypto/keys.ts';
import { sealAgain, sealedPrefixOf } from '../crypto/seal.ts';
import { log } from '../log.ts';
import { settingsOf } from '../settings.ts';
import type { SweepContext } from '../sweep-task.ts';

/** Rows that one step visits. */
const stepSize = 200;

/**
 * A worker that does not know the new key may still seal with the old one. So only a pass that began this long after the
 * first one proves that nothing is left.
 */
const rolloutMs = 10 * 60_000;

/** A table with sealed columns, and the place that their texts belong to. */
interface SealedTable {
  name: 'webhook_endpoints' | 'email_configurations';
  columns: readonly string[];
  /** The column of `resealings` with the id up to which the pass came. */
  position: 'endpoint_id' | 'email_id';
  context: (store: number) => string;
}

const sealedTables: readonly SealedTable[] = [
  {
    name: 'webhook_endpoints',
    columns: ['secret_current', 'secret_previous'],
    position: 'endpoint_id',
    context: (store) => `webhook-secret:${store}`,
  },
  {
    name: 'email_configurations',
    columns: ['password_sealed'],
    position: 'email_id',
    context: (store) => `email-password:${store}`,
  },
];

/** A row of `resealings`. */
interface Progress {
  endpoint_id: number;
  email_id: number;
  pass_began_at: number;
  resealed: number;
  unreadable: number;
  started_at: number;
  done_at: number | null;
}

/**
 * Seals stored secrets again with the current key, while the settings have a previous one. Goes on in steps from where the
 * last run stopped, and pass after pass until one finds nothing left. A task of the sweep. Returns the number of rows that it
 * sealed again. Costs nothing without a previous key, and one call after the end.
 */
export async function resealSecrets({
  env,
  shard,
  db,
  now,
  hasTime,
}: SweepContext): Promise<number> {
  const { sealingKeys } = settingsOf(env);
  if (sealingKeys.previous === undefined) return 0;
  const prefix = await sealedPrefixOf(sealingKeys);
  const progress = await startOrContinue(db, prefix, now());
  if (progress.done_at !== null) return 0;
  let total = 0;
  for (const table of sealedTables) {
    let position: number | undefined = progress[table.position];
    while (position !== undefined) {
      if (!hasTime()) return total;
      const step = await resealStep(db, table, position, { sealingKeys, prefix });
      total += step.resealed;
      progress.resealed += step.resealed;
      progress.unreadable += step.unreadable;
      position = step.next;
    }
  }
  await endPass(db, shard, { prefix, progress, now: now() });
  return total;
}

async function startOrContinue(db: D1Database, prefix: string, now: number): Promise<Progress> {
  const [, , found] = await db.batch<Progress>([
    db.prepare('delete from resealings where prefix <> ?').bind(prefix),
    db
      .prepare(
        `insert into resealings (prefix, pass_began_at, started_at) values (?1, ?2, ?2)
         on conflict do nothing`,
      )
      .bind(prefix, now),
    db.prepare('select * from resealings where prefix = ?').bind(prefix),
  ]);
  const [progress] = found?.results ?? [];
  if (!progress) throw new Error('no row of the pass');
  return progress;
}

/** A row with its sealed columns by name. */
type SealedRow = Record<string, string | null> & { id: number; store_id: number };

interface Step {
  resealed: number;
  unreadable: number;
  /** The id to go on from; `undefined` at the end of the table. */
  next: number | undefined;
}

/** Visits the next rows of a table. Two round trips, or one if all of them have the current key. */
async function resealStep(
  db: D1Database,
  { name, columns, position, context }: SealedTable,
  after: number,
  { sealingKeys, prefix }: { sealingKeys: KeyRing; prefix: string },
): Promise<Step> {
  const { results: rows } = await db
    .prepare(
      `select id, store_id, ${columns.join(', ')} from ${name} where id > ? order by id limit ${stepSize}`,
    )
    .bind(after)
    .all<SealedRow>();
  const changes: D1PreparedStatement[] = [];
  let unreadable = 0;
  for (const row of rows) {
    for (const column of columns) {
      const sealed = row[column];
      if (typeof sealed !== 'string' || sealed.startsWith(prefix)) continue;
      const again = await sealAgain(sealingKeys, sealed, context(row.store_id));
      if (again === undefined) unreadable += 1;
      else {
        // Only if it is still the same: a new secret counts more than the same one under another key.
        const sql = `update ${name} set ${column} = ? where id = ? and ${column} = ?`;
        changes.push(db.prepare(sql).bind(again, row.id, sealed));
      }
    }
  }
  const last = rows.at(-1)?.id;
  const next = rows.length < stepSize ? undefined : last;
  const move = db
    .prepare(
      `update resealings set ${position} = ?, resealed = resealed + ?, unreadable = unreadable + ?
       where prefix = ?`,
    )
    .bind(last ?? after, changes.length, unreadable, prefix);
  if (changes.length > 0 || unreadable > 0 || next !== undefined)
    await db.batch([...changes, move]);
  return { resealed: changes.length, unreadable, next };
}

/** Ends the rotation of this shard if the pass found nothing, else starts the next pass. */
async function endPass(
  db: D1Database,
  shard: number,
  { prefix, progress, now }: { prefix: string; progress: Progress; now: number },
): Promise<void> {
  const { resealed, unreadable, pass_began_at, started_at } = progress;
  const isDone = resealed === 0 && pass_began_at >= started_at + rolloutMs;
  if (!isDone) {
    await db
      .prepare(
        `update resealings set endpoint_id = 0, email_id = 0, resealed = 0, unreadable = 0,
           pass_began_at = ? where prefix = ?`,
      )
      .bind(now, prefix)
      .run();
    return;
  }
  await db
    .prepare('update resealings set done_at = ?, unreadable = ? where prefix = ?')
    .bind(now, unreadable, prefix)
    .run();
  log('info', 'secrets_resealed', { shard, unreadable });
  if (unreadable > 0) log('error', 'secrets_unreadable', { alert: true, shard, unreadable });
}
