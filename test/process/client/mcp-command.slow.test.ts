import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { MerchantBrowser } from '../../support/node/oauth/merchant.ts';
import { startDemo, type RunningDemo } from '../../support/node/runtime/demo.ts';
import { freePort } from '../../support/node/runtime/free-port.ts';
import { patience } from '../../support/patience.ts';

const program = resolve(import.meta.dirname, '../../../src/client/cli/store-api.ts');
const folder = mkdtempSync(join(tmpdir(), 'store-api-mcp-'));
const credentials = join(folder, 'store-api', 'credentials.json');
const openedUrls = join(folder, 'opened');
let demo: RunningDemo;

beforeAll(async () => {
  writeFileSync(join(folder, 'browser'), `#!/bin/sh\necho "$1" > '${openedUrls}'\n`, {
    mode: 0o755,
  });
  demo = await startDemo();
});
afterAll(async () => {
  await demo?.close();
  rmSync(folder, { recursive: true });
});

/** The environment of the program: a home and a browser of its own, and the demo. */
const environment = (variables: Record<string, string> = {}) => ({
  PATH: process.env.PATH ?? '',
  XDG_CONFIG_HOME: folder,
  BROWSER: join(folder, 'browser'),
  STORE_API_URL: demo.origin,
  ...variables,
});

const demoKey = {
  STORE_API_TOKEN: 'demo-user-token',
  STORE_API_SECRET: 'sk_demo_secret_key',
  STORE_API_STORE: 'demo',
};

const direct = [process.execPath, '--no-warnings', program] as const;

/** The command of the guide. npm itself prints nothing then. */
const byNpm = ['npm', 'run', 'store-api', '--silent', '--'] as const;

/**
 * Connects the official client to a process that it starts; a line on stdout that is no message is
 * an error of it.
 */
async function connect({
  command: [command, ...args] = direct,
  words = [],
  variables = {},
  options = {},
}: {
  command?: readonly [string, ...string[]];
  words?: string[];
  variables?: Record<string, string>;
  options?: ClientOptions;
} = {}) {
  const problems: string[] = [];
  const client = new Client({ name: 'editor', version: '1' }, options);
  const transport = new StdioClientTransport({
    command,
    args: [...args, 'mcp', ...words],
    env: environment(variables),
    stderr: 'ignore',
  });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client is no event target
  client.onerror = ({ message }) => problems.push(message);
  await client.connect(transport);
  return { client, problems };
}

/** Runs the program on lines of stdin, to its end. */
async function run(words: string[], variables: Record<string, string>, lines: string[] = []) {
  const child = spawn(process.execPath, ['--no-warnings', program, ...words], {
    env: { ...process.env, ...environment(variables) },
  });
  child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null) await once(child, 'close');
  const answers = out.split('\n').filter((line) => line !== '');
  return { code: child.exitCode, out, answers, err };
}

