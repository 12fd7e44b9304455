import { readFileSync, readdirSync } from 'node:fs';
import { splitMigration } from '../../../drizzle/complete-migration.ts';
import { prepareText } from '../../data/core/open-database.ts';
import { numberShardStatements } from '../../data/shards/shard-numbers.ts';
import type { LocalDatabase } from './runtime.ts';

/**
 * Applies the pending migrations of a folder, each in one transaction. Records them in the same
 * table as `wrangler d1 migrations apply --local`, so both can be used on one database. Numbers the
 * database of a shard.
 */
export async function applyMigrations({ database, folder, shard }: LocalDatabase): Promise<void> {
  await prepareText(database, createMigrationsTable).run();
  const { results } = await prepareText(database, 'select name from d1_migrations').all<{
    name: string;
  }>();
  const applied = new Set(results.map(({ name }) => name));
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql') && !applied.has(file));
  for (const file of files.sort()) {
    const statements = splitMigration(readFileSync(`${folder}/${file}`, 'utf8'));
    await database.batch([
      ...statements.map((statement) => prepareText(database, statement)),
      prepareText(database, 'insert into d1_migrations (name) values (?)').bind(file),
    ]);
  }
  if (shard === undefined) return;
  await database.batch(numberShardStatements(shard).map((sql) => prepareText(database, sql)));
}

const createMigrationsTable = `create table if not exists d1_migrations (
  id integer primary key autoincrement,
  name text unique,
  applied_at timestamp default current_timestamp not null
)`;
