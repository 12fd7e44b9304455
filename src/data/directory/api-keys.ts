import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { authLifetimes } from '../../base/auth-lifetimes.ts';
import type { MemberRole } from '../../base/roles.ts';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import type { Store } from '../core/store.ts';
import { apiKeys } from '../schema/directory/credentials-tables.ts';
import { memberships, stores, users } from '../schema/directory/directory-tables.ts';
import { lacksFactor } from './second-factor.ts';
import { presentAlias, storeColumns } from './stores.ts';

/** The powers of an API key, and its user. */
export interface ApiKeyPowers {
  apiKeyId: number;
  name: string;
  /** Scopes as bits; null for all powers of the user. */
  scopes: number | null;
  /** The stores that the key reaches; null for all stores of the user. */
  storeIds: number[] | null;
  /** Whether the key was created for the operations of operators. */
  isForOperator: boolean;
  /** Epoch milliseconds. */
  expiresAt: number | null;
  user: { id: number; name: string; isOperator: boolean; hasSecondFactor: boolean };
}

/** A store, and the role in it of the user of a key. */
export interface ReachedStore {
  store: Store;
  role: MemberRole;
  /** Whether the store requires a second factor, and the user has none. */
  lacksFactor: boolean;
}

/** An API key (`User-Token` and `User-Secret-Key`) and the store that it was used for. */
export interface KnownApiKey {
  powers: ApiKeyPowers;
  secretHash: string;
  /** Epoch milliseconds; up to an hour too early (`recordApiKeyUse`). */
  lastUsedAt: number | null;
  /** `undefined` if no alias was given or the user is not a member of that store. */
  reached: ReachedStore | undefined;
}

/**
 * Finds an API key by the digest of its token, and the store of the alias if the user is a member
 * of it. A former alias leads to its store. Returns `undefined` for an unknown or revoked key and
 * for an inactive user. One round trip.
 */
export async function findApiKey(
  directory: Database,
  tokenHash: string,
  alias: string | undefined,
  now: number,
): Promise<KnownApiKey | undefined> {
  const [found] = await directory
    .select({
      powers: {
        apiKeyId: apiKeys.id,
        name: apiKeys.name,
        scopes: apiKeys.scopes,
        storeIds: apiKeys.store_ids,
        isForOperator: apiKeys.for_operator,
        expiresAt: apiKeys.expires_at,
      },
      user: {
        id: users.id,
        name: users.name,
        isOperator: users.super_user,
        hasSecondFactor: users.mfa_enabled,
      },
      secretHash: apiKeys.secret_hash,
      lastUsedAt: apiKeys.last_used_at,
      role: memberships.role,
      store: storeColumns,
      lacksFactor,
    })
    .from(apiKeys)
    .innerJoin(users, and(eq(users.id, apiKeys.user_id), eq(users.active, true)))
    .leftJoin(stores, alias === undefined ? sql`0` : eq(stores.alias, presentAlias(alias, now)))
    .leftJoin(
      memberships,
      and(eq(memberships.store_id, stores.id), eq(memberships.user_id, users.id)),
    )
    .where(and(eq(apiKeys.token_hash, tokenHash), isNull(apiKeys.revoked_at)));
  if (!found) return undefined;
  const { role, store, lacksFactor: lacks, powers, user, ...known } = found;
  const reached = role && store ? { role, store, lacksFactor: lacks === 1 } : undefined;
  return { ...known, powers: { ...powers, user }, reached };
}

/** The most API keys of one user, revoked ones not counted. */
export const maxApiKeys = 20;

/** The API keys of a user, newest first, without revoked ones. One round trip. */
export const listApiKeys = async (directory: Database, userId: number) =>
  ownApiKeys(directory, userId).orderBy(desc(apiKeys.id)).limit(maxApiKeys);

/**
 * An API key of a user; `undefined` if it is revoked or belongs to another user. One round trip.
 */
export async function findOwnApiKey(directory: Database, userId: number, id: number) {
  const [apiKey] = await ownApiKeys(directory, userId, id).limit(1);
  return apiKey;
}

/**
 * The stored columns of a new API key: digests of its two parts, the end of the secret, and its
 * powers.
 */
