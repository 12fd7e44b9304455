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
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  let [generation, total] = [[root], 0];
  while (generation.length > 0) {
    const pids = new Set(generation);
    for (const [pid = 0, , kib = 0] of rows) total += pids.has(pid) ? kib : 0;
    generation = rows.flatMap(([pid = 0, parent = 0]) => (pids.has(parent) ? [pid] : []));
  }
  return total / 1024;
}
