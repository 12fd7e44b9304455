import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePort } from '../../../support/node/runtime/free-port.ts';
import type { ContenderSetup } from '../setup.ts';

export const queueName = 'webhooks';

/** Opens the database of the sender, with the commonly recommended settings. */
export function openBullmqDatabase({ state }: ContenderSetup): DatabaseSync {
  const db = new DatabaseSync(join(state, 'service.db'));
  db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 5000');
  return db;
}

/** Connection options of a Redis client; it retries without a limit. */
export const redisConnection = (port: number) => ({
  host: '127.0.0.1',
  port,
  maxRetriesPerRequest: null,
});

/**
 * Redis options by variant. All variants also take the snapshots of Debian's default configuration.
 */
const persistence: Record<string, string[]> = {
  snapshots: ['--appendonly', 'no'],
  everysec: ['--appendonly', 'yes', '--appendfsync', 'everysec'],
  always: ['--appendonly', 'yes', '--appendfsync', 'always'],
};

/**
 * Starts Redis on the state of the run, in this process group. Returns its port when it accepts
 * commands.
 */
export async function startRedis({ state, variant }: ContenderSetup): Promise<number> {
  const port = await freePort();
  const address = ['--bind', '127.0.0.1', '--port', `${port}`, '--dir', state];
  const snapshots = ['--save', '3600 1 300 100 60 10000'];
  const redis = spawn('redis-server', [...address, ...snapshots, ...(persistence[variant] ?? [])], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  while (!output.includes('Ready to accept connections')) {
    const [chunk] = (await once(redis.stdout, 'data')) as [Buffer];
    output += chunk.toString();
  }
  redis.stdout.resume();
  return port;
}
