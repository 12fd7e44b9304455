import { createExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createApp } from '../../src/app/app.ts';
import { demoOperatorKey } from '../../src/client/operator/call-service.ts';
import { demoApiKeys } from '../../src/demo/seed/account-data.ts';
import { fontHref } from '../../src/web/assets/base-style.ts';
import { deployedEnv } from '../support/fixtures/deployed-env.ts';

const html = { Accept: 'text/html,*/*;q=0.8' };

const get = (path: string, headers: Record<string, string> = {}) =>
  exports.default.fetch(`https://api.test${path}`, { headers });

/** `text()` would warn of YAML. */
const textOf = async (response: Response) => new TextDecoder().decode(await response.arrayBuffer());

const getDeployed = async (path: string) =>
  createApp({
    localExample: {
      alias: 'demo',
      userToken: demoApiKeys[0].token,
      userSecretKey: demoApiKeys[0].secret,
      operatorToken: 'operator-token',
      operatorSecretKey: 'operator-secret',
    },
  }).fetch(new Request(`https://api.test${path}`), deployedEnv, createExecutionContext());

const pages = [
  '/docs',
  '/docs/en',
  '/docs/pt-br',
  '/docs/es',
  '/docs/guides/oauth',
  '/docs/pt-br/guides/webhooks',
  '/docs/es/guides/errors',
  '/docs/reference',
  '/docs/reference/operations',
  '/docs/reference/brands',
  '/docs/reference/operators',
  '/docs/reference/events/order-paid',
  '/docs/reference/records/order',
];

