import { sql, type SQL } from 'drizzle-orm';
import { maxActiveGrants } from '../../base/auth-lifetimes.ts';
import { type Doer, systemDoer } from '../audit/action.ts';
import { shardAuditStatement } from '../audit/audit-lines.ts';
import { abortUnless } from '../core/data-errors.ts';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { retryTransient } from '../core/retry-contention.ts';
import { oauthGrants, oauthEvents } from '../schema/store/grants-tables.ts';
import { assertPlaced } from '../shards/guard.ts';
import { isGrantPlaced, pauseUncoveredStatement } from './grant-conditions.ts';

/**
 * A grant as a consent creates it: generation 0, with an authorization code that has not been
 * redeemed.
 */
type NewGrant = Required<
  Pick<
    typeof oauthGrants.$inferInsert,
    | 'id'
    | 'store_id'
    | 'store_alias'
    | 'client_id'
    | 'user_id'
    | 'scopes'
    | 'challenge'
    | 'redirect_hash'
    | 'code_expires_at'
    | 'current_hash'
    | 'created_at'
  >
> &
  Pick<typeof oauthGrants.$inferInsert, 'resource' | 'host'>;

/**
 * Adds a grant that `by` consents to unless its id is taken, and returns whether the stored grant
 * is this one. Beyond the maximum number of live grants that the user gave an app for a store,
 * revokes the oldest of them. The client id of an agent stands for all its installations, so it is
 * refused instead: throws `TooManyGrants`. Those of other users do not count. One batch, which is
 * safe to repeat.
 */
export async function addGrant(
  shard: Database,
  grant: NewGrant,
  by: Doer,
  { isAgent }: { isAgent: boolean },
): Promise<boolean> {
  const { id, store_id, client_id, user_id, created_at: now } = grant;
  const others = sql`${oauthGrants} where store_id = ${store_id} and client_id = ${client_id}
    and user_id = ${user_id} and revoked_at is null and expires_at > ${now} and id <> ${id}`;
  const surplus = sql`select id from ${others}
    order by created_at desc limit -1 offset ${maxActiveGrants - 1}`;
  const hasRoom = isAgent ? sql`(select count(*) from ${others}) < ${maxActiveGrants}` : sql`1`;
  const [, , , , , , , , rows] = await retryTransient(() =>
    shard.batch([
      assertPlaced(shard, store_id),
      rawDatabaseStatement(shard, abortUnless(hasRoom, 'grants')),
      shard
        .insert(oauthGrants)
        .values({ ...grant, expires_at: grant.code_expires_at })
        .onConflictDoNothing(),
      shardAuditStatement(
        shard,
        { storeId: store_id, at: now, by },
        { action: 'app.connected', target: { kind: 'app', id: client_id } },
        sql`where changes() > 0`,
      ),
      ...revokeStatements(shard, sql`id in (${surplus})`, 'too_many_grants', now),
      rawDatabaseStatement<{ isOurs: 0 | 1 }>(
        shard,
        sql`select current_hash = ${grant.current_hash} as "isOurs" from ${oauthGrants} where id = ${id}`,
      ),
    ]),
  );
  return rows[0]?.isOurs === 1;
}

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
