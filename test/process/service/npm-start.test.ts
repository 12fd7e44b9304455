import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { InboxEntry } from '../../../src/demo/inbox/entries.ts';
import { freePort } from '../../support/node/runtime/free-port.ts';
import { killStarted, npmStart } from '../../support/node/runtime/npm-start.ts';
import { isAlive } from '../../support/node/runtime/processes.ts';
import { findShardFile } from '../../support/node/runtime/shard-file.ts';
import { patience } from '../../support/patience.ts';
import { isSlow } from '../../support/slow.ts';

const state = mkdtempSync(join(tmpdir(), 'store-api-demo-'));
const start = (port: number) => npmStart(port, state);

afterAll(() => {
  killStarted();
  rmSync(state, { recursive: true, force: true });
});

async function listenOn(port: number) {
  const server = createServer().listen(port, 'localhost');
  await once(server, 'listening');
  return server;
}

/** Runs a command in a shell and returns its output. */
const shell = (command: string) => execFileSync('sh', ['-c', command], { encoding: 'utf8' });

/** Runs a curl line in a shell and parses its output. */
const runCurl = (line: string) => JSON.parse(shell(`${line} -s`));

/**
 * Interrupts the process group, as Ctrl-C does, and asserts that no process and no port remain in
 * use.
 */
async function interrupt({ group, ended }: ReturnType<typeof start>, port: number) {
  process.kill(-group, 'SIGINT');
  await ended;
  await vi.waitUntil(() => !isAlive(-group), patience);
  (await listenOn(port)).close();
}

const headers = { 'User-Token': 'demo-user-token', 'User-Secret-Key': 'sk_demo_secret_key' };

const read = async <T>(port: number, path: string) =>
  (await (await fetch(`http://localhost:${port}${path}`, { headers })).json()) as T;

const inbox = (port: number) => read<InboxEntry[]>(port, '/demo/inbox.json');

const countProducts = async (port: number) =>
  (await read<{ data: unknown[] }>(port, '/v2/demo/catalog/products?limit=100')).data.length;

describe('npm start', () => {
  it.skipIf(isSlow)(
    'serves the demo, whose curl lines lead to a signed event; Ctrl-C leaves only the data',
    async () => {
      const port = await freePort();
      const origin = `http://localhost:${port}`;
      const first = start(port);
      const lines = (await first.banner()).split('\n').filter((line) => line.startsWith('curl '));
      expect(first.output()).toContain(`${origin}/demo/inbox`);
      expect(lines).toHaveLength(3);
      const [me = '', webhook = '', product = ''] = lines;
      expect(runCurl(me)).toMatchObject({ email: 'ana@demo.test' });
      const { secret_key: secret } = runCurl(webhook).data;
      const { id } = runCurl(product).data;

      const delivery = await vi.waitUntil(async () => (await inbox(port))[0], patience);
      expect(delivery).toMatchObject({ verdict: 'valid', event: 'product.created', store: 'demo' });
      expect(JSON.parse(delivery.body).resource.id).toBe(id);
      const digest = execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret, '-binary'], {
        input: delivery.body,
      });
      expect(delivery.headers['x-service-hmac-sha256']).toBe(digest.toString('base64'));
      expect(first.output()).toMatch(/^\{"level":"info","event":"request",.*"createProduct".*\}$/m);

      // The command with which a reader tries the tools for assistants.
      const [, command = ''] =
        /```sh\n(curl [^`]*?)\n```/.exec(readFileSync('src/mcp/README.md', 'utf8')) ?? [];
      const answer = shell(`${command.replace('8787', `${port}`)} -s`);
      const { result } = JSON.parse(/^data: (.*)$/m.exec(answer)?.[1] ?? answer);
      expect(result.tools.map(({ name }: { name: string }) => name)).toEqual([
        'search_operations',
        'describe_operation',
        'read_operation',
        'change_operation',
      ]);
      expect(await countProducts(port)).toBe(11);
      await interrupt(first, port);
      expect(first.output()).not.toContain('npm error');
      const shard = new DatabaseSync(findShardFile(state));
      expect(shard.prepare('select name from products where id = ?').get(id)).toBeDefined();
      shard.close();
    },
  );

  // `running-service.test.ts` runs the walk itself.
  it.runIf(isSlow)(
    'works with npm run demo:walk, which prints each delivered event; a second start goes on with the data, and ends by a signal to npm alone',
    async () => {
      const port = await freePort();
      const demo = start(port);
      await demo.banner();
      const walk = ['run', 'demo:walk', '--', '--port', `${port}`, '--remind'];
      const { stdout } = await promisify(execFile)('npm', walk);
      expect(stdout).toMatch(/^ {2}1\.1 +product\.created +id \d+, valid$/m);
      expect(stdout).toContain('13 of 13 events arrived.\nSignatures: all valid.');
      expect(stdout).toContain('The feed contains them in the same order.');
      const [products, deliveries] = [await countProducts(port), await inbox(port)];
      await interrupt(demo, port);
      await expect(promisify(execFile)('npm', walk)).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`Is npm start running on port ${port}?`),
      });
      const second = start(port);
      await second.banner();
      expect(await countProducts(port)).toBe(products);
      expect(await inbox(port)).toEqual(deliveries);
      // Only npm gets this signal.
      process.kill(second.group, 'SIGTERM');
      await expect.poll(() => isAlive(-second.group), patience).toBe(false);
    },
  );

  it.skipIf(isSlow)('prints one line if the port is taken', async () => {
    const server = await listenOn(0);
    const { port } = server.address() as AddressInfo;
    const demo = start(port);
    const [code] = await demo.ended;
    server.close();
    expect(code).toBe(1);
    expect(demo.output()).toContain(`Port ${port} is taken. Choose another one:`);
  });
});
