import { inArray } from 'drizzle-orm';
import { sha256 } from '../../crypto/digest.ts';
import { openDatabase } from '../../db/core/open.ts';
import { apiKeys } from '../../db/schema/credentials.ts';
import { stores } from '../../db/schema/directory.ts';
import { insertResident } from '../../db/shards/residents.ts';
import { shardBinding, shardBindings } from '../../db/shards/shards.ts';
import { settingsOf } from '../../settings.ts';
import { fillCatalog } from '../../test-stores/fill/fill-catalog.ts';
import { fillCustomers } from '../../test-stores/fill/fill-customers.ts';
import { demoCarts, outletCarts } from '../data/carts.ts';
import { demoCatalog } from '../data/catalog-demo.ts';
import { demoCustomers, outletCustomers } from '../data/customers.ts';
import { demoDisplay } from '../data/display-demo.ts';
import { demoOrders } from '../data/orders.ts';
import { outletCatalog, outletDisplay } from '../data/outlet.ts';
import { demoApiKeys } from '../data/people.ts';
import { seedCheckout } from './checkout.ts';
import { seedConnection } from './connection.ts';
import {
  demoAliases,
  insertAppsStatement,
  insertMembersStatement,
  insertOwnersStatement,
  insertPasswordsStatement,
  insertShardsStatement,
  insertStoresStatement,
  insertUsersStatement,
  userIdOf,
} from './directory.ts';
import { seedDisplay } from './display.ts';
import { seedCarts, seedOrders } from './sales.ts';
import { seedTransfers } from './transfers.ts';
import { seedWebhookLog } from './webhook-log.ts';

/**
 * Creates the demo data in a local configuration. Returns `false` when all API keys exist: they are written last,
 * so the demo is complete and keeps the changes of its users. Otherwise inserts only what is missing, so an
 * interrupted run is completed by the next one. Throws in a deployed configuration.
 */
export async function seedDemo(env: Env, now: number): Promise<boolean> {
  const { isLocal, sealingKeys } = settingsOf(env);
  if (!isLocal) throw new Error('The demo is for the local configuration only.');
  const directory = openDatabase(env.DIRECTORY);
  const hashedKeys = await Promise.all(
    demoApiKeys.map(async (apiKey) => ({ ...apiKey, tokenHash: await sha256(apiKey.token) })),
  );
  const tokenHashes = hashedKeys.map(({ tokenHash }) => tokenHash);
  const existingKeys = await directory
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(inArray(apiKeys.token_hash, tokenHashes));
  if (existingKeys.length === demoApiKeys.length) return false;

  const [, , , , , , , foundStores] = await directory.batch([
    insertShardsStatement(directory, [...shardBindings(env).keys()]),
    insertUsersStatement(directory, now),
    insertStoresStatement(directory, now),
    insertOwnersStatement(directory, now),
    insertMembersStatement(directory, now),
    insertPasswordsStatement(directory, now),
    insertAppsStatement(directory, now),
    directory.select().from(stores).where(inArray(stores.alias, demoAliases)),
  ]);
  for (const store of foundStores) {
    const shard = openDatabase(shardBinding(env, store.shard));
    await shard.batch([insertResident(shard, store)]);
  }
  for (const { alias, catalog, display, customers, orders, carts } of storeSeeds) {
    const store = foundStores.find((candidate) => candidate.alias === alias);
    if (!store) throw new Error(`no store ${alias}`);
    const database = openDatabase(shardBinding(env, store.shard));
    await fillCatalog(store, database, catalog, now);
    await seedDisplay(store, database, display, now);
    await seedCheckout(store, database, sealingKeys, now);
    await fillCustomers(store, database, customers, now);
    await seedCarts(store, database, carts, now);
    await seedOrders(store, database, orders, now);
    if (alias === 'demo') {
      await seedWebhookLog(store, database, { now, sealingKeys });
      await seedTransfers(store, store.owner_id, database, now);
      await seedConnection(store, store.owner_id, database, now);
    }
  }
  for (const { owner, secret, tokenHash, ...key } of hashedKeys) {
    await directory
      .insert(apiKeys)
      .values({
        user_id: userIdOf(owner),
        name: 'Demo',
        token_hash: tokenHash,
        secret_hash: await sha256(secret),
        last_four: secret.slice(-4),
        for_operator: 'isForOperators' in key,
        created_at: now,
      })
      .onConflictDoNothing();
  }
  return true;
}

/** Opens the shards of a service without any data. It may be repeated. */
export const openShards = (env: Env) =>
  insertShardsStatement(openDatabase(env.DIRECTORY), [...shardBindings(env).keys()]);

const storeSeeds = [
  {
    alias: 'demo',
    catalog: demoCatalog,
    display: demoDisplay,
    customers: demoCustomers,
    carts: demoCarts,
    orders: demoOrders,
  },
  {
    alias: 'outlet',
    catalog: outletCatalog,
    display: outletDisplay,
    customers: outletCustomers,
    carts: outletCarts,
    orders: [],
  },
] as const;
