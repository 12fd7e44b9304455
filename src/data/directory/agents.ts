import { sql } from 'drizzle-orm';
import { authLifetimes } from '../../base/auth-lifetimes.ts';
import { dayMs } from '../../base/durations.ts';
import { log } from '../../base/log.ts';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { apps, blockedHosts } from '../schema/directory/partners-tables.ts';
import { evictApp, type App } from './apps.ts';

/** The stored columns of an agent. */
type AgentValues = Pick<
  App,
  'client_id' | 'host' | 'name' | 'publisher' | 'redirect_uris' | 'scopes'
>;

/** How far the stored last use of an agent may lag behind. */
const usedLagMs = 7 * dayMs;

/** How long an agent without a consent is kept. */
export const unusedKeptMs = dayMs;

/** How long an agent is kept after its last use: by then, all its grants have ended. */
const usedKeptMs = authLifetimes.agentRefreshToken + usedLagMs;

/** The condition that none of these hosts is blocked. */
const isNoneBlocked = (hosts: readonly string[]) =>
  sql`not exists (select 1 from ${blockedHosts}
    where host in (select value from json_each(${JSON.stringify(hosts)})))`;

/** Whether one of these hosts is blocked. One round trip. */
export async function isHostBlocked(
  directory: Database,
  hosts: readonly string[],
): Promise<boolean> {
  const [[row]] = await directory.batch([
    rawDatabaseStatement<{ free: 0 | 1 }>(directory, sql`select ${isNoneBlocked(hosts)} as free`),
  ]);
  return row?.free !== 1;
}

/**
 * Stores an agent that registers itself. Stores nothing if one of its hosts is blocked, or if `most` registered agents wait
 * for their first consent. One round trip.
 */
export async function registerAgent(
  directory: Database,
  { client_id, host, name, publisher, redirect_uris, scopes }: AgentValues,
  { hosts, most, now }: { hosts: readonly string[]; most: number; now: number },
): Promise<'stored' | 'blocked' | 'full'> {
  const isFree = isNoneBlocked(hosts);
  const [added, [row]] = await directory.batch([
    rawDatabaseStatement<{ id: number }>(
      directory,
      sql`insert into ${apps} (client_id, host, name, publisher, redirect_uris, scopes, state,
          created_at, updated_at)
        select ${client_id}, ${host}, ${name}, ${publisher}, ${JSON.stringify(redirect_uris)}, ${scopes},
          'published', ${now}, ${now}
        where ${isFree} and (select count(*) from (
          select 1 from ${apps} where host is not null and used_at is null limit ${most})) < ${most}
        returning id`,
    ),
    rawDatabaseStatement<{ free: 0 | 1 }>(directory, sql`select ${isFree} as free`),
  ]);
  if (added.length > 0) return 'stored';
  return row?.free === 1 ? 'full' : 'blocked';
}

/**
 * Stores an agent that gets a consent, as its document describes it now, and that it is used. Returns false if it, or one of
 * these hosts, is blocked. One round trip, which is safe to repeat.
 */
export async function useAgent(
  directory: Database,
  { client_id, host, name, publisher, redirect_uris, scopes }: AgentValues,
  hosts: readonly string[],
  now: number,
): Promise<boolean> {
  const uris = JSON.stringify(redirect_uris);
  const [used] = await directory.batch([
    rawDatabaseStatement<{ id: number }>(
      directory,
      sql`insert into ${apps} (client_id, host, name, publisher, redirect_uris, scopes, state,
          used_at, created_at, updated_at)
        select ${client_id}, ${host}, ${name}, ${publisher}, ${uris}, ${scopes}, 'published', ${now},
          ${now}, ${now}
        where ${isNoneBlocked(hosts)}
        on conflict (client_id) do update set name = excluded.name, redirect_uris = excluded.redirect_uris,
          used_at = excluded.used_at, updated_at = excluded.updated_at
        where state = 'published' and host = excluded.host
        returning id`,
    ),
  ]);
  evictApp(client_id);
  return used.length > 0;
}

/**
 * Records that an agent is used, once a week. To be called with the app that a request found. Never rejects: the next request
 * tries again.
 */
export async function touchAgent(
  directory: Database,
  { client_id, used_at }: App,
  now: number,
): Promise<void> {
  if ((used_at ?? 0) > now - usedLagMs) return;
  const statement = sql`update ${apps} set used_at = ${now}
    where client_id = ${client_id} and used_at < ${now}`;
  try {
    await directory.batch([rawDatabaseStatement(directory, statement)]);
    evictApp(client_id);
  } catch (error) {
    log('warn', 'agent_use_not_stored', { reason: error instanceof Error ? error.name : '' });
  }
}

/** The most agents that one call deletes. */
export const agentDeleteLimit = 1_000;

/**
 * Deletes agents that got no consent within a day, and those whose last grant has ended for want of use. Returns their number.
 * One round trip.
 */
export async function deleteOldAgents(directory: Database, now: number): Promise<number> {
  const [deleted] = await directory.batch([
    rawDatabaseStatement<{ id: number }>(
      directory,
      sql`delete from ${apps} where id in (
          select id from ${apps} where host is not null
            and (used_at < ${now - usedKeptMs} or (used_at is null and created_at < ${now - unusedKeptMs}))
          limit ${agentDeleteLimit})
        returning id`,
    ),
  ]);
  return deleted.length;
}
