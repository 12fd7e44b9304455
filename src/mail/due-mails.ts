import { eq, inArray, sql } from 'drizzle-orm';
import * as z from 'zod';
import { dayMs, hourMs, minuteMs } from '../base/durations.ts';
import type { Language } from '../base/languages.ts';
import { log } from '../base/log.ts';
import { type Database, openDatabase } from '../data/core/open-database.ts';
import { rawDatabaseStatement } from '../data/core/raw.ts';
import type { Statement } from '../data/core/statement.ts';
import { acquire, leases } from '../data/queues/lease.ts';
import { users } from '../data/schema/directory/directory-tables.ts';
import { blockedAddresses, mails } from '../data/schema/directory/mail-tables.ts';
import { isMailConfigured } from './sender.ts';

/** How long a run has to send its leased mails. After that another run sends it. */
const leaseMs = 5 * minuteMs;

/** Mails of one kind that an address gets in an hour. The others wait: a flood must not bury important mails. */
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
  to_address: string;
  to_name: string | null;
  data: string;
  created_at: number;
  /** With the one that follows. */
  attempts: number;
  /** `users.allow_notifications`; null without a user. */
  allowsNotifications: 0 | 1 | null;
  /** `users.muted_mails`, as JSON. */
  muted: string | null;
  /** Why the address gets no mail. */
  blocked: 'bounce' | 'complaint' | null;
}

/** Leases due mails, oldest first, with the data that decide about each. Reads no row if none is due. */
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
      returning: sql`id, key, kind, language, to_address, to_name, data, created_at, attempts,
        (select u.allow_notifications from ${users} u where u.id = user_id) as allowsNotifications,
        (select u.muted_mails from ${users} u where u.id = user_id) as muted,
        (select b.reason from ${blockedAddresses} b where b.address = lower(to_address)) as blocked`,
    }),
  );

/** How many mails of its kind went to the address of a leased mail within an hour, or are about to go before it. */
export interface MailsBefore {
  id: number;
  before: number;
}

/**
 * Counts, for each mail that was just leased, those before it: sent within an hour, and leased by this run or another one.
 * It follows {@link leaseStatement} in its batch, so runs side by side count each other.
 */
export const countBeforeStatement = (directory: Database, { now }: { now: number }) =>
  rawDatabaseStatement<MailsBefore>(
    directory,
    sql`select m.id, (select count(*) from (select 1 from ${mails} s where s.sent_at > ${now - hourMs}
          and lower(s.to_address) = lower(m.to_address) and s.kind = m.kind limit ${mailsPerHour}))
        + (select count(*) from ${mails} o where o.leased_until > ${now} and o.leased_until > 0
          and (o.leased_until, o.id) < (m.leased_until, m.id)
          and lower(o.to_address) = lower(m.to_address) and o.kind = m.kind) as before
      from ${mails} m where m.leased_until = ${now + leaseMs} and m.leased_until > 0`,
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

/** Statements that record results. `keepsData` keeps the data of sent mails, for the page of the demo. */
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

/** Reads how many mails are due, and since when. One round trip, which reads a row for each of up to 500. */
export async function readMailHealth(env: Env, now: number): Promise<MailHealth> {
  const directory = openDatabase(env.DIRECTORY);
  const [[waiting]] = await directory.batch([waitingStatement(directory, now)]);
  return { oldest: null, waiting: 0, ...waiting, configured: isMailConfigured(env) };
}

const BounceReport = z.strictObject({
  address: z.email().max(254),
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
