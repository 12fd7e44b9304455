import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../core/open-database.ts';
import { memberships, stores, users } from '../schema/directory/directory-tables.ts';

/** The part of the directory that one user may see. */
export class AccountDb {
  readonly userId: number;
  readonly #directory: Database;
  readonly #storeIds: readonly number[] | null;

  /** With `storeIds`, only those stores are visible. */
  constructor(userId: number, directory: Database, storeIds: readonly number[] | null) {
    this.userId = userId;
    this.#directory = directory;
    this.#storeIds = storeIds;
  }

  /**
   * Returns the user and the visible stores that the user is a member of, including inactive ones,
   * by id. One round trip.
   */
  async profile() {
    const [[user], merchants] = await this.#directory.batch([
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
            this.#storeIds === null
              ? undefined
              : sql`${stores.id} in (select value from json_each(${JSON.stringify(this.#storeIds)}))`,
          ),
        )
        .orderBy(stores.id)
        .limit(1000),
    ]);
    return user && { user, merchants };
  }
}
