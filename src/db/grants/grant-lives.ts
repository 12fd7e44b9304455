import { sql } from 'drizzle-orm';
import type { Shard } from '../open.ts';
import { plainStatement } from '../raw.ts';
import { oauthGrants } from '../schema/grants.ts';
import { assertions } from '../schema/machinery.ts';

/**
 * Aborts the batch it stands in unless the grant still lives, which the caller is told as a 401: a revoked
 * token changes and reads nothing from the moment of its revocation. Reads one row, writes none.
 */
export const grantLives = (shard: Shard, grantId: string) =>
  plainStatement(
    shard,
    sql`insert into ${assertions} (revision, grant_live) select 1, null where not exists (
      select 1 from ${oauthGrants} where id = ${grantId} and revoked_at is null)`,
  );
