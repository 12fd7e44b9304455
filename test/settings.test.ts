import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createApp } from '../src/app.ts';
import { deployedEnv } from './support/fixtures/deployed-env.ts';

const app = createApp();

const get = (path: string, bindings: object) =>
  app.fetch(new Request(`https://api.test${path}`), bindings, createExecutionContext());

describe('a deployment', () => {
  it.each<[why: string, bindings: object]>([
    ['the local sealing key', { ...deployedEnv, SEALING_KEY: env.SEALING_KEY }],
    ['the local token key', { ...deployedEnv, TOKEN_KEY: env.TOKEN_KEY }],
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
    expect(await response.json()).toEqual({
      message: '500 Internal Server Error',
      status_code: 500,
    });
  });

  it('serves with its own keys and AUTH_URL, without the demo', async () => {
    const bindings = { ...deployedEnv, DEMO: undefined };
    expect((await get('/health', bindings)).status).toBe(200);
    expect((await get('/demo/inbox', bindings)).status).toBe(404);
    expect((await get('/demo/inbox.json', bindings)).status).toBe(404);
  });
});

describe('/ready', () => {
  it('returns 200 if every dependency responds', async () => {
    const response = await get('/ready', env);
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        status: 'ok',
        checks: { directory: 'ok', store_0: 'ok', store_1: 'ok', kv: 'ok', queue: 'ok' },
      },
    ]);
  });

  it('returns 503 and names the failed dependency', async () => {
    const broken = { prepare: () => ({ first: () => Promise.reject(new Error('down')) }) };
    const response = await get('/ready', { ...env, STORE_0: broken });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ checks: { store_0: 'failed', directory: 'ok' } });
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
