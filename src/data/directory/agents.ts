import { sql, type SQL } from 'drizzle-orm';
import { authLifetimes } from '../../base/auth-lifetimes.ts';
import { dayMs } from '../../base/durations.ts';
import { withNamesAbove } from '../../base/hosts.ts';
import { log } from '../../base/log.ts';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { apps, blockedHosts } from '../schema/directory/partners-tables.ts';
import { evictApp, looksVerified, type App } from './apps.ts';

/** The stored columns of an agent. */
type AgentValues = Pick<
  App,
  'client_id' | 'host' | 'hosts' | 'name' | 'names' | 'publisher' | 'redirect_uris' | 'scopes'
>;

/** How far the stored last use of an agent may lag behind. */
const usedLagMs = 7 * dayMs;

/** How long an agent without a consent is kept. */
export const unusedKeptMs = dayMs;

/** How long an agent is kept after its last use: by then, all its grants have ended. */
const usedKeptMs = authLifetimes.agentRefreshToken + usedLagMs;

/**
 * An agent under the name that pages show. That is its host, if its own name looks like that of an
 * app whose domain is proved and is not its own. One round trip.
 */
export async function withOwnName<Agent extends Pick<App, 'host' | 'name' | 'names'>>(
  directory: Database,
  agent: Agent,
  now: number,
): Promise<Agent> {
  const { host, name, names } = agent;
  if (host === null || name === host) return agent;
  const above = JSON.stringify(withNamesAbove(host));
  const isOwn = sql`verified_host in (select value from json_each(${above}))`;
  const claimed = [name, ...Object.values(names ?? {})];
  const isTaken = await looksVerified(directory, { names: claimed, isOwn }, now);
  return isTaken ? { ...agent, name: host, names: null } : agent;
}

/** The condition that none of the hosts of an agent, and no name above one, is blocked. */
const isNoneBlocked = ({ hosts }: Pick<App, 'hosts'>) =>
  sql`not exists (select 1 from ${blockedHosts}
    where host in (select value from json_each(${JSON.stringify(hosts?.flatMap(withNamesAbove) ?? [])})))`;

/** Whether one of the hosts of an agent, or a name above one, is blocked. One round trip. */
export async function isHostBlocked(
  directory: Database,
  agent: Pick<App, 'hosts'>,
): Promise<boolean> {
  const [[row]] = await directory.batch([
    rawDatabaseStatement<{ free: 0 | 1 }>(directory, sql`select ${isNoneBlocked(agent)} as free`),
  ]);
  return row?.free !== 1;
}

const agentColumns = sql.raw(
  'client_id, host, hosts, name, names, publisher, redirect_uris, scopes, state',
);

const valuesOf = ({
  client_id,
  host,
  hosts,
  name,
  names,
  publisher,
  redirect_uris,
  scopes,
}: AgentValues) =>
  sql`${client_id}, ${host}, ${JSON.stringify(hosts)}, ${name}, ${names && JSON.stringify(names)}, ${publisher}, ${JSON.stringify(redirect_uris)}, ${scopes}, 'published'`;

/** The agents that wait for their first consent: the index `apps_unused`. */
const unused = sql`${apps} where host is not null and used_at is null`;

/** How many agents of a network may wait for their first consent. */
export const unusedOfNetwork = 50;

/**
 * Stores an agent that registers itself; returns false if one of its hosts is blocked. Takes away
 * the oldest that waits for its first consent. That is one of its network beyond
 * {@link unusedOfNetwork}, else of that with the most if `most` wait in all. So a registration is
 * never refused for want of room. One round trip.
 */
export async function registerAgent(
  directory: Database,
  agent: AgentValues,
  { network, most, now }: { network: string | null; most: number; now: number },
): Promise<boolean> {
  const isFree = isNoneBlocked(agent);
  const run = (text: SQL) => rawDatabaseStatement<{ id: number }>(directory, text);
  const [, , added] = await directory.batch([
    run(sql`delete from ${apps} where id in (select id from ${unused} and network is ${network}
      order by id desc limit -1 offset ${unusedOfNetwork - 1}) and ${isFree}`),
    // Groups them only if there are as many.
    run(sql`delete from ${apps} where id = (
      select case when (select count(*) from (select 1 from ${unused} limit ${most})) = ${most} and ${isFree}
        then (select min(id) from ${unused} group by network order by count(*) desc, min(id) limit 1) end)`),
    run(sql`insert into ${apps} (${agentColumns}, network, created_at, updated_at)
        select ${valuesOf(agent)}, ${network}, ${now}, ${now} where ${isFree} returning id`),
  ]);
  return added.length > 0;
}

/**
 * Stores an agent that gets a consent, as its document describes it now, and that it is used.
 * Returns false if it, or one of its hosts, is blocked. One round trip, which is safe to repeat.
 */
export async function useAgent(
  directory: Database,
  agent: AgentValues,
  now: number,
): Promise<boolean> {
  const [used] = await directory.batch([
    rawDatabaseStatement<{ id: number }>(
      directory,
      sql`insert into ${apps} (${agentColumns}, used_at, created_at, updated_at)
        select ${valuesOf(agent)}, ${now}, ${now}, ${now} where ${isNoneBlocked(agent)}
        on conflict (client_id) do update set name = excluded.name, names = excluded.names, redirect_uris = excluded.redirect_uris,
          hosts = excluded.hosts, used_at = excluded.used_at, network = null, updated_at = excluded.updated_at
        where state = 'published' and host = excluded.host
        returning id`,
    ),
  ]);
  evictApp(agent.client_id);
  return used.length > 0;
}

/**
 * Records that an agent is used, once a week. To be called with the app that a request found. Never
 * rejects: the next request tries again.
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
 * Deletes agents that got no consent within a day, and those whose last grant has ended for want of
 * use. Returns their number. One round trip.
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
