import { sql, type SQL } from 'drizzle-orm';
import { Role } from '../../base/roles.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement, type AuditLine } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import type { Statement } from '../../data/core/statement.ts';
import {
  isInvitationOpen,
  maySenderInvite,
  type FoundInvitation,
} from '../../data/directory/invitations.ts';
import { invitations, partnerMembers } from '../../data/schema/directory/account-tables.ts';
import { passwords } from '../../data/schema/directory/credentials-tables.ts';
import { memberships, users } from '../../data/schema/directory/directory-tables.ts';
import { forgetUser } from '../../http/access/forget-user.ts';
import { insertMailToMembers, prepareMail, wakeMail } from '../../mail/outbox.ts';
import type { StartSession } from '../sign-in/session-actions.ts';
import { userIdByEmail } from '../users/insert-user.ts';
import { insertUserStatements, type NewUser } from '../users/new-user.ts';
import { isFree } from '../users/sign-up.ts';

/** An invitation, and the digest of the token that was presented. */
interface Presented {
  invitation: FoundInvitation;
  tokenHash: string;
}

/**
 * Accepts an invitation as the signed-in user, whose address must be the invited one. Returns
 * `false` if it was used, withdrawn or has expired meanwhile, or is for another address: of
 * parallel attempts, one wins. One batch.
 */
export async function acceptInvitation(
  action: ActionContext,
  { invitation, tokenHash }: Presented,
  user: { id: number; name: string },
): Promise<boolean> {
  const isTheirs = sql`exists (select 1 from ${users} where users.id = ${user.id} and users.active = 1
    and users.email = ${invitation.email} collate nocase)`;
  const isMine = sql`${isOpenSql(tokenHash, action.now)} and ${isTheirs}`;
  const joining = { invitation, tokenHash, userId: user.id, name: user.name, isMine };
  const isAccepted = await runJoin(action, await joinStatements(action, joining));
  if (isAccepted && invitation.storeId !== null) forgetUser(user.id);
  return isAccepted;
}

interface InvitedUser extends Pick<NewUser, 'name' | 'passwordHash' | 'language'> {
  /** Starts the session of the new user. */
  startSession: StartSession;
}

/**
 * Accepts an invitation to an address that no user signs in with. Creates the user with a password,
 * or sets the password of the user who was created for it, and signs them in. Returns `false` as
 * {@link acceptInvitation}, and if the address has a password meanwhile. One batch.
 */
export async function acceptAsNewUser(
  action: ActionContext,
  { invitation, tokenHash }: Presented,
  { name, passwordHash, language, startSession }: InvitedUser,
): Promise<boolean> {
  const { directory, now } = action;
  const { email } = invitation;
  const isOpen = isOpenSql(tokenHash, now);
  const userId = userIdByEmail(email);
  // The hash is salted, so it identifies this request.
  const isMine = sql`${isOpen} and exists (select 1 from ${passwords}
    where passwords.user_id = ${userId} and passwords.hash = ${passwordHash})`;
  const isPossible = sql`${isOpen} and ${isFree(email)}`;
  const user = { name, email, passwordHash, language };
  const statements: Statement[] = [
    ...insertUserStatements(directory, user, now, isPossible),
    ...(await startSession(userId, isMine)),
    ...(await joinStatements(action, { invitation, tokenHash, userId, name, isMine })),
  ];
  return runJoin(action, statements);
}

const isOpenSql = (tokenHash: string, now: number) =>
  sql`exists (select 1 from ${invitations} where token_hash = ${tokenHash}
    and ${isInvitationOpen(now)} and ${maySenderInvite})`;

interface Joining extends Presented {
  userId: number | SQL;
  name: string;
  /** Holds until the last statement uses the invitation up. */
  isMine: SQL;
}

/**
 * Returns the statements of an acceptance: the membership, its mail and line of the audit; the last
 * one uses the invitation up.
 */
async function joinStatements(
  { directory, settings, from, now }: ActionContext,
  { invitation, tokenHash, userId, name, isMine }: Joining,
): Promise<Statement[]> {
  const { id, email, kind, role, store, storeId, partnerId } = invitation;
  const statements: Statement[] = [];
  if (kind === 'store' && storeId !== null && role !== null) {
    const data = { member: name, store: store ?? '', role };
    const mail = await prepareMail(settings, { kind: 'member_added', data });
    const isNew = sql`${isMine} and not exists (select 1 from ${memberships}
      where memberships.user_id = ${userId} and memberships.store_id = ${storeId})`;
    statements.push(
      insertMailToMembers(directory, mail, { storeId, roles: [Role.owner] }, now, isNew),
    );
    // The owner of a new store is its member already: no link appoints an owner.
    if (role !== Role.owner) {
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
    ...(partnerId !== null && { partnerId }),
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

/** Runs the batch; its last statement returns whether this request accepted the invitation. */
async function runJoin({ directory, env, defer }: ActionContext, statements: Statement[]) {
  const [first, ...others] = statements;
  if (!first) return false;
  const results: unknown[] = await directory.batch([first, ...others]);
  const used = results.at(-1);
  if (!Array.isArray(used) || used.length === 0) return false;
  defer(wakeMail(env));
  return true;
}
