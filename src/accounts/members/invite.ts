import { sql, type SQL, eq } from 'drizzle-orm';
import { sha256 } from '../../base/crypto/digest.ts';
import { randomBase64url } from '../../base/crypto/random.ts';
import { dayMs } from '../../base/durations.ts';
import { notFound } from '../../base/errors.ts';
import type { Language } from '../../base/languages.ts';
import { invitationPath } from '../../base/page-paths.ts';
import { type MemberRole, Role, type AssignableRole } from '../../base/roles.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import type { Statement } from '../../data/core/statement.ts';
import {
  insertInvitation,
  isInvitationCreated,
  type InvitationTarget,
} from '../../data/directory/invitations.ts';
import { isUserEmail } from '../../data/directory/sign-in-accounts.ts';
import { passwords } from '../../data/schema/directory/credentials-tables.ts';
import { memberships, users, stores } from '../../data/schema/directory/directory-tables.ts';
import { insertMail, insertMailToMembers, prepareMail, wakeMail } from '../../mail/outbox.ts';

/** The invited address, and the target of the invitation. */
export interface InvitationRequest {
  kind: 'user' | 'store' | 'partner';
  email: string;
  /** For a user who does not exist yet. */
  name?: string | undefined;
  /** Of the mail to a stranger, where no store has one (`readerLanguage`). */
  language?: Language | undefined;
  /** The store and the role there. `storeId` is SQL where the batch itself creates the store. */
  storeId?: number | SQL;
  storeName?: string;
  role?: MemberRole;
  /** The partner whose team it is. */
  partnerId?: number;
  /** Why an operator invites. */
  reason?: string | undefined;
}

/** An invitation whose statements join the batch of its cause; after the commit call `wakeMail`. */
export interface PreparedInvitation {
  /**
   * They withdraw an earlier invitation of the address to the same target, and create this one, its
   * mail and its line of the audit.
   */
  statements: readonly [Statement, ...Statement[]];
  /**
   * Whether the batch created it. It creates none when the store has as many open ones as it may,
   * or if `where` is false.
   */
  isCreated: SQL;
}

/** How long the link of an invitation works, in milliseconds. */
export const invitationLifetimeMs = 7 * dayMs;

/**
 * Prepares an invitation by mail: a link that works once, for seven days. The directory keeps only
 * the digest of its token. With `where`, nothing happens unless the condition holds within the
 * batch.
 */
export async function invite(
  action: ActionContext,
  request: InvitationRequest,
  where: SQL = sql`1`,
): Promise<PreparedInvitation> {
  const { directory, settings, actor, from, now } = action;
  const { kind, email, name, language = 'en', storeName, role, storeId, partnerId } = request;
  const { reason = '' } = request;
  if (actor.userId === null) throw new Error('only a user can invite');
  const token = randomBase64url(32);
  const tokenHash = await sha256(token);
  const target: InvitationTarget = {
    kind,
    storeId: storeId ?? null,
    role: role ?? null,
    partnerId: partnerId ?? null,
  };
  const mail = await prepareMail(settings, {
    kind: 'invitation',
    data: {
      inviter: actor.name,
      kind,
      ...(storeName !== undefined && { store: storeName }),
      ...(role !== undefined && { role }),
      link: settings.linkOrigin + invitationPath(token),
    },
  });
  const isCreated = isInvitationCreated(tokenHash);
  return {
    isCreated,
    statements: [
      ...insertInvitation(
        directory,
        {
          ...target,
          email,
          name: name ?? null,
          language,
          invitedBy: actor.userId,
          isByOperator: actor.kind === 'operator',
          tokenHash,
          now,
          expiresAt: now + invitationLifetimeMs,
        },
        where,
      ),
      insertMail(
        directory,
        mail,
        { address: email, ...(name && { name }), storeId, language },
        now,
        isCreated,
      ),
      auditStatement(
        directory,
        {
          at: now,
          actor,
          from,
          action: 'member.invited',
          target: {
            kind: 'invitation',
            id: sql`(select id from invitations where token_hash = ${tokenHash})`,
          },
          ...(storeId !== undefined && { storeId }),
          ...(partnerId !== undefined && { partnerId }),
          ...(reason !== '' && { reason }),
          changes: { email: [null, email], ...(role && { role: [null, role] }) },
        },
        isCreated,
      ),
      ...(await tellOwnerOfInvitation(action, request, isCreated)),
    ],
  };
}