/** Runs `login --mcp`, in whose browser the merchant lets an assistant read the catalogue. */
async function signIn() {
  rmSync(openedUrls, { force: true });
  const child = spawn(process.execPath, ['--no-warnings', program, 'login', '--mcp'], {
    env: { ...process.env, ...environment() },
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const link = await vi.waitFor(() => readFileSync(openedUrls, 'utf8').trim(), patience);
  const merchant = new MerchantBrowser(demo.origin);
  const target = await merchant.decide(link, { access: 'read', area: ['catalog'] });
  await (await fetch(target)).body?.cancel();
  const printed = (await output).join('');
  return { link: new URL(link), printed, merchant };
}

interface SavedLogin {
  store: string;
  oauth: {
    clientId: string;
    tokens: { access_token: string; refresh_token: string; expires_at: number };
  };
}

const readLogins = () =>
  JSON.parse(readFileSync(credentials, 'utf8')) as Record<string, SavedLogin>;

/** The kept tokens of the assistant; with `change`, changes them in the file. */
function readTokens(change?: { expires_at: number }) {
  const logins = readLogins();
  const login = logins[`${demo.origin}/mcp`];
  if (!login) throw new Error('no login for assistants');
  if (change) {
    Object.assign(login.oauth.tokens, change);
    writeFileSync(credentials, JSON.stringify(logins));
  }
  return login.oauth.tokens;
}

it.each([
  ['2025-11-25', {}],
  ['2026-07-28', { versionNegotiation: { mode: 'auto' } }],
] as const)(
  'the official client speaks %s with the tools through a process, with an API key',
  async (revision, options) => {
    const { client, problems } = await connect({ variables: demoKey, options });
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('read_operation');
    const call = (name: string, sent: object) =>
      client.callTool({ name: 'call_operation', arguments: { name, arguments: sent } });
    // A separator of lines that is none in JSON; the service keeps it as a space.
    const label = `Ponte ${revision}\u2028ção`;
    const created = await call('create_brand', { name: label, active: true });
    expect(created.structuredContent).toMatchObject({
      data: { name: label.replace('\u2028', ' ') },
    });
    const lists = await Promise.all(
      ['list_brands', 'list_orders', 'list_products'].map((name) => call(name, { limit: 1 })),
    );
    for (const list of lists) expect(list.structuredContent).toHaveProperty('data.0.id');
    const { prompts } = await client.listPrompts();
    await client.getPrompt({ name: 'prepare_product', arguments: { text: 'Um boné' } });
    expect(prompts.map(({ name }) => name)).toContain('prepare_product');
    const { resources } = await client.listResources();
    const uri = resources.find((resource) => resource.uri.includes('first-call'))?.uri ?? '';
    const { contents } = await client.readResource({ uri });
    expect(contents[0]).toHaveProperty('text', expect.stringContaining('# First call'));
    await expect(client.callTool({ name: 'no_tool' })).rejects.toThrow('Unknown tool: no_tool');
    await client.close();
    expect(problems).toEqual([]);
  },
);

it('offers areas and reading only when it is asked to', async () => {
  const words = ['--toolsets', 'catalog', '--read-only'];
  const { client, problems } = await connect({ command: byNpm, words, variables: demoKey });
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  expect(names).toContain('list_brands');
  expect(names).not.toContain('create_brand');
  expect(names).not.toContain('list_orders');
  await client.close();
  expect(problems).toEqual([]);
});

it('signs in as an assistant that registered itself, refreshes, and says how to sign in again', async () => {
  const { link, printed, merchant } = await signIn();
  expect(printed).toContain('Logged in to demo');
  expect(link.searchParams.get('resource')).toBe(`${demo.origin}/mcp`);
  const first = readTokens();
  expect(printed).not.toContain(first.access_token);
  expect(printed).not.toContain(first.refresh_token);
  // The API has its own login.
  expect(readLogins()[demo.origin]).toBeUndefined();

  const [one, other] = await Promise.all([connect(), connect()]);
  const listBrands = ({ client }: typeof one) => client.callTool({ name: 'list_brands' });
  expect((await listBrands(one)).structuredContent).toHaveProperty('data.0.name');
  expect(readTokens()).toEqual(first);
  readTokens({ expires_at: 0 });
  expect((await listBrands(one)).isError).not.toBe(true);
  const second = readTokens();
  expect(second.refresh_token).not.toBe(first.refresh_token);
  expect(second.expires_at).toBeGreaterThan(0);
  // The other process takes the tokens that the first one got, and the refresh token is used once.
  expect((await listBrands(other)).isError).not.toBe(true);
  expect(readTokens()).toEqual(second);
  const { tools } = await one.client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain('create_brand');

  const clientId = link.searchParams.get('client_id') ?? '';
  const path = `/account/apps/demo/${encodeURIComponent(clientId)}/disconnect`;
  const form = hiddenFieldsOf(await merchant.send(path), path);
  expect((await merchant.send(path, form)).status).toBe(303);
  await expect(listBrands(one)).rejects.toThrow('Sign in again: store-api login --mcp');

  // The processes go on with a new login.
  await signIn();
  expect((await listBrands(other)).structuredContent).toHaveProperty('data.0.name');
  const last = readLogins()[`${demo.origin}/mcp`]?.oauth;
  expect((await run(['logout'], {})).err).toContain('Logged out');
  // Not with the key of the demo, which may do more.
  await expect(listBrands(other)).rejects.toThrow('Sign in again: store-api login --mcp');
  const renewed = await fetch(`${demo.origin}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: last?.tokens.refresh_token ?? '',
      client_id: last?.clientId ?? '',
    }),
  });
  expect(renewed.status).toBe(400);
  await Promise.all([one.client.close(), other.client.close()]);
});

const listTools = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' });

it('answers with errors of the protocol, and writes nothing else to stdout', async () => {
  const absent = `http://127.0.0.1:${await freePort()}`;
  const initialized = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const lines = [listTools(1), 'no json', initialized, ''];
  const refused = await run(['mcp', '--url', absent], demoKey, lines);
  expect(refused.code).toBe(0);
  const parsed = refused.answers.map((line) => JSON.parse(line) as { id: number | null });
  expect(parsed.toSorted((a, b) => Number(a.id) - Number(b.id))).toEqual([
    { jsonrpc: '2.0', id: null, error: { code: -32700, message: expect.any(String) } },
    {
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: -32603,
        message: `No answer came from ${absent}. Is the service running?`,
        data: { status: 0, code: 'network' },
      },
    },
  ]);
  // No answer belongs to a notification, so its failure is told to the user.
  expect(refused.err).toContain('No answer came');

  const wrongKey = { ...demoKey, STORE_API_SECRET: 'sk_wrong' };
  const { answers, out, err } = await run(['mcp'], wrongKey, [listTools(2)]);
  expect(JSON.parse(answers[0] ?? '')).toMatchObject({
    id: 2,
    error: { message: expect.stringContaining('login --mcp'), data: { status: 401 } },
  });
  expect(out + err).not.toContain('sk_wrong');

  const known = await run(['mcp'], demoKey, [initialized, listTools(3)]);
  expect(known.answers.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([3]);
  expect(known.err).toBe('');
});

it('does not begin without credentials', async () => {
  const { code, out, err } = await run(['mcp'], { STORE_API_URL: 'https://api.example' });
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain('login --mcp');
});
