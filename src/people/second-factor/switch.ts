import { sql, type SQL } from 'drizzle-orm';
import { seal } from '../../crypto/seal.ts';
import { withDbErrors } from '../../db/core/errors.ts';
import { rawDatabaseStatement } from '../../db/core/raw.ts';
import { auditStatement } from '../../db/directory/audit.ts';
import { recoveryCodes, secondFactors } from '../../db/schema/credentials.ts';
import { users } from '../../db/schema/directory.ts';
import type { MailData } from '../../mail/kinds.ts';
import { insertMailToUser, prepareMail, type MailLanguage } from '../../mail/outbox.ts';
import { wakeMail } from '../../mail/wake.ts';
import type { DeedContext } from '../deed.ts';
import { userLine } from '../users/user-line.ts';
import { digestRecoveryCode, makeRecoveryCodes } from './recovery-codes.ts';
import { findTimeStep } from './totp.ts';
import { factorSealContext } from './use-code.ts';

type Change = MailData['second_factor_changed']['change'];

const auditActions: Readonly<Record<Change, string>> = {
  on: 'user.second_factor_on',
  off: 'user.second_factor_off',
  codes: 'user.recovery_codes_made',
};

/** Whose second factor changes, and the language of the mail for a user who chose none. */
interface Owner {
  userId: number;
  language: MailLanguage;
}

/**
 * Switches the second factor on with a secret that the user's app has, as a code of it proves. Returns the recovery codes,
 * which are shown once; `wrong` for another code, `already` if it is on. One batch.
 */
export async function switchSecondFactorOn(
  deed: DeedContext,
  { secret, code, ...owner }: Owner & { secret: string; code: string },
): Promise<{ codes: string[] } | 'wrong' | 'already'> {
  const { settings, directory, now } = deed;
  const { userId } = owner;
  const step = findTimeStep(secret, code.replace(/\s/g, ''), now);
  if (step === undefined) return 'wrong';
  const sealed = await seal(settings.sealingKeys, secret, factorSealContext(userId));
  // A sealed text is never the same twice, so it identifies this change.
  const isOn = sql`exists (select 1 from ${secondFactors} where user_id = ${userId} and secret = ${sealed})`;
  const { codes, statements } = await prepareCodes(deed, userId, isOn);
  const [added] = await withDbErrors(
    directory.batch([
      rawDatabaseStatement<{ user_id: number }>(
        directory,
        sql`insert into ${secondFactors} (user_id, secret, last_step, created_at)
          select ${userId}, ${sealed}, ${step}, ${now} where true
          on conflict do nothing returning user_id`,
      ),
      rawDatabaseStatement(
        directory,
        sql`update ${users} set mfa_enabled = 1, updated_at = ${now} where id = ${userId} and ${isOn}`,
      ),
      ...statements,
      ...(await tellStatements(deed, owner, 'on', isOn)),
    ]),
  );
  if (added.length === 0) return 'already';
  deed.defer(wakeMail(deed.env));
  return { codes };
}

/** Makes ten new recovery codes in place of all old ones; `undefined` if there is no second factor. One batch. */
export async function renewRecoveryCodes(
  deed: DeedContext,
  owner: Owner,
): Promise<string[] | undefined> {
  const isOn = sql`exists (select 1 from ${secondFactors} where user_id = ${owner.userId})`;
  const { codes, statements } = await prepareCodes(deed, owner.userId, isOn);
  const [, added] = await withDbErrors(
    deed.directory.batch([...statements, ...(await tellStatements(deed, owner, 'codes', isOn))]),
  );
  if (added.length === 0) return undefined;
  deed.defer(wakeMail(deed.env));
  return codes;
}

/** Switches the second factor off, and makes its recovery codes worthless. Does nothing if it is off. One batch. */
export async function switchSecondFactorOff(deed: DeedContext, owner: Owner): Promise<void> {
  const { directory, now } = deed;
  const { userId } = owner;
  const isOn = sql`exists (select 1 from ${secondFactors} where user_id = ${userId})`;
  await withDbErrors(
    directory.batch([
      ...(await tellStatements(deed, owner, 'off', isOn)),
      rawDatabaseStatement(directory, sql`delete from ${secondFactors} where user_id = ${userId}`),
      rawDatabaseStatement(directory, sql`delete from ${recoveryCodes} where user_id = ${userId}`),
      rawDatabaseStatement(
        directory,
        sql`update ${users} set mfa_enabled = 0, updated_at = ${now} where id = ${userId} and mfa_enabled = 1`,
      ),
    ]),
  );
  deed.defer(wakeMail(deed.env));
}

async function prepareCodes({ directory }: DeedContext, userId: number, where: SQL) {
  const codes = makeRecoveryCodes();
  const digests = await Promise.all(codes.map((code) => digestRecoveryCode(userId, code)));
  const statements = [
    rawDatabaseStatement(
      directory,
      sql`delete from ${recoveryCodes} where user_id = ${userId} and ${where}`,
    ),
    rawDatabaseStatement<{ user_id: number }>(
      directory,
      sql`insert into ${recoveryCodes} (user_id, code_hash)
        select ${userId}, value from json_each(${JSON.stringify(digests)}) where ${where} returning user_id`,
    ),
  ] as const;
  return { codes, statements };
}

async function tellStatements(
  deed: DeedContext,
  { userId, language }: Owner,
  change: Change,
  where: SQL,
) {
  const { settings, directory, now } = deed;
  const data = { change };
  const mail = await prepareMail(settings, { kind: 'second_factor_changed', data, language });
  const line = userLine(deed, auditActions[change], userId);
  return [
    insertMailToUser(directory, mail, userId, now, where),
    auditStatement(directory, line, where),
  ] as const;
}
