import { sql } from 'drizzle-orm';
import { type Language } from '../../base/languages.ts';
import { linkPath } from '../../base/page-paths.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { passwords } from '../../data/schema/directory/credentials-tables.ts';
import { users } from '../../data/schema/directory/directory-tables.ts';
import { insertMail, prepareMail, wakeMail } from '../../mail/outbox.ts';
import {
  claimLink,
  insertLinkStatement,
  makeLinkToken,
  hasSignIn,
  type OpenLink,
} from '../sign-in/one-use-links.ts';
import type { StartSession } from '../sign-in/session-actions.ts';
import { userIdByEmail } from './insert-user.ts';
import { insertUserStatements, type NewUser } from './new-user.ts';

/**
 * Sends an address the link to sign up with. A user who has an account gets a mail that says so
 * instead, and the same work is done for every address. Only the link is stored. One round trip.
 */
export async function requestSignUp(
  action: ActionContext,
  email: string,
  language: Language,
): Promise<void> {
  const { settings, directory, now } = action;
  const { token, hash } = await makeLinkToken();
  const link = settings.linkOrigin + linkPath('sign_up', token);
  const knownLink = `${settings.linkOrigin}/password/forgotten`;
  const [mail, knownMail] = await Promise.all([
    prepareMail(settings, { kind: 'sign_up', data: { link } }),
    prepareMail(settings, { kind: 'sign_up_known', data: { link: knownLink } }),
  ]);
  const isKnown = hasSignIn(email);
  const isNew = isFree(email);
  const newLink = { hash, kind: 'sign_up', userId: null, email, now } as const;
  await directory.batch([
    insertLinkStatement(directory, newLink, isNew),
    insertMail(directory, mail, { address: email, language }, now, isNew),
    insertMail(directory, knownMail, { address: email, language }, now, isKnown),
  ]);
  action.defer(wakeMail(action.env));
}

/**
 * The condition that no user signs in with an address: no user has it, or an active one who has
 * never set a password.
 */
export const isFree = (email: string) =>
  sql`not exists (select 1 from ${users} where users.email = ${email} collate nocase
    and (users.active = 0 or exists (select 1 from ${passwords} where passwords.user_id = users.id)))`;

/**
 * Creates the user whose address a link has confirmed, with the session of this browser. An invited
 * user, who has never set a password, gets name and password. Returns false if the link no longer
 * works. One batch.
 */
export async function signUp(
  action: ActionContext,
  link: OpenLink,
  user: Omit<NewUser, 'email'>,
  startSession: StartSession,
): Promise<boolean> {
  const { directory, now, from } = action;
  const claim = claimLink(directory, link, now, isFree(link.email));
  const userId = userIdByEmail(link.email);
  const line = {
    at: now,
    actor: { kind: 'user', id: userId, name: user.name, userId: null } as const,
    from,
    action: 'user.signed_up',
    target: { kind: 'user' as const, id: userId },
  };
  const [claimed] = await directory.batch([
    claim.statement,
    ...insertUserStatements(directory, { ...user, email: link.email }, now, claim.isClaimed),
    ...(await startSession(userId, claim.isClaimed)),
    auditStatement(directory, line, claim.isClaimed),
  ]);
  return claimed.length > 0;
}
