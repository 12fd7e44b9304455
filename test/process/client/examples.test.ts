import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildPackage, loadPackage } from '../../support/node/client/built-client.ts';
import { MerchantBrowser } from '../../support/node/oauth/merchant.ts';
import { startDemo, type RunningDemo } from '../../support/node/runtime/demo.ts';
import { patience } from '../../support/patience.ts';

const apiKey = { token: 'demo-user-token', secret: 'sk_demo_secret_key' };
const project = mkdtempSync(join(tmpdir(), 'store-api-examples-'));
const running: ChildProcess[] = [];
let demo: RunningDemo;
// oxlint-disable-next-line typescript/no-explicit-any -- package.test.ts checks the types of the client
let shop: any;

beforeAll(async () => {
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(
    await buildPackage(),
    join(project, 'node_modules/online-store-administration-client'),
  );
  cpSync(resolve(import.meta.dirname, '../../../src/client/examples'), project, {
    recursive: true,
  });
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  demo = await startDemo();
  const { client } = await loadPackage();
  shop = client({ store: 'demo', baseUrl: demo.origin, apiKey });
});

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

afterAll(async () => {
  await demo.close();
  rmSync(project, { recursive: true });
});

/** Starts an example in a project that has the package. Collects what it prints. */
function start(file: string, args: readonly string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['--no-warnings', file, ...args], {
    cwd: project,
    env: {
      ...process.env,
      STORE_API_URL: demo.origin,
      STORE_API_STORE: 'demo',
      STORE_API_TOKEN: apiKey.token,
      STORE_API_SECRET: apiKey.secret,
      ...environment,
    },
  });
  running.push(child);
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => (output.text += String(chunk)));
  }
  return { child, output, ended: once(child, 'close').then(([code]) => code as number | null) };
}

/** Waits until a condition holds; `what` explains a failure. */
const until = (holds: () => boolean, what: () => string) =>
  vi.waitFor(() => expect(holds(), what()).toBe(true), patience);

describe('the example of an ERP', () => {
  it('imports products and stock, and goes on where it was killed', async () => {
    const args = ['--skus', '60', '--progress', 'progress.json'];
    const before = await shop.imports.list().all();
    const first = start('erp-sync.ts', args);
    await until(
      () => first.output.text.includes('import 0:'),
      () => first.output.text,
    );
    first.child.kill('SIGKILL');
    await first.ended;
    const second = start('erp-sync.ts', args);
    expect(await second.ended, second.output.text).toBe(0);
    expect(second.output.text).toContain('stock: 60 of 60 SKUs');

    const [brand] = await shop.brands.list({ name: 'ERP' }).all();
    const products = await shop.products.list({ brand_id: brand.id, include: ['skus'] }).all();
    expect(products.map(({ slug }: { slug: string }) => slug)).toEqual(
      Array.from({ length: 15 }, (_, product) => `erp-${String(product).padStart(6, '0')}`),
    );
    const units = products.flatMap(({ skus }: { skus: { data: { total_in_stock: number }[] } }) =>
      skus.data.map(({ total_in_stock }) => total_in_stock),
    );
    expect(units).toEqual(Array.from({ length: 60 }, (_, index) => (index * 7) % 50));
    expect(await shop.imports.list().all()).toHaveLength(before.length + 1);
  });
});

describe('files of products', () => {
  it('come as records, and change nothing when they are sent back', async () => {
    const begun = await shop.exports.create();
    const states: string[] = [];
    const onProgress = ({ state }: { state: string }) => void states.push(state);
    expect(await shop.exports.wait(begun.id, { onProgress })).toMatchObject({ state: 'done' });
    expect(states.at(-1)).toBe('done');
    const job = await shop.imports.create(shop.exports.download(begun.id));
    const done = await shop.imports.wait(job.id);
    expect(done).toMatchObject({ state: 'done', created: 0, updated: 0, failed: 0 });
    expect(done.unchanged).toBe(done.total);
    expect(done.total).toBeGreaterThan(5);
  });
});

describe('the example of an app', () => {
  it('installs, and handles each event once and in order, also those whose delivery never came', async () => {
    const front = await startFront();
    const environment = {
      APP_FOLDER: join(project, 'stores'),
      APP_URL: front.url,
      // The system chooses a port that is free.
      PORT: '0',
    };
    const startApp = async () => {
      const started = start('install-app.ts', [], environment);
      const port = () => /Listening on port (\d+)/.exec(started.output.text)?.[1];
      await until(
        () => port() !== undefined,
        () => started.output.text,
      );
      front.target = Number(port());
      return started;
    };
    const app = await startApp();
    expect(await install(front.url)).toBe('Installed in demo.');

    const [brand] = await shop.brands.list().all({ limit: 1 });
    const create = async (name: string) => {
      const product = { name, simple: true, active: true, brand_id: brand.id };
      const { id }: { id: number } = await shop.products.create(product);
      return id;
    };
    const handled = () =>
      [...output.text.matchAll(/demo: product\.created (\d+)/g)].map((match) => Number(match[1]));
    let { output } = app;
    const handledBy = (id: number) =>
      until(
        () => handled().includes(id),
        () => output.text,
      );

    const direct = await create('Delivered');
    await handledBy(direct);
    front.swallows = true;
    const lost = await create('Swallowed on its way');
    await until(
      () => front.swallowed > 0,
      () => 'no delivery was swallowed',
    );
    front.swallows = false;
    const next = await create('Delivered after a gap');
    await handledBy(next);
    // Events of the second of the installation may come first.
    expect(handled().filter((id) => id >= direct)).toEqual([direct, lost, next]);

    app.child.kill('SIGKILL');
    await app.ended;
    const missed = await create('While the app was down');
    const restarted = await startApp();
    ({ output } = restarted);
    await handledBy(missed);
    expect(handled()).toEqual([missed]);

    const forged = await fetch(`${front.url}/webhooks/demo`, { method: 'POST', body: '{}' });
    expect(forged.status).toBe(401);
    front.close();
  });
});

/** Installs the app as a merchant does. Returns what its page says. */
async function install(url: string): Promise<string> {
  const begun = await fetch(url, { redirect: 'manual' });
  const callback = await new MerchantBrowser(demo.origin).decide(
    begun.headers.get('Location') ?? '',
  );
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const finished = await fetch(callback, { headers: { Cookie: cookie } });
  return finished.text();
}

/** A front of the app that can swallow deliveries: it accepts them, and the app never gets them. */
async function startFront() {
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    if (front.swallows && method === 'POST') {
      front.swallowed += 1;
      outgoing.end();
      return;
    }
    const passed = request(
      { port: front.target, host: '127.0.0.1', method, path, headers },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(outgoing);
      },
    );
    passed.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const front = {
    target: 0,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    swallows: false,
    swallowed: 0,
    close: () => void server.close(),
  };
  return front;
}
