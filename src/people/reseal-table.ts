import { sealAgain, sealedPrefixOf } from '../crypto/seal.ts';
import { log } from '../log.ts';
import { settingsOf } from '../settings.ts';

/** Rows of one run; the rest waits for the next minute. */
const stepSize = 200;

/** A column of the directory with sealed texts. */
interface SealedColumn<Key extends string | number> {
  table: 'second_factors' | 'app_webhooks';
  key: 'user_id' | 'client_id';
  column: 'secret' | 'secret_current' | 'secret_previous';
  /** Where the text of a row opens. */
  context: (key: Key) => string;
}

/**
 * Seals the texts of a column again with the current key, while the settings have a previous one. Cron calls it each minute;
 * one call when nothing is left. Never rejects: a failure is logged, and the next run tries again.
 */
export async function resealColumn<Key extends string | number>(
  env: Env,
  { table, key, column, context }: SealedColumn<Key>,
): Promise<void> {
  try {
    const { sealingKeys } = settingsOf(env);
    if (sealingKeys.previous === undefined) return;
    const prefix = await sealedPrefixOf(sealingKeys);
    const { results } = await env.DIRECTORY.prepare(
      // Two ranges, for an index: everything but what begins with the prefix.
      `select key, sealed from (
         select ${key} as key, ${column} as sealed from ${table} where ${column} < ?1
         union all select ${key}, ${column} from ${table} where ${column} >= ?1 || '~') limit ${stepSize}`,
    )
      .bind(prefix)
      .all<{ key: Key; sealed: string }>();
    if (results.length === 0) return;
    const statements: D1PreparedStatement[] = [];
    for (const { key: id, sealed } of results) {
      const again = await sealAgain(sealingKeys, sealed, context(id));
      if (again === undefined) continue;
      // Only if it is still the same: a secret may be replaced meanwhile.
      statements.push(
        env.DIRECTORY.prepare(
          `update ${table} set ${column} = ? where ${key} = ? and ${column} = ?`,
        ).bind(again, id, sealed),
      );
    }
    if (statements.length > 0) await env.DIRECTORY.batch(statements);
    const [resealed, unreadable] = [statements.length, results.length - statements.length];
    log('info', 'directory_resealed', { table, resealed, unreadable });
    if (unreadable > 0) log('error', 'secrets_unreadable', { alert: true, table, unreadable });
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    log('error', 'directory_not_resealed', { alert: true, table, message });
  }
}
