import { sql, type SQL } from 'drizzle-orm';
import { sha256 } from '../../base/crypto/digest.ts';
import {
  verifyNewPasskey,
  verifyPasskey,
  type PasskeyAnswer,
  type PasskeyRequest,
} from '../../base/crypto/webauthn.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { factorSince } from '../../data/directory/second-factor.ts';
import type { StoredPasskey } from '../../data/directory/sign-in-accounts.ts';
import {
  passkeys,
  recoveryCodes,
  secondFactors,
  sessions,
} from '../../data/schema/directory/credentials-tables.ts';
import { users } from '../../data/schema/directory/directory-tables.ts';
import { forgetUser } from '../../http/access/forget-user.ts';
import type { MailData } from '../../mail/kinds.ts';
import { insertMailToUser, prepareMail, wakeMail } from '../../mail/outbox.ts';
import { endTrust } from '../end-trust.ts';
import { userLine } from '../users/user-line.ts';
import { hasShownFactor, prepareCodes } from './switch.ts';
import type { FactorUse } from './use-code.ts';

/** The most passkeys of a user. */
export const maxPasskeys = 10;

/** An answer of an authenticator, with the request that our page made. */
export interface SentPasskey {
  answer: PasskeyAnswer;
  request: PasskeyRequest;
  /** When the challenge was made, in epoch milliseconds. */
  challengedAt: number;
}

/**
 * The name by which an authenticator keeps the passkeys of a user together. It says nothing about
 * the user.
 */
export const passkeyHandle = (userId: number): Promise<string> => sha256(`passkey-user:${userId}`);

/** The session of a user. */
interface Owner {
  userId: number;
  idHash: string;
}

/**
 * Adds a passkey to a user. The first factor switches two-step sign-in on as an app does, with
 * recovery codes, which are returned to be shown once. Returns `wrong` for an answer that does not
 * fit. Returns `refused` for a known passkey, for one too many, and in a session that has ended or
 * has no recent proof by the factor. One batch.
 */
export async function addPasskey(
  action: ActionContext,
  { answer, request, challengedAt }: SentPasskey,
  { name, ...owner }: Owner & { name: string },
): Promise<{ codes: string[] | undefined } | 'wrong' | 'refused'> {
  const { directory, now } = action;
  const { userId, idHash } = owner;
  const made = await verifyNewPasskey(answer, request);
  if (!made) return 'wrong';
  const { id, publicKey, signCount } = made;
  const run = <Row>(text: SQL) => rawDatabaseStatement<Row>(directory, text);
  const isAdded = sql`exists (select 1 from ${passkeys} where user_id = ${userId}
    and credential_id = ${id} and challenged_at = ${challengedAt} and created_at = ${now})`;
  const isFirst = sql`${isAdded} and exists (select 1 from ${users} where id = ${userId} and mfa_enabled = 0)`;
  const { codes, statements } = await prepareCodes(action, userId, isFirst);
  const [deleted, inserted] = statements;
  const [added, , remade] = await directory.batch([
    run<{ id: number }>(sql`insert into ${passkeys}
        (user_id, credential_id, public_key, sign_count, challenged_at, name, created_at, replaces_password)
      select ${userId}, ${id}, ${publicKey}, ${signCount}, ${challengedAt}, ${name}, ${now}, 1
      where exists (select 1 from ${sessions} where id_hash = ${idHash} and user_id = ${userId})
        and (${factorSince(userId)} is null or ${hasShownFactor(action, owner)})
        and (select count(*) from ${passkeys} where user_id = ${userId}) < ${maxPasskeys}
      on conflict do nothing returning id`),
    deleted,
    inserted,
    ...endTrust(action, 'second_factor_on', { userId, keptIdHash: idHash }, isFirst),
    run(
      sql`update ${users} set mfa_enabled = 1, updated_at = ${now} where id = ${userId} and ${isFirst}`,
    ),
    run(sql`update ${sessions} set proved_at = ${now}, factor_at = ${now}
      where id_hash = ${idHash} and user_id = ${userId} and ${isAdded}`),
    ...(await tellOfPasskey(action, userId, { change: 'added', name }, isAdded)),
  ]);
  if (added.length === 0) return 'refused';
  forgetUser(userId);
  action.defer(wakeMail(action.env));
  return { codes: remade.length > 0 ? codes : undefined };
}

/**
 * Removes a passkey of a user. All sessions but this one end, since it may have opened them. The
 * last factor takes the recovery codes along. Does nothing without a recent proof by the factor.
 * One batch.
 */
