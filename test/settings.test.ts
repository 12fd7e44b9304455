import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { app } from '../src/app.ts';
import { deployed } from './support/deployed.ts';

const get = (path: string, bindings: object) =>
  app.fetch(new Request(`https://api.test${path}`), bindings, createExecutionContext());

describe('a deployed configuration', () => {
  it.each<[why: string, bindings: object]>([
    ['the local sealing key', { ...deployed, SEALING_KEY: env.SEALING_KEY }],
    ['the local token key', { ...deployed, TOKEN_KEY: env.TOKEN_KEY }],
    ['no address', { ...deployed, AUTH_URL: undefined }],
    ['an address with a path', { ...deployed, AUTH_URL: 'https://api.test/auth' }],
    ['an address without TLS', { ...deployed, AUTH_URL: 'http://api.test' }],
    ['local receivers', { ...deployed, ALLOW_LOCAL_RECEIVERS: 'true' }],
    ['no sealing key', { ...deployed, SEALING_KEY: undefined }],
    ['a sealing key that is none', { ...deployed, SEALING_KEY: 'short' }],
    [
      'a resolver that is not asked by https',
      { ...deployed, RESOLVER_URL: 'http://resolver.example/dns-query' },
    ],
    ['shards to restore that are no numbers', { ...deployed, RESTORING: 'STORE_0' }],
    ['a lease that is none', { ...deployed, LANE_LEASE_SECONDS: '0' }],
  ])('refuses to serve with %s, and does not say why to callers', async (_why, bindings) => {
    const answer = await get('/health', bindings);
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({ message: '500 Internal Server Error', status_code: 500 });
  });

  it('serves with keys and an address of its own, without the demo', async () => {
    const bindings = { ...deployed, DEMO: undefined };
    expect((await get('/health', bindings)).status).toBe(200);
    expect((await get('/demo/inbox', bindings)).status).toBe(404);
    expect((await get('/demo/inbox.json', bindings)).status).toBe(404);
  });
});

describe('/ready', () => {
  it('200 when all it stands on answers', async () => {
    const answer = await get('/ready', env);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        status: 'ok',
        checks: { directory: 'ok', store_0: 'ok', store_1: 'ok', kv: 'ok', queue: 'ok' },
      },
    ]);
  });

  it('503 naming what does not answer', async () => {
    const broken = { prepare: () => ({ first: () => Promise.reject(new Error('down')) }) };
    const answer = await get('/ready', { ...env, STORE_0: broken });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ checks: { store_0: 'failed', directory: 'ok' } });
  });
});

describe('request ids', () => {
  it('keeps one that is well formed, replaces any other', async () => {
    const ask = async (id: string) => {
      const request = new Request('https://api.test/health', { headers: { 'X-Request-Id': id } });
      const answer = await app.fetch(request, env, createExecutionContext());
      return answer.headers.get('X-Request-Id');
    };
    expect(await ask('trace_0123-ABC')).toBe('trace_0123-ABC');
    expect(await ask('short')).not.toBe('short');
    expect(await ask('with spaces in it')).toMatch(/^[0-9a-f-]{36}$/);
  });
});
