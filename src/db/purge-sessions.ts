/** What one run removes of each table; the rest waits for the next minute. */
const chunk = 1_000;

/**
 * Removes sessions that are over, and sign-in failures that began before `countedSince`; both times are epoch
 * milliseconds. Answers with how many rows that were. One round trip.
 */
export async function purgeSessions(
  directory: D1Database,
  { now, countedSince }: { now: number; countedSince: number },
): Promise<number> {
  const results = await directory.batch([
    directory
      .prepare(
        `delete from sessions where id_hash in (
           select id_hash from sessions where expires_at <= ?1 order by expires_at limit ${chunk})`,
      )
      .bind(now),
    directory
      .prepare(
        `delete from sign_in_failures where key in (
           select key from sign_in_failures
           where first_at <= ?1 and blocked_until <= ?2 order by first_at limit ${chunk})`,
      )
      .bind(countedSince, now),
  ]);
  return results.reduce((sum, { meta }) => sum + meta.changes, 0);
}
