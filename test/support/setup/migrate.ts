import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { shardBindings } from '../../../src/data/core/open-database.ts';
import { numberShardStatements } from '../../../src/data/shards/shard-numbers.ts';

const runtime = globalThis as typeof globalThis & { isMigrated?: true };

// Files share a runtime and its databases, and each loads this module again.
if (!runtime.isMigrated) {
  await applyD1Migrations(env.DIRECTORY, env.DIRECTORY_MIGRATIONS);
  for (const [shard, database] of shardBindings(env)) {
    await applyD1Migrations(database, env.STORE_MIGRATIONS);
    await database.batch(numberShardStatements(shard).map((sql) => database.prepare(sql)));
    await env.DIRECTORY.prepare(`insert into shards (number) values (?) on conflict do nothing`)
      .bind(shard)
      .run();
  }
  runtime.isMigrated = true;
}
