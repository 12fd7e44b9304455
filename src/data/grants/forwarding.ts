import { sql } from 'drizzle-orm';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { oauthGrants } from '../schema/store/grants-tables.ts';
import { placements, PlacementState } from '../schema/store/placement-tables.ts';

/**
 * Finds the shard that the store of a grant went to from this one; `undefined` if it did not leave. Grants stay in the old
 * shard as long as a token may name it. One round trip.
 */
export async function findForwardingOfGrant(
  shard: Database,
  grantId: string,
): Promise<number | undefined> {
  const [rows] = await shard.batch([
    rawDatabaseStatement<{ to_shard: number }>(
      shard,
      sql`select to_shard from ${placements} where state = ${PlacementState.gone}
          and store_id = (select store_id from ${oauthGrants} where id = ${grantId})`,
    ),
  ]);
  return rows[0]?.to_shard;
}
