import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MerchantBrowser } from '../support/node/oauth/merchant.ts';
import { startDemo, type RunningDemo } from '../support/node/runtime/demo.ts';
import { freePort } from '../support/node/runtime/free-port.ts';
import { runProgram } from './run-program.ts';

const packages = resolve('test/clients/node_modules');
const inspector = join(packages, '@modelcontextprotocol/inspector/clients/launcher/build/index.js');

let demo: RunningDemo;
/** Where the inspector keeps its tokens. */
const home = mkdtempSync(join(tmpdir(), 'inspector-'));
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(async () => {
  await demo?.close();
  rmSync(home, { recursive: true });
});

/**
 * Runs one method on the command line of the inspector; the merchant consents to reading the
 * catalogue when it asks.
 */
async function inspect(callback: string, ...method: string[]) {
  const merchant = new MerchantBrowser(demo.origin);
  const options = {
    'server-url': `${demo.origin}/mcp`,
    transport: 'http',
    format: 'json',
    'callback-url': callback,
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const { code, stdout, output, followed } = await runProgram(
    [inspector, '--cli', ...args, '--method', ...method],
    {
      env: { HOME: home, MCP_AUTO_OPEN_ENABLED: 'true', MCP_INSPECTOR_SECRET_STORE: 'file' },
      follow: async (link) => {
        const target = await merchant.decide(link, { access: 'read', area: ['catalog'] });
        await (await fetch(target)).body?.cancel();
      },
    },
  );
  expect(code, output.slice(-3000)).toBe(0);
  // oxlint-disable-next-line typescript/no-explicit-any -- the result of any method
  const { result } = JSON.parse(stdout) as { result: any };
  return { result, output, followed };
}

it('the inspector registers, gets consent, lists what it may read, and calls without asking again', async () => {
  const callback = `http://127.0.0.1:${await freePort('127.0.0.1')}/oauth/callback`;
  const { result, output, followed } = await inspect(callback, 'tools/list');
  expect(followed).toBe(1);
  const names = (result.tools as { name: string }[]).map(({ name }) => name);
  expect(names).toContain('list_brands');
  expect(names).not.toContain('create_brand');
  expect(output).toContain('Schema portability: 0 errors');

  const call = ['tools/call', '--tool-name', 'list_brands', '--tool-arg', 'limit=2'];
  const called = await inspect(callback, ...call);
  expect(called.followed).toBe(0);
  expect(called.result.structuredContent.data).toHaveLength(2);
});