type NewApiKeyRow = Required<
  Omit<typeof apiKeys.$inferInsert, 'id' | 'last_used_at' | 'revoked_at'>
>;

/**
 * The statement that adds an API key and returns its id. It adds none if the user has
 * {@link maxApiKeys}, or if it is for operators and the user is not an operator.
 */
export function addApiKeyStatement(directory: Database, key: NewApiKeyRow) {
  const storeIds = key.store_ids === null ? null : JSON.stringify(key.store_ids);
  return rawDatabaseStatement<{ id: number }>(
    directory,
    sql`insert into ${apiKeys} (user_id, name, token_hash, secret_hash, last_four, scopes, store_ids,
        for_operator, expires_at, created_at)
      select ${key.user_id}, ${key.name}, ${key.token_hash}, ${key.secret_hash}, ${key.last_four},
        ${key.scopes}, ${storeIds}, ${Number(key.for_operator)}, ${key.expires_at}, ${key.created_at}
      where (select count(*) from ${apiKeys}
          where user_id = ${key.user_id} and revoked_at is null) < ${maxApiKeys}
        and (${Number(key.for_operator)} = 0 or exists (
          select 1 from ${users} where id = ${key.user_id} and super_user = 1))
      returning id`,
  );
}

/**
 * The statement that revokes an API key of a user, unless it is revoked or belongs to another user.
 */
export const revokeApiKeyStatement = (
  directory: Database,
  { userId, id, now }: { userId: number; id: number; now: number },
) => directory.update(apiKeys).set({ revoked_at: now }).where(isOwnApiKey(userId, id));

/** Records that an API key was used, at most once an hour. One round trip. */
export async function recordApiKeyUse(directory: Database, id: number, now: number): Promise<void> {
  const isDue = sql`coalesce(${apiKeys.last_used_at}, 0) <= ${now - authLifetimes.lastUsedLag}`;
  await directory
    .update(apiKeys)
    .set({ last_used_at: now })
    .where(and(eq(apiKeys.id, id), isDue));
}

/** Whether a key is that of a user, and not revoked. */
export const isOwnApiKey = (userId: number, id?: number) =>
  and(
    eq(apiKeys.user_id, userId),
    isNull(apiKeys.revoked_at),
    id === undefined ? undefined : eq(apiKeys.id, id),
  );

const ownApiKeys = (directory: Database, userId: number, id?: number) =>
  directory
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      lastFour: apiKeys.last_four,
      scopes: apiKeys.scopes,
      storeIds: apiKeys.store_ids,
      isForOperator: apiKeys.for_operator,
      expiresAt: apiKeys.expires_at,
      createdAt: apiKeys.created_at,
      lastUsedAt: apiKeys.last_used_at,
    })
    .from(apiKeys)
    .where(isOwnApiKey(userId, id));

/** An API key of the entry at a place of a list. */
interface KeyAtPlace {
  place: number;
  id: number;
}

/**
 * Adds to users in stores, who are not trusted since a time, the API keys that are not either.
 * Those were made or revoked since then, or their user is no member of the store. `all` adds the
 * others, too. One round trip.
 */
export async function withKeys<T extends { userId: number; storeId: number; since: number }>(
  directory: Database,
  given: readonly T[],
  all = false,
): Promise<(T & { keyIds: number[] })[]> {
  const rows = JSON.stringify(given.map(({ userId, storeId, since }) => [userId, storeId, since]));
  const [keys]: [KeyAtPlace[]] = await directory.batch([
    rawDatabaseStatement<KeyAtPlace>(
      directory,
      sql`select giver.key as place, api_keys.id from json_each(${rows}) giver join ${apiKeys} on api_keys.user_id = giver.value ->> 0
        where ${Number(all)} or api_keys.created_at >= giver.value ->> 2 or api_keys.revoked_at >= giver.value ->> 2 or not exists (select 1 from ${memberships}
          where memberships.user_id = api_keys.user_id and memberships.store_id = giver.value ->> 1)`,
    ),
  ]);
  return given.map((one, index) => ({
    ...one,
    keyIds: keys.flatMap(({ place, id }) => (place === index ? [id] : [])),
  }));
}
