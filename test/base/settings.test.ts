import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { settingsOf } from '../../src/base/settings.ts';
import { refusal } from '../support/api/refusal.ts';
import { createRootKey, deployedEnv } from '../support/fixtures/deployed-env.ts';

const app = createApp();

const get = (path: string, bindings: object) =>
  app.fetch(new Request(`https://api.test${path}`), bindings, createExecutionContext());

/**
 * A local key in another spelling of base64: its last character has two bits that no byte holds.
 */
const respelledKey = env.TOKEN_KEY.replace(/Q=$/, 'R=');

const bytesOf = (value: (index: number) => number) =>
  btoa(String.fromCharCode(...Array.from({ length: 32 }, (_, index) => value(index))));

const keyNames = [
  'SEALING_KEY',
  'SEALING_KEY_PREVIOUS',
  'CHECK_KEY',
  'CHECK_KEY_PREVIOUS',
  'TOKEN_KEY',
  'TOKEN_KEY_PREVIOUS',
] as const;

/** Every variable that holds a root key, with each unsafe value. */
const unsafeKeys = keyNames.flatMap((name) =>
  [
    { why: 'the local sealing key', key: env.SEALING_KEY },
    { why: 'the local token key', key: env.TOKEN_KEY },
    { why: 'the local token key in another spelling', key: respelledKey },
    { why: 'the key of another variable', key: 'equal' },
    { why: 'zeros', key: bytesOf(() => 0) },
    { why: 'one repeated byte', key: bytesOf(() => 0x78) },
    { why: 'a few repeated bytes', key: bytesOf((index) => index % 8) },
    { why: '31 bytes', key: btoa('0123456789abcdefghijklmnopqrstu') },
  ].map(({ why, key }) => {
    const other = name === 'TOKEN_KEY' ? deployedEnv.SEALING_KEY : deployedEnv.TOKEN_KEY;
    return [`${name}: ${why}`, { ...deployedEnv, [name]: key === 'equal' ? other : key }] as const;
  }),
);

describe('a deployment', () => {
  it.each<readonly [why: string, bindings: object]>([
    ...unsafeKeys,
    ['no resolver', { ...deployedEnv, RESOLVER_URL: '' }],
    ['no AUTH_URL', { ...deployedEnv, AUTH_URL: undefined }],
    ['an AUTH_URL with a path', { ...deployedEnv, AUTH_URL: 'https://api.test/auth' }],
    ['an AUTH_URL without TLS', { ...deployedEnv, AUTH_URL: 'http://api.test' }],
    ['local receivers', { ...deployedEnv, ALLOW_LOCAL_RECEIVERS: 'true' }],
    ['no sealing key', { ...deployedEnv, SEALING_KEY: undefined }],
    ['a malformed sealing key', { ...deployedEnv, SEALING_KEY: 'short' }],
    [
      'a resolver without https',
      { ...deployedEnv, RESOLVER_URL: 'http://resolver.example/dns-query' },
    ],
    ['shards to restore that are not numbers', { ...deployedEnv, RESTORING_SHARDS: 'STORE_0' }],
    ['a lease of 0 seconds', { ...deployedEnv, ENDPOINT_LEASE_SECONDS: '0' }],
  ])('returns 500 without the reason with %s', async (_why, bindings) => {
    const response = await get('/health', bindings);
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual(refusal(500, 'internal_error'));
  });

  it('names the unsafe variables in the log, and no value', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const sealingKey = createRootKey();
    const bindings = {
      ...deployedEnv,
      SEALING_KEY: sealingKey,
      TOKEN_KEY: sealingKey,
      TOKEN_KEY_PREVIOUS: env.TOKEN_KEY,
      RESOLVER_URL: '',
      AUTH_URL: 'http://api.test',
    };
    expect((await get('/health', bindings)).status).toBe(500);
    const [line = ''] = error.mock.calls.map(String);
    error.mockRestore();
    for (const [name, value] of Object.entries(bindings)) {
      if (typeof value === 'string' && value.length > 12) expect(line, name).not.toContain(value);
    }
    expect(line).toContain('TOKEN_KEY: Must differ from SEALING_KEY.');
    expect(line).toContain('TOKEN_KEY_PREVIOUS: Must not be a local key, which is public.');
    expect(line).toContain('RESOLVER_URL: Must name a resolver');
    expect(line).toContain('AUTH_URL: Must be the https address of the deployment.');
  });

  it('accepts a rotation: three random keys', () => {
    const previous = createRootKey();
    const rotating = { ...deployedEnv, TOKEN_KEY_PREVIOUS: previous } as Env;
    expect(settingsOf(rotating).tokenKeys.previous).toBe(previous);
  });

  it('accepts former check keys, and none that is public, equal to another or malformed', () => {
    const [former, older] = [createRootKey(), createRootKey()];
    const withFormer = (text: string) =>
      settingsOf({ ...deployedEnv, CHECK_KEY_PREVIOUS: text } as Env).formerCheckKeys;
    expect(withFormer(`${former} ${older}`)).toEqual([former, older]);
    expect(() => withFormer(`${former} ${env.CHECK_KEY}`)).toThrow(
      'CHECK_KEY_PREVIOUS: Must not be',
    );
    expect(() => withFormer(deployedEnv.CHECK_KEY)).toThrow('Must differ from CHECK_KEY');
    expect(() => withFormer(`${former},${older}`)).toThrow('Must be keys of 32 bytes');
  });

  it('serves with its own keys and AUTH_URL, without the demo', async () => {
    const bindings = { ...deployedEnv, DEMO: undefined };
    expect((await get('/health', bindings)).status).toBe(200);
    expect((await get('/demo/inbox', bindings)).status).toBe(404);
    expect((await get('/demo/inbox.json', bindings)).status).toBe(404);
  });
});

describe('request ids', () => {
  it('are kept if well-formed and replaced otherwise', async () => {
    const sendRequestId = async (id: string) => {
      const request = new Request('https://api.test/health', { headers: { 'X-Request-Id': id } });
      const response = await app.fetch(request, env, createExecutionContext());
      return response.headers.get('X-Request-Id');
    };
    expect(await sendRequestId('trace_0123-ABC')).toBe('trace_0123-ABC');
    expect(await sendRequestId('short')).not.toBe('short');
    expect(await sendRequestId('with spaces in it')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('a deployment with a brand', () => {
  it.each([
    ['an accent that is hard to read in light mode', { BRAND_ACCENT: '#ffcc00' }],
    ['an accent that is hard to read in dark mode', { BRAND_ACCENT: '#0b57d0 #0b57d0' }],
    ['a logo with a script', { BRAND_LOGO: '<svg><script>1</script></svg>' }],
    ['a support address that is none', { SUPPORT_ADDRESS: 'help' }],
  ])('serves nothing (500) with %s', async (_what, brand) => {
    expect((await get('/', { ...deployedEnv, ...brand })).status).toBe(500);
  });

  it('calls itself by its brand, else by SERVICE_NAME', async () => {
    const branded = await get('/', { ...deployedEnv, BRAND_NAME: 'Loja Nova' });
    expect(await branded.json()).toMatchObject({ name: 'Loja Nova' });
    const plain = await get('/', deployedEnv);
    expect(await plain.json()).toMatchObject({ name: 'Service' });
  });
});
