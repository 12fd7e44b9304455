import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../../support/node/free-port.ts';
import type { Setup } from './setup.ts';

/** What is appended to its log of writes, and when; the snapshots of Debian's configuration are on in all of them. */
const persistence: Record<string, string[]> = {
  snapshots: ['--appendonly', 'no'],
  everysec: ['--appendonly', 'yes', '--appendfsync', 'everysec'],
  always: ['--appendonly', 'yes', '--appendfsync', 'always'],
};

/** Starts Redis over the state of the run, in this process group. Answers with its port once it takes commands. */
export async function startRedis({ state, variant }: Setup): Promise<number> {
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
