import { and, eq, exists, ne, not, sql, type SQL } from 'drizzle-orm';
import type { MemberRole } from '../../base/roles.ts';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { apiKeys, sessions } from '../schema/directory/credentials-tables.ts';
import { memberships, stores, users } from '../schema/directory/directory-tables.ts';
import { isOwnApiKey } from './api-keys.ts';
import { lacksFactor } from './second-factor.ts';

/** A user and a store. */
interface Membership {
  userId: number;
  storeId: number;
}

/** The most members that a store lists. */
const listLimit = 500;

/** A member as the store lists them. Times are epoch milliseconds. */
export type Member = Awaited<ReturnType<typeof selectMembers>>[number];

/**
 * Selects the members of a store by role and name, with the time when each was last seen; only
 * `userId` if given.
 */
export const selectMembers = (directory: Database, storeId: number, userId?: number) =>
  directory
    .select({
      userId: users.id,
      name: users.name,
      email: users.email,
      role: memberships.role,
      hasSecondFactor: users.mfa_enabled,
      isActive: users.active,
      since: memberships.created_at,
      lastSeenAt: sql<number | null>`coalesce((select max(${sessions.seen_at}) from ${sessions}
        where ${sessions.user_id} = ${users.id}), ${users.last_login_at})`,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.user_id))
    .where(
      and(
        eq(memberships.store_id, storeId),
        userId === undefined ? undefined : eq(memberships.user_id, userId),
      ),
    )
    .orderBy(
      sql`case ${memberships.role} when 'owner' then 0 when 'manager' then 1 else 2 end`,
      users.name,
      users.id,
    )
    .limit(listLimit);

/** Finds a member of a store. One round trip. */
export async function findMember(
  directory: Database,
  { userId, storeId }: Membership,
): Promise<Member | undefined> {
  const [member] = await selectMembers(directory, storeId, userId);
  return member;
}

/** The condition that a user is a member of a store with one of these roles. */
export const isMemberWithRole = (
  { userId, storeId }: Membership,
  roles: readonly MemberRole[],
): SQL => sql`exists (select 1 from ${memberships} where user_id = ${userId}
  and store_id = ${storeId} and role in (${sql.join(
    roles.map((role) => sql`${role}`),
    sql`, `,
  )}))`;

/**
 * Selects those pairs whose user is inactive, or may not connect apps to the store: viewers and
 * strangers. One round trip.
 */
export async function selectFormerMembers(
  directory: Database,
  pairs: readonly Membership[],
): Promise<Membership[]> {
  const sent = JSON.stringify(pairs.map(({ userId, storeId }) => [userId, storeId]));
  const [former] = await directory.batch([
    rawDatabaseStatement<Membership>(
      directory,
      sql`select value ->> 0 as "userId", value ->> 1 as "storeId" from json_each(${sent})
          where not exists (select 1 from ${memberships}
            where user_id = value ->> 0 and store_id = value ->> 1 and role <> 'viewer')
          or not exists (select 1 from ${users} where id = value ->> 0 and active = 1)`,
    ),
  ]);
  return former;
}

/**
 * Whether a user is active and a member of the store who may do the work, with a second factor
 * where the store requires one. The API key that began the work must be live, too; without one, a
 * page began it. For work that continues without a request. The scopes and the stores of a key
 * never change.
 */
export async function isStillMember(
  directory: Database,
  work: { apiKeyId?: number; userId: number; storeId: number; isChange: boolean; now: number },
): Promise<boolean> {
  const { apiKeyId, userId, storeId, isChange, now } = work;
  const isKeyLive =
    apiKeyId === undefined
      ? undefined
      : exists(
          directory
            .select({ id: apiKeys.id })
            .from(apiKeys)
            .where(
              and(isOwnApiKey(userId, apiKeyId), sql`ifnull(${apiKeys.expires_at} > ${now}, 1)`),
            ),
        );
  const found = await directory
    .select({ id: users.id })
    .from(users)
    .innerJoin(
      memberships,
      and(
        eq(memberships.user_id, users.id),
        eq(memberships.store_id, storeId),
        isChange ? ne(memberships.role, 'viewer') : undefined,
      ),
    )
    .innerJoin(stores, and(eq(stores.id, memberships.store_id), not(lacksFactor)))
    .where(and(eq(users.id, userId), eq(users.active, true), isKeyLive));
  return found.length > 0;
}
