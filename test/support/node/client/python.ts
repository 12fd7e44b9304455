import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { startProgram } from '../docs/samples.ts';
import type { TlsIdentity } from '../receivers/certificates.ts';
import { makeOnce } from '../runtime/make-once.ts';

const root = resolve(import.meta.dirname, '../../../..');

/** Builds the package as `npm run build:python` does, once in a test run. Returns its folder. */
export const buildPython = (): Promise<string> =>
  makeOnce('python', (folder) => {
    execFileSync(process.execPath, ['src/client/python/build.ts', '--out', folder], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  });

/** Whether this machine has a Python that the package supports. */
export const hasPython =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0;

/** Ends the names of tests, so that a run without Python says why it skips them. */
export const whereItRuns = hasPython
  ? 'in Python'
  : 'in Python (skipped: there is no python3 of version 3.9 or later here)';

const readme = readFileSync(join(root, 'src/client/python/package-readme.md'), 'utf8');
const tokenStore = /^class TokenStore[^]*?(?=```)/m.exec(readme)?.[0];

/**
 * Begins every program. `connect` makes a client of the demo, `failure` returns the error of a call, and `TokenStore` of the
 * README keeps tokens in a file that processes share. A program prints its result as JSON.
 */
const head = `
import datetime, decimal, json, math, os, sqlite3, ssl, sys, threading, urllib.parse, urllib.request
from contextlib import closing
from online_store_administration import ApiError, Client, OAuthApp, webhooks
url, args = sys.argv[1], json.loads(sys.argv[2])
def connect(**options):
    return Client(**{"store": "demo", "base_url": url, "token": "demo-user-token", "secret": "sk_demo_secret_key", **options})
def failure(call):
    try:
        return repr(call())
    except ApiError as error:
        return error
${tokenStore}
def app_of(path, tokens=TokenStore, **options):
    return OAuthApp(**{"base_url": url, "client_id": "demo-app", "redirect_uri": "http://127.0.0.1:9999/callback", "token_store": tokens(path), **options})
`;

/** Runs a program beside the built package. Throws with its output if it fails or warns. */
export async function runPython(program: string, ...args: string[]): Promise<string> {
  const cwd = await buildPython();
  const env = { PYTHONDONTWRITEBYTECODE: '1' };
  const command = ['python3', '-W', 'error', '-c', program, ...args] as const;
  const { stdout, output, succeeded } = await startProgram([...command], { cwd, env }).ended;
  if (!succeeded || output !== stdout) throw new Error(output);
  return stdout;
}

/** Runs a program with the names of {@link head}; it has the address of a service as `url`, and `args`. Returns what it prints. */
export const python = async (program: string, url: string, args: unknown = null) =>
  JSON.parse(await runPython(head + program, url, JSON.stringify(args))) as unknown;

/** A request that the fake service got. */
export interface PythonRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** Of the connections, the number of the one that it came by. */
  connection: number;
}

/** The answer of the fake service; `lost` cuts the connection. */
export type FakeAnswer =
  | { status?: number; headers?: Record<string, string>; body?: unknown }
  | 'lost';

/** Starts a service that answers as a test says, and records what it gets. With an identity it speaks TLS, as `localhost`. */
export async function startFakeService(
  respond: (request: PythonRequest, count: number) => FakeAnswer | Promise<FakeAnswer>,
  identity?: TlsIdentity,
) {
  const sent: PythonRequest[] = [];
  const connections = new Map<object, number>();
  const listener: RequestListener = (incoming, outgoing) => {
    void text(incoming).then(async (body) => {
      const { method = '', url = '', headers, socket } = incoming;
      if (!connections.has(socket)) connections.set(socket, connections.size + 1);
      const request = { method, path: url, headers, body, connection: connections.get(socket)! };
      sent.push(request);
      const answer = await respond(request, sent.length);
      if (answer === 'lost') return void outgoing.destroy();
      const { status = 200, body: value = {} } = answer;
      outgoing.writeHead(status, { 'Content-Type': 'application/json', ...answer.headers });
      outgoing.end(typeof value === 'string' ? value : JSON.stringify(value));
    });
  };
  const server = identity ? createSecureServer(identity, listener) : createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `${identity ? 'https://localhost' : 'http://127.0.0.1'}:${(server.address() as AddressInfo).port}`,
    sent,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
