import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import localWorker from '../../../src/demo/worker.ts';
import { refusal } from '../../support/api/refusal.ts';
import { deployedEnv } from '../../support/fixtures/deployed-env.ts';

const fetchFrom = async (url: string, bindings: Env) => {
  const request = new Request<unknown, IncomingRequestCfProperties>(url);
  const response = await localWorker.fetch(request, bindings, createExecutionContext());
  return { status: response.status, body: await response.text() };
};

/** As `npm start` runs it: with loopback hosts only. */
const localEnv = { ...env, LOCAL_HOSTS: '' } as Env;

const paths = [
  '/health',
  '/v2/demo/catalog/brands',
  '/oauth/token',
  '/docs',
  '/account',
  '/demo/inbox.json',
  '/unknown',
];

describe('a local deployment', () => {
  it.each([
    'http://rebound.example:8787',
    'http://10.0.0.7:8787',
    'http://localhost.example:8787',
    'http://127.0.0.1.example:8787',
    'http://notlocalhost:8787',
    'http://0.0.0.0:8787',
  ])('returns 421 for the host of %s on every path', async (origin) => {
    for (const path of paths) {
      const { status, body } = await fetchFrom(origin + path, localEnv);
      expect([status, JSON.parse(body)], path).toEqual([
        421,
        refusal(421, 'misdirected_request', {
          host: ['Must be a loopback address or one of LOCAL_HOSTS.'],
        }),
      ]);
    }
  });

  it.each([
    'http://localhost:8787',
    'http://127.0.0.1:8787',
    'http://127.0.0.2',
    'http://[::1]:8787',
    'http://demo.localhost:8787',
  ])('returns 200 for the loopback host of %s', async (origin) => {
    expect((await fetchFrom(`${origin}/health`, localEnv)).status).toBe(200);
  });

  it('returns 200 for a host that it names in LOCAL_HOSTS', async () => {
    const named = { ...env, LOCAL_HOSTS: 'box.lan, Tunnel.example' } as Env;
    expect((await fetchFrom('http://tunnel.example:8787/health', named)).status).toBe(200);
    expect((await fetchFrom('http://other.example:8787/health', named)).status).toBe(421);
  });
});

describe('a deployment', () => {
  it('returns 200 for any host: the platform decides which it serves', async () => {
    expect((await fetchFrom('https://shop.example/health', deployedEnv)).status).toBe(200);
  });
});
