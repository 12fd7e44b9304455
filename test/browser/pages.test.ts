import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { languages } from '../../src/pages/i18n/languages.ts';
import { authorizeLink, pkce } from '../support/node/oauth/link.ts';
import { MerchantBrowser } from '../support/node/oauth/merchant.ts';
import { startDemo, type RunningDemo } from '../support/node/runtime/demo.ts';
import { hasChromium, launchChromium } from './chromium.ts';
import { allViews, findProblems } from './page-problems.ts';
import { merchantPages, partnerPages, publicPages, type PageVisit } from './page-visits.ts';

let demo: RunningDemo;
let browser: Browser;

beforeAll(async () => {
  if (!hasChromium) return;
  demo = await startDemo();
  await connectApp(demo.origin);
  browser = await launchChromium();
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
        expect(await findProblems(page, `${name}-${language}`, allViews)).toEqual([]);
        expect(policyViolations, name).toEqual([]);
      }
      await page.context().close();
    },
  );
});
