import { sql, type SQL } from 'drizzle-orm';

/**
 * The condition that a grant has working tokens: its code was redeemed, and it is neither revoked nor expired. `now` is in
 * epoch milliseconds.
 */
export const isConnectedGrant = (now: number | SQL) =>
  sql`generation > 0 and revoked_at is null and expires_at > ${now}`;
