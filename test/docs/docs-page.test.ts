import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { demoApiKeys } from '../../src/demo/data/people.ts';
import { buildDocsProps } from '../../src/docs/page-props.ts';
import { eventNames } from '../../src/events/catalogue.ts';
import { operations } from '../support/api/operations.ts';
import { document, get } from './support.ts';

const response = await get('/docs');
const page = await response.text();

/** Returns the values of an attribute in the whole page. */
const attributeValues = (attribute: string) =>
  Array.from(page.matchAll(new RegExp(` ${attribute}="([^"]*)"`, 'g')), ([, value = '']) => value);

describe('GET /docs', () => {
  it('returns 200 without authentication, as HTML that may be cached for five minutes', () => {
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=300');
    expect(page).toMatch(/^<!doctype html><html lang="en">/);
  });

  it('returns 304 if the browser has the current page', async () => {
    const etag = response.headers.get('ETag') ?? '';
    expect((await get('/docs', { 'If-None-Match': etag })).status).toBe(304);
  });

  it('allows only its own resources and no frames', () => {
    const policy = response.headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|http/);
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(response.headers.get('X-Frame-Options')).toBe('DENY');
    expect(response.headers.get('Referrer-Policy')).toBe('no-referrer');
  });

  it('links only to its own host and has no inline style or script', () => {
    for (const target of [...attributeValues('src'), ...attributeValues('href')]) {
      expect(target).toMatch(/^(\/(?!\/)|#|data:,$)/);
    }
    expect(page).not.toMatch(/<style|<script(?! src=)|<[^>]* (?:style|on\w+)=/);
  });

  it('describes every operation with its method, path, scope, note and curl command', () => {
    for (const operation of operations) {
      const start = page.indexOf(`<article class="entry" id="${operation.id}"`);
      expect(start, operation.id).toBeGreaterThan(0);
      const article = page.slice(start, page.indexOf('</article>', start));
      expect(article).toContain(`>${operation.method}</span>`);
      expect(article).toContain(`<code>${operation.path}</code>`);
      expect(article).toContain(operation.access === 'signed-in' ? 'no scope' : operation.access);
      expect(unescaped(article)).toContain(operation.note ?? '');
      expect(article).toContain('curl ');
    }
  });

  it('describes every event and every record', () => {
    for (const name of eventNames) expect(attributeValues('id')).toContain(`event-${name}`);
    const { Error: _, ...records } = document.components.schemas;
    for (const name of Object.keys(records))
      expect(attributeValues('id')).toContain(`record-${name}`);
  });

  it('has unique ids, and links that lead to one of them', () => {
    const ids = attributeValues('id');
    expect(new Set(ids).size).toBe(ids.length);
    for (const target of attributeValues('href').filter((target) => target.startsWith('#'))) {
      expect(ids).toContain(target.slice(1));
    }
    for (const label of attributeValues('aria-labelledby')) expect(ids).toContain(label);
  });

  it('has one h1, one main, one header and one labelled nav', () => {
    for (const part of ['<h1>', '<main ', '<header ', '<nav class="contents" aria-label=']) {
      expect(page.split(part), part).toHaveLength(2);
    }
  });

  it('uses the origin of the request and, in a local deployment, the demo store in its examples', () => {
    expect(page).toContain('<code>https://api.test/v2</code>');
    expect(page).toContain('https://api.test/v2/demo/webhooks');
    expect(page).toContain(`User-Secret-Key: ${demoApiKeys[0].secret}`);
  });

  it('contains no API key of the demo in any other deployment', () => {
    const props = buildDocsProps(document, {
      origin: 'https://api.example',
      basePath: '/v2',
      serviceName: env.SERVICE_NAME,
      eventDays: 30,
      localExample: undefined,
    });
    expect(JSON.stringify(props.firstCalls)).toContain('YOUR_API_KEY');
    for (const { token, secret } of demoApiKeys) {
      expect(JSON.stringify(props)).not.toContain(token);
      expect(JSON.stringify(props)).not.toContain(secret);
    }
  });

  it('returns 404 for a path with a trailing slash', async () => {
    expect((await get('/docs/')).status).toBe(404);
  });
});

describe('GET /assets/{file}', () => {
  it.each(['base', 'docs', 'copy'])(
    'returns 200 for the current %s file, which may be cached for a year',
    async (name) => {
      const path = [...attributeValues('href'), ...attributeValues('src')].find((target) =>
        target.startsWith(`/assets/${name}.`),
      );
      const asset = await get(path ?? '');
      expect(asset.status).toBe(200);
      expect(asset.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
      expect(asset.headers.get('Content-Type')).toMatch(/^text\/(css|javascript); charset=utf-8$/);
      expect(await asset.text()).not.toMatch(/https?:|@import/);
    },
  );

  it('returns 200 for an address of another release, which may be cached for five minutes', async () => {
    const asset = await get('/assets/base.00000000000000.css');
    expect(asset.status).toBe(200);
    expect(asset.headers.get('Cache-Control')).toBe('public, max-age=300');
  });

  it('returns 404 for an unknown file', async () => {
    for (const file of ['other.0.css', 'base.0.js', 'base.css', '__proto__.0.css']) {
      expect((await get(`/assets/${file}`)).status, file).toBe(404);
    }
  });
});

const unescaped = (html: string) =>
  html.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
