import { sql, type SQL } from 'drizzle-orm';
import type { Database } from '../core/open.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { oauthGrants } from '../schema/store/grants.ts';
import { assertions } from '../schema/store/internal.ts';
import { EndpointStatus, webhookEndpoints } from '../schema/store/webhooks.ts';

/** The condition that a grant has working tokens: its code was redeemed, and it is neither revoked nor expired. */
export const isConnectedGrant = (now: number) =>
  sql`generation > 0 and revoked_at is null and expires_at > ${now}`;

/**
 * Aborts the batch with a 401 if the grant is revoked. As the first statement of every batch it keeps a revoked token
 * from reading or changing anything, from the commit of the revocation on. Reads one row, writes none.
 */
export const assertGrantLives = (shard: Database, grantId: string) =>
  rawDatabaseStatement(
    shard,
    sql`insert into ${assertions} (revision, grant_live) select 1, null where not exists (
      select 1 from ${oauthGrants} where id = ${grantId} and revoked_at is null)`,
  );

/**
 * The condition that a webhook belongs to an app without a connected grant in the store, and so without the consent of
 * the merchant. A webhook that was created with an API key has no app. Grants that are `ending` do not count.
 */
export const isAppDisconnected = (now: number, ending: SQL = sql`false`) =>
  sql`(${webhookEndpoints.client_id} is not null and not exists (select 1 from ${oauthGrants}
    where ${oauthGrants.store_id} = ${webhookEndpoints.store_id}
      and ${oauthGrants.client_id} = ${webhookEndpoints.client_id} and ${isConnectedGrant(now)}
      and (${ending}) is not true))`;

/**
 * Pauses the webhooks of apps whose last grants in a store are these; the sweep then holds their open deliveries. Must
 * run before the statement that revokes the grants, or after they have expired.
 */
export const pauseDisconnectedStatement = (shard: Database, ending: SQL, now: number) =>
  rawDatabaseStatement(
    shard,
    sql`update ${webhookEndpoints} set status = ${EndpointStatus.paused}, updated_at = ${now}
      where status = ${EndpointStatus.active}
        and store_id in (select store_id from ${oauthGrants} where ${ending}) and ${isAppDisconnected(now, ending)}`,
  );
