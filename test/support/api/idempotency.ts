import { databaseOf } from '../fixtures/shards.ts';
import type { TestStore } from '../fixtures/store.ts';
import { createApiClient } from './client.ts';

/** Returns the store with a client that sends every request with this idempotency key. */
export function withIdempotencyKey<S extends TestStore>(
  store: S,
  key: string = crypto.randomUUID(),
): S {
  const headers = { ...store.headers, 'Idempotency-Key': key };
  return { ...store, headers, api: createApiClient(store.alias, headers) };
}

/** Reads the stored idempotency keys of a store. */
export const idempotencyKeysOf = async ({ id, shard }: TestStore) =>
  (
    await databaseOf({ shard })
      .prepare('select * from idempotency_keys where store_id = ?')
      .bind(id)
      .all<{ key: string; fingerprint: string; response: string | null; created_at: number }>()
  ).results;

/** Sets the creation time of all stored idempotency keys of a store (epoch milliseconds). */
export const backdateIdempotencyKeys = ({ id, shard }: TestStore, at: number) =>
  databaseOf({ shard })
    .prepare('update idempotency_keys set created_at = ? where store_id = ?')
    .bind(at, id)
    .run();
