import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { accountPages } from '../../../src/pages/account/account-pages.ts';
import { operatorPages } from '../../../src/pages/operator/operator-pages.ts';
import { partnerPages } from '../../../src/pages/partners/partner-pages.ts';
import { operations } from '../../support/api/operations.ts';
import { Browser } from '../../support/browser/browser.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { shared } from '../../support/shared.ts';

const app = createApp();

const sharedStore = shared(async () => {
  const store = await createTestStore();
  const browser = await new Browser().signIn(store.userId);
  const cookie = Array.from(browser.cookies, (pair) => pair.join('=')).join('; ');
  return { ...store, cookie };
});

interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

async function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const context = createExecutionContext();
  const request = new Request(`https://api.test${path}`, { headers, redirect: 'manual' });
  const response = await app.fetch(request, env, context);
  // `text()` would warn of YAML.
  const text = new TextDecoder().decode(await response.arrayBuffer());
  await waitOnExecutionContext(context);
  return { status: response.status, headers: response.headers, text };
}

/**
 * Whether a cache between may keep an answer for others: also without a word, where its status
 * allows it (RFC 9111, section 4.2.2).
 */
const isShared = ({ headers }: Answer) =>
  !/\b(?:no-store|private)\b/.test(headers.get('Cache-Control') ?? '');

/** Endings by which caches between take an address for a file, whatever the service answers. */
const endings = ['.css', '/a.js', ';a.css', '%2Fa.css', '%3Fa.css', '%00.css', '?a.css', '/'];

const paths = async (): Promise<string[]> => {
  const { alias } = await sharedStore();
  const fill = (path: string) => path.replace(':alias', alias).replaceAll(/:\w+/g, '1');
  return [...accountPages, ...partnerPages, ...operatorPages].map(({ path }) => fill(path));
};

describe('somebody who shares a cache with a user', () => {
  it('attack: finds no page of theirs in it, whatever the address ends with', async () => {
    const { cookie } = await sharedStore();
    for (const [at, path] of ['/', '/session', '/docs', ...(await paths())].entries()) {
      // The same code answers all pages with an ending, so each has one of them.
      for (const ending of ['', endings[at % endings.length]]) {
        const address = path + ending;
        const answer = await get(address, { Cookie: cookie, Accept: 'text/html' });
        if (!isShared(answer)) continue;
        const strange = await get(address, { Accept: 'text/html' });
        expect([address, answer.text]).toEqual([address, strange.text]);
        expect([address, answer.headers.get('Set-Cookie')]).toEqual([address, null]);
      }
    }
  });

  it('attack: finds no answer of the API or of assistants in it', async () => {
    const { alias, headers } = await sharedStore();
    const reads = operations.filter(({ method }) => method === 'GET');
    for (const [at, { path }] of reads.entries()) {
      const filled = path.replace('{alias}', alias).replaceAll(/\{\w+\}/g, '1');
      for (const address of [filled, filled + endings[at % endings.length]]) {
        const answer = await get(`/v2${address}`, at % 2 === 0 ? headers : {});
        expect([address, isShared(answer)]).toEqual([address, false]);
      }
    }
  });
});

const reference = '/docs/reference/brands';

const open = [
  '/',
  '/health',
  '/ready',
  '/docs',
  '/docs/guides/quickstart',
  '/docs/en/guides/quickstart',
  reference,
  `${reference}.md`,
  '/docs/none',
  '/openapi.json',
  '/openapi.yaml',
  '/llms.txt',
  '/robots.txt',
  '/favicon.ico',
  '/assets/base.0.css',
  '/brand.css',
  '/none',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/security.txt',
  '/mcp',
];

/**
 * Headers that no cache between has in its key, with what a caller would place in the answers of
 * others.
 */
const unkeyed: readonly (readonly [string, string])[] = [
  ['X-Forwarded-Host', 'evil.example'],
  ['X-Forwarded-Proto', 'http'],
  ['X-Forwarded-Prefix', '/evil'],
  ['X-Host', 'evil.example'],
  ['X-Original-URL', '/evil'],
  ['X-Rewrite-URL', '/evil'],
  ['Forwarded', 'host=evil.example;proto=http'],
  ['X-HTTP-Method-Override', 'POST'],
  ['Origin', 'https://evil.example'],
  ['Referer', 'https://evil.example/'],
  ['User-Agent', 'evil.example'],
  ['X-Request-Id', 'evil.example'],
  ['Accept-Language', 'es'],
  ['Accept', 'text/html'],
  ['Accept', 'application/json'],
  ['Cookie', 'language=es; __Host-language=es'],
  ['CF-IPCountry', 'BR'],
  ['Range', 'bytes=0-1'],
  ['Content-Type', 'text/html'],
  ['Authorization', 'Bearer evil'],
  ['User-Token', 'evil'],
  ['Prefer', 'return=minimal'],
];

/** The values that are of one request. */
const ofRequest = new Set(['x-request-id', 'date', 'set-cookie']);

const comparable = ({ status, headers, text }: Answer) => ({
  status,
  text: text.replaceAll(headers.get('X-Request-Id') ?? /$^/g, 'REQUEST'),
  headers: [...headers].filter(([name]) => !ofRequest.has(name)),
});

describe('somebody who fills a cache that others share', () => {
  it('attack: places nothing in an answer that a cache may keep, by a header that is not in its key', async () => {
    const { alias } = await sharedStore();
    let kept = 0;
    for (const path of [...open, `/v2/${alias}/catalog/brands`, '/account', '/session']) {
      const plain = await get(path, { Accept: 'text/html' });
      for (const [name, value] of unkeyed) {
        const answer = await get(path, { Accept: 'text/html', [name]: value });
        const varies = (answer.headers.get('Vary') ?? '').toLowerCase().split(/,\s*/);
        if (!isShared(answer) || varies.includes(name.toLowerCase())) continue;
        kept += 1;
        expect({ path, name, ...comparable(answer) }).toEqual({ path, name, ...comparable(plain) });
        expect(answer.headers.get('Set-Cookie')).toBeNull();
      }
    }
    expect(kept).toBeGreaterThan(100);
  });
});
