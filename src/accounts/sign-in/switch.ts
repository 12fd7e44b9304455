import { sql, type SQL } from 'drizzle-orm';
import { sessionLifetimes } from '../../base/auth-lifetimes.ts';
import { sha256 } from '../../base/crypto/digest.ts';
import { randomBytes } from '../../base/crypto/random.ts';
import { seal } from '../../base/crypto/seal.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { factorSince } from '../../data/directory/second-factor.ts';
import {
  passkeys,
  recoveryCodes,
  rememberedDevices,
  secondFactors,
  sessions,
  factorSealContext,
} from '../../data/schema/directory/credentials-tables.ts';
import { users } from '../../data/schema/directory/directory-tables.ts';
import { forgetUser } from '../../http/access/forget-user.ts';
import type { MailData } from '../../mail/kinds.ts';
import { insertMailToUser, prepareMail, wakeMail } from '../../mail/outbox.ts';
import { endTrust } from '../end-trust.ts';
import { userLine } from '../users/user-line.ts';
import { findTimeStep } from './totp.ts';

/** The actions of users on their own factor. */
type Change = Exclude<MailData['second_factor_changed']['change'], 'removed'>;

const auditActions: Readonly<Record<Change, string>> = {
  on: 'user.second_factor_on',
  off: 'user.second_factor_off',
  codes: 'user.recovery_codes_made',
};

/** Whose second factor changes, in which session. */
interface Owner {
  userId: number;
  /** Digest of the cookie of the session. */
  idHash: string;
}

/**
 * Switches the second factor on with a secret that the user's app has, as a code of it proves.
 * Returns the recovery codes, which are shown once; `wrong` for another code, `already` if it is
 * on. Only the session `idHash` stays, which has then shown a code. One batch.
 */
export async function switchSecondFactorOn(
  action: ActionContext,
  { secret, code, ...owner }: Owner & { secret: string; code: string },
): Promise<{ codes: string[] } | 'wrong' | 'already'> {
  const { settings, directory, now } = action;
  const { userId, idHash } = owner;
  const step = findTimeStep(secret, code.replace(/\s/g, ''), now);
  if (step === undefined) return 'wrong';
  const sealed = await seal(settings.sealingKeys, secret, factorSealContext(userId));
  // A sealed text is never the same twice, so it identifies this change.
  const isOn = sql`exists (select 1 from ${secondFactors} where user_id = ${userId} and secret = ${sealed})`;
  const { codes, statements } = await prepareCodes(action, userId, isOn);
  const [added] = await directory.batch([
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
    rawDatabaseStatement(
      directory,
      sql`update ${sessions} set proved_at = ${now}, factor_at = ${now}
          where id_hash = ${idHash} and user_id = ${userId} and ${isOn}`,
    ),
    ...statements,
    ...endTrust(action, 'second_factor_on', { userId, keptIdHash: idHash }, isOn),
    ...(await tellOfFactor(action, owner, 'on', isOn)),
  ]);
  if (added.length === 0) return 'already';
  forgetUser(userId);
  action.defer(wakeMail(action.env));
  return { codes };
}

/**
 * The condition that a user has a second factor, and that the session has shown a code or a passkey
 * recently. Of two requests at once, one may have set up another factor.
 */
export const hasShownFactor = ({ now }: ActionContext, { userId, idHash }: Owner) =>
  sql`exists (select 1 from ${sessions} where sessions.user_id = ${userId} and sessions.id_hash = ${idHash}
    and sessions.factor_at >= ${factorSince(userId)} and sessions.factor_at > ${now - sessionLifetimes.proof})`;

const hasApp = (userId: number) =>
  sql`exists (select 1 from ${secondFactors} where user_id = ${userId})`;

const hasPasskey = (userId: number) =>
  sql`exists (select 1 from ${passkeys} where user_id = ${userId})`;

/**
 * Creates ten new recovery codes in place of all old ones; `undefined` without a recent proof by
 * the factor. One batch.
 */
