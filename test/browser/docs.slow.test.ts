import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoApiKeys } from '../../src/demo/seed/account-data.ts';
import { startDemo, type RunningDemo } from '../support/node/runtime/demo.ts';
import { patience } from '../support/patience.ts';
import { hasChromium, launchChromium } from './chromium.ts';
import {
  allViews,
  allWidths,
  axeFindings,
  findProblems,
  installAxe,
  looksAt,
  widerThanWindow,
} from './page-problems.ts';

let demo: RunningDemo;
let browser: Browser;

beforeAll(async () => {
  demo = await startDemo();
  if (hasChromium) browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await demo?.close();
});

/** Messages of a page in its console, and the hosts that it sent requests to. */
interface Noise {
  errors: string[];
  hosts: Set<string>;
  bytes: number;
}

async function newPage(options: BrowserContextOptions = {}): Promise<{ page: Page; noise: Noise }> {
  const context = await browser.newContext({ locale: 'en', ...options });
  context.setDefaultTimeout(patience.timeout);
  await installAxe(context);
  const page = await context.newPage();
  const noise: Noise = { errors: [], hosts: new Set(), bytes: 0 };
  page.on('console', (message) => {
    if (message.type() === 'error') noise.errors.push(message.text());
  });
  page.on('pageerror', (error) => noise.errors.push(String(error)));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (!['data:', 'blob:'].includes(protocol)) noise.hosts.add(origin);
  });
  page.on('requestfinished', (request) => {
    // All pages share the font, which is loaded once.
    if (request.url().endsWith('.woff2')) return;
    request.sizes().then(
      ({ responseBodySize }) => (noise.bytes += responseBodySize),
      () => undefined,
    );
  });
  return { page, noise };
}

const firstPaint = (page: Page) =>
  page.evaluate<number>(
    "Math.round(performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0)",
  );

/** The text of a part of a page. */
const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, '').trim();

const languageOf = (html: string) => /<html lang="([^"]+)"/.exec(html)?.[1];

/**
 * The pages of the documentation that a page links to, with the id of a section, and the name of
 * those beside it.
 */
function linksOf(html: string): [path: string, id: string, name?: string][] {
  const [navigation = ''] = /<nav class="pages"[^]*?<\/nav>/.exec(html) ?? [];
  return Array.from(
    html.matchAll(/<a [^>]*href="(\/docs[^"#]*)(?:#([^"]*))?"[^>]*>([^]*?)<\/a>/g),
    ([link, path = '', id = '', text = '']) =>
      navigation.includes(link) ? [path, id, textOf(text)] : [path, id],
  );
}

/** Pages with the most kilobytes that a first visit may transfer, compressed. */
const pages = [
  ['home', '/docs', 30],
  ['home-pt-br', '/docs/pt-br', 30],
  ['home-es', '/docs/es', 30],
  ['guide', '/docs/pt-br/guides/webhooks', 40],
  ['oauth', '/docs/es/guides/oauth', 40],
  ['errors', '/docs/es/guides/errors', 40],
  ['operations', '/docs/reference/operations', 30],
  ['tag', '/docs/reference/products', 40],
  ['part-of-a-tag', '/docs/reference/operators-2', 40],
  ['records', '/docs/reference/records', 40],
  ['record', '/docs/reference/records/order', 30],
  ['unknown', '/docs/none', 30],
] as const;

describe('every served page of the documentation', () => {
  it('has links that lead to the page and the section that they name, and no placeholder', async () => {
    const waiting = ['/docs/en', '/docs/pt-br', '/docs/es'];
    const found = new Map<string, string>();
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (found.has(path)) continue;
      const response = await fetch(demo.origin + path, { headers: { Accept: 'text/html' } });
      found.set(path, response.status === 200 ? await response.text() : '');
      waiting.push(...linksOf(found.get(path) ?? '').map(([target]) => target));
    }
    expect(found.size).toBeGreaterThan(150);
    const headingsOf = new Map<string, string[]>();
    const idsOf = new Map<string, Set<string>>();
    for (const [path, html] of found) {
      const headings = html.matchAll(/<h[123][^>]*>([^]*?)<\/h[123]>/g);
      headingsOf.set(
        path,
        Array.from(headings, ([, text = '']) => textOf(text.replace(/<a class="anchor"[^]*/, ''))),
      );
      idsOf.set(path, new Set(Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id = '']) => id)));
    }
    const problems: string[] = [];
    for (const [path, html] of found) {
      if (html === '') problems.push(`${path}: not found`);
      if (textOf(html).includes('{{')) problems.push(`${path}: has {{`);
      for (const [target, id, name] of linksOf(html)) {
        const page = found.get(target) ?? '';
        const isThere = id === '' || idsOf.get(target)?.has(id) || target === '/docs/reference';
        if (!isThere) problems.push(`${path}: #${id} is not in ${target}`);
        // The reference is in English.
        if (name === undefined || languageOf(html) !== languageOf(page)) continue;
        if (!headingsOf.get(target)?.includes(name))
          problems.push(`${path}: "${name}" leads to ${target}`);
      }
    }
    expect(problems).toEqual([]);
  });
});

