import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../support/node/demo.ts';
import { freePort } from '../support/node/free-port.ts';
import { Merchant } from '../support/node/merchant.ts';

const runner = resolve('node_modules/@modelcontextprotocol/conformance/dist/index.js');

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo.close());

/** A merchant who approves, and whose browser then goes where it is sent. */
async function approve(origin: string, link: string) {
  const response = await fetch(await new Merchant(origin).decide(link));
  await response.body?.cancel();
}

/** Runs every scenario for authorization servers, a merchant approving what it asks for. */
async function conformance(origin: string) {
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
        void approve(origin, link);
      }
    });
  }
  const [code] = await once(child, 'exit');
  return { code, output, followed: followed.size };
}

describe('the conformance runner of the Model Context Protocol', () => {
  it('finds nothing wrong with the authorization server', async () => {
    const { code, output, followed } = await conformance(demo.origin);
    expect(followed).toBeGreaterThan(0);
    expect(output).toContain('Total: 2 passed, 0 failed');
    expect(code).toBe(0);
  });
});
