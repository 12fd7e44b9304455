import { sql, type SQL } from 'drizzle-orm';
import { sha256 } from '../../base/crypto/digest.ts';
import { randomBase64url } from '../../base/crypto/random.ts';
import { dayMs, minuteMs } from '../../base/durations.ts';
import type { Database } from '../../data/core/open-database.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import {
  oneUseLinks,
  passwords,
  type linkKinds,
} from '../../data/schema/directory/credentials-tables.ts';
import { users } from '../../data/schema/directory/directory-tables.ts';
import type { MailKind } from '../../mail/kinds.ts';

/** How long the links of mails work, in milliseconds. */
export const linkLifetimes: Readonly<Record<LinkKind, number>> = {
  sign_up: dayMs,
  password_reset: 30 * minuteMs,
  confirm_email: dayMs,
  undo_email: 7 * dayMs,
  keep_second_factor: dayMs,
};

/** The mails that hold the links. The limit of a mail is that of its links. */
export const linkMails: Readonly<Record<LinkKind, MailKind>> = {
  sign_up: 'sign_up',
  password_reset: 'password_reset',
  confirm_email: 'email_confirmation',
  undo_email: 'email_changed',
  keep_second_factor: 'second_factor_removal',
};

export type LinkKind = (typeof linkKinds)[number];

/** A link of a mail. Only `hash` is stored. */
export interface LinkToken {
  token: string;
  hash: string;
}

/** Creates the token of a link: 32 random bytes. */
export async function makeLinkToken(): Promise<LinkToken> {
  const token = randomBase64url(32);
  return { token, hash: await sha256(token) };
}

interface NewLink {
  hash: string;
  kind: LinkKind;
  /** SQL for a user who is found in the same batch; `null` for an address without an account. */
  userId: number | SQL | null;
  email: string | SQL;
  now: number;
}

/** The statement that stores a link; with `where`, only if the condition holds then. */
export const insertLinkStatement = (
  directory: Database,
  { hash, kind, userId, email, now }: NewLink,
  where: SQL = sql`1`,
) =>
  rawDatabaseStatement(
    directory,
    sql`insert into ${oneUseLinks} (token_hash, kind, user_id, email, created_at, expires_at)
      select ${hash}, ${kind}, ${userId}, ${email}, ${now}, ${now + linkLifetimes[kind]} where ${where}`,
  );

/** A link that still works. */
export interface OpenLink {
  hash: string;
  kind: LinkKind;
  /** The address that it was sent to, or that it restores. */
  email: string;
  /** The active user whose link it is; `undefined` for a sign-up. */
  user: { id: number; name: string; email: string; temporaryEmail: string | null } | undefined;
}

/** Finds a link that has been neither used nor expired, without using it. One round trip. */
export async function findLink(
  directory: Database,
  { token, kind, now }: { token: string; kind: LinkKind; now: number },
): Promise<OpenLink | undefined> {
  const hash = await sha256(token);
  const [[row]] = await directory.batch([
    rawDatabaseStatement<{
      email: string;
      isOfUser: number;
      id: number | null;
      name: string;
      userEmail: string;
      temporaryEmail: string | null;
    }>(
      directory,
      sql`select one_use_links.email, one_use_links.user_id is not null as "isOfUser", users.id, users.name, users.email as "userEmail",
            users.temporary_email as "temporaryEmail"
          from ${oneUseLinks} left join ${users} on users.id = one_use_links.user_id and users.active = 1
          where one_use_links.token_hash = ${hash} and one_use_links.kind = ${kind} and one_use_links.used_at is null and one_use_links.expires_at > ${now}`,
    ),
  ]);
  if (!row || (row.isOfUser && row.id === null)) return undefined;
  const { email, id, name, userEmail, temporaryEmail } = row;
  const user = id === null ? undefined : { id, name, email: userEmail, temporaryEmail };
  return { hash, kind, email, user };
}

/**
 * Uses a link, in the first statement of a batch. `isClaimed` is the condition of all others: of
 * parallel uses, only one finds its own mark. With `where`, the link is only used if that holds,
 * too.
 */
export function claimLink(
  directory: Database,
  { hash, kind }: OpenLink,
  now: number,
  where: SQL = sql`1`,
) {
  const mark = randomBase64url(12);
  return {
    statement: rawDatabaseStatement<{ token_hash: string }>(
      directory,
      sql`update ${oneUseLinks} set used_at = ${now}, claim = ${mark}
        where token_hash = ${hash} and kind = ${kind} and used_at is null and expires_at > ${now} and ${where}
        returning token_hash`,
    ),
    isClaimed: sql`exists (select 1 from ${oneUseLinks} where token_hash = ${hash} and claim = ${mark})`,
  };
}

/** The statement that makes all other links of a user invalid, once `where` holds. */
export const endLinksStatement = (
  directory: Database,
  userId: number | SQL,
  kinds: readonly LinkKind[],
  now: number,
  where: SQL,
) =>
  rawDatabaseStatement(
    directory,
    sql`update ${oneUseLinks} set used_at = ${now}
      where user_id in ${typeof userId === 'number' ? sql`(${userId})` : userId} and used_at is null
        and kind in (select value from json_each(${JSON.stringify(kinds)})) and ${where}`,
  );

/**
 * The condition that an active user signs in with an address. An invited user, who has no password
 * yet, does not.
 */
export const hasSignIn = (email: string) =>
  sql`exists (select 1 from ${users} join ${passwords} on passwords.user_id = users.id
    where users.email = ${email} collate nocase and users.active = 1)`;