describe.skipIf(!hasChromium)('the documentation in a browser', () => {
  it.each(pages)(
    'is accessible on phones and desktops, light and dark, and small: %s',
    async (name, path, kilobytes) => {
      const { page, noise } = await newPage();
      await page.goto(demo.origin + path, { waitUntil: 'networkidle' });
      const paint = await firstPaint(page);
      console.log(`${path}: ${Math.round(noise.bytes / 1024)} KB, first paint after ${paint} ms`);
      expect(noise.bytes / 1024).toBeLessThan(kilobytes);
      expect(await findProblems(page, `docs-${name}`, looksAt(allViews))).toEqual([]);
      // The 404 itself is reported as an error.
      expect(noise.errors.filter((error) => name !== 'unknown' || !error.includes('404'))).toEqual(
        [],
      );
      expect([...noise.hosts]).toEqual([demo.origin]);
      await page.context().close();
    },
  );

  it('fits phones to desktops on every page', async () => {
    const { page } = await newPage({ javaScriptEnabled: false });
    const texts = await Promise.all(
      ['/docs/en', '/docs/pt-br', '/docs/es', '/docs/reference/operations'].map(async (path) =>
        (await fetch(demo.origin + path, { headers: { Accept: 'text/html' } })).text(),
      ),
    );
    const paths = new Set(texts.flatMap((html) => linksOf(html).map(([path]) => path)));
    expect(paths.size).toBeGreaterThan(100);
    const problems: string[] = [];
    for (const path of paths) {
      await page.goto(demo.origin + path);
      for (const width of allWidths) {
        await page.setViewportSize({ width, height: 800 });
        const wide = await widerThanWindow(page);
        problems.push(...wide.map((html) => `${path} at ${width}: ${html}`));
      }
    }
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('filters the index of operations, which fits three windows and opens without a script', async () => {
    const { page } = await newPage();
    await page.setViewportSize({ width: 1280, height: 1000 });
    await page.goto(`${demo.origin}/docs/reference/operations`);
    expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThan(
      4_000,
    );
    const brands = page.locator('details.letter a[href="/docs/reference/brands#createBrand"]');
    expect(await brands.isVisible()).toBe(false);
    await page.locator('#filter').fill('post Brand');
    expect(await brands.isVisible()).toBe(true);
    expect(await page.locator('details.letter li:visible').count()).toBeLessThan(4);
    expect(await axeFindings(page)).toEqual([]);
    await page.context().close();
    const plain = await newPage({ javaScriptEnabled: false });
    await plain.page.goto(`${demo.origin}/docs/reference/operations`);
    expect(await plain.page.locator('#filter').isVisible()).toBe(false);
    await plain.page.getByText('Brands', { exact: true }).last().click();
    const link = plain.page.locator('details.letter a[href="/docs/reference/brands#createBrand"]');
    expect(await link.isVisible()).toBe(true);
    await plain.page.context().close();
  });

  it('is searched by keyboard only: from the search to a guide', async () => {
    const { page, noise } = await newPage();
    await page.goto(`${demo.origin}/docs/pt-br`);
    await page.keyboard.press('/');
    await page.keyboard.type('paginacao');
    const results = page.locator('#search-results a');
    await results.first().waitFor();
    expect(await page.locator('search [role=status]').textContent()).toMatch(/resultado/);
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/pt-br/guides/**');
    expect(noise.errors).toEqual([]);
    await page.goBack();
    await page.keyboard.press('/');
    await page.keyboard.type('createWebhook');
    await results.first().waitFor();
    await page.keyboard.press('Escape');
    expect(await results.count()).toBe(0);
    await page.keyboard.type('s');
    await page
      .locator('search [role=status]:not(.visually-hidden)')
      .or(results.first())
      .first()
      .waitFor();
    await page.context().close();
  });

  it('finds error codes, operations and records', async () => {
    const { page } = await newPage();
    await page.goto(`${demo.origin}/docs/en`);
    const input = page.locator('search input');
    for (const [query, address] of [
      ['key_reused', '/docs/guides/errors#key_reused'],
      ['createWebhook', '/docs/reference/webhooks#createWebhook'],
      ['create a brand', '/docs/reference/brands#createBrand'],
      ['order.paid', '/docs/reference/events/order-paid'],
    ] as const) {
      await input.fill(query);
      await expect
        .poll(() => page.locator(`#search-results a[href="${address}"]`).count(), patience)
        .toBe(1);
    }
    await page.context().close();
  });

  it('shows samples in the language that was chosen last, and in each language without JavaScript', async () => {
    const { page } = await newPage();
    const shown = (name: string) => page.locator(`figure[data-language="${name}"]:visible`).count();
    await page.goto(`${demo.origin}/docs/guides/first-call`);
    await page.locator('.tabs label', { hasText: 'PHP' }).first().click();
    await page.goto(`${demo.origin}/docs/guides/webhooks`);
    expect([await shown('php'), await shown('curl')]).toEqual([expect.any(Number), 0]);
    expect(await shown('php')).toBeGreaterThan(0);
    await page.context().close();
    const plain = await newPage({ javaScriptEnabled: false });
    await plain.page.goto(`${demo.origin}/docs/en`);
    const tabs = plain.page.locator('.tabs label');
    expect(await tabs.count()).toBe(6);
    await tabs.last().click();
    expect(await plain.page.locator('figure[data-language="go"]:visible').count()).toBe(1);
    expect(await plain.page.locator('figure[data-language="curl"]:visible').count()).toBe(0);
    await plain.page.context().close();
  });
});

describe.skipIf(!hasChromium)('the feed of the changelog', () => {
  const path = '/docs/changelog.atom';

  it('is XML that keeps the rules of Atom (RFC 4287), and its entries lead to their day', async () => {
    const { page } = await newPage();
    await page.goto(`${demo.origin}/docs/guides/versions`);
    const feed = await page.evaluate<XmlElement>(readXml(path));
    expect(brokenRules(feed, demo.origin + path)).toEqual([]);
    const targets = partsOf(feed, 'entry').map(
      (entry) => linksTo(entry, 'alternate')[0]?.attributes['href'] ?? '',
    );
    expect(targets.length).toBeGreaterThan(40);
    for (const target of new Set(targets)) {
      const { pathname, hash } = new URL(target);
      const html = await (await fetch(demo.origin + pathname)).text();
      expect(html, target).toContain(` id="${hash.slice(1)}"`);
    }
    await page.context().close();
  });
});

/** An element of XML. */
interface XmlElement {
  namespace: string | null;
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: XmlElement[];
}

/**
 * Reads XML with the parser of the browser. What is not well-formed has the element `parsererror`.
 */
const readXml = (path: string) => `(async () => {
  const toTree = (element) => ({
    namespace: element.namespaceURI,
    name: element.localName,
    attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
    text: element.textContent,
    children: [...element.children].map(toTree),
  });
  const text = await (await fetch(${JSON.stringify(path)})).text();
  return toTree(new DOMParser().parseFromString(text, 'application/xml').documentElement);
})()`;

const atom = 'http://www.w3.org/2005/Atom';

const partsOf = ({ children }: XmlElement, name: string) =>
  children.filter((child) => child.namespace === atom && child.name === name);

const linksTo = (parent: XmlElement, rel: string) =>
  partsOf(parent, 'link').filter(({ attributes }) => attributes['rel'] === rel);

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** Returns the rules of RFC 4287 that a feed at an address breaks. */
function brokenRules(feed: XmlElement, address: string): string[] {
  const entries = partsOf(feed, 'entry');
  const broken: string[] = [];
  const require = (isKept: boolean, rule: string) => {
    if (!isKept) broken.push(rule);
  };
  require(feed.namespace === atom && feed.name === 'feed', `the root is a feed: ${feed.name}`);
  for (const parent of [feed, ...entries]) {
    const [id, title, updated] = ['id', 'title', 'updated'].map((name) => {
      const parts = partsOf(parent, name);
      require(parts.length === 1, `one ${name} (4.1)`);
      return parts[0]?.text.trim() ?? '';
    });
    require(URL.canParse(id!), `the id is an IRI (4.2.6): ${id}`);
    require(title !== '', `a title: ${id}`);
    require(rfc3339.test(updated!), `a date of RFC 3339 (3.3): ${id}`);
    require(linksTo(parent, 'alternate').length === 1, `one alternate (4.1): ${id}`);
    for (const { attributes } of partsOf(parent, 'link'))
      require(URL.canParse(attributes['href'] ?? ''), `href is an IRI (4.2.7.1): ${id}`);
  }
  for (const entry of entries) {
    const [content, ...others] = partsOf(entry, 'content');
    require(content?.attributes['type'] === 'html' && others.length === 0, 'one content (4.1.2)');
    require(/^<p>[^]+<\/p>$/.test(content?.text ?? ''), 'the content is HTML (3.1.1.2)');
    require(partsOf(entry, 'category').every(({ attributes }) => attributes['term']), 'a term');
  }
  const authors = partsOf(feed, 'author').map((author) => partsOf(author, 'name')[0]?.text ?? '');
  require(authors.length === 1 && authors[0] !== '', 'an author with a name (4.1.1, 3.2)');
  require(linksTo(feed, 'self')[0]?.attributes['href'] === address, 'it names itself (4.1.1)');
  const ids = entries.map((entry) => partsOf(entry, 'id')[0]?.text);
  require(new Set(ids).size === ids.length, 'ids are unique (4.2.6)');
  return broken;
}

describe.skipIf(!hasChromium)('the interactive reference', () => {
  it('asks no other host, sends a request with the key of the demo, and is accessible in every view', async () => {
    const { page, noise } = await newPage();
    // The fragment that earlier releases had.
    await page.goto(`${demo.origin}/docs/reference#tag/user/POST/auth/me`, {
      waitUntil: 'networkidle',
    });
    const send = page.getByRole('button', { name: 'Send' });
    await send.waitFor();
    const kilobytes = Math.round(noise.bytes / 1024);
    console.log(`interactive: ${kilobytes} KB, first paint after ${await firstPaint(page)} ms`);
    expect(kilobytes).toBeLessThan(1_300);
    const answer = page.waitForResponse((response) =>
      response.url().startsWith(`${demo.origin}/v2/`),
    );
    await send.click();
    const { status, headers } = await answer.then(async (response) => ({
      status: response.status(),
      headers: await response.request().allHeaders(),
    }));
    expect([status, headers['user-token']]).toEqual([200, demoApiKeys[0].token]);
    await page
      .getByRole('region', { name: 'Body of the response' })
      .getByText('ana@demo.test')
      .waitFor();
    expect(await findProblems(page, 'docs-interactive', looksAt(allViews))).toEqual([]);
    expect(noise.errors).toEqual([]);
    expect([...noise.hosts]).toEqual([demo.origin]);
    await page.context().close();
  });

  it('sends the key of an operator to operations of operators, and says so', async () => {
    const { page } = await newPage();
    await page.goto(`${demo.origin}/docs/reference#listStores`);
    await page.getByText('Of an operator, made for operators.').waitFor();
    const answer = page.waitForResponse((response) =>
      response.url().startsWith(`${demo.origin}/v2/operator/stores`),
    );
    await page.getByRole('button', { name: 'Send' }).click();
    expect((await answer).status()).toBe(200);
    await page.context().close();
  });

  it('sends path, query and body of the operation that a plain page links to', async () => {
    const { page, noise } = await newPage();
    await page.goto(`${demo.origin}/docs/reference/brands`);
    await page.locator('#createBrand').getByRole('link', { name: 'Send a request' }).click();
    await page.getByLabel('application/json').fill('{"name":"Sol","active":true}');
    await page.getByRole('button', { name: 'Send' }).click();
    const body = page.getByRole('region', { name: 'Body of the response' });
    const { data } = JSON.parse((await body.textContent()) ?? '') as { data: { id: number } };
    await page.getByLabel('Operation').selectOption('listBrands');
    await page.getByText('Optional parameters').click();
    await page.getByLabel('name', { exact: true }).fill('Sol');
    await page.getByRole('button', { name: 'Send' }).click();
    await page
      .getByRole('status')
      .getByText(/200 .*\?name=Sol$/)
      .waitFor();
    expect(await body.textContent()).toContain(`"id": ${data.id}`);
    expect(noise.errors).toEqual([]);
    await page.context().close();
  });
});
