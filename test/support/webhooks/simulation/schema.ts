import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The migrations of a kind of database. */
const migrationsOf = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8'));

export const directorySchema = migrationsOf('drizzle/directory');

/** The migrations of a store's database, and the table that counts simulated changes. */
export const shardSchema = [
  ...migrationsOf('drizzle/store'),
  'create table simulated_changes (number integer primary key)',
];

/** A shard with the only store. */
export const simulationSchema = [
  ...shardSchema,
  'insert into placements (store_id, works) values (1, 1)',
];
