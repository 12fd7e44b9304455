import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, type Bundle } from '../support/node/bundle.ts';
import { receiver, type Receiver } from '../support/node/receiver.ts';
import { pair } from '../support/node/store.ts';

const scratch = mkdtempSync(join(tmpdir(), 'store-api-kill-'));
let built: Bundle;
let running: ChildProcess | undefined;
let inbox: Receiver;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts the runtime as the leader of a process group, so that all of it can be killed at once. */
async function start(port: number, isFirst: boolean): Promise<string> {
  const script = join(built.folder, 'index.js');
  const args = ['test/support/node/killable.ts', script, scratch, String(port), '2'];
  running = spawn(process.execPath, [...args, isFirst ? 'first' : ''], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    running?.once('exit', () => reject(new Error('the runtime ended')));
    running?.stdout?.on('data', (chunk: Buffer) => {
      const url = /^ready (.*)$/m.exec(chunk.toString())?.[1];
      if (url) resolve(url);
    });
  });
}

async function kill(): Promise<void> {
  const child = running;
  if (!child?.pid) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-child.pid, 'SIGKILL');
  await ended;
}

beforeAll(async () => {
  built = bundle();
  inbox = await receiver();
});

afterAll(async () => {
  await kill();
  inbox.server.close();
  rmSync(scratch, { recursive: true });
  rmSync(built.folder, { recursive: true });
});

describe('fault 13: the runtime killed three times under load', () => {
  it('every event of every acknowledged request arrives', async () => {
    const port = await freePort();
    let url = await start(port, true);
    const call = (path: string, body: object) =>
      fetch(`${url}v2/bench${path}`, {
        method: 'POST',
        headers: { ...pair, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    const made = await call('/webhooks', {
      url: inbox.url,
      name: 'kill',
      events: ['product.created'],
    });
    expect(made.status).toBe(201);
    const brand = await call('/catalog/brands', { name: 'Marca', active: true });
    const { data } = (await brand.json()) as { data: { id: number } };

    const acknowledged = new Set<number>();
    let isLoading = true;
    const load = async (worker: number) => {
      for (let n = 0; isLoading; n += 1) {
        try {
          const name = `Produto ${worker}-${n}-${Date.now()}`;
          const body = { name, simple: true, active: true, brand_id: data.id };
          const answer = await call('/catalog/products', body);
          if (answer.status !== 201) continue;
          const { data: product } = (await answer.json()) as { data: { id: number } };
          acknowledged.add(product.id);
        } catch {
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
    };
    const workers = [1, 2, 3, 4].map(load);
    for (let round = 0; round < 3; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await kill();
      url = await start(port, false);
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
    isLoading = false;
    await Promise.all(workers);

    const arrived = () =>
      new Set(
        inbox.received.map(
          ({ body }) => (JSON.parse(body.toString()) as { resource: { id: number } }).resource.id,
        ),
      );
    const missing = () => [...acknowledged].filter((id) => !arrived().has(id));
    const deadline = Date.now() + 60_000;
    while (missing().length > 0 && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    expect(acknowledged.size).toBeGreaterThan(50);
    expect(missing()).toEqual([]);
    const duplicates = inbox.received.length - arrived().size;
    console.log(
      `acknowledged ${acknowledged.size}, received ${inbox.received.length}, of these twice ${duplicates}`,
    );
    // What was sent and not yet recorded at a kill comes again, and never more than a flush holds.
    expect(duplicates).toBeLessThanOrEqual(3 * 60);
  });
});
