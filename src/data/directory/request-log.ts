import { desc, eq, and, gt, gte, lt, lte, getTableColumns, sql, type SQL } from 'drizzle-orm';
import { dayMs } from '../../base/durations.ts';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { apiKeys } from '../schema/directory/credentials-tables.ts';
import { memberships } from '../schema/directory/directory-tables.ts';
import { requestLog } from '../schema/directory/partners-tables.ts';

type Row = typeof requestLog.$inferSelect;

/**
 * A request of a key or an app as its owner sees it: nothing of the store, of the person, or of the
 * sent values.
 */
export type LoggedRequest = Omit<Row, 'caller' | 'store_id'>;

/** Names the caller of a request in the log. */
export const loggedCaller = {
  app: (clientId: string) => `app:${clientId}`,
  apiKey: (id: number) => `key:${id}`,
} as const;

/** How long a request is kept, in milliseconds. */
const keptMs = 7 * dayMs;

/** The most requests that a page shows. */
export const shownRequests = 50;

/** The most rows that one purge reads and deletes. */
export const requestDeleteLimit = 5_000;

/** Stores a request. One round trip, two rows: the request and its place in the index. */
export async function addRequest(directory: Database, request: Omit<Row, 'id'>): Promise<void> {
  await directory.insert(requestLog).values(request);
}

/** Which requests of a caller are wanted. */
export interface RequestFilter {
  operation?: string | undefined;
  /** One status, such as 404, or the first digit of several. */
  status?: number | undefined;
  /** Only requests to this store. */
  storeId?: number;
  /** Only requests with a smaller id. */
  before?: number | undefined;
  /** The most that are wanted. */
  limit?: number;
}

/** The latest requests of a caller, newest first; one more than `limit`. One round trip. */
export async function listRequests(
  directory: Database,
  caller: string,
  { operation, status, before, storeId, limit = shownRequests }: RequestFilter,
  now: number,
): Promise<LoggedRequest[]> {
  const wanted: SQL[] = [eq(requestLog.caller, caller), gt(requestLog.at, now - keptMs)];
  if (operation !== undefined) wanted.push(eq(requestLog.operation, operation));
  if (storeId !== undefined) wanted.push(eq(requestLog.store_id, storeId));
  if (before !== undefined) wanted.push(lt(requestLog.id, before));
  if (status !== undefined) {
    const [from, to] = status < 10 ? [status * 100, status * 100 + 99] : [status, status];
    wanted.push(gte(requestLog.status, from), lte(requestLog.status, to));
  }
  const { caller: _, store_id: __, ...shown } = getTableColumns(requestLog);
  return directory
    .select(shown)
    .from(requestLog)
    .where(and(...wanted))
    .orderBy(desc(requestLog.id))
    .limit(limit + 1);
}

/**
 * Deletes requests that are older than seven days. Returns how many. One round trip. Requests are
 * stored in the order of their time, so the oldest are the first ones, and no index by time is
 * kept.
 */
export async function deleteOldRequests(directory: Database, now: number): Promise<number> {
  const [, counted] = await directory.batch([
    rawDatabaseStatement(
      directory,
      sql`delete from ${requestLog} where id in (
          select id from (select id, at from ${requestLog} order by id limit ${requestDeleteLimit})
          where at <= ${now - keptMs})`,
    ),
    rawDatabaseStatement<{ count: number }>(directory, sql`select changes() as count`),
  ]);
  return counted[0]?.count ?? 0;
}

/**
 * Counts the requests of seven days: of an app, of the keys of a user, or of those of members to
 * their store.
 */
export async function countRequests(
  directory: Database,
  of: { clientId: string } | { userId: number } | { storeId: number },
): Promise<number> {
  const keys = (users: SQL) => sql`(select 'key:' || id from ${apiKeys} where user_id in ${users})`;
  const where =
    'clientId' in of
      ? sql`caller = ${loggedCaller.app(of.clientId)}`
      : 'userId' in of
        ? sql`caller in ${keys(sql`(${of.userId})`)}`
        : sql`store_id = ${of.storeId} and caller in ${keys(sql`(
            select user_id from ${memberships} where store_id = ${of.storeId})`)}`;
  const [row] = await directory.all<{ count: number }>(
    sql`select coalesce(sum(one_in), 0) as count from ${requestLog} where ${where}`,
  );
  return row?.count ?? 0;
}
