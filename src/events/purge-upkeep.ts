import { purgeChunk, type Purge } from './purge-chunk.ts';

const day = 86_400_000;

/** A verdict that nobody asked for in so long is of a host that no webhook has any more. */
const hostDays = 30;
const replayDays = 30;
const auditDays = 365;

const oldest = (table: string, key: string, column: string) =>
  `delete from ${table} where ${key} in (
    select ${key} from ${table} where ${column} < ?1 order by ${column} limit ${purgeChunk})`;

/** Who changed a webhook is known for a year, a replay for 30 days after its end. `now` is epoch milliseconds. */
export const upkeepPurges = (now: number): Purge[] => [
  { sql: oldest('webhook_audit', 'id', 'at'), values: [now - auditDays * day] },
  { sql: oldest('webhook_replays', 'id', 'done_at'), values: [now - replayDays * day] },
  { sql: oldest('webhook_hosts', 'host', 'checked_at'), values: [now - hostDays * day] },
];
