import { purgeChunk, type Purge } from './purge-chunk.ts';

const day = 86_400_000;

const deleteSql = `
  delete from idempotency_keys where (store_id, key) in (
    select store_id, key from idempotency_keys where created_at < ?1
    order by created_at limit ${purgeChunk})`;

/** Idempotency keys and the answers under them go after a day. `now` is epoch milliseconds. */
export const idempotencyPurges = (now: number): Purge[] => [
  { sql: deleteSql, values: [now - day] },
];
