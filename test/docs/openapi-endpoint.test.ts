import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { getOpenApiDocument } from '../../src/docs/openapi-document.ts';

const get = (path: string, headers: Record<string, string> = {}) =>
  exports.default.fetch(`https://api.test${path}`, { headers });

describe('GET /openapi.json', () => {
  it('returns 200 without authentication, with the document of this origin', async () => {
    const response = await get('/openapi.json');
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toMatch(/^application\/json/);
    expect(response.headers.get('ETag')).toMatch(/^"[\w-]+"$/);
    const document = getOpenApiDocument(env.SERVICE_NAME, '/v2', 'https://api.test');
    expect(document.servers[0]?.url).toBe('https://api.test/v2');
    const { paths, components, ...rest } = await response.json<typeof document>();
    const expected = JSON.parse(JSON.stringify(document)) as typeof document;
    expect(rest).toEqual({ ...expected, paths: undefined, components: undefined });
    expect(Object.keys(paths)).toEqual(Object.keys(expected.paths));
    expect(components).toEqual(expected.components);
  });

  it('returns 304 if the client has the current document, even with a weak ETag', async () => {
    const etag = (await get('/openapi.json')).headers.get('ETag') ?? '';
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const response = await get('/openapi.json', { 'If-None-Match': tag });
      expect(response.status).toBe(304);
      expect(await response.text()).toBe('');
    }
    expect((await get('/openapi.json', { 'If-None-Match': '"other"' })).status).toBe(200);
  });
});
