import { access } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { languages, type Language } from '../../src/base/languages.ts';
import { authorizeLink, pkce } from '../support/node/oauth/link.ts';
import { MerchantBrowser } from '../support/node/oauth/merchant.ts';
import { startDemo, type RunningDemo } from '../support/node/runtime/demo.ts';
import { patience } from '../support/patience.ts';
import { shared } from '../support/shared.ts';
import { isSlow } from '../support/slow.ts';
import { hasChromium, launchChromium } from './chromium.ts';
import { installClock, submit } from './click-guard.ts';
import {
  allViews,
  findProblems,
  installAxe,
  looksAt,
  looksInFurther,
  recordLoad,
  scriptProblems,
  textProblems,
  weightProblems,
} from './page-problems.ts';
import {
  busyNetworkSource,
  merchantForms,
  merchantPages,
  openedElsewhere,
  operatorForms,
  operatorVisits,
  partnerForms,
  partnerVisits,
  publicPages,
  type PageVisit,
} from './page-visits.ts';
import { seedStates } from './state-seeds.ts';

let demo: RunningDemo;
let browser: Browser;
/** A page without scripts. */
let plain: Page;

beforeAll(async () => {
  if (!hasChromium) return;
  demo = await startDemo({ wrapperSource: busyNetworkSource });
  await connectApp(demo.origin);
  await seedStates(demo.env);
  browser = await launchChromium();
  plain = await browser.newPage({ javaScriptEnabled: false });
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

/** Signs a user in, once for all languages. Returns the cookies. */
const signIn = shared(async (email: string, password: string) => {
  const context = await browser.newContext();
  context.setDefaultTimeout(patience.timeout);
  const page = await context.newPage();
  await page.goto(`${demo.origin}/session`);
  await page.locator('[name=email]').fill(email);
  await page.locator('[name=password]').fill(password);
  await submit(page, page.locator('main form button').first());
  const state = await context.storageState();
  await context.close();
  return state;
});

/**
 * What a reader has who switched to a language: that of the page that signed them in would count
 * else.
 */
const languageCookie = (value: string) => ({
  name: '__Host-language',
  value,
  domain: new URL(demo.origin).hostname,
  path: '/',
  secure: true,
});

/** Opens a page in a browser with that language, signed in as the user if one is given. */
async function newPage(locale: string, user?: { email: string; password: string }) {
  const storageState = user && (await signIn(user.email, user.password));
  const context = await browser.newContext({ locale, ...(storageState && { storageState }) });
  context.setDefaultTimeout(patience.timeout);
  await installAxe(context);
  if (user) await context.addCookies([languageCookie(locale)]);
  const page = await context.newPage();
  // Only who is signed in as a merchant decides on a consent page.
  if (user === merchant) await installClock(page);
  return page;
}

/**
 * A run that takes screenshots (`npm run screenshots`) shows every page in each language and view.
 */
const takesScreenshots = process.env.SCREENSHOTS !== undefined;

/** The other forms of a role, in a run that shows all pages. */
const andAll = (pages: Record<string, PageVisit>, forms: Record<string, PageVisit>) =>
  isSlow || takesScreenshots ? { ...pages, ...forms } : pages;

const merchant = { email: 'ana@demo.test', password: 'demo-password-ana' };

const visitors = [
  { who: 'a visitor without a session', pages: publicPages, user: undefined },
  {
    who: 'a merchant',
    pages: andAll(merchantPages, merchantForms),
    user: merchant,
  },
  {
    who: 'a partner',
    pages: andAll(partnerVisits, partnerForms),
    user: { email: 'paula@demo.test', password: 'demo-password-paula' },
  },
  {
    who: 'an operator',
    pages: andAll(operatorVisits, operatorForms),
    user: { email: 'olga@demo.test', password: 'demo-password-olga' },
  },
];

/** The pages of which `npm test` shows some. */
const usualPages = { ...publicPages, ...merchantPages, ...partnerVisits, ...operatorVisits };

/**
 * `npm test` shows one of so many pages. It shares no divisor with the numbers of languages and
 * views, so each of them is met.
 */
const pagesPerUsual = 5;

/**
 * The pages that a run shows in a language. A page has a language of its own and a view, which
 * change from page to page. A slow run shows each in all: in its own the views that `npm test` does
 * not show, and in the others both widths.
 */
function shownIn(language: Language, pages: Record<string, PageVisit>) {
  const all = Object.entries(pages).map(([name, visit], index) => ({ name, visit, index }));
  return all.flatMap(({ name, visit, index }) => {
    const view = allViews[index % allViews.length]!;
    const isOwn = languages[index % languages.length] === language;
    const isUsual = name in usualPages && index % pagesPerUsual === 0;
    const isKnown = isSlow && isUsual;
    /**
     * Whether the page is opened once more without scripts, which shows the same controls in each
     * language.
     */
    const tries = { name, visit, hasPlain: isOwn && !isKnown };
    if (takesScreenshots) return [{ ...tries, looks: looksAt(allViews) }];
    if (!isSlow) return isUsual && isOwn ? [{ ...tries, looks: looksAt([view]) }] : [];
    const looks = isOwn ? looksAt(allViews, isKnown ? view : undefined) : looksInFurther(view);
    return [{ ...tries, looks }];
  });
}

const openedPaths = new Set<string>();

describe.skipIf(!hasChromium).each(visitors)('pages of $who', ({ pages, user }) => {
  describe.each(languages)('in %s', (language) => {
    let page: Page;
    beforeAll(async () => {
      page = await newPage(language, user);
      await plain.setExtraHTTPHeaders({ 'Accept-Language': language });
    });
    afterAll(() => page?.context().close());

    it.each(shownIn(language, pages))(
      'are accessible and light, need no script, have every text, and fit phones to desktops, light and dark: $name',
      async ({ name, visit, hasPlain, looks }) => {
        const policyViolations: string[] = [];
        page.removeAllListeners('console');
        page.on('console', (message) => {
          if (/Content Security Policy/.test(message.text())) policyViolations.push(message.text());
        });
        const load = recordLoad(page);
        await visit(page, demo);
        openedPaths.add(new URL(page.url()).pathname);
        expect(await weightProblems(page, load)).toEqual([]);
        // The mailbox of the demo is a tool for developers.
        const shown = name === 'demo-mail' ? 'en' : language;
        expect(await textProblems(page, shown)).toEqual([]);
        expect(await findProblems(page, `${name}-${language}`, looks)).toEqual([]);
        // The visit has taken back what this page shows, or it is shown once.
        if (hasPlain && !['remembered-devices', 'key-made'].includes(name)) {
          expect(await scriptProblems(page, plain, load)).toEqual([]);
        }
        expect(policyViolations).toEqual([]);
      },
    );
  });
});

it.runIf(hasChromium && isSlow)(
  'every page was opened here, or has a test that opens it',
  async () => {
    const { browserRoutes } = await import('../../src/pages/browser-routes.ts');
    const routes = new Set(
      browserRoutes()
        .routes.filter(({ method, path }) => method === 'GET' && !path.includes('*'))
        .map(({ path }) => path),
    );
    /** Whether a path is of a route, and not of one without parameters. */
    const isOf = (route: string, path: string) => {
      if (routes.has(path)) return route === path;
      const [parts, sent] = [route.split('/'), path.split('/')];
      return (
        parts.length === sent.length &&
        parts.every((part, index) => part.startsWith(':') || part === sent[index])
      );
    };
    const missing = [...routes].filter(
      (route) => ![...openedPaths].some((path) => isOf(route, path)),
    );
    expect(missing.toSorted()).toEqual(Object.values(openedElsewhere).flat().toSorted());
    for (const file of Object.keys(openedElsewhere)) await access(`test/${file}`);
  },
);

describe.skipIf(!hasChromium || isSlow)('on a small phone', () => {
  it('Approve and Deny are in sight or below each warning, and the menu opens without scripts and in one line', async () => {
    const context = await browser.newContext({
      viewport: { width: 320, height: 568 },
      javaScriptEnabled: false,
      storageState: await signIn(merchant.email, merchant.password),
    });
    context.setDefaultTimeout(patience.timeout);
    const page = await context.newPage();
    await page.goto(`${demo.origin}${authorizeLink()}`);
    const warning = await page.locator('.danger').boundingBox();
    const approve = await page.locator('[value=approve]').boundingBox();
    expect(approve?.y).toBeGreaterThan((warning?.y ?? 0) + (warning?.height ?? 0));
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${demo.origin}${authorizeLink()}`);
    const [danger, beside] = await Promise.all(
      ['.danger', '[value=approve]'].map((name) => page.locator(name).boundingBox()),
    );
    // Danger comes before the other powers, and on a wide screen the buttons stand beside it.
    expect(danger!.y).toBeLessThan((await page.locator('main h2').last().boundingBox())!.y);
    expect(beside!.x).toBeGreaterThan(danger!.x + danger!.width);
    expect(beside!.y + beside!.height).toBeLessThanOrEqual(800);
    await page.setViewportSize({ width: 320, height: 568 });
    await page.goto(`${demo.origin}${authorizeLink({ scope: 'catalog.read' })}`);
    for (const button of await page.locator('.decision button').all()) {
      const box = await button.boundingBox();
      expect((box?.y ?? 999) + (box?.height ?? 999)).toBeLessThanOrEqual(568);
    }
    await page.goto(`${demo.origin}/account`);
    const link = page.locator('nav.menu a[href="/account/webhooks"]');
    expect(await link.isVisible()).toBe(false);
    await page.locator('.menu-button').click();
    expect(await link.isVisible()).toBe(true);
    expect((await page.locator('.top .bar').boundingBox())?.height).toBeLessThanOrEqual(64);
    await page.keyboard.press('Escape');
    expect(await link.isVisible()).toBe(false);
    await context.close();
  });

  it('the permission of each area is shown once it is to be chosen, or at an error, without scripts', async () => {
    const context = await browser.newContext({
      viewport: { width: 320, height: 568 },
      javaScriptEnabled: false,
      storageState: await signIn(merchant.email, merchant.password),
    });
    context.setDefaultTimeout(patience.timeout);
    const page = await context.newPage();
    await page.goto(`${demo.origin}/account/keys/new`);
    const area = page.locator('[name=area_catalog]');
    expect(await area.isVisible()).toBe(false);
    await page.locator('[name=powers][value=chosen]').check();
    expect(await area.isVisible()).toBe(true);
    await area.selectOption('read');
    await page.locator('[name=powers][value=read]').check();
    expect(await area.isVisible()).toBe(false);
    // A set together with areas is refused, so they must be seen.
    await page.locator('[name=name]').fill('Both');
    await page.locator('main form button').last().click();
    await page.locator('#powers .error').waitFor();
    expect(await area.isVisible()).toBe(true);
    await context.close();
  });
});
