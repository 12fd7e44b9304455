import { sql, type SQL } from 'drizzle-orm';
import { withDbErrors } from '../../db/core/errors.ts';
import { rawDatabaseStatement } from '../../db/core/raw.ts';
import type { Statement } from '../../db/core/statement.ts';
import { auditStatement, type AuditLine } from '../../db/directory/audit.ts';
import { isInvitationOpen, type FoundInvitation } from '../../db/directory/invitations.ts';
import { passwords } from '../../db/schema/credentials.ts';
import { memberships, users } from '../../db/schema/directory.ts';
import { invitations, partnerMembers } from '../../db/schema/people.ts';
import { insertMailToMembers, prepareMail } from '../../mail/outbox.ts';
import { wakeMail } from '../../mail/wake.ts';
import type { DeedContext } from '../deed.ts';
import { forgetMember } from '../members/forget-member.ts';
import type { StartSession } from '../sessions/start-session.ts';
import { insertUserStatements, type NewUser } from '../sign-up/new-user.ts';
import { isFree } from '../sign-up/sign-up.ts';
import { userIdByEmail } from '../users/insert-user.ts';

/** An invitation, and the digest of the token that was presented. */
interface Presented {
  invitation: FoundInvitation;
  tokenHash: string;
}

/**
 * Accepts an invitation as the signed-in user, whose address must be the invited one. Returns `false` if it was used,
 * withdrawn or has expired meanwhile, or is for somebody else: of parallel attempts, one wins. One batch.
 */
export async function acceptInvitation(
  deed: DeedContext,
  { invitation, tokenHash }: Presented,
  user: { id: number; name: string },
): Promise<boolean> {
  const isTheirs = sql`exists (select 1 from ${users} a where a.id = ${user.id} and a.active = 1
    and a.email = ${invitation.email} collate nocase)`;
  const isMine = sql`${isOpenSql(tokenHash, deed.now)} and ${isTheirs}`;
  const joining = { invitation, tokenHash, userId: user.id, name: user.name, isMine };
  const isAccepted = await runJoin(deed, await joinStatements(deed, joining));
  if (isAccepted && invitation.storeId !== null) forgetMember(user.id, invitation.storeId);
  return isAccepted;
}

interface InvitedUser extends Pick<NewUser, 'name' | 'passwordHash' | 'language'> {
  /** Starts the session of the new user. */
  startSession: StartSession;
}

/**
 * Accepts an invitation to an address that nobody signs in with: makes the user with a password, or gives the one who was
 * made for it their password, and signs them in. Returns `false` as {@link acceptInvitation}, and if the address has a
 * password meanwhile. One batch.
 */
export async function acceptAsNewUser(
  deed: DeedContext,
  { invitation, tokenHash }: Presented,
  { name, passwordHash, language, startSession }: InvitedUser,
): Promise<boolean> {
  const { directory, now } = deed;
  const { email } = invitation;
  const isOpen = isOpenSql(tokenHash, now);
  const userId = userIdByEmail(email);
  // The hash is salted, so it identifies this request.
  const isMine = sql`${isOpen} and exists (select 1 from ${passwords} h
    where h.user_id = ${userId} and h.hash = ${passwordHash})`;
  const isPossible = sql`${isOpen} and ${isFree(email)}`;
  const user = { name, email, passwordHash, language };
  const statements: Statement[] = [
    ...insertUserStatements(directory, user, now, isPossible),
    ...(await startSession(userId, isMine)),
    ...(await joinStatements(deed, { invitation, tokenHash, userId, name, isMine })),
  ];
  return runJoin(deed, statements);
}

const isOpenSql = (tokenHash: string, now: number) =>
  sql`exists (select 1 from ${invitations} where token_hash = ${tokenHash} and ${isInvitationOpen(now)})`;

interface Joining extends Presented {
  userId: number | SQL;
  name: string;
  /** Holds until the last statement uses the invitation up. */
  isMine: SQL;
}

/** What accepting does: the membership, its mail and line of the audit; the last one uses the invitation up. */
async function joinStatements(
  { directory, settings, from, now }: DeedContext,
  { invitation, tokenHash, userId, name, isMine }: Joining,
): Promise<Statement[]> {
  const { id, email, kind, role, store, storeId, partnerId } = invitation;
  const statements: Statement[] = [];
  if (kind === 'store' && storeId !== null && role !== null) {
    const data = { member: name, store: store ?? '', role };
    const mail = await prepareMail(settings, { kind: 'member_added', data, language: 'en' });
    const isNew = sql`${isMine} and not exists (select 1 from ${memberships} k
      where k.user_id = ${userId} and k.store_id = ${storeId})`;
    statements.push(
      insertMailToMembers(directory, mail, { storeId, roles: ['owner'] }, now, isNew),
    );
    // The owner of a new store is its member already: no link makes an owner.
    if (role !== 'owner') {
      statements.push(
        rawDatabaseStatement(
          directory,
          sql`insert into ${memberships} (user_id, store_id, role, created_at)
            select ${userId}, ${storeId}, ${role}, ${now} where ${isMine} on conflict do nothing`,
        ),
      );
    }
  }
  if (kind === 'partner' && partnerId !== null) {
    statements.push(
      rawDatabaseStatement(
        directory,
        sql`insert into ${partnerMembers} (partner_id, user_id, created_at)
          select ${partnerId}, ${userId}, ${now} where ${isMine} and ${partnerId} <> ${userId}
          on conflict do nothing`,
      ),
    );
  }
  const line: AuditLine = {
    at: now,
    actor: {
      kind: 'user',
      id: typeof userId === 'number' ? String(userId) : userId,
      name,
      userId: null,
    },
    from,
    action: 'member.joined',
    target: { kind: 'invitation', id },
    ...(storeId !== null && { storeId }),
    changes: { email: [null, email], ...(role && { role: [null, role] }) },
  };
  return [
    ...statements,
    auditStatement(directory, line, isMine),
    rawDatabaseStatement(
      directory,
      sql`update ${invitations} set accepted_at = ${now} where token_hash = ${tokenHash} and ${isMine}
        returning id`,
    ),
  ];
}

/** Runs the batch; its last statement tells whether this request accepted the invitation. */
async function runJoin({ directory, env, defer }: DeedContext, statements: Statement[]) {
  const [first, ...others] = statements;
  if (!first) return false;
  const results: unknown[] = await withDbErrors(directory.batch([first, ...others]));
  const used = results.at(-1);
  if (!Array.isArray(used) || used.length === 0) return false;
  defer(wakeMail(env));
  return true;
}
