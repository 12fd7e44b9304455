import { sql } from 'drizzle-orm';
import { sha256 } from '../base/crypto/digest.ts';
import type { ActionContext } from '../data/audit/action.ts';
import { abortUnless } from '../data/core/data-errors.ts';
import { rawDatabaseStatement } from '../data/core/raw.ts';
import { formerAliases, storeChanges, stores } from '../data/schema/directory/directory-tables.ts';

/** Aborts the batch with a 409 if a store other than this one has ever left the alias. */
export const assertNeverOfAnother = async (
  { directory }: ActionContext,
  alias: string,
  storeId = 0,
) =>
  rawDatabaseStatement(
    directory,
    abortUnless(
      sql`not exists (select 1 from ${formerAliases} where digest = ${await sha256(alias)} and store_id <> ${storeId})`,
      'alias_taken',
    ),
  );

/**
 * The statements by which a store that still has an alias leaves it for another. They reserve the
 * one that it leaves, free the other if it was a former one of this store, and tell its apps.
 */
export async function leaveAlias(
  { directory, now }: ActionContext,
  { storeId, from, to }: { storeId: number; from: string; to: string },
) {
  const [left, taken] = await Promise.all([sha256(from), sha256(to)]);
  const isBefore = sql`id = ${storeId} and alias = ${from}`;
  return [
    sql`delete from ${formerAliases} where digest = ${taken} and exists (select 1 from ${stores} where ${isBefore})`,
    sql`insert into ${formerAliases} (digest, alias, store_id, left_at)
      select ${left}, alias, id, ${now} from ${stores} where ${isBefore}`,
    sql`insert into ${storeChanges} (shard, store_id, former_alias, left_at)
      select shard, id, alias, ${now} from ${stores} where ${isBefore}`,
    sql`update ${stores} set alias = ${to}, updated_at = ${now} where ${isBefore}`,
  ].map((statement) => rawDatabaseStatement(directory, statement));
}