describe('the feed of the changelog', () => {
  const path = '/docs/changelog.atom';

  it('returns 200, and the pages of each language name it', async () => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('application/atom+xml; charset=utf-8');
    expect(response.headers.get('ETag')).toMatch(/^".+"$/);
    const feed = await textOf(response);
    expect(feed).toContain('<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">');
    expect(feed).toContain(`<id>https://api.test${path}</id>`);
    expect(feed).not.toMatch(/\{\{\w+\}\}/);
    for (const language of ['en', 'pt-br', 'es']) {
      expect(await textOf(await get(`/docs/${language}`, html))).toMatch(
        new RegExp(
          `<link rel="alternate" type="application/atom\\+xml" title="[^"]+" href="${path}"/?>`,
        ),
      );
    }
  });

  it('leads from each entry to a day that the page of versions has', async () => {
    const feed = await textOf(await get(path));
    const versions = await textOf(await get('/docs/guides/versions', html));
    const days = new Set(
      Array.from(feed.matchAll(/guides\/versions#(\d{4}-\d\d-\d\d)"/g), ([, day]) => day),
    );
    expect(days.size).toBeGreaterThan(1);
    for (const day of days) expect(versions).toContain(` id="${day}"`);
  });

  it('returns 404 for another feed', async () => {
    for (const path of ['/docs/other.atom', '/docs/changelog.xml']) {
      expect((await get(path)).status, path).toBe(404);
    }
  });
});

describe('a page of the documentation', () => {
  it.each(pages)('returns 200 without authentication: %s', async (path) => {
    const response = await get(path, html);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('Cache-Control')).toMatch(/^(public|private), max-age=300$/);
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(response.headers.get('X-Frame-Options')).toBe('DENY');
    expect(response.headers.get('Referrer-Policy')).toBe('no-referrer');
    const policy = response.headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/\*|http|unsafe-eval/);
    expect(policy).not.toContain('unsafe-inline');
    expect(await response.text()).not.toMatch(/\{\{\w+\}\}/);
  });

  it('returns 304 if the browser has the current page', async () => {
    const etag = (await get('/docs/guides/lists')).headers.get('ETag') ?? '';
    expect(etag).toMatch(/^"\w+"$/);
    expect((await get('/docs/guides/lists', { 'If-None-Match': etag })).status).toBe(304);
    expect((await get('/docs/guides/lists', { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  it.each([
    ['pt', {}, 'pt-BR'],
    ['es-AR', {}, 'es'],
    ['de', {}, 'en'],
    ['es', { Cookie: '__Host-language=pt-BR' }, 'pt-BR'],
  ])('is first shown in the language of the reader: %s %o', async (language, headers, expected) => {
    const response = await get('/docs', { ...html, 'Accept-Language': language, ...headers });
    expect(response.headers.get('Content-Language')).toBe(expected);
    expect(response.headers.get('Vary')).toBe('Accept-Language, Cookie');
    expect(await response.text()).toMatch(new RegExp(`^<!doctype html><html lang="${expected}">`));
  });

  it.each([
    ['pt-BR', '/docs/pt-br', 'Guias', 'Esta página existe só em inglês.'],
    ['es', '/docs/es', 'Guías', 'Esta página existe solo en inglés.'],
  ])('keeps the frame and the way back of a reader in %s on pages in English', async (...row) => {
    const [language, home, guides, note] = row;
    for (const path of ['/docs/reference/brands', '/docs/reference/records/order']) {
      const response = await get(path, { ...html, 'Accept-Language': language });
      expect(response.headers.get('Vary')).toBe('Accept-Language, Cookie');
      const text = await response.text();
      expect(text).toContain(`<a href="${home}#guides">${guides}</a>`);
      expect(text).toContain(note);
      const english = await (await get(path, { ...html, 'Accept-Language': 'en' })).text();
      expect(english).toContain('<a href="/docs#guides">Guides</a>');
      expect(english).not.toContain(note);
    }
  });

  it('has the address of the service and, in a local deployment, the API key of the demo', async () => {
    const text = await (await get('/docs/en')).text();
    expect(text).toContain('https://api.test/v2/demo/');
    expect(text).toContain(demoApiKeys[0].secret);
    // An operation of operators refuses the key of a merchant.
    const operators = await (await get('/docs/reference/operators')).text();
    expect(operators).toContain(`User-Secret-Key: ${demoOperatorKey.secret}`);
    expect(operators).not.toContain(demoApiKeys[0].secret);
  });

  it('contains no API key of the demo in any other deployment', async () => {
    for (const path of [...pages, '/openapi.json', '/openapi.yaml', '/llms.txt']) {
      const response = await getDeployed(path);
      expect(response.status, path).toBe(200);
      const text = await textOf(response);
      for (const { token, secret } of demoApiKeys) {
        expect(text).not.toContain(token);
        expect(text).not.toContain(secret);
      }
    }
    expect(await (await getDeployed('/docs/en')).text()).toContain('User-Token: YOUR_API_KEY');
  });

  it('leads from an address that no page has to the page that the reader means', async () => {
    for (const [path, target] of [
      ['/docs/en/guides/webhooks', '/docs/guides/webhooks'],
      ['/docs/en/reference/brands', '/docs/reference/brands'],
      ['/docs/pt-br/reference/brands', '/docs/reference/brands'],
      ['/docs/changelog', '/docs/guides/versions#changelog'],
      ['/docs/es/changelog', '/docs/es/guides/versions#changelog'],
    ] as const) {
      const request = new Request(`https://api.test${path}`, { headers: html, redirect: 'manual' });
      const response = await exports.default.fetch(request);
      expect([response.status, response.headers.get('Location')], path).toEqual([301, target]);
    }
    expect((await get('/docs/en/guides/none', html)).status).toBe(404);
  });

  it('returns 404 with a page in the language of the browser, and with JSON to a program', async () => {
    for (const path of ['/docs/', '/docs/guides/none', '/docs/reference/none', '/docs/en.html']) {
      const page = await get(path, { ...html, 'Accept-Language': 'es' });
      expect([page.status, page.headers.get('Content-Type')]).toEqual([
        404,
        'text/html; charset=utf-8',
      ]);
      expect(await page.text()).toContain('<html lang="es">');
      const program = await get(path);
      expect(program.status).toBe(404);
      expect(await program.json()).toMatchObject({ status_code: 404 });
    }
  });
});

describe('the documentation for programs', () => {
  it('returns 200 for a guide and a page of the reference as Markdown', async () => {
    for (const page of ['/docs/guides/oauth', '/docs/es/guides/oauth', '/docs/reference/orders']) {
      const response = await get(`${page}.md`);
      expect(response.status, page).toBe(200);
      expect(response.headers.get('Content-Type')).toBe('text/markdown; charset=utf-8');
      const text = await response.text();
      expect(text).toMatch(/^# /);
      expect(text).not.toMatch(/\]\((?:op|record|event|tag):|\{\{\w+\}\}|<!-- (?:table|sample)/);
    }
  });

  it('returns 200 for /openapi.yaml with the same document as /openapi.json', async () => {
    const response = await get('/openapi.yaml');
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('application/yaml');
    expect(parse(await textOf(response))).toEqual(await (await get('/openapi.json')).json());
  });

  it('returns 200 for every address in /llms.txt, which names the server for assistants', async () => {
    const response = await get('/llms.txt');
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    const text = await response.text();
    expect(text).toMatch(/^# Online Store Administration API\n\n> /);
    expect(text).toContain('https://api.test/mcp');
    const addresses = Array.from(text.matchAll(/\]\(([^)]+)\)/g), ([, address = '']) => address);
    expect(addresses.length).toBeGreaterThan(40);
    for (const address of addresses) {
      expect(address).toMatch(/^https:\/\/api\.test\//);
      const target = await exports.default.fetch(address);
      expect(target.status, address).toBe(200);
      await target.body?.cancel();
    }
  });
});

describe('GET /assets/{file}', () => {
  it('returns 200 for the current files of a page, which may be cached for a year', async () => {
    const text = await (await get('/docs/reference')).text();
    // The accent of the brand has the same address in every release, so it is cached for minutes
    // only.
    const files = Array.from(
      text.matchAll(/"(\/assets\/(?!brand\.css)[^"]+)"/g),
      ([, file = '']) => file,
    );
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) {
      const asset = await get(file);
      expect(asset.status, file).toBe(200);
      expect(asset.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
      expect(asset.headers.get('Content-Type')).toMatch(
        /^(text\/(css|javascript); charset=utf-8|application\/json|font\/woff2)$/,
      );
      await asset.body?.cancel();
    }
  });

  it('returns 200 for the font, at most 40 KB of our own origin, which each page loads at first', async () => {
    const font = await get(fontHref);
    expect(font.headers.get('Content-Type')).toBe('font/woff2');
    const bytes = new Uint8Array(await font.arrayBuffer());
    expect(new TextDecoder().decode(bytes.slice(0, 4))).toBe('wOF2');
    expect(bytes.length).toBeLessThanOrEqual(40_000);
    for (const path of ['/docs/en', '/session', '/']) {
      const page = await get(path, html);
      expect(page.headers.get('Content-Security-Policy'), path).toContain("font-src 'self'");
      expect(page.headers.get('Link'), path).toContain(`<${fontHref}>; rel=preload; as=font`);
      await page.body?.cancel();
    }
  });

  it('returns 200 for the accent, the logo and the icon of the brand, and 404 for images that there are not', async () => {
    const brand = {
      BRAND_NAME: 'Loja <1>',
      BRAND_ACCENT: '#6b21a8',
      BRAND_LOGO: '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
    };
    const getBranded = async (path: string) =>
      createApp().fetch(
        new Request(`https://api.test${path}`),
        { ...env, ...brand },
        createExecutionContext(),
      );
    const style = await getBranded('/assets/brand.css');
    expect([style.status, await style.text()]).toEqual([
      200,
      expect.stringContaining('--accent: #6b21a8; --on-accent: #ffffff;'),
    ]);
    for (const path of ['/assets/logo.svg', '/assets/icon.svg']) {
      const image = await getBranded(path);
      expect([path, image.status, image.headers.get('Content-Type')]).toEqual([
        path,
        200,
        'image/svg+xml',
      ]);
      expect(image.headers.get('Content-Security-Policy')).toContain('sandbox');
      await image.body?.cancel();
      expect((await get(path)).status).toBe(404);
    }
    const page = await (await getBranded('/docs/reference')).text();
    expect(page).toContain('Loja &#60;1&#62;');
    expect(page).toContain('href="/assets/icon.svg"');
  });

  it.each(['/assets/base.00000000000000.css', '/assets/docs/site.00000000000000.css'])(
    'returns 200 for an address of another release, which may be cached for five minutes: %s',
    async (path) => {
      const asset = await get(path);
      expect(asset.status).toBe(200);
      expect(asset.headers.get('Cache-Control')).toBe('public, max-age=300');
      expect(await asset.text()).toContain('--paper');
    },
  );

  it('returns 404 for an unknown file, and for the files behind the pages', async () => {
    for (const path of [
      '/assets/other.0.css',
      '/assets/base.0.js',
      '/assets/base.css',
      '/assets/__proto__.0.css',
      '/assets/docs/other.0.css',
      '/assets/docs/__proto__.0.css',
      '/assets.json',
      '/docs/en.html',
      '/docs/not-found.en.html',
    ]) {
      expect((await get(path)).status, path).toBe(404);
    }
    expect(env.ASSETS).toBeDefined();
  });
});
