import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { apiKeyHeaders } from './seed-store.ts';

/**
 * The runtime in a separate process group, so that a test can kill it as a whole and restart it on
 * the same state. Cron runs every second; the lease of an endpoint lasts two seconds.
 */
export class KillableRuntime {
  readonly state = mkdtempSync(join(tmpdir(), 'store-api-kill-'));
  readonly #script: string;
  #running: ChildProcess | undefined;
  #port: number | undefined;
  #url = '';
  #errorOutput = '';

  /** `script` is the built Worker. */
  constructor(script: string) {
    this.#script = script;
  }

  /** Everything that the runtime and the Worker wrote to standard error so far. */
  get errorOutput(): string {
    return this.#errorOutput;
  }

  /**
   * Starts or restarts the runtime. With `ignoresQueues` every wake-up is lost. `trusted` is a PEM
   * file of further certificate authorities.
   */
  async start({ ignoresQueues = false, trusted = '' } = {}): Promise<void> {
    const isFirst = this.#port === undefined;
    this.#port ??= await freePort('127.0.0.1');
    const modes = [isFirst ? 'first' : 'again', ignoresQueues ? 'ignore-queues' : ''];
    const args = [
      'test/support/node/runtime/killable-process.ts',
      this.#script,
      this.state,
      `${this.#port}`,
      '2',
    ];
    const child = spawn(process.execPath, [...args, ...modes], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(trusted && { env: { ...process.env, NODE_EXTRA_CA_CERTS: trusted } }),
    });
    this.#running = child;
    child.stderr.on('data', (chunk: Buffer) => {
      this.#errorOutput += chunk.toString();
      process.stderr.write(chunk);
    });
    this.#url = await new Promise<string>((resolve, reject) => {
      child.once('exit', () => reject(new Error('the runtime ended')));
      child.stdout.on('data', (chunk: Buffer) => {
        const url = /^ready (.*)$/m.exec(chunk.toString())?.[1];
        if (url) resolve(url);
      });
    });
  }

  /** Id of the root process. */
  get pid(): number {
    return this.#running?.pid ?? 0;
  }

  /** Kills the whole process group. */
  async kill(): Promise<void> {
    const child = this.#running;
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    process.kill(-child.pid, 'SIGKILL');
    await ended;
  }

  /** Kills the runtime and deletes its state. */
  async end(): Promise<void> {
    await this.kill();
    rmSync(this.state, { recursive: true });
  }

  /** Calls an operation of the store `bench`. */
  fetch(method: string, path: string, body?: object): Promise<Response> {
    return fetch(`${this.#url}v2/bench${path}`, {
      method,
      headers: { ...apiKeyHeaders, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  /** Like `fetch`, but throws unless the call succeeds, and returns `data`. */
  async call<T = { id: number }>(method: string, path: string, body?: object): Promise<T> {
    const response = await this.fetch(method, path, body);
    if (!response.ok)
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json<{ data: T }>()).data;
  }
}
