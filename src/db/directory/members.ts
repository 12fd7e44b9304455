import { and, eq, ne, sql } from 'drizzle-orm';
import { withDbErrors } from '../core/errors.ts';
import type { Database } from '../core/open.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { memberships, users } from '../schema/directory.ts';
import { evictMembership } from './stores.ts';

/** A user and a store. */
interface Membership {
  userId: number;
  storeId: number;
}

/** Removes a member, but not the owner, of a store. Returns whether the user is no member now. One round trip. */
export async function removeMembership(
  directory: Database,
  { userId, storeId }: Membership,
): Promise<boolean> {
  const isMember = and(eq(memberships.user_id, userId), eq(memberships.store_id, storeId));
  const [, remaining] = await withDbErrors(
    directory.batch([
      directory.delete(memberships).where(and(isMember, ne(memberships.role, 'owner'))),
      directory.select({ role: memberships.role }).from(memberships).where(isMember),
    ]),
  );
  evictMembership(userId, storeId);
  return remaining.length === 0;
}

/** Selects those pairs whose user is inactive or does not manage the store. One round trip. */
export async function selectFormerMembers(
  directory: Database,
  pairs: readonly Membership[],
): Promise<Membership[]> {
  const sent = JSON.stringify(pairs.map(({ userId, storeId }) => [userId, storeId]));
  const [former] = await withDbErrors(
    directory.batch([
      rawDatabaseStatement<Membership>(
        directory,
        sql`select value ->> 0 as "userId", value ->> 1 as "storeId" from json_each(${sent})
          where not exists (select 1 from ${memberships}
            where user_id = value ->> 0 and store_id = value ->> 1)
          or not exists (select 1 from ${users} where id = value ->> 0 and active = 1)`,
      ),
    ]),
  );
  return former;
}
