import { desc, eq, sql, type SQL, and, inArray, ne } from 'drizzle-orm';
import { authLifetimes } from '../../base/auth-lifetimes.ts';
import { dayMs } from '../../base/durations.ts';
import { TtlCache } from '../../base/ttl-cache.ts';
import type { Database } from '../core/open-database.ts';
import type { KnownStore, Store } from '../core/store.ts';
import { formerAliases, stores, memberships, users } from '../schema/directory/directory-tables.ts';
import { lacksFactor } from './second-factor.ts';

/** How long a former alias leads to its store, counted from when the store left it. */
const formerAliasMs = 365 * dayMs;

/** The condition on `former_aliases` that this is one of them, and leads to its store. */
const isLeading = (alias: string, now: number) =>
  sql`${formerAliases.alias} = ${alias} and ${formerAliases.left_at} > ${now - formerAliasMs}`;

/**
 * The present alias of the store that left this one, while it leads there; else this one. A store
 * has no alias that another left, so that is one store at most. Reads a row only for a former
 * alias.
 */
export const presentAlias = (alias: string, now: number): SQL<string> =>
  sql`coalesce((select stores.alias from ${formerAliases} join ${stores} on stores.id = ${formerAliases.store_id}
    where ${isLeading(alias, now)}), ${alias})`;

/** Whether this is the alias of a row of `stores`, or a former one that leads there. */
export const isCalled = (alias: string, now: number): SQL<0 | 1> =>
  sql`(${stores.alias} = ${alias} or exists (select 1 from ${formerAliases}
    where store_id = ${stores.id} and ${isLeading(alias, now)}))`;

/** The id of the store that left this alias, while the alias leads there. One round trip. */
export async function findStoreOfFormerAlias(
  directory: Database,
  alias: string,
  now: number,
): Promise<number | undefined> {
  const [found] = await directory
    .select({ id: formerAliases.store_id })
    .from(formerAliases)
    .where(isLeading(alias, now));
  return found?.id;
}

/** The statement that lists the former aliases of a store, the latest first. */
export const selectFormerAliases = (directory: Database, storeId: number) =>
  directory
    .select({ alias: sql<string>`${formerAliases.alias}`, left_at: formerAliases.left_at })
    .from(formerAliases)
    .where(sql`${eq(formerAliases.store_id, storeId)} and ${formerAliases.alias} is not null`)
    .orderBy(desc(formerAliases.left_at))
    .limit(100);

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
  mfa_required: stores.mfa_required,
  version: stores.version,
  event_budget: stores.event_budget,
};

/**
 * Finds the store of an alias, or of a former one, without checking any membership: for the
 * platform itself. One round trip.
 */
export async function findStoreByAlias(
  directory: Database,
  alias: string,
  now: number,
): Promise<Store | undefined> {
  const isTheirs = eq(stores.alias, presentAlias(alias, now));
  const [found] = await directory.select(storeColumns).from(stores).where(isTheirs);
  return found;
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
  /** Whether the alias that was asked for is or was that of the store. */
  isCalled: boolean;
  /** Whether the store requires a second factor, and the user has none. */
  lacksFactor: boolean;
}

// One entry per user and store, with few aliases each: a caller that invents aliases evicts no
// entries of others.
const membershipCache = new TtlCache<TtlCache<Membership | undefined>>(
  authLifetimes.authCacheTtl,
  5_000,
);
const cachedAliasesPerMembership = 25;

const membershipKey = (userId: number, storeId: number | '') => `${userId}:${storeId}`;

/** Removes the memberships of a user from this isolate's cache. */
export const evictMembershipsOfUser = (userId: number) =>
  membershipCache.deleteWhere((_, key) => key.startsWith(membershipKey(userId, '')));

/** Removes what this isolate's cache says of a store. */
export function evictMembershipsOfStore(storeId: number): void {
  for (const aliases of membershipCache.values()) {
    aliases.deleteWhere((membership) => membership?.store?.id === storeId);
  }
}

/** A user, a store, and what the path calls the store. */
interface AskedMembership {
  userId: number;
  storeId: number;
  alias: string;
}

/**
 * Returns the membership as this isolate read it from the directory in the last 30 seconds;
 * `undefined` if it did not.
 */
export const knownMembership = ({ userId, storeId, alias }: AskedMembership, now: number) =>
  membershipCache.get(membershipKey(userId, storeId), now)?.value.get(alias, now);

/**
 * Finds whether a user may connect apps to a store, not from the cache of the isolate. Returns
 * `undefined` if the user does not exist or is inactive. One round trip; the isolate caches the
 * result for 30 seconds.
 */
export async function loadMembership(
  directory: Database,
  asked: AskedMembership,
  now: number,
): Promise<Membership | undefined> {
  const { userId, storeId, alias } = asked;
  const [found] = await directory
    .select({ store: storeColumns, isCalled: isCalled(alias, now), lacksFactor })
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
  const membership = found && {
    store: found.store ?? undefined,
    isCalled: found.isCalled === 1,
    lacksFactor: found.lacksFactor === 1,
  };
  const key = membershipKey(userId, storeId);
  let aliases = membershipCache.get(key, now)?.value;
  if (!aliases) {
    aliases = new TtlCache(authLifetimes.authCacheTtl, cachedAliasesPerMembership);
    membershipCache.set(key, aliases, now);
  }
  aliases.set(alias, membership, now);
  return membership;
}
