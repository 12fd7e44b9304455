import { eq, inArray, sql, type SQL } from 'drizzle-orm';
import * as z from 'zod';
import { email } from '../base/codecs/fields/string-formats.ts';
import { randomBase64url } from '../base/crypto/random.ts';
import { seal } from '../base/crypto/seal.ts';
import { dayMs, hourMs, minuteMs } from '../base/durations.ts';
import type { Language } from '../base/languages.ts';
import { log } from '../base/log.ts';
import type { MemberRole } from '../base/roles.ts';
import { settingsOf, type Settings } from '../base/settings.ts';
import { type Database, openDatabase } from '../data/core/open-database.ts';
import { rawDatabaseStatement } from '../data/core/raw.ts';
import type { Statement } from '../data/core/statement.ts';
import { acquire, leases, wake } from '../data/queues.ts';
import { partnerMembers } from '../data/schema/directory/account-tables.ts';
import { memberships, stores, users } from '../data/schema/directory/directory-tables.ts';
import { blockedAddresses, mails } from '../data/schema/directory/mail-tables.ts';
import type { MailData, MailKind, RequestedKind } from './kinds.ts';

/** A mail whose data are sealed, ready for the batch of its cause. */
export interface PreparedMail<K extends MailKind = MailKind> {
  key: string;
  kind: K;
  /** Sealed. */
  data: string;
}

interface MailContent<K extends MailKind> {
  kind: K;
  data: MailData[K];
  /** Names the cause: two mails with one key are one mail. Random unless given. */
  key?: string;
}

/** Where the data of a mail open; every copy of a mail for several members shares it. */
export const mailSealContext = 'mail';

/** Seals the values for the template of a mail, before the batch of its cause. */
export async function prepareMail<K extends MailKind>(
  { sealingKeys }: Pick<Settings, 'sealingKeys'>,
  { kind, data, key = randomBase64url(16) }: MailContent<K>,
): Promise<PreparedMail<K>> {
  return {
    key,
    kind,
    data: await seal(sealingKeys, JSON.stringify(data), mailSealContext),
  };
}

interface Recipient {
  address: string;
  name?: string;
  /** The user, if the address is known to be theirs. */
  userId?: number;
  /** The store that the mail is about. */
  storeId?: number | SQL | undefined;
  /** Of the form that names the address. */
  language: Language;
}

/**
 * The only place that decides the language of a mail: that of the reader's last page, else of the
 * owner of the store, else `language`. It is never that of who caused it, but for a stranger
 * without a store.
 */
const readerLanguage = (ofReader: SQL, storeIds: SQL, language: Language) =>
  sql`coalesce(${ofReader}, (select owner.language from ${stores} join ${users} owner on owner.id = stores.owner_id
    where stores.id in ${storeIds} and owner.language is not null order by stores.id limit 1), ${language})`;

/**
 * The statement that puts a mail to an address into the outbox, of a kind whose requests are
 * counted. With `where`, only if the condition holds then.
 */
export function insertMail(
  directory: Database,
  mail: PreparedMail<RequestedKind>,
  { address, name, userId, storeId, language }: Recipient,
  now: number,
  where: SQL = sql`1`,
) {
  const isReader =
    userId === undefined ? sql`users.email = ${address} collate nocase` : sql`users.id = ${userId}`;
  const ofReader = sql`(select users.language from ${users} where ${isReader})`;
  return insertSelect(
    directory,
    mail,
    now,
    sql`${mail.key}, ${readerLanguage(ofReader, sql`(${storeId ?? null})`, language)},
      ${userId ?? null}, ${address}, ${name ?? null}`,
    sql`where ${where}`,
  );
}

/**
 * The statement that puts a mail to a user into the outbox, in their language. `userId` may be SQL
 * of the same batch.
 */
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
    userColumns(sql`${mail.key}`),
    sql`from ${users} where users.id = ${userId} and ${where}`,
  );
}

interface StoreRecipients {
  storeId: number | SQL;
  roles: readonly MemberRole[];
  /** A member who gets no mail, because they know already. */
  exceptUserId?: number;
}

/**
 * The statement that puts a mail to each member of a store with one of these roles into the outbox,
 * in their language.
 */
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
    userColumns(sql`${mail.key} || '-' || users.id`),
    sql`from ${memberships} join ${users} on users.id = memberships.user_id
      where memberships.store_id = ${storeId} and memberships.role in (select value from json_each(${JSON.stringify(roles)}))
        and users.active = 1 and users.id is not ${exceptUserId ?? null} and ${where}`,
  );
}

