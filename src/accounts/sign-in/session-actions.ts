import { sql, type SQL } from 'drizzle-orm';
import type { Language } from '../../base/languages.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import type { Statement } from '../../data/core/statement.ts';
import {
  passwords,
  sessions,
  signInCountries,
} from '../../data/schema/directory/credentials-tables.ts';
import { users } from '../../data/schema/directory/directory-tables.ts';
import { insertMailToUser, prepareMail } from '../../mail/outbox.ts';
import { endTrust } from '../end-trust.ts';
import { userLine } from '../users/user-line.ts';

/** The session of a user who has just proved who they are. */
export interface NewSession {
  idHash: string;
  /** Digest of the cookie that the browser had before. Its session, if any, ends. */
  formerIdHash: string;
  /** SQL for a user of the same batch. */
  userId: number | SQL;
  expiresAt: number;
  /** When the user showed a code of the second factor; `null` if this sign-in asked for none. */
  factorAt: number | null;
  /** Browser and system in words. */
  device: string;
  /** Of its page, for a user who has read none yet. */
  language: Language;
}

/** The condition that a password which was right a moment ago still is. */
export const isPasswordOf = ({ userId, changedAt }: { userId: number; changedAt: number }) =>
  sql`exists (select 1 from ${passwords} where user_id = ${userId} and changed_at = ${changedAt})`;

/** The condition that a user signs in with the password alone. */
export const hasNoFactor = ({ userId }: { userId: number }) =>
  sql`exists (select 1 from ${users} where id = ${userId} and mfa_enabled = 0)`;

/** The most sessions of a user. */
const maxSessions = 50;

/**
 * Returns the statements that start a session, for the batch of its cause; with `where`, only if
 * the condition holds then. The fourth one returns a row if it started. They end the oldest
 * sessions beyond {@link maxSessions}. They notify the user by mail if the user has signed in
 * before, but never from this country.
 */
export async function startSessionStatements(
  action: ActionContext,
  { idHash, formerIdHash, userId, expiresAt, factorAt, device, language }: NewSession,
  where: SQL = sql`1`,
) {
  const { settings, directory, now, from } = action;
  const country = from.country;
  const data = { country: country ?? '', device };
  const mail = await prepareMail(settings, { kind: 'new_sign_in', data });
  const visited = sql`select 1 from ${signInCountries} where user_id = ${userId}`;
  return [
    insertMailToUser(
      directory,
      mail,
      userId,
      now,
      sql`${country} is not null and exists (${visited})
        and not exists (${visited} and country = ${country}) and ${where}`,
    ),
    rawDatabaseStatement(
      directory,
      sql`insert into ${signInCountries} (user_id, country)
        select id, ${country} from ${users} where id = ${userId} and ${country} is not null and ${where}
        on conflict do nothing`,
    ),
    rawDatabaseStatement(
      directory,
      sql`delete from ${sessions} where id_hash = ${formerIdHash} and ${where}`,
    ),
    rawDatabaseStatement<{ id_hash: string }>(
      directory,
      sql`insert into ${sessions} (id_hash, user_id, created_at, seen_at, expires_at, proved_at, factor_at, device, country)
        select ${idHash}, id, ${now}, ${now}, ${expiresAt}, ${now}, ${factorAt}, ${device}, ${country}
        from ${users} where id = ${userId} and ${where} returning id_hash`,
    ),
    rawDatabaseStatement(
      directory,
      sql`delete from ${sessions} where ${where} and id_hash in (
        select id_hash from ${sessions} where user_id = ${userId}
        order by id_hash = ${idHash} desc, created_at desc limit -1 offset ${maxSessions})`,
    ),
    rawDatabaseStatement(
      directory,
      sql`update ${users} set last_login_at = ${now}, language = coalesce(language, ${language})
        where id = ${userId} and ${where}`,
    ),
  ] as const;
}

/** Prepares the session of a user who is created in the same batch. */
export type StartSession = (userId: SQL, where: SQL) => ReturnType<typeof startSessionStatements>;

/**
 * Ends sessions of a user, and with several what rests on them. Does nothing if there is none. One
 * batch with its line of the audit.
 */
export async function endOwnSessions(
  action: ActionContext,
  userId: number,
  which: 'all' | { idHash: string } | { exceptIdHash: string },
): Promise<void> {
  const { directory } = action;
  const own = (condition = sql`1`) => sql`user_id = ${userId} and ${condition}`;
  const end = (): [SQL, readonly Statement[]] => {
    if (which === 'all') return [own(), endTrust(action, 'sessions_ended', { userId }, sql`1`)];
    if ('idHash' in which) {
      const isOne = own(sql`id_hash = ${which.idHash}`);
      return [
        isOne,
        [rawDatabaseStatement(directory, sql`delete from ${sessions} where ${isOne}`)],
      ];
    }
    const { exceptIdHash: keptIdHash } = which;
    return [
      own(sql`id_hash <> ${keptIdHash}`),
      endTrust(action, 'other_sessions_ended', { userId, keptIdHash }, sql`1`),
    ];
  };
  const [isEnding, statements] = end();
  const line = userLine(action, 'user.sessions_ended', userId);
  await directory.batch([
    auditStatement(directory, line, sql`exists (select 1 from ${sessions} where ${isEnding})`),
    ...statements,
  ]);
}
