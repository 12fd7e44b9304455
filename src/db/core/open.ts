import { drizzle } from 'drizzle-orm/d1';

/** Opens a D1 database (the directory or a shard) with Drizzle. The only import of `drizzle-orm/d1`. */
export const openDatabase = (binding: D1Database) => drizzle(binding);

export type Database = ReturnType<typeof openDatabase>;
