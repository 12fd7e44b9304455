import { sql, type SQL } from 'drizzle-orm';
import { abortUnless } from '../core/data-errors.ts';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement, toSqlText } from '../core/raw.ts';
import { oauthGrants } from '../schema/store/grants-tables.ts';
import { isHereSql } from '../schema/store/placement-tables.ts';
import type { GuardCondition } from '../shards/guard.ts';

// Bit 2n is a read scope, bit 2n + 1 the write scope that includes it (`data/grants/scopes.ts`).
const allReadScopes = sql.raw(String(0x155555));

/** The condition that the scopes of a grant include all these. */
export const coversScopeBits = (bits: number | SQL) =>
  sql`(${bits} & ~(${oauthGrants.scopes} | ((${oauthGrants.scopes} >> 1) & ${allReadScopes}))) = 0`;

/**
 * The condition that a grant has working tokens: its code was redeemed, and it is neither revoked
 * nor expired. `now` is in epoch milliseconds.
 */
export const isConnectedGrant = (now: number | SQL) =>
  sql`generation > 0 and revoked_at is null and expires_at > ${now}`;

/** The claims of an access token about its grant. */
interface ClaimedGrant {
  grantId: string;
  clientId: string;
  userId: number;
  storeId: number;
  /** Bits (`data/grants/scopes.ts`). */
  scopes: number;
  resource?: 'mcp' | undefined;
}

const parameter = sql.raw('?');

// Written once: every request of an app runs it.
const isLiveSql = toSqlText(sql`exists (select 1 from ${oauthGrants}
  where id = ${parameter} and store_id = ${parameter} and client_id = ${parameter} and user_id = ${parameter}
    and resource is ${parameter}
    and ${coversScopeBits(parameter)} and ${isConnectedGrant(parameter)})`);

/**
 * The condition that the grant is connected and matches the claims of the token: a MAC proves only
 * that the caller knows the key. In the guard of every batch it keeps a revoked token from reading
 * or changing anything, from the commit of the revocation on. Reads one row.
 */
export const isGrantLive = (claimed: ClaimedGrant, now: number): GuardCondition => ({
  sql: isLiveSql,
  params: [
    claimed.grantId,
    claimed.storeId,
    claimed.clientId,
    claimed.userId,
    claimed.resource ?? null,
    claimed.scopes,
    now,
  ],
});

/**
 * Aborts a batch that changes a grant if the store of the grant is not in this shard
 * (`StoreElsewhere`). Only one shard may decide about a grant. An unknown grant passes.
 */
export const assertGrantPlaced = (shard: Database, grantId: string) =>
  rawDatabaseStatement(
    shard,
    abortUnless(
      sql`not exists (select 1 from ${oauthGrants} where id = ${grantId} and not ${isGrantPlaced})`,
      'placement',
    ),
  );

/** The condition over `oauth_grants` that the store of the grant is in this shard. */
export const isGrantPlaced = isHereSql('oauth_grants.store_id');
