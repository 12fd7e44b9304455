import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { answered } from './answered.ts';
import type { Shard } from './open.ts';
import { credentials, memberships, stores, users } from './schema/directory.ts';
import { storeColumns } from './store-columns.ts';
import type { Store } from './store.ts';

/** What the directory knows of a header pair and of the store it was used for. */
export interface KnownPair {
  credentialId: number;
  userId: number;
  secretHash: string;
  /** Epoch milliseconds; may lag an hour behind. */
  lastUsedAt: number | null;
  /** `undefined` when the alias is not a store of this user, or none was asked for. */
  store: Store | undefined;
}

/** The store of an alias, for the platform itself. One round trip. */
export async function findStore(directory: Shard, alias: string): Promise<Store | undefined> {
  const query = directory.select(storeColumns).from(stores).where(eq(stores.alias, alias));
  return (await answered(query))[0];
}

/** The stores with these ids, for the platform itself. One round trip. */
export const findStores = (directory: Shard, ids: readonly number[]): Promise<Store[]> =>
  answered(
    directory
      .select(storeColumns)
      .from(stores)
      .where(inArray(stores.id, sql`(select value from json_each(${JSON.stringify(ids)}))`)),
  );

/**
 * Looks up a header pair by the digest of its token and, in the same round trip, the store of that alias
 * if the user belongs to it. `undefined` for an unknown or revoked pair and for an inactive user.
 */
export async function findPair(
  directory: Shard,
  tokenHash: string,
  alias: string | undefined,
): Promise<KnownPair | undefined> {
  const [found] = await answered(
    directory
      .select({
        credentialId: credentials.id,
        userId: credentials.user_id,
        secretHash: credentials.secret_hash,
        lastUsedAt: credentials.last_used_at,
        role: memberships.role,
        store: storeColumns,
      })
      .from(credentials)
      .innerJoin(users, and(eq(users.id, credentials.user_id), eq(users.active, true)))
      .leftJoin(stores, alias === undefined ? sql`0` : eq(stores.alias, alias))
      .leftJoin(
        memberships,
        and(eq(memberships.store_id, stores.id), eq(memberships.user_id, users.id)),
      )
      .where(and(eq(credentials.token_hash, tokenHash), isNull(credentials.revoked_at))),
  );
  if (!found) return undefined;
  const { role, store, ...pair } = found;
  return { ...pair, store: role && store ? store : undefined };
}

/** One user's own view of the directory. */
export class AccountDb {
  readonly userId: number;
  readonly #directory: Shard;
  readonly #storeId: number | null;

  /** With `storeId` the view holds that store alone. */
  constructor(userId: number, directory: Shard, storeId: number | null) {
    this.userId = userId;
    this.#directory = directory;
    this.#storeId = storeId;
  }

  /** The user and the stores of the view the user belongs to, inactive ones included, by id. One round trip. */
  async profile() {
    const [[user], merchants] = await answered(
      this.#directory.batch([
        this.#directory.select().from(users).where(eq(users.id, this.userId)),
        this.#directory
          .select({
            id: stores.id,
            owner_id: stores.owner_id,
            active: stores.active,
            alias: stores.alias,
            name: stores.name,
            zone: stores.zone,
            base_url: stores.base_url,
            domain: stores.domain,
            icon_url: stores.icon_url,
            logo_url: stores.logo_url,
            domains_list: stores.domains_list,
            tags: stores.tags,
            has_affiliations: stores.has_affiliations,
            has_credit_card: stores.has_credit_card,
            created_at: stores.created_at,
            owner_email: sql<string>`(select "email" from "users" where "id" = "owner_id")`.as(
              'owner_email',
            ),
            owner_created_at:
              sql<number>`(select "created_at" from "users" where "id" = "owner_id")`.as(
                'owner_created_at',
              ),
          })
          .from(stores)
          .where(
            and(
              sql`${stores.id} in (select store_id from ${memberships} where user_id = ${this.userId})`,
              this.#storeId === null ? undefined : eq(stores.id, this.#storeId),
            ),
          )
          .orderBy(stores.id)
          .limit(1000),
      ]),
    );
    return user && { user, merchants };
  }
}
