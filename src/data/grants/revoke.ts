import { sql, type SQL } from 'drizzle-orm';
import { systemDoer, type Doer } from '../audit/action.ts';
import { shardAuditStatement } from '../audit/audit-lines.ts';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { oauthEvents, oauthGrants } from '../schema/store/grants-tables.ts';
import { isGrantPlaced } from './grant-conditions.ts';
import { pauseUncoveredStatement } from './may-receive.ts';

/** Why a grant was revoked; partner and merchant see it. */
export const revocationReasons = [
  'code_replayed',
  'refresh_token_reused',
  'revoked_by_app',
  'disconnected_by_merchant',
  'app_withdrawn',
  'too_many_grants',
  'member_removed',
  'consent_ended',
] as const;

export type RevocationReason = (typeof revocationReasons)[number];

/**
 * Revokes the live grants that `where` matches, records an event of each, and pauses the webhooks
 * that lose the consent for one of their events. An app that may not read data must not receive it
 * either. A store whose last grant of the app ends gets a line in its audit, which names `by`. Four
 * statements. They leave out grants of stores that are not in this shard; for one store,
 * `assertPlaced` or `assertGrantPlaced` aborts the batch instead.
 */
export function revokeStatements(
  shard: Database,
  where: SQL,
  reason: RevocationReason,
  now: number,
  by: Doer = systemDoer,
) {
  const ending = sql`revoked_at is null and (${where}) and ${isGrantPlaced}`;
  return [
    pauseUncoveredStatement(shard, ending, now),
    shardAuditStatement(
      shard,
      { storeId: sql`store_id`, at: now, by },
      { action: 'app.disconnected', target: { kind: 'app', id: sql`client_id` }, reason },
      sql`from ${oauthGrants} where ${ending} and generation > 0 and not exists (
          select 1 from ${oauthGrants} as other where other.store_id = oauth_grants.store_id
            and other.client_id = oauth_grants.client_id and other.generation > 0
            and other.expires_at > ${now} and revoked_at is null and not (${where}))
        group by store_id, client_id`,
    ),
    rawDatabaseStatement(
      shard,
      sql`insert into ${oauthEvents} (grant_id, store_id, client_id, kind, at)
        select id, store_id, client_id, ${reason}, ${now} from ${oauthGrants}
        where ${ending}`,
    ),
    rawDatabaseStatement(
      shard,
      sql`update ${oauthGrants} set revoked_at = ${now}, reason = ${reason}
        where ${ending}`,
    ),
  ] as const;
}