export async function removePasskey(
  action: ActionContext,
  { id, name, ...owner }: Owner & { id: number; name: string },
): Promise<void> {
  const { directory, now } = action;
  const { userId, idHash } = owner;
  const run = (text: SQL) => rawDatabaseStatement(directory, text);
  const isOne = sql`exists (select 1 from ${passkeys} where id = ${id} and user_id = ${userId})
    and ${hasShownFactor(action, owner)}`;
  const hasOther = sql`(exists (select 1 from ${secondFactors} where user_id = ${userId})
    or exists (select 1 from ${passkeys} where user_id = ${userId} and id <> ${id}))`;
  await directory.batch([
    ...(await tellOfPasskey(action, userId, { change: 'removed', name }, isOne)),
    ...endTrust(action, 'passkey_removed', { userId, keptIdHash: idHash }, isOne),
    run(
      sql`delete from ${recoveryCodes} where user_id = ${userId} and not ${hasOther} and ${isOne}`,
    ),
    run(sql`update ${users} set mfa_enabled = ${hasOther}, updated_at = ${now}
      where id = ${userId} and ${isOne}`),
    run(sql`delete from ${passkeys} where id = ${id} and ${isOne}`),
  ]);
  forgetUser(userId);
  action.defer(wakeMail(action.env));
}

/**
 * Prepares the use of a passkey, like that of a code. Its answer is used up with all answers to
 * older challenges. A passkey whose count of signatures did not grow may be a copy: it is blocked,
 * and its user notified. Returns `undefined` for an answer that is not accepted. From then on the
 * passkey works without the password if `hasPassword` holds.
 */
export async function preparePasskeyUse(
  action: ActionContext,
  passkey: StoredPasskey,
  { answer, request, challengedAt }: SentPasskey,
  hasPassword = sql`0`,
): Promise<FactorUse | undefined> {
  const { directory, now } = action;
  const used = verifyPasskey(answer, request, passkey.publicKey);
  const { userHandle } = answer;
  if (!used || (userHandle !== undefined && userHandle !== (await passkeyHandle(passkey.userId))))
    return undefined;
  const { signCount } = used;
  const grows = sql`(sign_count < ${signCount} or (sign_count = 0 and ${signCount} = 0))`;
  const isNew = sql`id = ${passkey.id} and blocked_at is null and challenged_at < ${challengedAt}`;
  const isCopy =
    passkey.challengedAt < challengedAt && passkey.signCount > 0 && signCount <= passkey.signCount;
  if (isCopy) {
    const isFound = sql`exists (select 1 from ${passkeys} where ${isNew} and not ${grows})`;
    const { userId, name } = passkey;
    await directory.batch([
      ...(await tellOfPasskey(action, userId, { change: 'blocked', name }, isFound)),
      rawDatabaseStatement(
        directory,
        sql`update ${passkeys} set blocked_at = ${now} where ${isNew} and not ${grows}`,
      ),
    ]);
    action.defer(wakeMail(action.env));
    return undefined;
  }
  return {
    isGood: sql`exists (select 1 from ${passkeys} where ${isNew} and ${grows})`,
    statement: rawDatabaseStatement<{ user_id: number }>(
      directory,
      sql`update ${passkeys} set sign_count = ${signCount}, challenged_at = ${challengedAt}, used_at = ${now},
          replaces_password = replaces_password or ${hasPassword}
        where ${isNew} and ${grows} returning user_id`,
    ),
  };
}

/** The use of a passkey alone, and whose it is. */
export interface LonePasskeyUse extends FactorUse {
  passkey: StoredPasskey;
}

/**
 * Prepares a sign-in by a passkey alone. Its answer must name its user by the handle, and the user
 * must be active. Unknown passkeys cost the same verification. Returns `needsPassword` for a right
 * answer of a passkey that has not been used since the password was set.
 */
export async function prepareLonePasskeyUse(
  action: ActionContext,
  passkey: StoredPasskey | undefined,
  sent: SentPasskey,
): Promise<LonePasskeyUse | 'needsPassword' | undefined> {
  if (!passkey || sent.answer.userHandle === undefined) {
    verifyPasskey(sent.answer, sent.request, dummyPublicKey);
    return undefined;
  }
  const use = await preparePasskeyUse(action, passkey, sent);
  if (!use) return undefined;
  if (!passkey.replacesPassword) return 'needsPassword';
  const { id, userId } = passkey;
  const isGood = sql`${use.isGood}
    and exists (select 1 from ${passkeys} where id = ${id} and replaces_password = 1)
    and exists (select 1 from ${users} where id = ${userId} and active = 1)`;
  return { ...use, isGood, passkey };
}

/**
 * The public key of a pair whose private key nobody kept (P-256), to verify the answers of unknown
 * passkeys.
 */
const dummyPublicKey =
  'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAECtw_gtsoJPzGZd7roe5mqXZN28osXldMIg8GhlFmwLnBsULAJtbjm5C8jvFtoG4VwQh4VCA6kS2O6orSOalslg';

async function tellOfPasskey(
  action: ActionContext,
  userId: number,
  data: MailData['passkey_changed'],
  where: SQL,
) {
  const { settings, directory, now } = action;
  const mail = await prepareMail(settings, { kind: 'passkey_changed', data });
  const line = userLine(action, `user.passkey_${data.change}`, userId);
  return [
    insertMailToUser(directory, mail, userId, now, where),
    auditStatement(directory, line, where),
  ] as const;
}
