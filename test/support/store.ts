import { env } from 'cloudflare:workers';
import { sha256 } from '../../src/crypto/sha256.ts';
import { openShard } from '../../src/db/open.ts';
import { givePaymentTypes } from '../../src/db/payment-types.ts';
import { credentials, memberships, stores, users } from '../../src/db/schema/directory.ts';
import { shardBinding } from '../../src/db/shards.ts';
import { handle } from '../../src/demo/handle.ts';
import { apiOf } from './api.ts';

export interface TestStore {
  id: number;
  alias: string;
  userId: number;
  headers: Record<string, string>;
  /** Calls a row of this store: `api('POST /catalog/brands', {...})`. */
  api: ReturnType<typeof apiOf>;
}

/** A store of its own for one test, with its owner and a header pair, and its payment types where they matter. */
export async function store(
  options: {
    shard?: number;
    zone?: string;
    active?: boolean;
    withPayments?: boolean;
    test?: boolean;
  } = {},
): Promise<TestStore> {
  const directory = openShard(env.DIRECTORY);
  const name = `t${crypto.randomUUID().slice(0, 12)}`;
  const now = Date.now();
  const stamps = { created_at: now, updated_at: now };
  const [user] = await directory
    .insert(users)
    .values({ email: `${name}@store.test`, name: 'Test Owner', ...stamps })
    .returning();
  const [made] = await directory
    .insert(stores)
    .values({
      alias: name,
      name: 'Test Store',
      owner_id: user!.id,
      shard: options.shard ?? 0,
      zone: options.zone ?? 'America/Sao_Paulo',
      active: options.active ?? true,
      test: options.test ?? false,
      base_url: `https://${name}.shop.test`,
      ...stamps,
    })
    .returning();
  await directory
    .insert(memberships)
    .values({ user_id: user!.id, store_id: made!.id, role: 'owner', created_at: now });
  const headers = { 'User-Token': `token-${name}`, 'User-Secret-Key': `sk-${name}` };
  await directory.insert(credentials).values({
    user_id: user!.id,
    name: 'test',
    token_hash: await sha256(headers['User-Token']),
    secret_hash: await sha256(headers['User-Secret-Key']),
    last_four: name.slice(-4),
    created_at: now,
    // In use, so that a cold look-up has nothing to note.
    last_used_at: now,
  });
  if (options.withPayments) {
    await givePaymentTypes(handle(made!, openShard(shardBinding(env, made!.shard)), now));
  }
  return { id: made!.id, alias: name, userId: user!.id, headers, api: apiOf(name, headers) };
}
