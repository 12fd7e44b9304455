import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Shard } from '../open.ts';
import { plainStatement } from '../raw.ts';
import { oauthEvents, oauthGrants } from '../schema/grants.ts';

/** Why a grant ended, as the partner and the merchant are told. */
export type Reason =
  | 'code replayed'
  | 'refresh token reused'
  | 'revoked by the app'
  | 'disconnected by the merchant'
  | 'app withdrawn'
  | 'too many grants';

/** Ends the live grants that a condition names, and records an event of each. Two statements. */
export function revoking(shard: Shard, where: SQL, reason: Reason, now: number) {
  return [
    plainStatement(
      shard,
      sql`insert into ${oauthEvents} (grant_id, store_id, client_id, kind, at)
        select id, store_id, client_id, ${reason}, ${now} from ${oauthGrants}
        where revoked_at is null and ${where}`,
    ),
    plainStatement(
      shard,
      sql`update ${oauthGrants} set revoked_at = ${now}, reason = ${reason}
        where revoked_at is null and ${where}`,
    ),
  ] as const;
}
