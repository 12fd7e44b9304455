import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Shard } from '../open.ts';
import { plainStatement } from '../raw.ts';
import { oauthGrants } from '../schema/grants.ts';
import { EndpointStatus, webhookEndpoints } from '../schema/webhooks.ts';
import { isConnected } from './is-connected.ts';

/**
 * The webhook was made by an app that may not use the store now: its grants ended, and with them the merchant's consent
 * to tell it anything. One of a header pair has none. `now` is epoch milliseconds; grants that are `ending` do not count.
 */
export const isParted = (now: number, ending: SQL = sql`false`) =>
  sql`(${webhookEndpoints.client_id} is not null and not exists (select 1 from ${oauthGrants}
    where ${oauthGrants.store_id} = ${webhookEndpoints.store_id}
      and ${oauthGrants.client_id} = ${webhookEndpoints.client_id} and ${isConnected(now)}
      and (${ending}) is not true))`;

/**
 * Pauses the webhooks of apps that these grants are the last of in their stores (contract 3.14); the sweep holds what is
 * open on them. Stands before the statement that ends the grants, or after their time.
 */
export const pausing = (shard: Shard, ending: SQL, now: number) =>
  plainStatement(
    shard,
    sql`update ${webhookEndpoints} set status = ${EndpointStatus.paused}, updated_at = ${now}
      where status = ${EndpointStatus.active}
        and store_id in (select store_id from ${oauthGrants} where ${ending}) and ${isParted(now, ending)}`,
  );
