import { sql, type SQL } from 'drizzle-orm';
import type { KeyRing } from '../base/crypto/keys.ts';
import { sealAgain, sealedPrefixOf } from '../base/crypto/seal.ts';
import { minuteMs } from '../base/durations.ts';
import { log } from '../base/log.ts';
import { settingsOf, type Settings } from '../base/settings.ts';
import { prepareSql } from '../data/core/raw.ts';
import { appSecretContext } from '../data/directory/app-webhook-secrets.ts';
import { factorSealContext } from '../data/schema/directory/credentials-tables.ts';
import type { SweepContext } from '../data/sweep-task.ts';

/** Rows that one step visits. */
const stepSize = 200;

/**
 * A worker that does not know the new key may still seal with the old one. So only a pass that
 * began this long after the first one proves that no old text remains.
 */
const rolloutMs = 10 * minuteMs;

/** A table with sealed columns, and the place that their texts belong to. */
interface SealedTable {
  name: string;
  key: string;
  columns: readonly string[];
  context: (row: SealedRow) => string;
}

/** `position`: the column of `resealings` with the id up to which the pass came. */
const shardTables: readonly (SealedTable & { position: 'endpoint_id' | 'email_id' })[] = [
  {
    name: 'webhook_endpoints',
    key: 'id',
    columns: ['secret_current', 'secret_previous'],
    context: ({ store_id: store }) => `webhook-secret:${store}`,
    position: 'endpoint_id',
  },
  {
    name: 'email_configurations',
    key: 'id',
    columns: ['password_sealed'],
    context: ({ store_id: store }) => `email-password:${store}`,
    position: 'email_id',
  },
];

/** Tables with so few rows, or indexed ones, that each run searches them for old texts. */
const directoryTables: readonly SealedTable[] = [
  {
    name: 'second_factors',
    key: 'user_id',
    columns: ['secret'],
    context: ({ user_id: user }) => factorSealContext(Number(user)),
  },
  {
    name: 'app_webhooks',
    key: 'client_id',
    columns: ['secret_current', 'secret_previous'],
    context: ({ client_id: client }) => appSecretContext(String(client)),
  },
];

/**
 * The condition that a column holds a text under another key. Two ranges, for an index: all except
 * the prefix.
 */
const isOld = (column: string, prefix: string) =>
  sql`(${sql.raw(column)} < ${prefix} or ${sql.raw(column)} >= ${prefix} || '~')`;

/** Whether {@link resealDirectory} would find a text. Without a previous key it never does. */
export async function hasSecretsToReseal({ sealingKeys }: Settings): Promise<SQL> {
  if (sealingKeys.previous === undefined) return sql`0`;
  const prefix = await sealedPrefixOf(sealingKeys);
  const found = directoryTables.flatMap(({ name, columns }) =>
    columns.map(
      (column) => sql`exists (select 1 from ${sql.raw(name)} where ${isOld(column, prefix)})`,
    ),
  );
  return sql.join(found, sql` or `);
}

/**
 * Seals the secrets of the directory again with the current key, while the settings have a previous
 * one. Cron calls it each minute; one call when no old text remains. Never rejects: a failure is
 * logged, and the next run tries again.
 */
