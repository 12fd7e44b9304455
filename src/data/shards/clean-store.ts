import { eq, sql } from 'drizzle-orm';
import { afterEventIds, eventPrefix } from '../core/event-id.ts';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement, textStatement } from '../core/raw.ts';
import type { Statement } from '../core/statement.ts';
import { totals } from '../schema/store/internal-tables.ts';
import { movedTables, type MovedTable } from './moved-tables.ts';
import { rowsPerChunk } from './read-rows.ts';

/**
 * The tables that stay when a store has left: old refresh tokens find its new shard by their grants, until these
 * expire. When the store comes back, its present grants replace them in one transaction.
 */
export const keptTables: ReadonlySet<string> = new Set(['oauth_grants']);

const list = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(', ');

/** A statement that deletes up to a chunk of rows of the store. */
function deleteStatement(db: Database, { name, owner, key }: MovedTable, storeId: number) {
  if (owner !== 'store_id') {
    const all = [owner.column, ...key];
    return textStatement(
      db,
      `delete from "${name}" where (${list(all)}) in (
        select ${all.map((column) => `d."${column}"`).join(', ')}
        from "${owner.parent}" p cross join "${name}" d on d."${owner.column}" = p.id
        where p.store_id = ? limit ${rowsPerChunk})`,
      [storeId],
    );
  }
  if (name === 'webhook_events') {
    return textStatement(
      db,
      `delete from webhook_events where id in (
        select id from webhook_events where id > ? and id < ? limit ${rowsPerChunk})`,
      [eventPrefix(storeId), afterEventIds(storeId)],
    );
  }
  if (key.length === 0)
    return textStatement(db, `delete from "${name}" where store_id = ?`, [storeId]);
  return textStatement(
    db,
    `delete from "${name}" where store_id = ?1 and (${list(key)}) in (
      select ${list(key)} from "${name}" where store_id = ?1 limit ${rowsPerChunk})`,
    [storeId],
  );
}

/**
 * Deletes the data of a store from a shard while time remains, in chunks that each begin with `guard`. Returns whether
 * none remains. For data that do not belong to the store any more, or not yet; one round trip per chunk.
 */
export async function deleteRows(
  db: Database,
  storeId: number,
  guard: () => Statement,
  hasTime: () => boolean,
  kept: ReadonlySet<string> = new Set(),
): Promise<boolean> {
  const tables = movedTables.filter(({ name }) => !kept.has(name));
  if (!(await deleteTables(db, tables, storeId, guard, hasTime))) return false;
  await db.batch([guard(), db.delete(totals).where(eq(totals.store_id, storeId))]);
  return true;
}

/** Deletes the rows of a store from some tables, which are in the order of `movedTables`. Triggers keep its totals. */
export async function deleteTables(
  db: Database,
  tables: readonly MovedTable[],
  storeId: number,
  guard: () => Statement,
  hasTime: () => boolean,
): Promise<boolean> {
  for (const table of tables.toReversed()) {
    const { name, selfReference } = table;
    const prepare = selfReference
      ? // A row that another one names could not be deleted before it.
        [
          textStatement(
            db,
            `update "${name}" set "${selfReference}" = null where store_id = ? and "${selfReference}" is not null`,
            [storeId],
          ),
        ]
      : [];
    let deleted = rowsPerChunk;
    while (deleted === rowsPerChunk) {
      if (!hasTime()) return false;
      const results = await db.batch([
        guard(),
        ...prepare,
        deleteStatement(db, table, storeId),
        // Without the rows that triggers changed.
        rawDatabaseStatement(db, sql`select changes() as count`),
      ]);
      deleted = (results.at(-1) as { count: number }[])[0]?.count ?? 0;
    }
  }
  return true;
}