/**
 * The mail to the owner of a store into which an operator invites, since none of its members asked
 * for it.
 */
async function tellOwnerOfInvitation(
  { directory, settings, actor, now }: ActionContext,
  { storeId, storeName = '', email, role, reason = '' }: InvitationRequest,
  isCreated: SQL,
): Promise<readonly Statement[]> {
  const isOwnStore = actor.kind !== 'operator' || role === undefined || role === Role.owner;
  if (isOwnStore || storeId === undefined) return [];
  const mail = await prepareMail(settings, {
    kind: 'member_invited',
    data: { email, store: storeName, role, reason },
  });
  return [insertMailToMembers(directory, mail, { storeId, roles: [Role.owner] }, now, isCreated)];
}

/**
 * The outcome of an invitation. It does not reveal whether the address belongs to a user, unless
 * that user is a member.
 */
export type InvitationResult = 'invited' | 'already_member' | 'too_many';

/** Creates and sends an invitation unless the SQL condition `isMember` holds. One batch. */
export async function sendInvitation(
  action: ActionContext,
  request: InvitationRequest,
  isMember: SQL,
): Promise<InvitationResult> {
  const { directory, env, defer } = action;
  const { statements, isCreated } = await invite(action, request, sql`not ${isMember}`);
  const results = await directory.batch([
    rawDatabaseStatement<{ isMember: number; isCreated: number }>(
      directory,
      sql`select ${isMember} as "isMember", 0 as "isCreated"`,
    ),
    ...statements,
    rawDatabaseStatement<{ isCreated: number }>(directory, sql`select ${isCreated} as "isCreated"`),
  ]);
  const [[before], last] = [results[0], results.at(-1)];
  if (before?.isMember === 1) return 'already_member';
  const [after] = last as { isCreated: number }[];
  if (after?.isCreated !== 1) return 'too_many';
  defer(wakeMail(env));
  return 'invited';
}

interface NewMember extends Pick<InvitationRequest, 'email' | 'name' | 'language' | 'reason'> {
  role: AssignableRole;
}

/**
 * Invites an address to a store. An open invitation of the same address is replaced, so the same
 * call sends the mail again with a new link. A store has at most 50 open ones. The owner gets a
 * mail if an operator invites. One batch.
 */
export function inviteMember(
  action: ActionContext,
  store: { id: number; name: string },
  { email, name, language, role, reason }: NewMember,
): Promise<InvitationResult> {
  return sendInvitation(
    action,
    {
      kind: 'store',
      email,
      name,
      language,
      storeId: store.id,
      storeName: store.name,
      role,
      reason,
    },
    isMemberSql(store.id, email),
  );
}

/** The condition that the user with an address is a member of a store. */
const isMemberSql = (storeId: number, email: string) =>
  sql`exists (select 1 from ${memberships} join ${users} on ${users.id} = memberships.user_id
    where memberships.store_id = ${storeId} and ${isUserEmail(email)})`;

/** Whether the user with an address is a member of a store. One round trip. */
export async function isMember(
  { directory }: Pick<ActionContext, 'directory'>,
  storeId: number,
  email: string,
): Promise<boolean> {
  const rows = await directory.all(sql`select 1 where ${isMemberSql(storeId, email)}`);
  return rows.length > 0;
}

/**
 * Sends the invitation of the owner of a store again, with a new link in place of the open one. An
 * owner who has a password or is locked out gets none (`already_member`). One batch, after a read.
 */
export async function inviteOwner(
  action: ActionContext,
  store: { id: number; name: string; owner_id: number },
  { reason }: { reason: string },
): Promise<InvitationResult> {
  const { directory } = action;
  const [owner] = await directory
    .select({ email: users.email, language: users.language })
    .from(users)
    .where(eq(users.id, store.owner_id));
  if (!owner) throw notFound();
  const { email, language } = owner;
  const isInvited = sql`exists (select 1 from ${stores} join ${users} on users.id = stores.owner_id
    where stores.id = ${store.id} and stores.erased_at is null and users.id = ${store.owner_id} and users.active = 1
      and users.email = ${email}
      and not exists (select 1 from ${passwords} where passwords.user_id = users.id))`;
  return sendInvitation(
    action,
    {
      kind: 'store',
      role: Role.owner,
      email,
      storeId: store.id,
      storeName: store.name,
      reason,
      ...(language !== null && { language }),
    },
    sql`(not ${isInvited})`,
  );
}
