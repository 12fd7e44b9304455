import { sql } from 'drizzle-orm';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { retryTransient } from '../core/retry-contention.ts';
import { oauthEvents, oauthGrants } from '../schema/store/grants-tables.ts';
import { revokeStatements } from './add-and-revoke.ts';
import { assertGrantPlaced } from './grant-conditions.ts';
import { matchesGrant, type RotatedGrant, type RotationAttempt } from './rotate.ts';

/**
 * A refresh token that did not rotate its grant. `expiresAt` is the expiry in the token itself;
 * epoch milliseconds.
 */
type FastForwardAttempt = RotationAttempt & { expiresAt: number };

/**
 * Whether a restore may have rolled the grant back behind the presented refresh token. The token is
 * then not the current one, the current one is not of a later generation, and the grant may still
 * be fast-forwarded.
 */
export const isRolledBack = (
  grant: RotatedGrant | undefined,
  { generation, now }: FastForwardAttempt,
) =>
  grant !== undefined &&
  now < (grant.fast_forward_until ?? 0) &&
  grant.isCurrent === 0 &&
  grant.generation <= generation;

/**
 * Makes a refresh token the current one of a grant that a restore rolled back. Its MAC proves that
 * the chain had reached its generation. Works once for each restore and is recorded as an event.
 *
 * If the current token has the same generation, it followed a spent token that the restore made
 * usable again. Two tokens of one generation mean theft, so the grant is revoked. One batch, which
 * is safe to repeat.
 */
export async function fastForwardGrant(
  shard: Database,
  attempt: FastForwardAttempt,
): Promise<void> {
  const { generation, presentedHash, expiresAt, grantId, now } = attempt;
  const isEligible = sql`${matchesGrant(attempt)} and fast_forward_until > ${now}`;
  await retryTransient(() =>
    shard.batch([
      assertGrantPlaced(shard, grantId),
      ...revokeStatements(
        shard,
        sql`${isEligible} and generation = ${generation} and current_hash <> ${presentedHash}`,
        'refresh_token_reused',
        now,
      ),
      rawDatabaseStatement(
        shard,
        sql`update ${oauthGrants} set generation = ${generation}, current_hash = ${presentedHash},
              previous_hash = null, encrypted_successor = null, expires_at = ${expiresAt}, fast_forward_until = null
            where ${isEligible} and generation < ${generation} and ${expiresAt} > ${now}`,
      ),
      rawDatabaseStatement(
        shard,
        sql`insert into ${oauthEvents} (grant_id, store_id, client_id, kind, at)
            select id, store_id, client_id, 'grant_fast_forwarded', ${now} from ${oauthGrants}
            where id = ${grantId} and changes() > 0`,
      ),
    ]),
  );
}
