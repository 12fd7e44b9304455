import { lt, sql } from 'drizzle-orm';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { shards } from '../schema/directory/directory-tables.ts';
import { sequences } from '../schema/store/internal-tables.ts';
import { firstIdOfShard } from './shard-numbers.ts';

/**
 * Ids below this block are counted from the number of a shard: a token holds a number of two bytes.
 */
export const firstBlock = 65_536;

/** Ids are below 2^53, so there are as many blocks again. */
const endOfBlocks = 2 * firstBlock;

/**
 * Takes a new block of ids for a shard, behind all ids that any shard has given out. Returns the
 * number below its first id; `undefined` when no block remains. One round trip to the directory.
 */
export async function takeBlock(directory: Database, shard: number): Promise<number | undefined> {
  const next = sql<number>`(select max(${firstBlock - 1}, coalesce(max(block), 0)) + 1 from shards)`;
  const [row] = await directory
    .insert(shards)
    .values({ number: shard, block: next })
    .onConflictDoUpdate({ target: shards.number, set: { block: sql`excluded.block` } })
    .returning({ block: shards.block });
  if (typeof row?.block !== 'number') throw new Error('The directory gave no block.');
  const { block } = row;
  return block < endOfBlocks ? firstIdOfShard(block) : undefined;
}

/** The counters of AUTOINCREMENT, without those of the platform. */
const counters = sql.raw(
  String.raw`from sqlite_sequence where name <> 'd1_migrations' and name not like '\_cf%' escape '\'`,
);

/** Reads the last id of each table that counts its ids. One round trip. */
export async function readCounters(db: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await db.all<{ name: string; seq: number }>(sql`select name, seq ${counters}`);
  return new Map(rows.map(({ name, seq }) => [name, seq]));
}

/**
 * Statements that make all ids count on behind one. AUTOINCREMENT never goes back, nor below an id
 * of its table.
 */
export const raiseCounters = (db: Database, last: number) =>
  [
    rawDatabaseStatement(
      db,
      sql`update sqlite_sequence set seq = ${last}
        where seq < ${last} and name in (select name ${counters})`,
    ),
    db.update(sequences).set({ last }).where(lt(sequences.last, last)),
  ] as const;
