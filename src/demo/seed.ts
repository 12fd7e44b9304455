import { and, eq, inArray, sql } from 'drizzle-orm';
import { sha256 } from '../crypto/sha256.ts';
import { openShard, type Shard } from '../db/open.ts';
import { credentials, memberships, stores, users } from '../db/schema/directory.ts';
import { shardBinding } from '../db/shards.ts';
import { settingsOf } from '../settings.ts';
import { addApps } from './apps.ts';
import { arrange } from './arrange.ts';
import { demoCarts, outletCarts } from './carts.ts';
import { demoCatalogue } from './catalogue-demo.ts';
import { outletCatalogue } from './catalogue-outlet.ts';
import { connect } from './connect.ts';
import { demoCustomers, outletCustomers } from './customers.ts';
import { demoDisplay } from './display-demo.ts';
import { outletDisplay } from './display-outlet.ts';
import { fillCarts } from './fill-carts.ts';
import { notify } from './notify.ts';
import { openCheckout } from './open-checkout.ts';
import { demoOrders } from './orders.ts';
import { addPasswords } from './passwords.ts';
import { demoManager, demoStores, pairs, people } from './people.ts';
import { sell } from './sell.ts';
import { stock } from './stock.ts';
import { welcome } from './welcome.ts';

/**
 * Puts the demo into a local configuration and answers whether there was anything to do. Each header pair is
 * written after all it leads to: when both are there the demo is complete and stays as its users left it,
 * when one is missing only what is not there yet is added. Throws in a deployed configuration.
 */
export async function seed(env: Env, now: number): Promise<boolean> {
  const { isLocal, sealingKey } = settingsOf(env);
  if (!isLocal) throw new Error('The demo is for the local configuration only.');
  const directory = openShard(env.DIRECTORY);
  const hashed = await Promise.all(
    pairs.map(async (pair) => ({ ...pair, tokenHash: await sha256(pair.token) })),
  );
  const tokens = hashed.map(({ tokenHash }) => tokenHash);
  const known = await directory
    .select({ id: credentials.id })
    .from(credentials)
    .where(inArray(credentials.token_hash, tokens));
  if (known.length === pairs.length) return false;

  const [, , , , , , found] = await directory.batch([
    addPeople(directory, now),
    addStores(directory, now),
    addMemberships(directory, now),
    addManager(directory, now),
    addPasswords(directory, now),
    addApps(directory, now),
    directory.select().from(stores).where(inArray(stores.alias, aliases)),
  ]);
  for (const { alias, catalogue, display, customers, orders, carts } of shops) {
    const store = found.find((one) => one.alias === alias);
    if (!store) throw new Error(`no store ${alias}`);
    const shard = openShard(shardBinding(env, store.shard));
    await stock(store, shard, catalogue, now);
    await arrange(store, shard, display, now);
    await openCheckout(store, shard, sealingKey, now);
    await welcome(store, shard, customers, now);
    await fillCarts(store, shard, carts, now);
    await sell(store, shard, orders, now);
    if (alias === 'demo') {
      await notify(store, shard, { now, sealingKey });
      await connect(store, store.owner_id, shard, now);
    }
  }
  for (const { owner, secret, tokenHash } of hashed) {
    await directory
      .insert(credentials)
      .values({
        user_id: sql`(select id from ${users} where email = ${owner})`,
        name: 'Demo',
        token_hash: tokenHash,
        secret_hash: await sha256(secret),
        last_four: secret.slice(-4),
        created_at: now,
      })
      .onConflictDoNothing();
  }
  return true;
}

const shops = [
  {
    alias: 'demo',
    catalogue: demoCatalogue,
    display: demoDisplay,
    customers: demoCustomers,
    carts: demoCarts,
    orders: demoOrders,
  },
  {
    alias: 'outlet',
    catalogue: outletCatalogue,
    display: outletDisplay,
    customers: outletCustomers,
    carts: outletCarts,
    orders: [],
  },
] as const;

const aliases = demoStores.map(({ alias }) => alias);

function addPeople(directory: Shard, now: number) {
  const rows = people.map((person) => ({
    ...person,
    agree: true,
    confirmed_at: now,
    created_at: now,
    updated_at: now,
  }));
  return directory.insert(users).values(rows).onConflictDoNothing();
}

function addStores(directory: Shard, now: number) {
  const rows = demoStores.map(({ owner, ...store }) => ({
    ...store,
    owner_id: sql`(select id from ${users} where email = ${owner})`,
    zone: 'America/Sao_Paulo',
    base_url: `https://${store.alias}.loja.test`,
    created_at: now,
    updated_at: now,
  }));
  return directory.insert(stores).values(rows).onConflictDoNothing();
}

/** Every owner manages the demo stores that are the owner's. */
function addMemberships(directory: Shard, now: number) {
  return directory
    .insert(memberships)
    .select(
      directory
        .select({
          user_id: users.id,
          store_id: stores.id,
          role: sql<'owner'>`'owner'`.as('role'),
          created_at: sql<number>`${now}`.as('created_at'),
        })
        .from(stores)
        .innerJoin(users, and(eq(users.id, stores.owner_id), inArray(stores.alias, aliases))),
    )
    .onConflictDoNothing();
}

function addManager(directory: Shard, now: number) {
  const { email, alias } = demoManager;
  return directory
    .insert(memberships)
    .values({
      user_id: sql`(select id from ${users} where email = ${email})`,
      store_id: sql`(select id from ${stores} where alias = ${alias})`,
      role: 'manager',
      created_at: now,
    })
    .onConflictDoNothing();
}
