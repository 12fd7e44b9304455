import type { Database } from '../core/open.ts';
import { textStatement } from '../core/raw.ts';
import type { GuardCondition } from './residents.ts';

/** What a replica shows may be at most this old: for so long a revoked token or key still reads there. */
export const maxLagMs = 60_000;

/** For this long after a read at a replica, the sweep keeps the pulse of its shard fresh. */
const wantedMs = 60 * 60_000;

/** Reads in this time share one renewal. */
const renewalMs = 15_000;

/** The condition that the database shows a pulse of the last minute, and so everything before it. Reads one row. */
export const isPulsing = (now: number): GuardCondition => ({
  name: 'pulse',
  sql: 'exists (select 1 from pulse where id = 1 and at > ?)',
  params: [now - maxLagMs],
});

/** Sets the pulse of the directory, each minute. One row written. */
export const beatStatement = (directory: Database, now: number) =>
  textStatement(
    directory,
    'insert into pulse (id, at) values (1, ?) on conflict do update set at = max(at, excluded.at)',
    [now],
  );

/** Renews the pulse of a shard if its replicas were read lately; a shard without such readers writes nothing. */
export const renewPulseStatement = (shard: Database, now: number) =>
  textStatement(shard, 'update pulse set at = max(at, ?) where id = 1 and wanted_until > ?', [
    now,
    now,
  ]);

/** Makes the pulse of a shard fresh for a reader that found it old, and lets the sweep renew it for an hour. */
export const wantPulseStatement = (shard: Database, now: number) =>
  textStatement(
    shard,
    `insert into pulse (id, at, wanted_until) values (1, ?, ?)
      on conflict do update set at = max(at, excluded.at), wanted_until = excluded.wanted_until
        where at < excluded.at - ${renewalMs}`,
    [now, now + wantedMs],
  );
