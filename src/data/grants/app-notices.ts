import { sql } from 'drizzle-orm';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement, rawStatement } from '../core/raw.ts';
import type { StoreDb } from '../core/store-db.ts';
import { wake } from '../queues.ts';
import { customers } from '../schema/store/customers-tables.ts';
import { oauthGrants } from '../schema/store/grants-tables.ts';
import { storeNotices } from '../schema/store/notices-tables.ts';
import { isConnectedGrant, isGrantPlaced } from './grant-conditions.ts';
import { scopesToBits } from './scopes.ts';

/**
 * Requests the mails and events of the notices of a shard, after the commit of their cause. Never
 * rejects: the sweep looks each minute.
 */
export const wakeNotices = (env: Env, shard: number): Promise<void> =>
  wake(env, 'mail', { v: 1, shard });

/**
 * Notes for each app that is or was connected to a store that the store was closed
 * (`store_notices`). May be repeated: each app receives one event of a closing. Does nothing for a
 * store that is not in this shard.
 */
export const noteClosing = (
  shard: Database,
  { storeId, eraseAt, now }: { storeId: number; eraseAt: number; now: number },
) =>
  rawDatabaseStatement(
    shard,
    sql`insert into ${storeNotices} (store_id, key, kind, data, created_at)
      select store_id, 'closed-' || store_id || '-' || ${String(eraseAt)} || '-' || client_id, 'store_closed',
        json_object('clientId', client_id, 'eraseAt', ${eraseAt}), ${now}
      from ${oauthGrants} where store_id = ${storeId} and generation > 0 and ${isGrantPlaced}
      group by client_id on conflict (key) do nothing`,
  );

/**
 * Notes for each app that is connected to a store that the store left an alias. May be repeated:
 * each app receives one event of it. Does nothing for a store that is not in this shard.
 */
export const noteRenaming = (
  shard: Database,
  { storeId, formerAlias, leftAt }: { storeId: number; formerAlias: string; leftAt: number },
) =>
  rawDatabaseStatement(
    shard,
    sql`insert into ${storeNotices} (store_id, key, kind, data, created_at)
      select store_id, 'renamed-' || store_id || '-' || ${String(leftAt)} || '-' || ${formerAlias} || '-' || client_id, 'store_renamed',
        json_object('clientId', client_id, 'formerAlias', ${formerAlias}), ${leftAt}
      from ${oauthGrants} where store_id = ${storeId} and ${isConnectedGrant(leftAt)} and ${isGrantPlaced}
      group by client_id on conflict (key) do nothing`,
  );

/** The scopes with which an app saw customers, in their records, orders or carts. */
const customerScopes = scopesToBits(
  new Set([
    'customers.read',
    'customers.write',
    'orders.read',
    'orders.write',
    'carts.read',
    'carts.write',
  ]),
);

/**
 * Notes for each app that may have seen a customer that the customer is anonymised or deleted. For
 * the batch that does so, before its other statements. Skips a customer who is anonymised already.
 * Returns a row for each app.
 */
export const noteAnonymized = (db: StoreDb, id: number) =>
  rawStatement<{ noted: 1 }>(
    db,
    sql`insert into ${storeNotices} (store_id, key, kind, data, created_at)
      select store_id, 'customer-' || store_id || '-' || ${String(id)} || '-' || client_id, 'customer_anonymized',
        json_object('clientId', client_id, 'customerId', ${id}), ${db.now}
      from ${oauthGrants} where store_id = ${db.store.id} and generation > 0 and scopes & ${customerScopes} <> 0
        and exists (select 1 from ${customers} where id = ${id} and store_id = ${db.store.id} and anonymized = 0)
      group by client_id on conflict (key) do nothing returning 1 as noted`,
  );