export async function renewRecoveryCodes(
  action: ActionContext,
  owner: Owner,
): Promise<string[] | undefined> {
  const isOn = hasShownFactor(action, owner);
  const { codes, statements } = await prepareCodes(action, owner.userId, isOn);
  const [, added] = await action.directory.batch([
    ...statements,
    ...(await tellOfFactor(action, owner, 'codes', isOn)),
  ]);
  if (added.length === 0) return undefined;
  action.defer(wakeMail(action.env));
  return codes;
}

/**
 * Takes the authenticator app away. Without a passkey that switches the second factor off, and
 * makes the recovery codes invalid. Does nothing without a recent proof by the factor. One batch.
 */
export async function switchSecondFactorOff(action: ActionContext, owner: Owner): Promise<void> {
  const { directory, now } = action;
  const { userId } = owner;
  const isOn = sql`${hasApp(userId)} and ${hasShownFactor(action, owner)}`;
  await directory.batch([
    ...(await tellOfFactor(action, owner, 'off', isOn)),
    rawDatabaseStatement(
      directory,
      sql`delete from ${recoveryCodes} where user_id = ${userId} and not ${hasPasskey(userId)} and ${isOn}`,
    ),
    rawDatabaseStatement(
      directory,
      sql`delete from ${rememberedDevices} where user_id = ${userId} and ${isOn}`,
    ),
    rawDatabaseStatement(
      directory,
      sql`update ${users} set mfa_enabled = ${hasPasskey(userId)}, updated_at = ${now}
          where id = ${userId} and ${isOn}`,
    ),
    rawDatabaseStatement(
      directory,
      sql`delete from ${secondFactors} where user_id = ${userId} and ${isOn}`,
    ),
  ]);
  forgetUser(userId);
  action.defer(wakeMail(action.env));
}

/**
 * Prepares ten new recovery codes in place of all old ones. The second statement returns rows if it
 * made them.
 */
export async function prepareCodes({ directory, now }: ActionContext, userId: number, where: SQL) {
  const codes = makeRecoveryCodes();
  const digests = await Promise.all(codes.map((code) => digestRecoveryCode(userId, code)));
  const statements = [
    rawDatabaseStatement(
      directory,
      sql`delete from ${recoveryCodes} where user_id = ${userId} and ${where}`,
    ),
    rawDatabaseStatement<{ user_id: number }>(
      directory,
      sql`insert into ${recoveryCodes} (user_id, code_hash, created_at)
        select ${userId}, value, ${now} from json_each(${JSON.stringify(digests)}) where ${where} returning user_id`,
    ),
  ] as const;
  return { codes, statements };
}

async function tellOfFactor(action: ActionContext, { userId }: Owner, change: Change, where: SQL) {
  const { settings, directory, now } = action;
  const data = { change };
  const mail = await prepareMail(settings, { kind: 'second_factor_changed', data });
  const line = userLine(action, auditActions[change], userId);
  return [
    insertMailToUser(directory, mail, userId, now, where),
    auditStatement(directory, line, where),
  ] as const;
}

/** Without letters and digits that look alike. 32 of them, so that a byte chooses one evenly. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz023456789';
const codeLength = 16;
const codeCount = 10;

/** Creates ten codes of 80 bits, such as `k7m2-q9xw-h4td-pz3e`. */
const makeRecoveryCodes = (): string[] =>
  Array.from({ length: codeCount }, () => {
    const letters = Array.from(randomBytes(codeLength), (byte) => alphabet[byte % 32]).join('');
    return letters.replace(/(.{4})(?=.)/g, '$1-');
  });

/**
 * The digest of a code as the database keeps it, however it was typed; `undefined` for a text that
 * cannot be a code.
 */
export async function digestRecoveryCode(
  userId: number,
  typed: string,
): Promise<string | undefined> {
  const letters = typed.toLowerCase().replace(/[\s-]/g, '');
  return /^[a-z0-9]{16}$/.test(letters) ? sha256(`recovery-code:${userId}:${letters}`) : undefined;
}
