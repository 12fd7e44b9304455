import { and, asc, eq } from 'drizzle-orm';
import type { Database } from '../core/open-database.ts';
import { partnerMembers } from '../schema/directory/account-tables.ts';
import { users } from '../schema/directory/directory-tables.ts';

/** Selects the members of a partner's team, without the partner, by name. */
export const selectTeam = (directory: Database, partnerId: number) =>
  directory
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      since: partnerMembers.created_at,
    })
    .from(partnerMembers)
    .innerJoin(users, eq(users.id, partnerMembers.user_id))
    .where(eq(partnerMembers.partner_id, partnerId))
    .orderBy(asc(users.name), asc(users.id))
    .limit(200);

/** Selects the partners whose teams a user is in. */
export const selectPartnersOf = (directory: Database, userId: number) =>
  directory
    .select({ id: users.id, name: users.name })
    .from(partnerMembers)
    .innerJoin(users, eq(users.id, partnerMembers.partner_id))
    .where(eq(partnerMembers.user_id, userId))
    .orderBy(asc(users.name), asc(users.id))
    .limit(200);

/**
 * Whether a user is in the team of a partner. The partner counts as a member. One round trip, or
 * none.
 */
export async function isInTeam(
  directory: Database,
  partnerId: number,
  userId: number,
): Promise<boolean> {
  if (partnerId === userId) return true;
  const found = await directory
    .select({ id: partnerMembers.user_id })
    .from(partnerMembers)
    .where(and(eq(partnerMembers.partner_id, partnerId), eq(partnerMembers.user_id, userId)));
  return found.length > 0;
}
