import { abortWith } from '../core/data-errors.ts';
import { reservedKind } from '../schema/store/internal-tables.ts';

/**
 * Ids that one shard may give out. Ids stay below 2^53 for 65,536 shards and as many further blocks
 * (`id-blocks.ts`).
 */
const idsPerShard = 2 ** 36;

/**
 * The ids of a shard are greater than this number. So no two shards give out the same id, and a
 * store can move with its ids.
 */
export const firstIdOfShard = (shard: number) => shard * idsPerShard;

/**
 * Tables that frequent statements insert into, perhaps by a trigger, and perhaps nothing. Each
 * reads the list of counters up to that of its table, so these come first.
 */
const inserted = `'oauth_events', 'store_audit', 'store_notices'`;

/**
 * SQL statements that number the database of a shard: they record the number, and make the shard
 * count its ids from `firstIdOfShard` on. To run after every migration; a second run changes
 * nothing, whatever the database holds. They fail for a database that has another number.
 */
export function numberShardStatements(shard: number): string[] {
  const first = firstIdOfShard(shard);
  return [
    `insert or ignore into shard_identity (id, number) values (1, ${shard})`,
    `select iif(number = ${shard}, 1, ${abortWith('shard_number')}) as ok from shard_identity`,
    // Only tables that existed when they were numbered have a row; a later migration may add some.
    `insert into sqlite_sequence (name, seq) select name, ${first} from sqlite_master
      where type = 'table' and sql like '%AUTOINCREMENT%' and name <> 'd1_migrations'
        and name not like 'sqlite\\_%' escape '\\' and name not like '\\_cf%' escape '\\'
        and name not in (select name from sqlite_sequence)
      order by name in (${inserted}) desc`.replaceAll(/\s+/g, ' '),
    `update sqlite_sequence set seq = ${first} where seq < ${first} and name <> 'd1_migrations' and name not like '\\_cf%' escape '\\'`,
    `insert into sequences (kind, last) values ('${reservedKind}', ${first}) on conflict do update set last = max(last, excluded.last)`,
  ];
}
