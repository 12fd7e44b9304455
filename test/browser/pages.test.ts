import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { languages } from '../../src/pages/words/languages.ts';
import { startDemo, type Demo } from '../support/node/demo.ts';
import { linkTo, pkce } from '../support/node/link.ts';
import { Merchant } from '../support/node/merchant.ts';
import { hasChromium, launchChromium } from './chromium.ts';
import { merchantPages, partnerPages, publicPages, type Way } from './pages.ts';

/** Screenshots for people to look at, when the variable names a folder. */
const folder = process.env.SCREENSHOTS;

interface View {
  width: number;
  colorScheme: 'light' | 'dark';
}

const views = [320, 1280].flatMap((width): View[] => [
  { width, colorScheme: 'light' },
  { width, colorScheme: 'dark' },
]);

let demo: Demo;
let browser: Browser;

beforeAll(async () => {
  if (!hasChromium) return;
  demo = await startDemo();
  await connect(demo.origin);
  browser = await launchChromium();
  if (folder) mkdirSync(folder, { recursive: true });
});
afterAll(async () => {
  await browser?.close();
  await demo?.close();
});

/** A connected app, for the pages that show it. */
async function connect(origin: string) {
  const callback = await new Merchant(origin).decide(`${origin}${linkTo()}`);
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

/** What axe-core finds, as one line each. */
async function findings(page: Page): Promise<string[]> {
  // Of the reference, whose rows look alike, one of each heading.
  const { violations } = await page.evaluate<axe.AxeResults>(
    "axe.run({ exclude: [['article.row:nth-of-type(n + 2)'], ['.contents li:nth-of-type(n + 2)']] })",
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** Whether something sticks out to the right of the window. */
const scrollsSideways = (page: Page) =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');

/** A browser that prefers a language, of somebody who is signed in, if anybody. */
async function newPage(locale: string, person?: { email: string; password: string }) {
  const context = await browser.newContext({ locale });
  const page = await context.newPage();
  if (person) {
    await page.goto(`${demo.origin}/session`);
    await page.locator('[name=email]').fill(person.email);
    await page.locator('[name=password]').fill(person.password);
    await page.locator('[name=password]').press('Enter');
    await page.locator('[name=password]').waitFor({ state: 'detached' });
  }
  return page;
}

const people = [
  { who: 'nobody', pages: publicPages, person: undefined },
  {
    who: 'a merchant',
    pages: merchantPages,
    person: { email: 'ana@demo.test', password: 'demo-password-ana' },
  },
  {
    who: 'a partner',
    pages: partnerPages,
    person: { email: 'paula@demo.test', password: 'demo-password-paula' },
  },
];

/** Looks at a page in several widths and schemes. */
async function look(page: Page, name: string, views: readonly View[]) {
  await page.evaluate(axe.source);
  for (const { width, colorScheme } of views) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    const view = `${name} at ${width}, ${colorScheme}`;
    expect(await findings(page), view).toEqual([]);
    expect(await scrollsSideways(page), view).toBe(false);
    if (folder) {
      const path = join(folder, `${name}-${width}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: name !== 'docs' });
    }
  }
}

describe.skipIf(!hasChromium).each(people)('pages of $who', ({ pages, person }) => {
  it.each(languages)(
    'axe finds nothing at 320 and 1280 px, light and dark, in %s',
    async (language) => {
      const page = await newPage(language, person);
      for (const [name, way] of Object.entries<Way>(pages)) {
        const refused: string[] = [];
        page.removeAllListeners('console');
        page.on('console', (message) => {
          if (/Content Security Policy/.test(message.text())) refused.push(message.text());
        });
        await way(page, demo);
        await look(page, `${name}-${language}`, views);
        expect(refused, name).toEqual([]);
      }
      await page.context().close();
    },
  );
});

describe.skipIf(!hasChromium)('/docs', () => {
  // It is long, so each width and each scheme comes once.
  it('axe finds nothing on a phone in the light and on a desk in the dark', async () => {
    const page = await newPage('en');
    await page.goto(`${demo.origin}/docs`);
    await look(page, 'docs', [
      { width: 320, colorScheme: 'light' },
      { width: 1280, colorScheme: 'dark' },
    ]);
    await page.context().close();
  });
});
