import { execFileSync } from 'node:child_process';

const everyMs = 100;

/** Watches the resident memory of a process and of all that it started, in MiB, as `ps` tells it. */
export class Memory {
  readonly before: number;
  peak: number;
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(pid: number) {
    this.before = residentMiB(pid);
    this.peak = this.before;
    this.#timer = setInterval(() => {
      this.peak = Math.max(this.peak, residentMiB(pid));
    }, everyMs);
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
  let [family, total] = [[root], 0];
  while (family.length > 0) {
    const these = new Set(family);
    for (const [pid = 0, , kib = 0] of rows) total += these.has(pid) ? kib : 0;
    family = rows.flatMap(([pid = 0, parent = 0]) => (these.has(parent) ? [pid] : []));
  }
  return total / 1024;
}
