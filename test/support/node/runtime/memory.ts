import { execFileSync } from 'node:child_process';

const intervalMs = 100;

/** Samples the resident memory of a process and all its descendants, in MiB, with `ps`. */
export class MemoryMonitor {
  readonly before: number;
  peak: number;
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(pid: number) {
    this.before = residentMiB(pid);
    this.peak = this.before;
    this.#timer = setInterval(() => {
      this.peak = Math.max(this.peak, residentMiB(pid));
    }, intervalMs);
  }

  [Symbol.dispose]() {
    clearInterval(this.#timer);
  }
}

function residentMiB(root: number): number {
  return residentMiBByName(root).reduce((sum, [, mib]) => sum + mib, 0);
}

/**
 * The resident memory of a process and of each of its descendants in MiB, with the names of their
 * programs.
 */
export function residentMiBByName(root: number): [name: string, mib: number][] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,comm='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([pid, parent, kib, name = '']) => ({
      pid: Number(pid),
      parent: Number(parent),
      mib: Number(kib) / 1024,
      name,
    }));
  const found: [string, number][] = [];
  for (let generation = [root]; generation.length > 0;) {
    const pids = new Set(generation);
    for (const { pid, mib, name } of rows) if (pids.has(pid)) found.push([name, mib]);
    generation = rows.flatMap(({ pid, parent }) => (pids.has(parent) ? [pid] : []));
  }
  return found;
}
