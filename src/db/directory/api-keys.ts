import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { authLifetimes } from '../../auth-lifetimes.ts';
import { withDbErrors } from '../core/errors.ts';
import type { Database } from '../core/open.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import type { Store } from '../core/store.ts';
import { apiKeys, memberships, pulse, stores, users } from '../schema/directory.ts';
import { storeColumns } from './stores.ts';

/** An API key (`User-Token` and `User-Secret-Key`) and the store that it was used for. */
export interface KnownApiKey {
  apiKeyId: number;
  userId: number;
  secretHash: string;
  /** Epoch milliseconds; up to an hour too early (`recordApiKeyUse`). */
  lastUsedAt: number | null;
  /** `undefined` if no alias was given or the user is not a member of that store. */
  store: Store | undefined;
  /** The pulse of the database that answered; 0 without one. */
  pulse: number;
}

/**
 * Finds an API key by the digest of its token, and the store of the alias if the user is a member of it. Returns
 * `undefined` for an unknown or revoked key and for an inactive user. One round trip.
 */
export async function findApiKey(
  directory: Database,
  tokenHash: string,
  alias: string | undefined,
): Promise<KnownApiKey | undefined> {
  const [found] = await withDbErrors(
    directory
      .select({
        apiKeyId: apiKeys.id,
        userId: apiKeys.user_id,
        secretHash: apiKeys.secret_hash,
        lastUsedAt: apiKeys.last_used_at,
        role: memberships.role,
        store: storeColumns,
        pulse: sql<number>`coalesce((select ${pulse.at} from ${pulse} where ${pulse.id} = 1), 0)`,
      })
      .from(apiKeys)
      .innerJoin(users, and(eq(users.id, apiKeys.user_id), eq(users.active, true)))
      .leftJoin(stores, alias === undefined ? sql`0` : eq(stores.alias, alias))
      .leftJoin(
        memberships,
        and(eq(memberships.store_id, stores.id), eq(memberships.user_id, users.id)),
      )
      .where(and(eq(apiKeys.token_hash, tokenHash), isNull(apiKeys.revoked_at))),
  );
  if (!found) return undefined;
  const { role, store, ...apiKey } = found;
  return { ...apiKey, store: role && store ? store : undefined };
}

/** Whether an API key is not revoked and its active user a member of the store, for work that goes on without a request. */
export async function isApiKeyLive(
  directory: Database,
  { id, userId, storeId }: { id: number; userId: number; storeId: number },
): Promise<boolean> {
  const found = await withDbErrors(
    directory
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .innerJoin(users, and(eq(users.id, apiKeys.user_id), eq(users.active, true)))
      .innerJoin(
        memberships,
        and(eq(memberships.user_id, users.id), eq(memberships.store_id, storeId)),
      )
      .where(isOwnApiKey(userId, id)),
  );
  return found.length > 0;
}

/** The most API keys of one user, revoked ones not counted. */
const maxApiKeys = 20;

/** The API keys of a user, newest first, without revoked ones. One round trip. */
export const listApiKeys = (directory: Database, userId: number) =>
  withDbErrors(ownApiKeys(directory, userId).orderBy(desc(apiKeys.id)).limit(maxApiKeys));

/** An API key of a user; `undefined` if it is revoked or belongs to another user. One round trip. */
export async function findOwnApiKey(directory: Database, userId: number, id: number) {
  const [apiKey] = await withDbErrors(ownApiKeys(directory, userId, id).limit(1));
  return apiKey;
}

/** What is stored of a new API key: digests of its two parts, and the end of the secret. */
type NewApiKey = Pick<
  typeof apiKeys.$inferInsert,
  'user_id' | 'name' | 'token_hash' | 'secret_hash' | 'last_four' | 'created_at'
>;

/** Adds an API key and returns true; returns false if the user has {@link maxApiKeys}. One round trip. */
export async function addApiKey(directory: Database, apiKey: NewApiKey): Promise<boolean> {
  const { user_id, name, token_hash, secret_hash, last_four, created_at } = apiKey;
  const [added] = await withDbErrors(
    directory.batch([
      rawDatabaseStatement<{ id: number }>(
        directory,
        sql`insert into ${apiKeys} (user_id, name, token_hash, secret_hash, last_four, created_at)
          select ${user_id}, ${name}, ${token_hash}, ${secret_hash}, ${last_four}, ${created_at}
          where (select count(*) from ${apiKeys}
            where user_id = ${user_id} and revoked_at is null) < ${maxApiKeys}
          returning id`,
      ),
    ]),
  );
  return added.length > 0;
}

/** Revokes an API key of a user. Does nothing if it is revoked or belongs to another user. One round trip. */
export async function revokeApiKey(
  directory: Database,
  { userId, id, now }: { userId: number; id: number; now: number },
): Promise<void> {
  await withDbErrors(
    directory.update(apiKeys).set({ revoked_at: now }).where(isOwnApiKey(userId, id)),
  );
}

/** Records that an API key was used, at most once an hour. One round trip. */
export async function recordApiKeyUse(directory: Database, id: number, now: number): Promise<void> {
  const isDue = sql`coalesce(${apiKeys.last_used_at}, 0) <= ${now - authLifetimes.lastUsedLag}`;
  await withDbErrors(
    directory
      .update(apiKeys)
      .set({ last_used_at: now })
      .where(and(eq(apiKeys.id, id), isDue)),
  );
}

const isOwnApiKey = (userId: number, id?: number) =>
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
      createdAt: apiKeys.created_at,
      lastUsedAt: apiKeys.last_used_at,
    })
    .from(apiKeys)
    .where(isOwnApiKey(userId, id));
