import { sql, type SQL } from 'drizzle-orm';
import type { ActionContext } from '../../data/audit/action.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import {
  uncountAttemptStatements,
  type CountedAttempt,
} from '../../data/directory/attempt-counters.ts';
import { sessions } from '../../data/schema/directory/credentials-tables.ts';
import { wakeMail } from '../../mail/outbox.ts';
import type { FactorUse } from './use-code.ts';

/**
 * Records that the user of a session has just proved who they are, by their password, a code or a
 * passkey. A code, and the answer of a passkey, is used up. Returns false if it was used before.
 * One batch.
 */
export async function proveSession(
  { directory, now, env, defer }: Pick<ActionContext, 'directory' | 'now' | 'env' | 'defer'>,
  { idHash, counted, use }: { idHash: string; counted: CountedAttempt; use?: FactorUse },
): Promise<boolean> {
  const isGood: SQL = use?.isGood ?? sql`1`;
  const [proved] = await directory.batch([
    rawDatabaseStatement<{ id_hash: string }>(
      directory,
      sql`update ${sessions} set proved_at = ${now}, factor_at = ${use ? sql`${now}` : sql`factor_at`}
          where id_hash = ${idHash} and ${isGood} returning id_hash`,
    ),
    ...(use ? [use.statement] : []),
    ...uncountAttemptStatements(directory, counted),
    ...(use?.told ? [use.told] : []),
  ]);
  if (use?.told) defer(wakeMail(env));
  return proved.length > 0;
}
