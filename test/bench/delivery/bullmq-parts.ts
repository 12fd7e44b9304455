import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Setup } from './setup.ts';

/** Name of the queue. */
export const queueName = 'webhooks';

/** The service's database, with the settings that are commonly recommended. */
export function openDatabase({ state }: Setup): DatabaseSync {
  const db = new DatabaseSync(join(state, 'service.db'));
  db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 5000');
  return db;
}

/** How a client of Redis is told to connect; a worker waits for Redis as long as it takes. */
export const connectionTo = (port: number) => ({
  host: '127.0.0.1',
  port,
  maxRetriesPerRequest: null,
});
