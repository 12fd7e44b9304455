import { inArray } from 'drizzle-orm';
import { sha256 } from '../../base/crypto/digest.ts';
import type { KeyRing } from '../../base/crypto/keys.ts';
import { settingsOf } from '../../base/settings.ts';
import {
  openDatabase,
  shardBinding,
  shardBindings,
  type Database,
} from '../../data/core/open-database.ts';
import type { Store } from '../../data/core/store.ts';
import { apiKeys } from '../../data/schema/directory/credentials-tables.ts';
import { stores } from '../../data/schema/directory/directory-tables.ts';
import { emailConfigurations } from '../../data/schema/store/settings-tables.ts';
import { insertPlacement } from '../../data/shards/placements.ts';
import { configureEmails, EmailConfigurationRequest } from '../../stores/emails.ts';
import { fillCatalog } from '../../stores/test-stores/fill-catalog.ts';
import { fillCustomers } from '../../stores/test-stores/fill-customers.ts';
import { fillPayments } from '../../stores/test-stores/fill-payments.ts';
import { createSeedDb } from '../../stores/test-stores/insert-missing.ts';
import { demoApiKeys } from './account-data.ts';
import { demoCarts, outletCarts } from './carts-data.ts';
import { demoCatalog } from './catalog-data.ts';
import { demoCustomers, outletCustomers } from './customers-data.ts';
import { demoOrders } from './orders-data.ts';
import { outletCatalog, outletDisplay } from './outlet-data.ts';
import { seedConnection } from './seed-connection.ts';
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
} from './seed-directory.ts';
import { seedDisplay } from './seed-display.ts';
import { seedCarts, seedOrders } from './seed-sales.ts';
import { seedTransfers } from './seed-transfers.ts';
import { seedWebhookLog } from './seed-webhook-log.ts';
import { demoDisplay } from './storefront-data.ts';

/**
 * Creates the demo data in a local configuration. Returns `false` when all API keys exist: they are
 * written last, so the demo is complete and keeps the changes of its users. Otherwise inserts only
 * what is missing, so an interrupted run is completed by the next one. Throws in a deployed
 * configuration.
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
    await shard.batch([insertPlacement(shard, store)]);
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
      await seedWebhookLog(store, database, { now, sealingKeys, ownerId: store.owner_id });
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

/** Configures payments and the mail account where the store has none yet. */
async function seedCheckout(store: Store, database: Database, sealingKeys: KeyRing, now: number) {
  const db = createSeedDb(store, database, now);
  await fillPayments(db);
  const [mailAccounts] = await db.batch([db.select(emailConfigurations)]);
  if (mailAccounts.length > 0) return;
  const mailAccount = {
    host: 'smtp.demo.test',
    port: 587,
    username: store.alias,
    password: 'demo-mail-password',
    from: `contato@${store.alias}.test`,
    name: `Loja ${store.alias}`,
  };
  await configureEmails(db, sealingKeys, EmailConfigurationRequest.parse(mailAccount));
}
