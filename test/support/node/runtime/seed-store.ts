import { createHash } from 'node:crypto';
import type { Miniflare } from 'miniflare';

const digest = (text: string) => createHash('sha256').update(text).digest('base64url');

/** The API key of the owner of a store that `seedStore` created. */
export const apiKeyHeadersOf = (alias: string) => ({
  'User-Token': `${alias}-token`,
  'User-Secret-Key': `sk_${alias}`,
});

/** The API key of the owner of `bench`. */
export const apiKeyHeaders = apiKeyHeadersOf('bench');

/**
 * Inserts a user with a store and an API key directly into the directory. The first store has id 1.
 */
export async function seedStore(runtime: Miniflare, alias = 'bench', shard = 0): Promise<void> {
  const directory = await runtime.getD1Database('DIRECTORY');
  const now = Date.now();
  const email = `${alias}@store.test`;
  const headers = apiKeyHeadersOf(alias);
  await directory.batch([
    directory
      .prepare('insert into users (email, name, created_at, updated_at) values (?, ?, ?, ?)')
      .bind(email, alias, now, now),
    directory
      .prepare(
        `insert into stores (alias, name, owner_id, shard, base_url, created_at, updated_at)
         select ?, ?, id, ?, ?, ?, ? from users where email = ?`,
      )
      .bind(alias, alias, shard, `https://${alias}.shop.test`, now, now, email),
    directory
      .prepare(
        `insert into memberships select owner_id, id, 'owner', ? from stores where alias = ?`,
      )
      .bind(now, alias),
    directory
      .prepare(
        `insert into api_keys (user_id, name, token_hash, secret_hash, last_four, created_at)
         select id, 'bench', ?, ?, ?, ? from users where email = ?`,
      )
      .bind(
        digest(headers['User-Token']),
        digest(headers['User-Secret-Key']),
        alias.slice(-4),
        now,
        email,
      ),
  ]);
  const store = await directory
    .prepare('select id from stores where alias = ?')
    .bind(alias)
    .first<{ id: number }>();
  const database = await runtime.getD1Database(`STORE_${shard}`);
  await database
    .prepare('insert into placements (store_id, works) values (?, 1)')
    .bind(store?.id)
    .run();
}