/** The statement that puts a mail to each active operator into the outbox, in their language. */
export function insertMailToOperators(
  directory: Database,
  mail: PreparedMail,
  now: number,
  where: SQL,
) {
  return insertSelect(
    directory,
    mail,
    now,
    userColumns(sql`${mail.key} || '-' || users.id`),
    sql`from ${users} where users.super_user = 1 and users.active = 1 and ${where}`,
  );
}

/**
 * The statement that puts a mail to a partner and everyone in their team into the outbox, in their
 * language.
 */
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
    userColumns(sql`${mail.key} || '-' || users.id`),
    sql`from ${users} where users.active = 1 and (users.id = ${partnerId} or users.id in (
      select user_id from ${partnerMembers} where partner_id = ${partnerId})) and ${where}`,
  );
}

/**
 * The columns for a row of `users`. One who has read no page yet gets the language of a store where
 * they work.
 */
const userColumns = (key: SQL) => {
  const theirStores = sql`(select store_id from ${memberships} where user_id = users.id)`;
  return sql`${key}, ${readerLanguage(sql`users.language`, theirStores, 'en')}, users.id, users.email,
    coalesce(nullif(users.social_name, ''), users.name)`;
};

/**
 * `columns` are key, language, user, address and name. A key that is in the outbox already stays
 * unchanged.
 */
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

/**
 * Requests a run of the outbox, after the commit of a mail. Never rejects: the sweep looks each
 * minute.
 */
export const wakeMail = (env: Env): Promise<void> => wake(env, 'mail', { v: 1 });

/** How long a run has to send its leased mails. After that another run sends it. */
const leaseMs = 5 * minuteMs;

/**
 * Mails of one kind that an address gets in an hour. The others wait: a flood must not bury
 * important mails.
 */
export const mailsPerHour = 20;

/** How long mails are kept. */
const keptMs = 30 * dayMs;

/** Mails that one statement deletes or counts. */
const maxRows = 500;

/** A mail that this run, and no other, may send now. */
export interface LeasedMail {
  id: number;
  key: string;
  kind: string;
  language: Language;
  user_id: number | null;
  to_address: string;
  to_name: string | null;
  data: string;
  created_at: number;
  /** With the one that follows. */
  attempts: number;
  /** `users.allow_notifications`, 0 while the user is inactive; null without a user. */
  allowsNotifications: 0 | 1 | null;
  /** `users.muted_mails`, as JSON. */
  muted: string | null;
  /** Why the address gets no mail. */
  blocked: 'bounce' | 'complaint' | null;
}

/**
 * Leases due mails, oldest first, with the data that decide about each. Reads no row if none is
 * due.
 */
export const leaseStatement = (
  directory: Database,
  { now, limit }: { now: number; limit: number },
) =>
  rawDatabaseStatement<LeasedMail>(
    directory,
    acquire(leases.mails, {
      now,
      end: now + leaseMs,
      limit,
      set: sql`attempts = attempts + 1`,
      returning: sql`id, key, kind, language, user_id, to_address, to_name, data, created_at, attempts,
        (select users.allow_notifications and users.active from ${users} where users.id = user_id) as allowsNotifications,
        (select users.muted_mails from ${users} where users.id = user_id) as muted,
        (select blocked_addresses.reason from ${blockedAddresses} where blocked_addresses.address = lower(to_address)) as blocked`,
    }),
  );

/**
 * How many mails of its kind went to the address of a leased mail within an hour, or are about to
 * go before it.
 */
export interface MailsBefore {
  id: number;
  before: number;
}

/**
 * Counts, for each mail that was just leased, those before it: sent within an hour, and leased by
 * this run or another one. It follows {@link leaseStatement} in its batch, so runs side by side
 * count each other.
 */
export const countBeforeStatement = (directory: Database, { now }: { now: number }) =>
  rawDatabaseStatement<MailsBefore>(
    directory,
    sql`select mails.id, (select count(*) from (select 1 from ${mails} sent where sent.sent_at > ${now - hourMs}
          and lower(sent.to_address) = lower(mails.to_address) and sent.kind = mails.kind limit ${mailsPerHour}))
        + (select count(*) from ${mails} other where other.leased_until > ${now} and other.leased_until > 0
          and (other.leased_until, other.id) < (mails.leased_until, mails.id)
          and lower(other.to_address) = lower(mails.to_address) and other.kind = mails.kind) as before
      from ${mails} where mails.leased_until = ${now + leaseMs} and mails.leased_until > 0`,
  );

/** Due mails, up to 500 of them, and when the oldest was written. */
export interface WaitingMails {
  oldest: number | null;
  waiting: number;
}

export const waitingStatement = (directory: Database, now: number) =>
  rawDatabaseStatement<WaitingMails>(
    directory,
    sql`select min(created_at) as oldest, count(*) as waiting from (
      select created_at from ${mails} where due_at <= ${now} order by due_at limit ${maxRows})`,
  );

