import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import { authLifetimes } from '../../base/auth-lifetimes.ts';
import { TtlCache } from '../../base/ttl-cache.ts';
import type { Database } from '../core/open-database.ts';
import type { KnownStore, Store } from '../core/store.ts';
import { memberships, stores, users } from '../schema/directory/directory-tables.ts';

/** The columns of a `KnownStore`. */
export const storeColumns = {
  id: stores.id,
  alias: stores.alias,
  shard: stores.shard,
  zone: stores.zone,
  base_url: stores.base_url,
  active: stores.active,
  test: stores.test,
  requests_per_minute: stores.requests_per_minute,
  version: stores.version,
  event_budget: stores.event_budget,
};

/** Finds a store without checking any membership: for the platform itself. One round trip. */
export async function findStoreByAlias(
  directory: Database,
  alias: string,
): Promise<Store | undefined> {
  const query = directory.select(storeColumns).from(stores).where(eq(stores.alias, alias));
  return (await query)[0];
}

/** Finds stores without checking any membership: for the platform itself. One round trip. */
export const findStoresById = async (
  directory: Database,
  ids: readonly number[],
): Promise<KnownStore[]> =>
  directory
    .select(storeColumns)
    .from(stores)
    .where(inArray(stores.id, sql`(select value from json_each(${JSON.stringify(ids)}))`));

/** An active user, and the store if the user may connect apps to it: viewers may not. */
interface Membership {
  store: KnownStore | undefined;
}

const membershipCache = new TtlCache<Membership | undefined>(authLifetimes.authCacheTtl, 5_000);

const membershipKey = (userId: number, storeId: number) => `${userId}:${storeId}`;

/** Removes a membership from this isolate's cache. All code that ends a membership must call it. */
export const evictMembership = (userId: number, storeId: number) =>
  membershipCache.delete(membershipKey(userId, storeId));

/**
 * Returns the membership as this isolate read it from the directory in the last 30 seconds; `undefined` if it did not.
 */
export const knownMembership = (userId: number, storeId: number, now: number) =>
  membershipCache.get(membershipKey(userId, storeId), now);

/**
 * Finds whether a user may connect apps to a store, not from the cache of the isolate. Returns `undefined` if the user
 * does not exist or is inactive. One round trip; the isolate caches the result for 30 seconds.
 */
export async function loadMembership(
  directory: Database,
  userId: number,
  storeId: number,
  now: number,
): Promise<Membership | undefined> {
  const [found] = await directory
    .select({ store: storeColumns })
    .from(users)
    .leftJoin(
      memberships,
      and(
        eq(memberships.user_id, users.id),
        eq(memberships.store_id, storeId),
        ne(memberships.role, 'viewer'),
      ),
    )
    .leftJoin(stores, eq(stores.id, memberships.store_id))
    .where(and(eq(users.id, userId), eq(users.active, true)));
  const membership = found && { store: found.store ?? undefined };
  membershipCache.set(membershipKey(userId, storeId), membership, now);
  return membership;
}
