import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import worker from '../../src/demo/worker.ts';

const get = async (path: string) =>
  worker.fetch(
    new Request(`https://api.test${path}`),
    {
      ...env,
      ASSETS: { fetch: async () => new Response(null, { status: 404 }) },
    },
    createExecutionContext(),
  );

describe('the service while npm start builds the documentation', () => {
  it.each(['/docs', '/docs/guides/oauth', '/openapi.json', '/llms.txt'])(
    'says so, and when to look again: %s',
    async (path) => {
      const response = await get(path);
      expect(response.status).toBe(503);
      expect(response.headers.get('Retry-After')).toBe('5');
      expect(response.headers.get('Cache-Control')).toBe('no-store');
      expect(await response.text()).toContain('<meta http-equiv="refresh" content="5">');
    },
  );

  it('answers everything else', async () => {
    const response = await get('/health');
    expect(response.status).toBe(200);
    await response.body?.cancel();
  });
});
