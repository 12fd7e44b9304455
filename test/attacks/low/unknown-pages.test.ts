import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import localWorker from '../../../src/demo/worker.ts';
import { refusal } from '../../support/api/refusal.ts';
import { Browser } from '../../support/browser/browser.ts';
import { createTestStore } from '../../support/fixtures/store.ts';

/** Headers of browsers. */
const html = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const unknownPaths = ['/unknown', '/acount', '/docs/unknown', '/oauth/unknown', '/demo/unknown'];

/** Fetches from the local entry, which contains the demo. */
const fetchPath = async (path: string, headers: Record<string, string>) => {
  const request = new Request<unknown, IncomingRequestCfProperties>(`http://localhost${path}`, {
    headers,
  });
  const response = await localWorker.fetch(request, env, createExecutionContext());
  return { response, text: await response.text() };
};

describe('an unknown path outside the API', () => {
  it.each(unknownPaths)(
    'returns 404 with a page to a browser without a session: %s',
    async (path) => {
      const { response, text } = await fetchPath(path, html);
      expect(response.status).toBe(404);
      expect(response.headers.get('Content-Type')).toContain('text/html');
      expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
      expect(response.headers.get('X-Request-Id')).not.toBeNull();
      expect(text).toContain('There is no such page');
    },
  );

  it('returns 404 with a page in the language of the browser, with a session too', async () => {
    const browser = await new Browser().signIn((await createTestStore()).userId);
    for (const path of ['/unknown', '/account/unknown', '/partners/a/b/c', '/session/unknown']) {
      const page = await browser.get(path, { ...html, 'Accept-Language': 'pt-BR' });
      expect([page.status, page.headers.get('Content-Type')?.split(';')[0]]).toEqual([
        404,
        'text/html',
      ]);
      expect(page.html).toContain('lang="pt-BR"');
    }
  });

  it.each([
    ['*/*', { Accept: '*/*' }],
    ['JSON', { Accept: 'application/json' }],
    ['JSON before HTML', { Accept: 'application/json, text/html;q=0.5' }],
    ['nothing', {}],
  ])('returns 404 as JSON to a program that accepts %s', async (_what, headers) => {
    for (const path of unknownPaths) {
      const { response, text } = await fetchPath(path, headers);
      expect([response.status, JSON.parse(text)], path).toEqual([
        404,
        refusal(404, 'unknown_path'),
      ]);
    }
  });
});

describe('an unknown path of the API', () => {
  it.each(['/v2', '/v2/', '/v2/demo/unknown', '/v2/demo/catalog/unknown', '/v2/auth/unknown'])(
    'returns 404 as JSON to a browser too: %s',
    async (path) => {
      const { response, text } = await fetchPath(path, html);
      expect([response.status, JSON.parse(text)]).toEqual([404, refusal(404, 'unknown_path')]);
    },
  );
});
