import { eq, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import type { Statement } from '../core/statement.ts';
import { totals } from '../schema/store/internal-tables.ts';
import { movedTables, type MovedTable } from './moved-tables.ts';
import { cursorColumns, isOneChunk, list, rowsPerChunk, selectRows } from './read-rows.ts';

/**
 * The tables that stay when a store has left: old refresh tokens find its new shard by their
 * grants, until these expire. When the store comes back, its present grants replace them in one
 * transaction.
 */
export const keptTables: ReadonlySet<string> = new Set(['oauth_grants']);

/**
 * Counts the rows of a store by table, up to `most` each; without tables that have none. One round
 * trip.
 */
export async function countRows(
  db: Database,
  storeId: number,
  {
    tables = movedTables,
    most = -1,
    guard = rawDatabaseStatement(db, sql`select 1`),
  }: { tables?: readonly MovedTable[]; most?: number; guard?: Statement } = {},
): Promise<Record<string, number>> {
  const [, ...results] = (await db.batch([
    guard,
    ...tables.map((table) =>
      rawDatabaseStatement(
        db,
        sql`select count(*) as n from (${selectRows(table, storeId, undefined, most)})`,
      ),
    ),
  ])) as [unknown, ...{ n: number }[][]];
  const counts = tables.map(({ name }, index) => [name, results[index]?.[0]?.n ?? 0] as const);
  return Object.fromEntries(counts.filter(([, n]) => n !== 0));
}

/** Deletes up to a chunk of rows of the store. */
function deleteChunk(table: MovedTable, storeId: number): SQL {
  const { name, owner, key } = table;
  const all = list(cursorColumns(table));
  const from = sql`delete from ${sql.identifier(name)} where ${owner === 'store_id' ? sql`store_id = ${storeId}` : sql`true`}`;
  if (key.length === 0) return from;
  return sql`${from} and (${all}) in (select ${all} from (${selectRows(table, storeId, undefined, rowsPerChunk)}))`;
}

/**
 * Deletes the data of a store from a shard while time remains, in chunks that each begin with
 * `guard`. Returns whether none remains. For data that do not belong to the store any more, or not
 * yet; one round trip per chunk.
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

/**
 * Deletes the rows of a store from some tables, which are in the order of `movedTables`. Triggers
 * keep its totals. One round trip counts, so that tables without a row cost none, and those of few
 * rows share one.
 */
export async function deleteTables(
  db: Database,
  tables: readonly MovedTable[],
  storeId: number,
  guard: () => Statement,
  hasTime: () => boolean,
): Promise<boolean> {
  const childrenFirst = tables.toReversed();
  const most = rowsPerChunk + 1;
  const counts = await countRows(db, storeId, { tables: childrenFirst, most, guard: guard() });
  // Tables one after the other, those together whose rows are at most a chunk.
  const groups: MovedTable[][] = [];
  let rows = 0;
  for (const table of childrenFirst) {
    const count = counts[table.name] ?? 0;
    if (count === 0) continue;
    rows += count;
    const last = groups.at(-1);
    if (last && isOneChunk(rows)) {
      last.push(table);
    } else {
      groups.push([table]);
      rows = count;
    }
  }
  for (const group of groups) {
    let isFull = true;
    while (isFull) {
      if (!hasTime()) return false;
      const results = await db.batch([
        guard(),
        ...group.flatMap((table) => deleteStatements(db, table, storeId)),
        // Without the rows that triggers changed.
        rawDatabaseStatement(db, sql`select changes() as count`),
      ]);
      const deleted = (results.at(-1) as { count: number }[])[0]?.count ?? 0;
      isFull = group.length === 1 && deleted === rowsPerChunk;
    }
  }
  return true;
}

function deleteStatements(db: Database, table: MovedTable, storeId: number): Statement[] {
  const { name, selfReference } = table;
  const deletion = rawDatabaseStatement(db, deleteChunk(table, storeId));
  if (!selfReference) return [deletion];
  const column = sql.identifier(selfReference);
  // A row that another one names could not be deleted before it.
  const prepare = sql`update ${sql.identifier(name)} set ${column} = null
    where store_id = ${storeId} and ${column} is not null`;
  return [rawDatabaseStatement(db, prepare), deletion];
}
