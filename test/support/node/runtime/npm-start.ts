import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { vi } from 'vitest';
import { patience } from '../../patience.ts';
import { isAlive } from './processes.ts';

const groups = new Set<number>();

/** Kills what failed tests left. */
export function killStarted(): void {
  for (const group of groups) if (isAlive(-group)) process.kill(-group, 'SIGKILL');
}

/** Runs `npm start` in a separate process group, as a terminal does. */
export function npmStart(port: number, state: string) {
  const child = spawn('npm', ['start', '--', '--port', `${port}`, '--state', state], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const group = child.pid ?? 0;
  groups.add(group);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  const ended = once(child, 'exit');
  return {
    group,
    output: () => output,
    ended,
    banner: () =>
      vi.waitUntil(() => output.includes('Ctrl-C stops the server') && output, patience),
    /** Kills the whole group. */
    kill: async () => {
      process.kill(-group, 'SIGKILL');
      await ended;
      await vi.waitUntil(() => !isAlive(-group), patience);
    },
  };
}
