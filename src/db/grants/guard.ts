import { sql } from 'drizzle-orm';
import type { Database } from '../core/open.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { oauthGrants } from '../schema/store/grants.ts';
import { assertions } from '../schema/store/internal.ts';
import { isConnectedGrant } from './connected.ts';
import { coversScopeBits } from './scope-bits.ts';

/** What an access token says about its grant. */
interface ClaimedGrant {
  grantId: string;
  clientId: string;
  userId: number;
  storeId: number;
  /** Bits (`access/scopes.ts`). */
  scopes: number;
}

/**
 * Aborts the batch with a 401 unless the grant is connected and is what the token says: a MAC proves only that the
 * caller knows the key. As the first statement of every batch it keeps a revoked token from reading or changing
 * anything, from the commit of the revocation on. Reads one row, writes none.
 */
export const assertGrantLives = (shard: Database, claimed: ClaimedGrant, now: number) =>
  rawDatabaseStatement(
    shard,
    sql`insert into ${assertions} (revision, grant_live) select 1, null where not exists (
      select 1 from ${oauthGrants} where id = ${claimed.grantId} and store_id = ${claimed.storeId}
        and client_id = ${claimed.clientId} and user_id = ${claimed.userId}
        and ${coversScopeBits(claimed.scopes)} and ${isConnectedGrant(now)})`,
  );
