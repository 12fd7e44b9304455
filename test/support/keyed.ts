import { env } from 'cloudflare:workers';
import { apiOf } from './api.ts';
import type { TestStore } from './store.ts';

/** The store as a caller sees it who sends every request under this idempotency key. */
export function keyed<S extends TestStore>(store: S, key: string = crypto.randomUUID()): S {
  const headers = { ...store.headers, 'Idempotency-Key': key };
  return { ...store, headers, api: apiOf(store.alias, headers) };
}

/** What a store keeps of the keys that it got. */
export const keysOf = async ({ id }: TestStore) =>
  (
    await env.STORE_0.prepare('select * from idempotency_keys where store_id = ?')
      .bind(id)
      .all<{ key: string; fingerprint: string; answer: string | null; created_at: number }>()
  ).results;

/** Makes everything that a store keeps of its keys as old as if it had come then (epoch milliseconds). */
export const dateKeys = ({ id }: TestStore, at: number) =>
  env.STORE_0.prepare('update idempotency_keys set created_at = ? where store_id = ?')
    .bind(at, id)
    .run();
