import { eq, sql, type SQL } from 'drizzle-orm';
import { afterEventIds, eventPrefix } from '../core/event-id.ts';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import type { Statement } from '../core/statement.ts';
import { totals } from '../schema/store/internal-tables.ts';
import { movedTables, type MovedTable } from './moved-tables.ts';
import { rowsPerChunk } from './read-rows.ts';

/**
 * The tables that stay when a store has left: old refresh tokens find its new shard by their grants, until these
 * expire. When the store comes back, its present grants replace them in one transaction.
 */
export const keptTables: ReadonlySet<string> = new Set(['oauth_grants']);

const list = (columns: readonly string[], prefix = '') =>
  sql.raw(columns.map((column) => `${prefix}"${column}"`).join(', '));

/** Deletes up to a chunk of rows of the store. */
function deleteChunk({ name, owner, key }: MovedTable, storeId: number): SQL {
  const table = sql.identifier(name);
  if (owner !== 'store_id') {
    const all = [owner.column, ...key];
    return sql`delete from ${table} where (${list(all)}) in (
        select ${list(all, 'd.')}
        from ${sql.identifier(owner.parent)} p cross join ${table} d on d.${sql.identifier(owner.column)} = p.id
        where p.store_id = ${storeId} limit ${rowsPerChunk})`;
  }
  if (name === 'webhook_events') {
    return sql`delete from webhook_events where id in (
        select id from webhook_events where id > ${eventPrefix(storeId)} and id < ${afterEventIds(storeId)}
        limit ${rowsPerChunk})`;
  }
  const all = sql`from ${table} where store_id = ${storeId}`;
  if (key.length === 0) return sql`delete ${all}`;
  return sql`delete ${all} and (${list(key)}) in (select ${list(key)} ${all} limit ${rowsPerChunk})`;
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
          rawDatabaseStatement(
            db,
            sql`update ${sql.identifier(name)} set ${sql.identifier(selfReference)} = null
              where store_id = ${storeId} and ${sql.identifier(selfReference)} is not null`,
          ),
        ]
      : [];
    let deleted = rowsPerChunk;
    while (deleted === rowsPerChunk) {
      if (!hasTime()) return false;
      const results = await db.batch([
        guard(),
        ...prepare,
        rawDatabaseStatement(db, deleteChunk(table, storeId)),
        // Without the rows that triggers changed.
        rawDatabaseStatement(db, sql`select changes() as count`),
      ]);
      deleted = (results.at(-1) as { count: number }[])[0]?.count ?? 0;
    }
  }
  return true;
}
