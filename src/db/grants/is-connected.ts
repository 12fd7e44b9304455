import { sql } from 'drizzle-orm';

/** The row is a grant with tokens that work: its code was redeemed, and it is neither revoked nor expired. */
export const isConnected = (now: number) =>
  sql`generation > 0 and revoked_at is null and expires_at > ${now}`;
