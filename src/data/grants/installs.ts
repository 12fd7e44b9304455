import { sql } from 'drizzle-orm';
import { openDatabase } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { oauthGrants } from '../schema/store/grants-tables.ts';
import { EndpointStatus, webhookEndpoints } from '../schema/store/webhooks-tables.ts';
import { isConnectedGrant, isGrantPlaced } from './grant-conditions.ts';

/** A store that an app is, or lately was, connected to. Times are epoch milliseconds. */
export interface AppInstall {
  storeId: number;
  isConnected: boolean;
  /** Why the last connection ended; null while there is one, and if it expired. */
  reason: string | null;
  /** When the oldest live connection was created; without one, the last connection. */
  connectedAt: number;
  /** When a token was last issued; null if no code was redeemed. */
  refreshedAt: number | null;
  /** The webhooks of the app in the store, by health. */
  webhooks: Readonly<Record<'active' | 'failing' | 'paused' | 'disabled', number>>;
}

/** Stores of a page. */
export const installsPerPage = 25;

type Row = Omit<AppInstall, 'isConnected' | 'webhooks'> & { isConnected: number; webhooks: string };

/**
 * Returns a page of the stores of an app in these shards, by id, after the store `after`; and one
 * more if there are more. Reads the grants of those stores by index. One round trip to each shard,
 * in parallel.
 */
export async function listInstallsIn(
  shards: readonly D1Database[],
  { clientId, after, now }: { clientId: string; after: number; now: number },
): Promise<AppInstall[]> {
  const found = await Promise.all(
    shards.map((binding) => listInstalls(binding, { clientId, after, now })),
  );
  return found
    .flat()
    .toSorted((one, other) => one.storeId - other.storeId)
    .slice(0, installsPerPage + 1);
}

async function listInstalls(
  binding: D1Database,
  { clientId, after, now }: { clientId: string; after: number; now: number },
): Promise<AppInstall[]> {
  const shard = openDatabase(binding);
  const isConnected = isConnectedGrant(now);
  const isOfApp = sql`webhook_endpoints.store_id = installed.store_id and webhook_endpoints.client_id = ${clientId}`;
  const count = (condition: string) => sql.raw(`coalesce(sum(${condition}), 0)`);
  const [rows] = await shard.batch([
    rawDatabaseStatement<Row>(
      shard,
      sql`select installed.*, (select json_object(
              'active', ${count(`status = ${EndpointStatus.active} and first_failure_at is null`)},
              'failing', ${count(`status = ${EndpointStatus.active} and first_failure_at is not null`)},
              'paused', ${count(`status = ${EndpointStatus.paused}`)},
              'disabled', ${count(`status = ${EndpointStatus.autoDisabled}`)})
            from ${webhookEndpoints} where ${isOfApp}) as webhooks
          from (
            select store_id, store_id as "storeId", max(${isConnected}) as "isConnected",
              iif(max(${isConnected}), null, max(reason)) as reason,
              coalesce(min(iif(${isConnected}, created_at, null)), max(created_at)) as "connectedAt",
              max(rotated_at) as "refreshedAt"
            from ${oauthGrants}
            where client_id = ${clientId} and store_id > ${after} and generation > 0 and ${isGrantPlaced}
            group by store_id order by store_id limit ${installsPerPage + 1}) installed`,
    ),
  ]);
  const typed: readonly Row[] = rows;
  return typed.map(
    ({ storeId, isConnected: connected, reason, connectedAt, refreshedAt, webhooks }) => ({
      storeId,
      isConnected: connected === 1,
      reason,
      connectedAt,
      refreshedAt,
      webhooks: JSON.parse(webhooks) as AppInstall['webhooks'],
    }),
  );
}
