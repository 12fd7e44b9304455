import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { languages } from '../../src/pages/i18n/languages.ts';
import { authorizeLink, pkce } from '../support/node/oauth/link.ts';
import { MerchantBrowser } from '../support/node/oauth/merchant.ts';
import { startDemo, type RunningDemo } from '../support/node/runtime/demo.ts';
import { hasChromium, launchChromium } from './chromium.ts';
import { merchantPages, partnerPages, publicPages, type PageVisit } from './page-visits.ts';

/** Folder for screenshots; none are taken without it. */
const screenshotFolder = process.env.SCREENSHOTS;

/** The minified build: it is evaluated on every page. */
const axeSource = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

interface View {
  width: number;
  colorScheme: 'light' | 'dark';
}

const views = [320, 1280].flatMap((width): View[] => [
  { width, colorScheme: 'light' },
  { width, colorScheme: 'dark' },
]);

let demo: RunningDemo;
let browser: Browser;

beforeAll(async () => {
  if (!hasChromium) return;
  demo = await startDemo();
  await connectApp(demo.origin);
  browser = await launchChromium();
  if (screenshotFolder) mkdirSync(screenshotFolder, { recursive: true });
});
afterAll(async () => {
  await browser?.close();
  await demo?.close();
});

/** Connects an app, so that pages can show it. */
async function connectApp(origin: string) {
  const callback = await new MerchantBrowser(origin).decide(`${origin}${authorizeLink()}`);
  const { status } = await fetch(`${origin}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'demo-app',
      redirect_uri: callback.origin + callback.pathname,
      code: callback.searchParams.get('code')!,
      code_verifier: pkce.verifier,
    }),
  });
  expect(status).toBe(200);
}

/** Returns the findings of axe-core, one per line. */
async function axeFindings(page: Page): Promise<string[]> {
  // The articles of the API reference look alike, so one of each section is checked.
  const { violations } = await page.evaluate<axe.AxeResults>(
    "axe.run({ exclude: [['article.entry:nth-of-type(n + 2)'], ['.contents li:nth-of-type(n + 2)']] }, { resultTypes: ['violations'] })",
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** Whether the page is wider than the window. */
const scrollsSideways = (page: Page) =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');

/** Opens a page in a browser with that language, signed in as the user if one is given. */
async function newPage(locale: string, user?: { email: string; password: string }) {
  const context = await browser.newContext({ locale });
  const page = await context.newPage();
  if (user) {
    await page.goto(`${demo.origin}/session`);
    await page.locator('[name=email]').fill(user.email);
    await page.locator('[name=password]').fill(user.password);
    await page.locator('[name=password]').press('Enter');
    await page.locator('[name=password]').waitFor({ state: 'detached' });
  }
  return page;
}

const visitors = [
  { who: 'a visitor without a session', pages: publicPages, user: undefined },
  {
    who: 'a merchant',
    pages: merchantPages,
    user: { email: 'ana@demo.test', password: 'demo-password-ana' },
  },
  {
    who: 'a partner',
    pages: partnerPages,
    user: { email: 'paula@demo.test', password: 'demo-password-paula' },
  },
];

/** Returns what is wrong with a page in several widths and colour schemes. */
async function findProblems(page: Page, name: string, views: readonly View[]): Promise<string[]> {
  const problems: string[] = [];
  await page.evaluate(axeSource);
  for (const { width, colorScheme } of views) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    const view = `${name} at ${width}, ${colorScheme}`;
    for (const finding of await axeFindings(page)) problems.push(`${view}: ${finding}`);
    if (await scrollsSideways(page)) problems.push(`${view}: scrolls sideways`);
    if (screenshotFolder) {
      const path = join(screenshotFolder, `${name}-${width}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: name !== 'docs' });
    }
  }
  return problems;
}

describe.skipIf(!hasChromium).each(visitors)('pages of $who', ({ pages, user }) => {
  it.each(languages)(
    'are accessible at 320 and 1280 px, light and dark, in %s',
    async (language) => {
      const page = await newPage(language, user);
      for (const [name, visit] of Object.entries<PageVisit>(pages)) {
        const policyViolations: string[] = [];
        page.removeAllListeners('console');
        page.on('console', (message) => {
          if (/Content Security Policy/.test(message.text())) policyViolations.push(message.text());
        });
        await visit(page, demo);
        expect(await findProblems(page, `${name}-${language}`, views)).toEqual([]);
        expect(policyViolations, name).toEqual([]);
      }
      await page.context().close();
    },
  );
});

describe.skipIf(!hasChromium)('the page /docs', () => {
  // The page is long, so each width and each colour scheme is checked only once.
  it('is accessible on a phone in light mode and on a desktop in dark mode', async () => {
    const page = await newPage('en');
    await page.goto(`${demo.origin}/docs`);
    const problems = await findProblems(page, 'docs', [
      { width: 320, colorScheme: 'light' },
      { width: 1280, colorScheme: 'dark' },
    ]);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
