import { withDbErrors } from '../core/errors.ts';
import { firstIdOfShard } from './shard-numbers.ts';

/** Ids below this block are counted from the number of a shard: a token holds a number of two bytes. */
const firstBlock = 65_536;

/** Ids are below 2^53, so there are as many blocks again. */
const endOfBlocks = 2 * firstBlock;

/**
 * Takes a new block of ids for a shard, behind all ids that any shard has given out. Returns the number below its first id;
 * `undefined` when no block is left. One round trip to the directory.
 */
export async function takeBlock(directory: D1Database, shard: number): Promise<number | undefined> {
  const next = `(select max(${firstBlock - 1}, coalesce(max(block), 0)) + 1 from shards)`;
  const block = await withDbErrors(
    directory
      .prepare(
        `insert into shards (number, region, block) values (?, '', ${next})
          on conflict do update set block = excluded.block returning block`,
      )
      .bind(shard)
      .first<number>('block'),
  );
  if (block === null) throw new Error('The directory gave no block.');
  return block < endOfBlocks ? firstIdOfShard(block) : undefined;
}

/** The counters of AUTOINCREMENT, without those of the platform. */
const countersSql = String.raw`from sqlite_sequence where name <> 'd1_migrations' and name not like '\_cf%' escape '\'`;

/** Reads the last id of each table that counts its ids. One round trip. */
export async function readCounters(db: D1Database): Promise<ReadonlyMap<string, number>> {
  const { results } = await db
    .prepare(`select name, seq ${countersSql}`)
    .all<{ name: string; seq: number }>();
  return new Map(results.map(({ name, seq }) => [name, seq]));
}

/** A statement that makes all tables count on behind an id. AUTOINCREMENT never goes back, nor below an id of its table. */
export const raiseCounters = (db: D1Database, last: number) =>
  db
    .prepare(
      `update sqlite_sequence set seq = ?1 where seq < ?1 and name in (select name ${countersSql})`,
    )
    .bind(last);
