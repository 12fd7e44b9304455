import { eq, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { apps, blockedHosts } from '../schema/directory/partners-tables.ts';
import { readWindow, type CursorPage, type PageRequest } from './overview-window.ts';

/** A host whose assistants operators have blocked. */
export type BlockedHost = typeof blockedHosts.$inferSelect;

/** Lists blocked hosts, newest first. One round trip. */
export const listBlockedHosts = (
  directory: Database,
  { host, ...page }: PageRequest & { host?: string | undefined },
): Promise<CursorPage<BlockedHost>> =>
  readWindow<BlockedHost>(
    directory,
    {
      table: sql`${blockedHosts}`,
      columns: sql`record.*`,
      within: host === undefined ? sql`1` : sql`host = ${host}`,
    },
    page,
  );

/** Finds a blocked host by its number. One round trip. */
export const findBlockedHost = async (directory: Database, id: number) =>
  (await directory.select().from(blockedHosts).where(eq(blockedHosts.id, id)))[0];

/** The condition that an agent comes from a host or a name below it, or may be sent back there. */
const isOf = (host: SQL) => sql`${apps}.host is not null and exists (
    select 1 from json_each(${apps}.hosts)
    where value = ${host} or substr(value, -1 - length(${host})) = '.' || ${host})`;

/** The statement that blocks a host, unless it is blocked. */
export const blockStatement = (
  directory: Database,
  { host, reason, now }: { host: string; reason: string; now: number },
) =>
  rawDatabaseStatement<BlockedHost>(
    directory,
    sql`insert into ${blockedHosts} (host, reason, created_at) values (${host}, ${reason}, ${now})
      on conflict (host) do nothing returning *`,
  );

/**
 * The statement that withdraws all assistants of a host, each at a time of its own, and later than
 * any other withdrawal (`listWithdrawals`).
 */
export const withdrawStatement = (
  directory: Database,
  { host, reason, now }: { host: string; reason: string; now: number },
) =>
  rawDatabaseStatement<{ client_id: string }>(
    directory,
    sql`update ${apps} set state = 'disabled', disabled_reason = ${reason}, updated_at = ${now},
        withdrawn_at = ranked.at
      from (select id as of_host, row_number() over (order by id)
          + max(${now}, coalesce((select max(withdrawn_at) from ${apps} where withdrawn_at is not null), 0)) as at
        from ${apps} where ${isOf(sql`${host}`)} and state = 'published') ranked
      where ${apps}.id = ranked.of_host returning client_id`,
  );

/** The statements that unblock a host, and let its assistants ask for a consent again. */
export const unblockStatements = (
  directory: Database,
  { id, now }: { id: number; now: number },
) => [
  rawDatabaseStatement<{ client_id: string }>(
    directory,
    sql`update ${apps} set state = 'published', disabled_reason = null, updated_at = ${now}
      where state = 'disabled' and ${isOf(sql`(select host from ${blockedHosts} where id = ${id})`)}
        and disabled_reason = (select reason from ${blockedHosts} where id = ${id})
      returning client_id`,
  ),
  rawDatabaseStatement<{ client_id: string }>(
    directory,
    sql`delete from ${blockedHosts} where id = ${id}`,
  ),
];
