import { describe, expect, it } from 'vitest';
import { env } from 'cloudflare:workers';
import { eventNames } from '../../src/events/catalogue.ts';
import { pairs } from '../../src/demo/people.ts';
import { docsProps } from '../../src/docs/props.ts';
import { document, get, rows } from './support.ts';

const response = await get('/docs');
const page = await response.text();

/** Values of an attribute anywhere in the page. */
const all = (attribute: string) =>
  Array.from(page.matchAll(new RegExp(` ${attribute}="([^"]*)"`, 'g')), ([, value = '']) => value);

describe('GET /docs', () => {
  it('200 without credentials, as HTML that may be kept for five minutes', () => {
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=300');
    expect(page).toMatch(/^<!doctype html><html lang="en">/);
  });

  it('304 for a browser that has it', async () => {
    const etag = response.headers.get('ETag') ?? '';
    expect((await get('/docs', { 'If-None-Match': etag })).status).toBe(304);
  });

  it('lets nothing in that is not its own, and stands in no frame', () => {
    const policy = response.headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|http/);
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(response.headers.get('X-Frame-Options')).toBe('DENY');
    expect(response.headers.get('Referrer-Policy')).toBe('no-referrer');
  });

  it('refers to its own host only, and has no inline style or script', () => {
    for (const target of [...all('src'), ...all('href')]) {
      expect(target).toMatch(/^(\/(?!\/)|#|data:,$)/);
    }
    expect(page).not.toMatch(/<style|<script(?! src=)| style=| on\w+=/);
  });

  it('has every row with its verb, path, scope, note and curl line', () => {
    for (const row of rows) {
      const start = page.indexOf(`<article class="row" id="${row.id}"`);
      expect(start, row.id).toBeGreaterThan(0);
      const article = page.slice(start, page.indexOf('</article>', start));
      expect(article).toContain(`>${row.verb}</span>`);
      expect(article).toContain(`<code>${row.path}</code>`);
      expect(article).toContain(row.access === 'signed-in' ? 'no scope' : row.access);
      expect(unescaped(article)).toContain(row.note ?? '');
      expect(article).toContain('curl ');
    }
  });

  it('has every event and every record', () => {
    for (const name of eventNames) expect(all('id')).toContain(`event-${name}`);
    const { Error: _, ...records } = document.components.schemas;
    for (const name of Object.keys(records)) expect(all('id')).toContain(`record-${name}`);
  });

  it('has ids of which each stands once, and links that lead to one', () => {
    const ids = all('id');
    expect(new Set(ids).size).toBe(ids.length);
    for (const target of all('href').filter((one) => one.startsWith('#'))) {
      expect(ids).toContain(target.slice(1));
    }
    for (const label of all('aria-labelledby')) expect(ids).toContain(label);
  });

  it('has one h1, a main, a header and a labelled nav', () => {
    for (const part of ['<h1>', '<main ', '<header ', '<nav class="contents" aria-label=']) {
      expect(page.split(part), part).toHaveLength(2);
    }
  });

  it('shows the address of the request and, on a local deployment, the demo store', () => {
    expect(page).toContain('<code>https://api.test/v2</code>');
    expect(page).toContain('https://api.test/v2/demo/webhooks');
    expect(page).toContain(`User-Secret-Key: ${pairs[0].secret}`);
  });

  it('shows no demo credentials on any other deployment', () => {
    const props = docsProps(document, {
      origin: 'https://api.example',
      base: '/v2',
      serviceName: env.SERVICE_NAME,
      isLocal: false,
    });
    expect(JSON.stringify(props.start)).toContain('YOUR_API_KEY');
    for (const { token, secret } of pairs) {
      expect(JSON.stringify(props)).not.toContain(token);
      expect(JSON.stringify(props)).not.toContain(secret);
    }
  });

  it('404 with a slash at the end', async () => {
    expect((await get('/docs/')).status).toBe(404);
  });
});

describe('GET /assets', () => {
  it.each(['/base.', '/docs.', '/copy.'])(
    '%s 200 for a year under the name of its text',
    async (name) => {
      const path = [...all('href'), ...all('src')].find((one) => one.startsWith(`/assets${name}`));
      const asset = await get(path ?? '');
      expect(asset.status).toBe(200);
      expect(asset.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
      expect(asset.headers.get('Content-Type')).toMatch(/^text\/(css|javascript); charset=utf-8$/);
      expect(await asset.text()).not.toMatch(/https?:|@import/);
    },
  );

  it('200 for five minutes under the name of another release', async () => {
    const asset = await get('/assets/base.00000000000000.css');
    expect(asset.status).toBe(200);
    expect(asset.headers.get('Cache-Control')).toBe('public, max-age=300');
  });

  it('404 for any other file', async () => {
    for (const file of ['other.0.css', 'base.0.js', 'base.css', '__proto__.0.css']) {
      expect((await get(`/assets/${file}`)).status, file).toBe(404);
    }
  });
});

const unescaped = (html: string) =>
  html.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
