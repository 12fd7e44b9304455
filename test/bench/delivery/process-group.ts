import { spawn, type ChildProcess } from 'node:child_process';

const groups = new Set<number>();

function killGroup(pid: number): void {
  groups.delete(pid);
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has already ended.
  }
}

// Without this, the groups would outlive an interrupted benchmark.
process.on('exit', () => groups.forEach(killGroup));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

/**
 * A process with its descendants, as one group that can be killed. The process prints
 * `ready <address>` when it serves.
 */
export class ProcessGroup {
  readonly #child: ChildProcess;
  /** The printed address. */
  readonly url: string;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  /** Resolves when the process is ready; rejects if it ends before. */
  static async start(script: string, argument = ''): Promise<ProcessGroup> {
    const child = spawn(process.execPath, [`test/bench/delivery/${script}`, argument], {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { pid } = child;
    if (pid === undefined) throw new Error(`${script} did not start`);
    groups.add(pid);
    const url = await new Promise<string>((resolve, reject) => {
      child.once('exit', () => {
        killGroup(pid);
        reject(new Error(`${script} ended`));
      });
      child.stdout.on('data', (chunk: Buffer) => {
        const address = /^ready (.*)$/m.exec(chunk.toString())?.[1];
        if (address) resolve(address);
      });
    });
    return new ProcessGroup(child, url);
  }

  /** Kills the whole group. */
  async kill(): Promise<void> {
    const { pid, exitCode, signalCode } = this.#child;
    if (!pid || exitCode !== null || signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    killGroup(pid);
    await ended;
  }
}