export async function resealDirectory(env: Env): Promise<void> {
  try {
    const { sealingKeys } = settingsOf(env);
    if (sealingKeys.previous === undefined) return;
    const prefix = await sealedPrefixOf(sealingKeys);
    const found = await env.DIRECTORY.batch<SealedRow>(
      directoryTables.map(({ name, key, columns }) => {
        const select = sql.raw(`select ${key}, ${columns.join(', ')} from ${name}`);
        const conditions = columns.map((column) => isOld(column, prefix));
        return prepareSql(
          env.DIRECTORY,
          sql`${select} where ${sql.join(conditions, sql` or `)} limit ${stepSize}`,
        );
      }),
    );
    for (const [index, table] of directoryTables.entries()) {
      const rows = found[index]?.results ?? [];
      if (rows.length === 0) continue;
      const keys = { sealingKeys, prefix };
      const { changes, unreadable } = await resealRows(env.DIRECTORY, table, rows, keys);
      if (changes.length > 0) await env.DIRECTORY.batch(changes);
      const { name } = table;
      log('info', 'directory_resealed', { table: name, resealed: changes.length, unreadable });
      if (unreadable > 0)
        log('error', 'secrets_unreadable', { alert: true, table: name, unreadable });
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    log('error', 'directory_not_resealed', { alert: true, message });
  }
}

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
 * Seals stored secrets again with the current key, while the settings have a previous one.
 * Continues in steps from the position of the last run, pass after pass until one finds no old
 * text. A task of the sweep. Returns the number of rows that it sealed again. Costs nothing without
 * a previous key, and one call after the end.
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
  for (const table of shardTables) {
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
    prepareSql(db, sql`delete from resealings where prefix <> ${prefix}`),
    prepareSql(
      db,
      sql`insert into resealings (prefix, pass_began_at, started_at) values (${prefix}, ${now}, ${now})
        on conflict do nothing`,
    ),
    prepareSql(db, sql`select * from resealings where prefix = ${prefix}`),
  ]);
  const [progress] = found?.results ?? [];
  if (!progress) throw new Error('no row of the pass');
  return progress;
}

/** The key, the owner and the sealed columns of a row by name. */
type SealedRow = Record<string, string | number | null>;

interface Keys {
  sealingKeys: KeyRing;
  /** The beginning of texts that have the current key. */
  prefix: string;
}

/**
 * Creates the statements that replace texts under other keys, and counts the texts that no key
 * opens.
 */
async function resealRows(
  db: D1Database,
  { name, key, columns, context }: SealedTable,
  rows: readonly SealedRow[],
  { sealingKeys, prefix }: Keys,
): Promise<{ changes: D1PreparedStatement[]; unreadable: number }> {
  const changes: D1PreparedStatement[] = [];
  let unreadable = 0;
  for (const row of rows) {
    for (const column of columns) {
      const sealed = row[column];
      if (typeof sealed !== 'string' || sealed.startsWith(prefix)) continue;
      const again = await sealAgain(sealingKeys, sealed, context(row));
      if (again === undefined) unreadable += 1;
      else {
        // Only if the text is unchanged: a new secret must not be replaced by the old one under
        // another key.
        const [table, id, text] = [name, key, column].map((part) => sql.raw(part));
        changes.push(
          prepareSql(
            db,
            sql`update ${table} set ${text} = ${again} where ${id} = ${row[key]} and ${text} = ${sealed}`,
          ),
        );
      }
    }
  }
  return { changes, unreadable };
}

interface Step {
  resealed: number;
  unreadable: number;
  /** The id to continue from; `undefined` at the end of the table. */
  next: number | undefined;
}

/** Visits the next rows of a table. Two round trips, or one if all of them have the current key. */
async function resealStep(
  db: D1Database,
  table: (typeof shardTables)[number],
  after: number,
  keys: Keys,
): Promise<Step> {
  const { name, columns, position } = table;
  const select = sql.raw(`select id, store_id, ${columns.join(', ')} from ${name}`);
  const { results: rows } = await prepareSql(
    db,
    sql`${select} where id > ${after} order by id limit ${stepSize}`,
  ).all<SealedRow & { id: number }>();
  const { changes, unreadable } = await resealRows(db, table, rows, keys);
  const last = rows.at(-1)?.id;
  const next = rows.length < stepSize ? undefined : last;
  const move = prepareSql(
    db,
    sql`update resealings set ${sql.raw(position)} = ${last ?? after},
      resealed = resealed + ${changes.length}, unreadable = unreadable + ${unreadable}
      where prefix = ${keys.prefix}`,
  );
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
    await prepareSql(
      db,
      sql`update resealings set endpoint_id = 0, email_id = 0, resealed = 0, unreadable = 0,
        pass_began_at = ${now} where prefix = ${prefix}`,
    ).run();
    return;
  }
  await prepareSql(
    db,
    sql`update resealings set done_at = ${now}, unreadable = ${unreadable} where prefix = ${prefix}`,
  ).run();
  log('info', 'secrets_resealed', { shard, unreadable });
  if (unreadable > 0) log('error', 'secrets_unreadable', { alert: true, shard, unreadable });
}
