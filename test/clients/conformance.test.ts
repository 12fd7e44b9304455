import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MerchantBrowser } from '../support/node/oauth/merchant.ts';
import { startDemo, type RunningDemo } from '../support/node/runtime/demo.ts';
import { freePort } from '../support/node/runtime/free-port.ts';

const runner = resolve('test/clients/node_modules/@modelcontextprotocol/conformance/dist/index.js');

let demo: RunningDemo;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo.close());

/** Approves a consent page and follows its redirect. */
async function approveRequest(origin: string, link: string) {
  const response = await fetch(await new MerchantBrowser(origin).decide(link));
  await response.body?.cancel();
}

/** Runs every scenario for authorization servers and approves each request. */
async function runConformance(origin: string) {
  const port = await freePort();
  const options = { url: origin, 'client-id': 'demo-app', port, 'spec-version': '2026-07-28' };
  const child = spawn(
    process.execPath,
    [
      runner,
      'authorization',
      ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`]),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  const followed = new Set<string>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      for (const [link] of output.matchAll(/http:\/\/\S+\/oauth\/authorize\?\S+(?=\s)/g)) {
        if (followed.has(link)) continue;
        followed.add(link);
        void approveRequest(origin, link);
      }
    });
  }
  const [code] = await once(child, 'exit');
  return { code, output, followed: followed.size };
}

describe('conformance runner of the Model Context Protocol', () => {
  it('passes every scenario for authorization servers', async () => {
    const { code, output, followed } = await runConformance(demo.origin);
    expect(followed).toBeGreaterThan(0);
    expect(output).toContain('Total: 2 passed, 0 failed');
    expect(code).toBe(0);
  });
});
