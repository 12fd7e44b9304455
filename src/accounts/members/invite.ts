import { sql, type SQL } from 'drizzle-orm';
import { sha256 } from '../../base/crypto/digest.ts';
import { randomBase64url } from '../../base/crypto/random.ts';
import { type Language } from '../../base/languages.ts';
import type { MemberRole } from '../../base/roles.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import type { Statement } from '../../data/core/statement.ts';
import { auditStatement } from '../../data/directory/audit-lines.ts';
import {
  insertInvitation,
  isInvitationCreated,
  type InvitationTarget,
} from '../../data/directory/invitations.ts';
import { insertMail, insertMailToMembers, prepareMail } from '../../mail/outbox.ts';
import { invitationPath } from './invitation-path.ts';

/** The invited address, and the target of the invitation. */
export interface InvitationRequest {
  kind: 'user' | 'store' | 'partner';
  email: string;
  /** For a user who does not exist yet. */
  name?: string | undefined;
  /** Of the mail, unless the address belongs to a user who has chosen one. */
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
   * They withdraw an earlier invitation of the address to the same target, and create this one, its mail and its line
   * of the audit.
   */
  statements: readonly [Statement, ...Statement[]];
  /**
   * Whether the batch created it. It creates none when the store has as many open ones as it may, or if `where` is
   * false.
   */
  isCreated: SQL;
}

/** How long the link of an invitation works, in milliseconds. */
export const invitationLifetime = 7 * 24 * 60 * 60 * 1000;

/**
 * Prepares an invitation by mail: a link that works once, for seven days. The directory keeps only the digest of its token.
 * With `where`, nothing happens unless the condition holds within the batch.
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
    language,
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
          expiresAt: now + invitationLifetime,
        },
        where,
      ),
      insertMail(directory, mail, { address: email, ...(name && { name }) }, now, isCreated),
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
      ...(await tellOwner(action, request, isCreated)),
    ],
  };
}

/** The mail to the owner of a store into which an operator invites: its people did not ask for it themselves. */
async function tellOwner(
  { directory, settings, actor, now }: ActionContext,
  { storeId, storeName = '', email, role, reason = '' }: InvitationRequest,
  isCreated: SQL,
): Promise<readonly Statement[]> {
  const isOwnStore = actor.kind !== 'operator' || role === undefined || role === 'owner';
  if (isOwnStore || storeId === undefined) return [];
  const mail = await prepareMail(settings, {
    kind: 'member_invited',
    language: 'en',
    data: { email, store: storeName, role, reason },
  });
  return [insertMailToMembers(directory, mail, { storeId, roles: ['owner'] }, now, isCreated)];
}
