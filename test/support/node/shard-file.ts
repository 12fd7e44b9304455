import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The file of a runtime's state that holds the shard, while the runtime is not running. */
export function shardFile(state: string): string {
  for (const file of readdirSync(state, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.sqlite')) continue;
    const path = join(state, file);
    const database = new DatabaseSync(path);
    const tables = database
      .prepare(`select 1 from sqlite_master where name = 'webhook_deliveries'`)
      .all();
    database.close();
    if (tables.length > 0) return path;
  }
  throw new Error('no database of deliveries');
}
