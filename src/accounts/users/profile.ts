import { sql, eq } from 'drizzle-orm';
import type { Language } from '../../base/languages.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { users } from '../../data/schema/directory/directory-tables.ts';
import { optionalKinds, type MutableKind } from '../../mail/kinds.ts';
import type { Unsubscription } from '../../mail/unsubscribe.ts';
import { userLine } from './user-line.ts';

/** Changes the name and the language of a user. `null` leaves the language to the browser. */
export async function changeProfile(
  { directory, now }: ActionContext,
  userId: number,
  { name, language }: { name: string; language: Language | null },
): Promise<void> {
  await directory.batch([
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
    .select({ allows: users.allow_notifications, muted: users.muted_mails })
    .from(users)
    .where(eq(users.id, userId));
  const { allows = true, muted = [] } = row ?? {};
  return { allows, muted: optionalKinds.filter((kind) => muted.includes(kind)) };
}

/**
 * Switches one kind of mails off for a user, as its link asks. One round trip; nothing is written if it is off already, or
 * the user is erased.
 */
export async function muteMail(
  action: ActionContext,
  { userId, kind }: Unsubscription,
): Promise<void> {
  const { directory, now } = action;
  const isOn = sql`${users.id} = ${userId} and ${users.email} not like '%@erased.invalid'
    and not exists (select 1 from json_each(${users.muted_mails}) where value = ${kind})`;
  await directory.batch([
    auditStatement(
      directory,
      userLine(action, 'user.notifications_changed', userId),
      sql`exists (select 1 from ${users} where ${isOn})`,
    ),
    rawDatabaseStatement(
      directory,
      sql`update ${users} set muted_mails = json_insert(muted_mails, '$[#]', ${kind}), updated_at = ${now}
        where ${isOn}`,
    ),
  ]);
}

/** Changes the preferences of a user. One round trip; nothing is written if they are the same. */
export async function changeMailPreferences(
  action: ActionContext,
  userId: number,
  { allows, muted }: MailPreferences,
): Promise<void> {
  const { directory, now } = action;
  const mutedMails = optionalKinds.filter((kind) => muted.includes(kind));
  const differs = sql`${users.id} = ${userId} and (${users.allow_notifications} <> ${Number(allows)}
    or ${users.muted_mails} <> ${JSON.stringify(mutedMails)})`;
  await directory.batch([
    auditStatement(
      directory,
      userLine(action, 'user.notifications_changed', userId, undefined),
      sql`exists (select 1 from ${users} where ${differs})`,
    ),
    directory
      .update(users)
      .set({ allow_notifications: allows, muted_mails: mutedMails, updated_at: now })
      .where(differs),
  ]);
}
