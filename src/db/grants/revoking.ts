import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Shard } from '../open.ts';
import { plainStatement } from '../raw.ts';
import { oauthEvents, oauthGrants } from '../schema/grants.ts';
import { pausing } from './parted.ts';

/** Why a grant ended, as the partner and the merchant are told. */
export type Reason =
  | 'code replayed'
  | 'refresh token reused'
  | 'revoked by the app'
  | 'disconnected by the merchant'
  | 'app withdrawn'
  | 'too many grants';

/**
 * Ends the live grants that a condition names, records an event of each, and pauses the webhooks of apps that have no
 * other in that store: whoever may not ask is not told either. Three statements.
 */
export function revoking(shard: Shard, where: SQL, reason: Reason, now: number) {
  const ending = sql`revoked_at is null and (${where})`;
  return [
    pausing(shard, ending, now),
    plainStatement(
      shard,
      sql`insert into ${oauthEvents} (grant_id, store_id, client_id, kind, at)
        select id, store_id, client_id, ${reason}, ${now} from ${oauthGrants}
        where ${ending}`,
    ),
    plainStatement(
      shard,
      sql`update ${oauthGrants} set revoked_at = ${now}, reason = ${reason}
        where ${ending}`,
    ),
  ] as const;
}
