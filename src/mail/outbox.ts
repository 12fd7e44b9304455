import { sql, type SQL } from 'drizzle-orm';
import { randomBase64url } from '../base/crypto/random.ts';
import { seal } from '../base/crypto/seal.ts';
import type { Language } from '../base/languages.ts';
import type { MemberRole } from '../base/roles.ts';
import type { Settings } from '../base/settings.ts';
import type { Database } from '../data/core/open-database.ts';
import { rawDatabaseStatement } from '../data/core/raw.ts';
import { wake } from '../data/queues/wake.ts';
import { partnerMembers } from '../data/schema/directory/account-tables.ts';
import { memberships, users } from '../data/schema/directory/directory-tables.ts';
import { mails } from '../data/schema/directory/mail-tables.ts';
import type { MailData, MailKind, RequestedKind } from './kinds.ts';

/** A mail whose data are sealed, ready for the batch of its cause. */
export interface PreparedMail<K extends MailKind = MailKind> {
  key: string;
  kind: K;
  language: Language;
  /** Sealed. */
  data: string;
}

interface MailContent<K extends MailKind> {
  kind: K;
  data: MailData[K];
  /** Of the request; for a user, their own language goes before it. */
  language: Language;
  /** Names the cause: two mails with one key are one mail. Random unless given. */
  key?: string;
}

/** Where the data of a mail open; every copy of a mail for several members shares it. */
export const mailSealContext = 'mail';

/** Seals the values for the template of a mail, before the batch of its cause. */
export async function prepareMail<K extends MailKind>(
  { sealingKeys }: Pick<Settings, 'sealingKeys'>,
  { kind, data, language, key = randomBase64url(16) }: MailContent<K>,
): Promise<PreparedMail<K>> {
  return {
    key,
    kind,
    language,
    data: await seal(sealingKeys, JSON.stringify(data), mailSealContext),
  };
}

interface Recipient {
  address: string;
  name?: string;
  /** The user, if the address is known to be theirs. */
  userId?: number;
}

/**
 * The statement that puts a mail to an address into the outbox, of a kind whose requests are counted. With `where`, only if the condition holds then. The language
 * is that of the user with this address, if there is one.
 */
export function insertMail(
  directory: Database,
  mail: PreparedMail<RequestedKind>,
  { address, name, userId }: Recipient,
  now: number,
  where: SQL = sql`1`,
) {
  return insertSelect(
    directory,
    mail,
    now,
    sql`${mail.key},
      coalesce((select u.language from ${users} u where u.email = ${address} collate nocase), ${mail.language}),
      ${userId ?? null}, ${address}, ${name ?? null}`,
    sql`where ${where}`,
  );
}

/** The statement that puts a mail to a user into the outbox, in the user's language. `userId` may be SQL of the same batch. */
export function insertMailToUser(
  directory: Database,
  mail: PreparedMail,
  userId: number | SQL,
  now: number,
  where: SQL = sql`1`,
) {
  return insertSelect(
    directory,
    mail,
    now,
    userColumns(sql`${mail.key}`, mail.language),
    sql`from ${users} u where u.id = ${userId} and ${where}`,
  );
}

interface StoreRecipients {
  storeId: number | SQL;
  roles: readonly MemberRole[];
  /** A member who gets no mail, because they know already. */
  exceptUserId?: number;
}

/** The statement that puts a mail to each member of a store with one of these roles into the outbox, in their language. */
export function insertMailToMembers(
  directory: Database,
  mail: PreparedMail,
  { storeId, roles, exceptUserId }: StoreRecipients,
  now: number,
  where: SQL = sql`1`,
) {
  return insertSelect(
    directory,
    mail,
    now,
    userColumns(sql`${mail.key} || '-' || u.id`, mail.language),
    sql`from ${memberships} m join ${users} u on u.id = m.user_id
      where m.store_id = ${storeId} and m.role in (select value from json_each(${JSON.stringify(roles)}))
        and u.active = 1 and u.id is not ${exceptUserId ?? null} and ${where}`,
  );
}

/** The statement that puts a mail to a partner and everyone in their team into the outbox, in their language. */
export function insertMailToTeam(
  directory: Database,
  mail: PreparedMail,
  partnerId: number | SQL,
  now: number,
  where: SQL = sql`1`,
) {
  return insertSelect(
    directory,
    mail,
    now,
    userColumns(sql`${mail.key} || '-' || u.id`, mail.language),
    sql`from ${users} u where u.active = 1 and (u.id = ${partnerId} or u.id in (
      select user_id from ${partnerMembers} where partner_id = ${partnerId})) and ${where}`,
  );
}

const userColumns = (key: SQL, language: Language) =>
  sql`${key}, coalesce(u.language, ${language}), u.id, u.email, coalesce(nullif(u.social_name, ''), u.name)`;

/** `columns` are key, language, user, address and name. A key that is in the outbox already stays unchanged. */
const insertSelect = (
  directory: Database,
  { kind, data }: PreparedMail,
  now: number,
  columns: SQL,
  source: SQL,
) =>
  rawDatabaseStatement(
    directory,
    sql`insert into ${mails} (kind, data, created_at, due_at, key, language, user_id, to_address, to_name)
      select ${kind}, ${data}, ${now}, ${now}, ${columns} ${source}
      on conflict (key) do nothing`,
  );

/** Requests a run of the outbox, after the commit of a mail. Never rejects: the sweep looks each minute. */
export const wakeMail = (env: Env): Promise<void> => wake(env, 'mail', { v: 1 });
