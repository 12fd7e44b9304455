import { sql } from 'drizzle-orm';
import { hourMs, minuteMs } from '../../base/durations.ts';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import type { GuardCondition } from './placements.ts';

/** The maximum age of what a replica shows: for so long a revoked token or key still works there. */
export const maxLagMs = minuteMs;

/** For this long after a read at a replica, the sweep keeps the heartbeat of its shard fresh. */
const wantedMs = hourMs;

/** Reads in this time share one renewal. */
const renewalMs = 15_000;

/** The condition that the database shows a heartbeat of the last minute, and so everything before it. Reads one row. */
export const hasFreshHeartbeat = (now: number): GuardCondition => ({
  name: 'heartbeat',
  sql: 'exists (select 1 from heartbeats where id = 1 and at > ?)',
  params: [now - maxLagMs],
});

/** Sets the heartbeat of the directory, each minute. One row written. */
export const heartbeatStatement = (directory: Database, now: number) =>
  rawDatabaseStatement(
    directory,
    sql`insert into heartbeats (id, at) values (1, ${now}) on conflict do update set at = max(at, excluded.at)`,
  );

/** Renews the heartbeat of a shard if its replicas were read lately; a shard without such readers writes nothing. */
export const renewHeartbeatStatement = (shard: Database, now: number) =>
  rawDatabaseStatement(
    shard,
    sql`update heartbeats set at = max(at, ${now}) where id = 1 and wanted_until > ${now}`,
  );

/** Renews the heartbeat of a shard for a reader that found it old, and lets the sweep renew it for an hour. */
export const requestHeartbeatStatement = (shard: Database, now: number) =>
  rawDatabaseStatement(
    shard,
    sql`insert into heartbeats (id, at, wanted_until) values (1, ${now}, ${now + wantedMs})
      on conflict do update set at = max(at, excluded.at), wanted_until = excluded.wanted_until
        where at < excluded.at - ${renewalMs}`,
  );
