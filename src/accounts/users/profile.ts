import { sql, eq, type SQL } from 'drizzle-orm';
import type { Language } from '../../base/languages.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { users } from '../../data/schema/directory/directory-tables.ts';
import { optionalKinds, type MutableKind } from '../../mail/kinds.ts';
import type { Unsubscription } from '../../mail/unsubscribe.ts';
import { userLine } from './user-line.ts';

/** Changes the name and the language of a user. Another name has a line of the audit. */
export async function changeProfile(
  action: ActionContext,
  { id: userId, name: before }: { id: number; name: string },
  { name, language }: { name: string; language: Language },
): Promise<void> {
  const { directory, now } = action;
  await directory.batch([
    auditStatement(
      directory,
      { ...userLine(action, 'user.renamed', userId), changes: { name: [before, name] } },
      sql`exists (select 1 from ${users} where id = ${userId} and name = ${before} and name <> ${name})`,
    ),
    rawDatabaseStatement(
      directory,
      sql`update ${users} set name = ${name}, language = ${language}, updated_at = ${now} where id = ${userId}`,
    ),
  ]);
}

/** The mails that a user gets besides those about security. */
interface MailPreferences {
  /** Whether there are any at all (`users.allow_notifications`). */
  allows: boolean;
  muted: readonly MutableKind[];
}

/** Reads the preferences of a user. One round trip. */
export async function findMailPreferences(
  { directory }: Pick<ActionContext, 'directory'>,
  userId: number,
): Promise<MailPreferences> {
  const [row] = await directory
    .select({
      allows: users.allow_notifications,
      muted: users.muted_mails,
    })
    .from(users)
    .where(eq(users.id, userId));
  const { allows = true, muted = [] } = row ?? {};
  return { allows, muted: optionalKinds.filter((kind) => muted.includes(kind)) };
}

/**
 * Switches one kind of mails off for a user, as its link asks. One round trip; nothing is written
 * if it is off already, or the user is erased.
 */
export async function muteMail(
  action: ActionContext,
  { userId, kind }: Unsubscription,
): Promise<void> {
  await writePreferences(
    action,
    userId,
    sql`muted_mails = json_insert(muted_mails, '$[#]', ${kind})`,
    sql`email not like '%@erased.invalid'
      and not exists (select 1 from json_each(muted_mails) where value = ${kind})`,
  );
}

/** Changes the preferences of a user. One round trip; nothing is written if they are the same. */
export async function changeMailPreferences(
  action: ActionContext,
  userId: number,
  { allows, muted }: MailPreferences,
): Promise<void> {
  const mutedMails = JSON.stringify(optionalKinds.filter((kind) => muted.includes(kind)));
  await writePreferences(
    action,
    userId,
    sql`allow_notifications = ${Number(allows)}, muted_mails = ${mutedMails}`,
    sql`(allow_notifications <> ${Number(allows)} or muted_mails <> ${mutedMails})`,
  );
}

/** Writes preferences with their line of the audit, if they differ. */
async function writePreferences(
  action: ActionContext,
  userId: number,
  change: SQL,
  differs: SQL,
): Promise<void> {
  const { directory, now } = action;
  const isReady = sql`id = ${userId} and ${differs}`;
  await directory.batch([
    auditStatement(
      directory,
      userLine(action, 'user.notifications_changed', userId),
      sql`exists (select 1 from ${users} where ${isReady})`,
    ),
    rawDatabaseStatement(
      directory,
      sql`update ${users} set ${change}, updated_at = ${now} where ${isReady}`,
    ),
  ]);
}
