import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pair } from './store.ts';

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * The runtime in a process group of its own, so that all of it can be killed at once and started again over the same
 * state. Cron fires each second, a lane's lease is two seconds.
 */
export class KillableRuntime {
  readonly state = mkdtempSync(join(tmpdir(), 'store-api-kill-'));
  readonly #script: string;
  #running: ChildProcess | undefined;
  #port: number | undefined;
  #url = '';
  #said = '';

  /** `script` is the built Worker. */
  constructor(script: string) {
    this.#script = script;
  }

  /** What it wrote of errors so far, its own and the program's. */
  get said(): string {
    return this.#said;
  }

  /**
   * `isDeaf`: nobody reads the queues, so that every hint is lost. `trusted`: a file with certificates (PEM) of
   * authorities that it trusts besides the usual ones.
   */
  async start({ isDeaf = false, trusted = '' } = {}): Promise<void> {
    const isFirst = this.#port === undefined;
    this.#port ??= await freePort();
    const words = [isFirst ? 'first' : 'again', isDeaf ? 'deaf' : ''];
    const args = ['test/support/node/killable.ts', this.#script, this.state, `${this.#port}`, '2'];
    const child = spawn(process.execPath, [...args, ...words], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(trusted && { env: { ...process.env, NODE_EXTRA_CA_CERTS: trusted } }),
    });
    this.#running = child;
    child.stderr.on('data', (chunk: Buffer) => {
      this.#said += chunk.toString();
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

  /** Of the process that all others of it descend from. */
  get pid(): number {
    return this.#running?.pid ?? 0;
  }

  /** Kills all of it where it stands. */
  async kill(): Promise<void> {
    const child = this.#running;
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    process.kill(-child.pid, 'SIGKILL');
    await ended;
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.state, { recursive: true });
  }

  /** Calls a row of the store `bench`. */
  fetch(method: string, path: string, body?: object): Promise<Response> {
    return fetch(`${this.#url}v2/bench${path}`, {
      method,
      headers: { ...pair, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  /** {@link fetch} for a call that succeeds; answers with `data`. */
  async call<T = { id: number }>(method: string, path: string, body?: object): Promise<T> {
    const answer = await this.fetch(method, path, body);
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json<{ data: T }>()).data;
  }
}
