import { sql } from 'drizzle-orm';
import { withDbErrors } from '../../db/core/errors.ts';
import { auditStatement } from '../../db/directory/audit.ts';
import { passwords } from '../../db/schema/credentials.ts';
import { users } from '../../db/schema/directory.ts';
import { insertMail, prepareMail, type MailLanguage } from '../../mail/outbox.ts';
import { wakeMail } from '../../mail/wake.ts';
import type { DeedContext } from '../deed.ts';
import { linkPath } from '../links/link-paths.ts';
import {
  claimLink,
  insertLinkStatement,
  makeLinkToken,
  signsIn,
  type OpenLink,
} from '../links/one-use-links.ts';
import type { StartSession } from '../sessions/start-session.ts';
import { userIdByEmail } from '../users/insert-user.ts';
import { insertUserStatements, type NewUser } from './new-user.ts';

/**
 * Sends an address the link to sign up with. Somebody who has an account gets a mail that says so instead, and the same work
 * is done for everybody. Nothing but the link is stored. One round trip.
 */
export async function requestSignUp(
  deed: DeedContext,
  email: string,
  language: MailLanguage,
): Promise<void> {
  const { settings, directory, now } = deed;
  const { token, hash } = await makeLinkToken();
  const link = settings.linkOrigin + linkPath('sign_up', token);
  const knownLink = `${settings.linkOrigin}/password/forgotten`;
  const [mail, knownMail] = await Promise.all([
    prepareMail(settings, { kind: 'sign_up', data: { link }, language }),
    prepareMail(settings, { kind: 'sign_up_known', data: { link: knownLink }, language }),
  ]);
  const isKnown = signsIn(email);
  const isNew = isFree(email);
  const newLink = { hash, kind: 'sign_up', userId: null, email, now } as const;
  await withDbErrors(
    directory.batch([
      insertLinkStatement(directory, newLink, isNew),
      insertMail(directory, mail, { address: email }, now, isNew),
      insertMail(directory, knownMail, { address: email }, now, isKnown),
    ]),
  );
  deed.defer(wakeMail(deed.env));
}

/** The condition that nobody signs in with an address: no user has it, or an active one who has never set a password. */
export const isFree = (email: string) =>
  sql`not exists (select 1 from ${users} f where f.email = ${email} collate nocase
    and (f.active = 0 or exists (select 1 from ${passwords} w where w.user_id = f.id)))`;

/**
 * Makes the user whose address a link has confirmed, with the session of this browser. Somebody invited, who has never set a
 * password, gets name and password. Returns false if the link no longer works. One batch.
 */
export async function signUp(
  deed: DeedContext,
  link: OpenLink,
  user: Omit<NewUser, 'email'>,
  startSession: StartSession,
): Promise<boolean> {
  const { directory, now, from } = deed;
  const claim = claimLink(directory, link, now, isFree(link.email));
  const userId = userIdByEmail(link.email);
  const line = {
    at: now,
    actor: { kind: 'user', id: userId, name: user.name, userId: null } as const,
    from,
    action: 'user.signed_up',
    target: { kind: 'user', id: userId },
  };
  const [claimed] = await withDbErrors(
    directory.batch([
      claim.statement,
      ...insertUserStatements(directory, { ...user, email: link.email }, now, claim.isClaimed),
      ...(await startSession(userId, claim.isClaimed)),
      auditStatement(directory, line, claim.isClaimed),
    ]),
  );
  return claimed.length > 0;
}
