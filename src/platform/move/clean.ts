import { afterEventIds, eventPrefix } from '../../events/event-id.ts';
import { rowsPerChunk } from './read-rows.ts';
import { movedTables, type MovedTable } from './tables.ts';

/**
 * What stays of a store that has left: old refresh tokens find its new shard by their grants, until these expire. When the store
 * comes back, its present grants replace them in one transaction.
 */
export const keptTables: ReadonlySet<string> = new Set(['oauth_grants']);

const list = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(', ');

/** A statement that deletes up to a chunk of rows of the store. */
function deleteStatement(db: D1Database, { name, owner, key }: MovedTable, storeId: number) {
  if (owner !== 'store_id') {
    const all = [owner.column, ...key];
    return db
      .prepare(
        `delete from "${name}" where (${list(all)}) in (
          select ${all.map((column) => `d."${column}"`).join(', ')}
          from "${owner.parent}" p cross join "${name}" d on d."${owner.column}" = p.id
          where p.store_id = ? limit ${rowsPerChunk})`,
      )
      .bind(storeId);
  }
  if (name === 'webhook_events') {
    return db
      .prepare(
        `delete from webhook_events where id in (
          select id from webhook_events where id > ? and id < ? limit ${rowsPerChunk})`,
      )
      .bind(eventPrefix(storeId), afterEventIds(storeId));
  }
  if (key.length === 0) return db.prepare(`delete from "${name}" where store_id = ?`).bind(storeId);
  return db
    .prepare(
      `delete from "${name}" where store_id = ?1 and (${list(key)}) in (
        select ${list(key)} from "${name}" where store_id = ?1 limit ${rowsPerChunk})`,
    )
    .bind(storeId);
}

/**
 * Deletes the data of a store from a shard while time remains, in chunks that each begin with `guard`. Returns whether none
 * is left. For data that no longer, or not yet, are those of the store; one round trip per chunk.
 */
export async function deleteRows(
  db: D1Database,
  storeId: number,
  guard: () => D1PreparedStatement,
  hasTime: () => boolean,
  kept: ReadonlySet<string> = new Set(),
): Promise<boolean> {
  const tables = movedTables.filter(({ name }) => !kept.has(name));
  if (!(await deleteTables(db, tables, storeId, guard, hasTime))) return false;
  await db.batch([guard(), db.prepare('delete from totals where store_id = ?').bind(storeId)]);
  return true;
}

/** Deletes the rows of a store from some tables, which are in the order of `movedTables`. Triggers keep its totals. */
export async function deleteTables(
  db: D1Database,
  tables: readonly MovedTable[],
  storeId: number,
  guard: () => D1PreparedStatement,
  hasTime: () => boolean,
): Promise<boolean> {
  for (const table of tables.toReversed()) {
    const { name, selfReference } = table;
    const prepare = selfReference
      ? // A row that another one names could not be deleted before it.
        [
          db
            .prepare(
              `update "${name}" set "${selfReference}" = null where store_id = ? and "${selfReference}" is not null`,
            )
            .bind(storeId),
        ]
      : [];
    let deleted = rowsPerChunk;
    while (deleted === rowsPerChunk) {
      if (!hasTime()) return false;
      const results = await db.batch<{ count: number }>([
        guard(),
        ...prepare,
        deleteStatement(db, table, storeId),
        // Without the rows that triggers changed.
        db.prepare('select changes() as count'),
      ]);
      deleted = results.at(-1)?.results[0]?.count ?? 0;
    }
  }
  return true;
}
