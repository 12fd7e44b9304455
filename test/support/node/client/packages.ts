import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe } from 'vitest';
import { startProgram } from '../docs/samples.ts';
import type { TlsIdentity } from '../receivers/certificates.ts';
import { makeOnce } from '../runtime/make-once.ts';

const root = resolve(import.meta.dirname, '../../../..');

/** The languages, beside TypeScript, in which the service has a client. */
type Language = 'python' | 'php';

/** A program in each language, with the same result. */
export type Programs = Record<Language, string>;

/** A client, and how this machine runs its language. */
export interface PackageKit {
  language: Language;
  /** Whether this machine has a version that the package supports. */
  isHere: boolean;
  /** Ends the names of tests, so that a run without the language says why it skips them. */
  where: string;
  /** A name of the TypeScript client, as this one has it. */
  nameOf: (name: string) => string;
  /**
   * Runs a program after the head of its language; it has the address of a service as `url`, and
   * `args`. Returns what it prints as JSON. Throws with its output if it fails or warns.
   */
  run: (programs: Programs, url: string, args?: unknown) => Promise<unknown>;
  /** Runs a program that is copied from a page, which finds the package. Returns what it prints. */
  runCopied: (program: string) => Promise<string>;
}

/**
 * Builds a package as `npm run build:python` or `build:php` does, once in a test run. Returns its
 * folder.
 */
export const buildPackage = (language: Language): Promise<string> =>
  makeOnce(language, (folder) => {
    execFileSync(process.execPath, [`src/client/${language}/build.ts`, '--out', folder], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  });

/** The block of a README that begins so. */
function blockOf(language: Language, begin: string): string {
  const readme = readFileSync(join(root, `src/client/${language}/package-readme.md`), 'utf8');
  const [, block = ''] = readme.split(new RegExp(`^(?=${begin})`, 'm'));
  return block.slice(0, block.indexOf('```'));
}

async function runProgram(
  language: Language,
  command: readonly [string, ...string[]],
  args: readonly string[],
): Promise<string> {
  const cwd = await buildPackage(language);
  const env = {
    PYTHONDONTWRITEBYTECODE: '1',
    STORE_API_TOKEN: 'demo-user-token',
    STORE_API_SECRET: 'sk_demo_secret_key',
  };
  const { stdout, output, succeeded } = await startProgram([...command, ...args], { cwd, env })
    .ended;
  if (!succeeded || output !== stdout) throw new Error(output);
  return stdout;
}

/**
 * What `run` of a kit puts before a program: `connect`, `failure`, and the token store of the
 * README.
 */
const heads: Programs = {
  python: `
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
${blockOf('python', 'class TokenStore')}
def app_of(path, tokens=TokenStore, **options):
    return OAuthApp(**{"base_url": url, "client_id": "demo-app", "redirect_uri": "http://127.0.0.1:9999/callback", "token_store": tokens(path), **options})
`,
  php: `
use OnlineStoreAdministration\\{ApiError, Client, OAuthApp, Operations, TokenStore, Webhooks};
[, $url, $args] = [...$argv, null];
$args = json_decode($argv[2], true);
function connect(mixed ...$options): Client
{
    $usual = ['store' => 'demo', 'baseUrl' => $GLOBALS['url'], 'token' => 'demo-user-token', 'secret' => 'sk_demo_secret_key'];
    return new Client(...[...$usual, ...$options]);
}
function failure(callable $call): mixed
{
    try {
        return $call();
    } catch (ApiError $error) {
        return $error;
    }
}
function show(mixed $value): void
{
    echo json_encode($value, JSON_THROW_ON_ERROR);
}
${blockOf('php', 'final class FileStore')}
function app_of(?string $path, string|TokenStore $tokens = FileStore::class, mixed ...$options): OAuthApp
{
    $usual = ['baseUrl' => $GLOBALS['url'], 'clientId' => 'demo-app', 'redirectUri' => 'http://127.0.0.1:9999/callback'];
    $store = is_string($tokens) ? new $tokens($path) : $tokens;
    return new OAuthApp(...[...$usual, 'tokenStore' => $store, ...$options]);
}
`,
};

/** Finds the classes of the package, as Composer does, and makes an exception of each warning. */
const phpAutoload = `
set_error_handler(fn (int $level, string $text) => throw new ErrorException($text));
spl_autoload_register(fn (string $name) => require strtr('src/' . substr($name, strlen('OnlineStoreAdministration/')), '\\\\', '/') . '.php');
`;

/**
 * Python without the packages of the machine, which the client does without and which take most of
 * its start.
 */
const runners: Record<Language, (program: string, ...args: string[]) => Promise<string>> = {
  python: (program, ...args) =>
    runProgram('python', ['python3', '-S', '-W', 'error', '-c', program], args),
  php: (program, ...args) =>
    runProgram(
      'php',
      ['php', '-d', 'error_reporting=-1', '-d', 'display_errors=stderr', '-r'],
      [phpAutoload + program, '--', ...args],
    ),
};

const kitOf = (
  language: Language,
  isHere: boolean,
  needed: string,
  nameOf: PackageKit['nameOf'],
): PackageKit => ({
  language,
  isHere,
  where: isHere ? `in ${needed.split(' ')[0]}` : `(skipped: there is no ${needed} here)`,
  nameOf,
  run: async (programs, url, args = null) =>
    JSON.parse(
      await runners[language](heads[language] + programs[language], url, JSON.stringify(args)),
    ),
  runCopied: (program) => runners[language](program),
});

const succeeds = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;

/** The clients in other languages. */
const packageKits: readonly PackageKit[] = [
  kitOf(
    'python',
    succeeds('python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 9))'),
    'Python 3.9 or later',
    (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ),
  kitOf(
    'php',
    succeeds('php', '-r', 'exit((int) (PHP_VERSION_ID < 80100 || !extension_loaded("curl")));'),
    'PHP 8.1 or later with curl',
    (name) => name,
  ),
];

/** Declares tests of each client; those whose language is not here are skipped. */
export const describeInEach = (name: string, suite: (kit: PackageKit) => void) => {
  for (const kit of packageKits)
    describe.skipIf(!kit.isHere)(`${name} ${kit.where}`, () => {
      suite(kit);
    });
};

/** A request that the fake service got. */
export interface PackageRequest {
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

/**
 * Starts a service that answers as a test says, and records what it gets. With an identity it
 * speaks TLS, as `localhost`.
 */
export async function startFakeService(
  respond: (request: PackageRequest, count: number) => FakeAnswer | Promise<FakeAnswer>,
  identity?: TlsIdentity,
) {
  const sent: PackageRequest[] = [];
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
