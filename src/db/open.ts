import { drizzle } from 'drizzle-orm/d1';

/** A D1 database (the directory or one shard) behind Drizzle. The only door to a binding. */
export const openShard = (binding: D1Database) => drizzle(binding);

export type Shard = ReturnType<typeof openShard>;
