import { desc, eq, sql, type SQL } from 'drizzle-orm';
import { dayMs } from '../../base/durations.ts';
import type { Database } from '../core/open-database.ts';
import { formerAliases, stores } from '../schema/directory/directory-tables.ts';

/** How long a former alias leads to its store, counted from when the store left it. */
export const formerAliasMs = 365 * dayMs;

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