/** Whether a mail is due, or so old that {@link purgeStatement} deletes it. */
export const hasDueMails = (now: number) =>
  sql`exists (select 1 from ${mails} where due_at <= ${now})
    or exists (select 1 from ${mails} where created_at < ${now - keptMs})`;

/** Deletes mails that are older than thirty days. */
export const purgeStatement = (directory: Database, now: number) =>
  rawDatabaseStatement(
    directory,
    sql`delete from ${mails} where id in (
      select id from ${mails} where created_at < ${now - keptMs} order by created_at limit ${maxRows})`,
  );

/** The outcome of a leased mail. */
export type MailResult = { id: number } & (
  | { outcome: 'sent' }
  | { outcome: 'later'; dueAt: number }
  | { outcome: 'dropped'; reason: string }
  | { outcome: 'bounced'; address: string }
);

/**
 * Statements that record results. `keepsData` keeps the data of sent mails, for the page of the
 * demo.
 */
export const resultStatements = (
  directory: Database,
  results: readonly MailResult[],
  { now, keepsData }: { now: number; keepsData: boolean },
): Statement[] => {
  const finished = { due_at: null, leased_until: 0, ...(!keepsData && { data: '' }) };
  const sent = results.filter(({ outcome }) => outcome === 'sent').map(({ id }) => id);
  return [
    ...(sent.length > 0
      ? [
          directory
            .update(mails)
            .set({ ...finished, sent_at: now })
            .where(inArray(mails.id, sent)),
        ]
      : []),
    ...results.flatMap((result): Statement[] => {
      const isThis = eq(mails.id, result.id);
      switch (result.outcome) {
        case 'sent':
          return [];
        case 'later':
          return [
            directory.update(mails).set({ due_at: result.dueAt, leased_until: 0 }).where(isThis),
          ];
        case 'dropped':
          return [
            directory
              .update(mails)
              .set({ ...finished, dropped: result.reason })
              .where(isThis),
          ];
        case 'bounced':
          return [
            directory
              .update(mails)
              .set({ ...finished, dropped: 'bounce' })
              .where(isThis),
            blockStatement(directory, result.address, 'bounce', now),
          ];
      }
    }),
  ];
};

/** Blocks an address; a complaint is not weakened by a bounce. */
const blockStatement = (
  directory: Database,
  address: string,
  reason: 'bounce' | 'complaint',
  now: number,
) =>
  rawDatabaseStatement(
    directory,
    sql`insert into ${blockedAddresses} (address, reason, at) values (lower(${address}), ${reason}, ${now})
      on conflict (address) do update set reason = excluded.reason, at = excluded.at
      where excluded.reason = 'complaint'`,
  );

/** How the sending of mails is, for operators. Without a sender, mails wait for three days. */
interface MailHealth extends WaitingMails {
  configured: boolean;
}

/**
 * Reads how many mails are due, and since when. One round trip, which reads a row for each of up to
 * 500.
 */
export async function readMailHealth(env: Env, now: number): Promise<MailHealth> {
  const directory = openDatabase(env.DIRECTORY);
  const [[waiting]] = await directory.batch([waitingStatement(directory, now)]);
  return { oldest: null, waiting: 0, ...waiting, configured: isMailConfigured(env) };
}

const BounceReport = z.strictObject({
  address: email,
  reason: z.enum(['bounce', 'complaint']),
});

/** Why a mail came back: the address has no reader, or the reader complained. */
export type BounceReport = z.input<typeof BounceReport>;

/** `ok: false` for a report that is malformed; it changes nothing. */
export type BounceResult = { ok: true } | { ok: false; errors: string[] };

/** Stops all mails to an address, except resets of passwords. Safe to repeat. */
export async function reportBounce(env: Env, report: unknown, now: number): Promise<BounceResult> {
  const { data, error } = BounceReport.safeParse(report);
  if (!data) return { ok: false, errors: error.issues.map(({ path }) => path.join('.')) };
  const directory = openDatabase(env.DIRECTORY);
  await directory.batch([blockStatement(directory, data.address, data.reason, now)]);
  log('info', 'mail_address_blocked', { reason: data.reason });
  return { ok: true };
}

/**
 * The binding that sends mails and the sender's address; `undefined` where one is missing, so that
 * mails wait.
 */
export function mailBindingOf(env: Env): { binding: SendEmail; from: string } | undefined {
  const { mailFrom } = settingsOf(env);
  // A deployment without a sender has no such binding.
  const binding: SendEmail | undefined = env.EMAIL;
  return mailFrom === undefined || binding === undefined ? undefined : { binding, from: mailFrom };
}

/** Whether this deployment can send mails. */
export const isMailConfigured = (env: Env): boolean => mailBindingOf(env) !== undefined;
