import { sql, type SQL } from 'drizzle-orm';
import { unseal } from '../../base/crypto/seal.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import type { Statement } from '../../data/core/statement.ts';
import {
  factorSealContext,
  recoveryCodes,
  secondFactors,
} from '../../data/schema/directory/credentials-tables.ts';
import { insertMailToUser, prepareMail } from '../../mail/outbox.ts';
import { digestRecoveryCode } from './switch.ts';
import { findTimeStep } from './totp.ts';

/**
 * The use of a code or a passkey: the condition of what it allows, and the statement that returns a
 * row for the one winner.
 */
export interface FactorUse {
  isGood: SQL;
  statement: ReturnType<typeof useStatement>;
  /** Tells the user of a code that is used up, after the use in its batch. */
  told?: Statement;
}

/**
 * Prepares the use of a code: of the authenticator app, or a recovery code. `isGood` is the
 * condition of what it allows. `statement` uses it and belongs at the end of the same batch, where
 * it returns a row for the one winner. A code of the app is used up with all before it. Returns
 * `undefined` for a wrong code.
 */
export async function prepareCodeUse(
  { settings, directory, now }: Pick<ActionContext, 'settings' | 'directory' | 'now'>,
  { userId, secret }: { userId: number; secret: string | null },
  typed: string,
): Promise<FactorUse | undefined> {
  const code = typed.replace(/\s/g, '');
  if (secret !== null && /^\d{6}$/.test(code)) {
    const opened = await unseal(settings.sealingKeys, secret, factorSealContext(userId));
    const step = findTimeStep(opened, code, now);
    if (step === undefined) return undefined;
    const isGood = sql`exists (select 1 from ${secondFactors} where user_id = ${userId} and last_step < ${step})`;
    const use = sql`update ${secondFactors} set last_step = ${step}
      where user_id = ${userId} and last_step < ${step} returning user_id`;
    return { isGood, statement: useStatement(directory, use) };
  }
  const hash = await digestRecoveryCode(userId, typed);
  if (hash === undefined) return undefined;
  const own = sql`user_id = ${userId} and code_hash = ${hash} and used_at is null`;
  const isGood = sql`exists (select 1 from ${recoveryCodes} where ${own})`;
  const use = sql`update ${recoveryCodes} set used_at = ${now} where ${own} returning user_id`;
  const [codes] = await directory.all<{ left: number }>(
    sql`select count(*) as left from ${recoveryCodes}
      where user_id = ${userId} and used_at is null and code_hash <> ${hash}`,
  );
  const mail = await prepareMail(settings, {
    kind: 'recovery_code_used',
    data: { left: codes?.left ?? 0 },
    key: `recovery-code-${hash}`,
  });
  const isUsed = sql`exists (select 1 from ${recoveryCodes}
    where user_id = ${userId} and code_hash = ${hash} and used_at = ${now})`;
  return {
    isGood,
    statement: useStatement(directory, use),
    told: insertMailToUser(directory, mail, userId, now, isUsed),
  };
}

const useStatement = (directory: ActionContext['directory'], use: SQL) =>
  rawDatabaseStatement<{ user_id: number }>(directory, use);
