import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as sendRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoApiKeys } from '../../src/demo/seed/account-data.ts';
import { MerchantBrowser } from '../support/node/oauth/merchant.ts';
import { startDemo, type RunningDemo } from '../support/node/runtime/demo.ts';
import { freePort } from '../support/node/runtime/free-port.ts';
import { runProgram } from './run-program.ts';

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
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`]);
  return runProgram([runner, 'authorization', ...args], {
    follow: (link) => approveRequest(origin, link),
  });
}

/**
 * A server in front of the service that adds an API key, since the runner sends no credentials.
 * Host and Origin stay.
 */
async function startFront(origin: string): Promise<Server> {
  const { hostname: host, port } = new URL(origin);
  const { token, secret } = demoApiKeys[1];
  const front = createServer((request, response) => {
    const headers = { ...request.headers, 'user-token': token, 'user-secret-key': secret };
    const { method, url: path } = request;
    const inner = sendRequest({ host, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    inner.on('error', () => response.destroy());
    request.pipe(inner);
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  return front;
}

const listedFailures = readFileSync('test/clients/mcp-expected-failures.yml', 'utf8');

/** Of 2025-11-25 only: it opens streams, which a server without sessions has none of. */
const streamScenario = '  - server-sse-multiple-streams\n';

/** Runs the scenarios for servers of a revision. Exits with 0 if all pass but the expected ones. */
async function runServerScenarios(port: number, ...revision: string[]) {
  const args = ['server', '--url', `http://localhost:${port}/mcp`, ...revision];
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  const file = join(folder, 'expected.yml');
  writeFileSync(
    file,
    revision.includes('2025-11-25') ? listedFailures + streamScenario : listedFailures,
  );
  const expected = ['--expected-failures', file];
  const result = await runProgram([runner, ...args, ...expected]);
  rmSync(folder, { recursive: true });
  return result;
}

describe('conformance runner of the Model Context Protocol', () => {
  it('passes every scenario for servers but the expected, each of which fails in a revision', async () => {
    const front = await startFront(demo.origin);
    const { port } = front.address() as AddressInfo;
    const failed = new Set<string>();
    for (const [known, ...revision] of [
      ['tools-list: 3 passed, 0 failed', '--requirements', '2026-07-28'],
      ['server-initialize: 2 passed, 0 failed', '--spec-version', '2025-11-25'],
    ] as const) {
      const { code, output } = await runServerScenarios(port, ...revision);
      expect(output).toContain(known);
      expect(code, output.slice(-3000)).toBe(0);
      for (const [, name = ''] of output.matchAll(/^ {2}~ (\S+)$/gm)) failed.add(name);
    }
    front.close();
    const expected = Array.from(listedFailures.matchAll(/^ {2}- (\S+)$/gm), ([, name]) => name);
    expect(expected.filter((name = '') => !failed.has(name))).toEqual([]);
  });

  it('passes every scenario for authorization servers', async () => {
    const { code, output, followed } = await runConformance(demo.origin);
    expect(followed).toBeGreaterThan(0);
    expect(output).toContain('Total: 3 passed, 0 failed');
    expect(code).toBe(0);
  });
});
