import { and, desc, eq, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { invitations } from '../schema/directory/account-tables.ts';
import { passwords } from '../schema/directory/credentials-tables.ts';
import { stores, users } from '../schema/directory/directory-tables.ts';

type Invitation = typeof invitations.$inferSelect;

/** The target of an invitation. */
export interface InvitationTarget extends Pick<Invitation, 'kind' | 'role'> {
  /** SQL where the batch itself creates the store. */
  storeId: number | SQL | null;
  partnerId: number | null;
}

interface NewInvitation extends InvitationTarget, Pick<Invitation, 'email' | 'name' | 'language'> {
  invitedBy: number;
  isByOperator: boolean;
  tokenHash: string;
  /** Epoch milliseconds. */
  now: number;
  expiresAt: number;
}

/** The most open invitations of a store, and of the team of a partner. */
export const maxOpenInvitations = 50;

/** The condition that an invitation can still be accepted. */
export const isInvitationOpen = (now: number) =>
  sql`(${invitations.accepted_at} is null and ${invitations.revoked_at} is null and ${invitations.expires_at} > ${now})`;

/**
 * The condition that the sender of an invitation may still invite: an operator, the owner of the
 * store, or the partner. A sender who lost that power meanwhile lets no one in.
 */
export const maySenderInvite = sql`exists (select 1 from ${users} where users.id = ${invitations}.invited_by and users.active = 1
    and case when ${invitations}.by_operator = 1 then users.super_user = 1
      when ${invitations}.store_id is not null then exists (select 1 from ${stores}
        where stores.id = ${invitations}.store_id and stores.owner_id = users.id)
      else ${invitations}.partner_id = users.id end)`;

/** The condition that an earlier statement of the batch created the invitation with this digest. */
export const isInvitationCreated = (tokenHash: string) =>
  sql`exists (select 1 from ${invitations} where token_hash = ${tokenHash})`;

/**
 * The two statements of a new invitation. It replaces an open one of the same address, and is not
 * created beyond {@link maxOpenInvitations}, nor unless `where` holds.
 */
export function insertInvitation(directory: Database, invitation: NewInvitation, where: SQL) {
  const { kind, email, name, language, storeId, role, partnerId } = invitation;
  const { invitedBy, isByOperator, tokenHash, now, expiresAt } = invitation;
  const isOpen = isInvitationOpen(now);
  const isSame = sql`kind = ${kind} and store_id is ${storeId} and partner_id is ${partnerId}`;
  const open = sql`(select count(*) from ${invitations} where ${
    storeId === null ? sql`partner_id = ${partnerId}` : sql`store_id = ${storeId}`
  } and ${isOpen})`;
  return [
    rawDatabaseStatement(
      directory,
      sql`update ${invitations} set revoked_at = ${now}
        where email = ${email} collate nocase and ${isSame} and ${isOpen} and ${where}`,
    ),
    rawDatabaseStatement(
      directory,
      sql`insert into ${invitations} (kind, email, name, language, store_id, role, partner_id,
          invited_by, by_operator, token_hash, created_at, expires_at)
        select ${kind}, ${email}, ${name}, ${language}, ${storeId}, ${role}, ${partnerId},
          ${invitedBy}, ${isByOperator}, ${tokenHash}, ${now}, ${expiresAt}
        where ${open} < ${maxOpenInvitations} and ${where}`,
    ),
  ] as const;
}

/** An invitation as the page of its link shows it. */
export interface FoundInvitation extends Pick<
  Invitation,
  'id' | 'kind' | 'email' | 'name' | 'language' | 'role'
> {
  state: 'open' | 'used' | 'withdrawn' | 'expired';
  inviter: string;
  storeId: number | null;
  /** The name of the store. */
  store: string | null;
  partnerId: number | null;
  /** The name of the partner whose team it is. */
  partner: string | null;
  /** Whether the address belongs to a user with a password, who signs in to accept. */
  hasAccount: boolean;
}

/** Finds an invitation by the digest of its token, in any state. Reads only. One round trip. */
export async function findInvitation(
  directory: Database,
  tokenHash: string,
  now: number,
): Promise<FoundInvitation | undefined> {
  const [[row]] = await directory.batch([
    rawDatabaseStatement<Omit<FoundInvitation, 'hasAccount'> & { hasAccount: number }>(
      directory,
      sql`select invitations.id, invitations.kind, invitations.email, invitations.name, invitations.language, invitations.role,
            invitations.store_id as "storeId", stores.name as store, invitations.partner_id as "partnerId", partner.name as partner,
            inviter.name as inviter,
            case when invitations.accepted_at is not null then 'used' when invitations.revoked_at is not null or not ${maySenderInvite} then 'withdrawn'
              when invitations.expires_at <= ${now} or stores.erased_at is not null then 'expired' else 'open' end as state,
            exists (select 1 from ${users} join ${passwords} on passwords.user_id = users.id
              where users.email = invitations.email collate nocase) as "hasAccount"
          from ${invitations}
            join ${users} inviter on inviter.id = invitations.invited_by
            left join ${stores} on stores.id = invitations.store_id
            left join ${users} partner on partner.id = invitations.partner_id
          where invitations.token_hash = ${tokenHash}`,
    ),
  ]);
  return row && { ...row, hasAccount: row.hasAccount === 1 };
}

/** Whose invitations: a store's, or those to the team of a partner. */
export type InvitationOwner = { storeId: number } | { partnerId: number };

const isOwnedBy = (owner: InvitationOwner) =>
  'storeId' in owner
    ? eq(invitations.store_id, owner.storeId)
    : eq(invitations.partner_id, owner.partnerId);

/** Selects open invitations, newest first; only the one with `id` if given. */
export const selectOpenInvitations = (
  directory: Database,
  owner: InvitationOwner,
  now: number,
  id?: number,
) =>
  directory
    .select({
      id: invitations.id,
      email: invitations.email,
      name: invitations.name,
      language: invitations.language,
      role: invitations.role,
      createdAt: invitations.created_at,
      expiresAt: invitations.expires_at,
    })
    .from(invitations)
    .where(
      and(
        isOwnedBy(owner),
        isInvitationOpen(now),
        id === undefined ? undefined : eq(invitations.id, id),
      ),
    )
    .orderBy(desc(invitations.id))
    .limit(maxOpenInvitations);

/** An open invitation as its store lists it. Times are epoch milliseconds. */
export type OpenInvitation = Awaited<ReturnType<typeof selectOpenInvitations>>[number];
