import { and, desc, eq, gt, sql } from 'drizzle-orm';
import { dayMs } from '../../base/durations.ts';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { appRefusals } from '../schema/directory/partners-tables.ts';

/** A refused request of an app. It holds nothing about the store, the caller or the sent values. */
export type AppRefusal = Pick<
  typeof appRefusals.$inferSelect,
  'at' | 'operation' | 'status' | 'code' | 'request_id'
>;

/** How long a refused request is kept, in milliseconds. */
const keptMs = 7 * dayMs;

/** The most refused requests that a partner sees of an app. */
const maxShownRefusals = 50;

/** The most rows that one purge deletes. */
export const refusalDeleteLimit = 5_000;

/** Stores a refused request. One round trip. */
export async function addRefusal(
  directory: Database,
  clientId: string,
  refusal: AppRefusal,
): Promise<void> {
  await directory.insert(appRefusals).values({ client_id: clientId, ...refusal });
}

/** The latest refused requests of an app, newest first. One round trip. */
export const listRefusals = async (
  directory: Database,
  clientId: string,
  now: number,
): Promise<AppRefusal[]> =>
  directory
    .select({
      at: appRefusals.at,
      operation: appRefusals.operation,
      status: appRefusals.status,
      code: appRefusals.code,
      request_id: appRefusals.request_id,
    })
    .from(appRefusals)
    .where(and(eq(appRefusals.client_id, clientId), gt(appRefusals.at, now - keptMs)))
    .orderBy(desc(appRefusals.id))
    .limit(maxShownRefusals);

/** Deletes refused requests that are older than seven days. Returns how many. One round trip. */
export async function deleteOldRefusals(directory: Database, now: number): Promise<number> {
  const [, counted] = await directory.batch([
    rawDatabaseStatement(
      directory,
      sql`delete from ${appRefusals} where id in (
          select id from ${appRefusals} where at <= ${now - keptMs} order by at limit ${refusalDeleteLimit})`,
    ),
    rawDatabaseStatement<{ count: number }>(directory, sql`select changes() as count`),
  ]);
  return counted[0]?.count ?? 0;
}
