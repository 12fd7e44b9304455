import { createHash } from 'node:crypto';
import type { Miniflare } from 'miniflare';

const digest = (text: string) => createHash('sha256').update(text).digest('base64url');

/** The API key of the user of `seedStore`. */
export const apiKeyHeaders = { 'User-Token': 'bench-token', 'User-Secret-Key': 'sk_bench' };

/** Inserts one user with one store (id 1, alias `bench`) and an API key directly into the directory. */
export async function seedStore(runtime: Miniflare): Promise<void> {
  const directory = await runtime.getD1Database('DIRECTORY');
  const now = Date.now();
  await directory.batch([
    directory
      .prepare('insert into users (email, name, created_at, updated_at) values (?, ?, ?, ?)')
      .bind('bench@store.test', 'Bench', now, now),
    directory
      .prepare(
        'insert into stores (alias, name, owner_id, base_url, created_at, updated_at) values (?, ?, 1, ?, ?, ?)',
      )
      .bind('bench', 'Bench', 'https://bench.shop.test', now, now),
    directory.prepare(`insert into memberships values (1, 1, 'owner', ?)`).bind(now),
    directory
      .prepare(
        'insert into api_keys (user_id, name, token_hash, secret_hash, last_four, created_at) values (1, ?, ?, ?, ?, ?)',
      )
      .bind(
        'bench',
        digest(apiKeyHeaders['User-Token']),
        digest(apiKeyHeaders['User-Secret-Key']),
        'ench',
        now,
      ),
  ]);
}
