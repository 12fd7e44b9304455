import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Tokens } from '../../../src/client/core/public.ts';
import { createSecret, importSigningKey, signRequest } from '../../../src/webhooks/signature.ts';
import { buildPackage, loadPackage } from '../../support/node/client/built-client.ts';
import { nodeServer } from '../../support/node/docs/receivers.ts';
import { codeOfPage } from '../../support/node/docs/samples.ts';
import { MerchantBrowser } from '../../support/node/oauth/merchant.ts';
import { startDemo, type RunningDemo } from '../../support/node/runtime/demo.ts';
import { freePort } from '../../support/node/runtime/free-port.ts';
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
  symlinkSync(resolve('node_modules/hono'), join(project, 'node_modules/hono'));
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
    const job = await shop.imports.create(shop.exports.download(begun.id), {
      query: { product_events: false },
    });
    expect(job).toMatchObject({ product_events: false });
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

describe('the sample of an app in the guide', () => {
  it('installs, verifies and uninstalls in two processes, as copied from the page in each language', async () => {
    const copies = await Promise.all(
      ['', 'pt-br/', 'es/'].map((language) =>
        codeOfPage(`${demo.origin}/docs/${language}guides/oauth`),
      ),
    );
    const apps = copies.map((blocks) => blocks.filter((code) => code.includes('oauthApp(')));
    expect(apps.map(({ length }) => length)).toEqual([1, 1, 1]);
    const [code = ''] = apps.flat();
    expect(new Set(apps.flat()).size).toBe(1);
    expect(code.trim().split('\n').length).toBeLessThanOrEqual(60);
    writeFileSync(join(project, 'app.ts'), code);
    writeFileSync(join(project, 'app-server.mjs'), nodeServer('./app.ts'));

    const secret = createSecret();
    const ports = [await freePort(), await freePort()];
    const [first = '', second = ''] = ports.map((port) => `http://127.0.0.1:${port}`);
    const settings = { APP_URL: first, CLIENT_ID: 'demo-app', APP_SECRET: secret };
    for (const port of ports) start('app-server.mjs', [], { ...settings, PORT: `${port}` });
    for (const url of [first, second]) await vi.waitFor(() => fetch(url), patience);
    const database = new DatabaseSync(join(project, 'app.db'));
    const stored = () => {
      const row = database.prepare(`select value from tokens where store = 'demo'`).get();
      return JSON.parse(String(row?.['value'] ?? null)) as Tokens | null;
    };
    const notify = async (url: string, event: string, key = secret) => {
      const { status } = await fetch(`${url}/webhook`, await appDelivery(event, key));
      return status;
    };
    // The two halves of an installation may reach different processes.
    const connect = async () => {
      const begun = await fetch(`${first}/install`, { redirect: 'manual' });
      const link = begun.headers.get('Location') ?? '';
      const { search } = await new MerchantBrowser(demo.origin).decide(link);
      const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const stranger = await fetch(`${second}/callback${search}`);
      expect(await stranger.text()).toMatch(/^state_mismatch/);
      const answer = await fetch(`${second}/callback${search}`, { headers: { Cookie: cookie } });
      expect(await answer.text()).toMatch(/^Connected to demo, with \d+ orders$/);
    };

    await connect();
    const before = stored();
    database
      .prepare('update tokens set value = ?')
      .run(JSON.stringify({ ...before, expires_at: 0 }));
    // Both processes refresh at once, to see that the connection lives.
    expect(
      await Promise.all([first, second].map((url) => notify(url, 'app.disconnected'))),
    ).toEqual([204, 204]);
    const after = stored();
    expect(after?.refresh_token).toMatch(/^ort_/);
    expect(after?.refresh_token).not.toBe(before?.refresh_token);
    expect(await accessStatus(after)).toBe(200);
    expect(await notify(first, 'app.disconnected', createSecret())).toBe(401);

    await fetch(`${demo.origin}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'demo-app', token: after?.refresh_token ?? '' }),
    });
    expect(await notify(second, 'app.disconnected')).toBe(204);
    expect(stored()).toBeNull();

    await connect();
    const last = stored();
    expect(await accessStatus(last)).toBe(200);
    expect(await notify(first, 'store.closed')).toBe(204);
    expect(stored()).toBeNull();
    expect(await accessStatus(last)).toBe(401);
    database.close();
  });
});

/** Status of a call with the tokens of an app. */
async function accessStatus(tokens: Tokens | null): Promise<number> {
  const { status } = await fetch(`${demo.origin}/v2/auth/me`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${tokens?.access_token}`,
      'X-Partner-Client-ID': 'demo-app',
    },
  });
  return status;
}

/** A delivery to the webhook of an app, signed as the service does. */
async function appDelivery(event: string, secret: string) {
  const at = Date.now();
  const { headers, bytes } = await signRequest({
    serviceName: 'Service',
    secrets: { primary: await importSigningKey(secret) },
    endpoint: 1,
    epoch: 1,
    seq: 1,
    eventId: `evt_${event}`,
    event,
    changed: null,
    apiVersion: '2.0',
    attempt: 1,
    triggeredAt: at,
    at,
    body: JSON.stringify({
      event,
      time: '2031-03-05 09:04:07',
      merchant: { id: 1, alias: 'demo' },
    }),
  });
  return { method: 'POST', headers, body: bytes };
}

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
