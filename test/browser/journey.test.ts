import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../support/node/demo.ts';
import { linkTo, pkce } from '../support/node/link.ts';
import { startApp, type App } from './app.ts';
import { hasChromium, launchChromium } from './chromium.ts';

let demo: Demo;
let browser: Browser;
let app: App;

beforeAll(async () => {
  if (!hasChromium) return;
  [demo, app] = await Promise.all([startDemo(), startApp()]);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  app?.close();
  await demo?.close();
});

const link = (changed = {}) =>
  `${demo.origin}${linkTo({ redirect_uri: app.redirectUri, ...changed })}`;

/** A browser of somebody new; `javaScriptEnabled: false` for one that runs no script. */
async function newPage(options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  context.setDefaultTimeout(20_000);
  return context.newPage();
}

async function signIn(page: Page) {
  await page.getByLabel('E-mail').fill('ana@demo.test');
  await page.getByLabel('Password').fill('demo-password-ana');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Approve' }).waitFor();
}

/** Longer than what the page holds clicks back for. */
const settle = (page: Page) => page.waitForTimeout(600);

/** What Chromium refuses, as it says on its console. */
function refusals(page: Page): string[] {
  const found: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') found.push(message.text());
  });
  return found;
}

describe.skipIf(!hasChromium)('a merchant in Chromium', () => {
  it('C15, I1, I3: approves and arrives at the app with code, merchant, state and iss', async () => {
    const page = await newPage();
    const refused = refusals(page);
    await page.goto(link());
    await signIn(page);
    await settle(page);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(`${app.redirectUri}?*`);
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({
      code: expect.stringMatching(/^oac_/),
      merchant: 'demo',
      state: 'xyz',
      iss: demo.origin,
    });
    expect(refused).toEqual([]);

    // I3: whatever the app was told on the way, the tokens are for the store that was approved.
    const response = await fetch(`${demo.origin}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'demo-app',
        redirect_uri: app.redirectUri,
        code: searchParams.get('code')!,
        code_verifier: pkce.verifier,
        merchant: 'outlet',
      }),
    });
    expect(await response.json()).toMatchObject({ merchant: 'demo' });

    // C22
    await page.goBack();
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    expect(app.callbacks.filter((url) => url.searchParams.has('code'))).toHaveLength(1);
    await page.context().close();
  });

  it('C14: denies and arrives with access_denied', async () => {
    const page = await newPage();
    await page.goto(link());
    await signIn(page);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.waitForURL(`${app.redirectUri}?*`);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'xyz',
      iss: demo.origin,
    });
    await page.context().close();
  });

  it('C24: needs the keyboard alone', async () => {
    const page = await newPage();
    await page.goto(link());
    await tabTo(page, 'E-mail');
    await page.keyboard.type('ana@demo.test');
    await page.keyboard.press('Tab');
    await page.keyboard.type('demo-password-ana');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await settle(page);
    await tabTo(page, 'Approve');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${app.redirectUri}?code=*`);
    await page.context().close();
  });

  it('C24: needs no script', async () => {
    const page = await newPage({ javaScriptEnabled: false });
    await page.goto(link());
    await signIn(page);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(`${app.redirectUri}?code=*`);
    await page.context().close();
  });

  it('C21: a click within half a second of the page getting the focus does nothing', async () => {
    const page = await newPage();
    await page.goto(link());
    await signIn(page);
    await settle(page);
    const before = app.callbacks.length;
    await page.evaluate(
      "dispatchEvent(new Event('focus')); document.querySelector('[data-settle]').click()",
    );
    await page.waitForTimeout(300);
    expect(new URL(page.url()).pathname).toBe('/oauth/authorize');
    expect(app.callbacks).toHaveLength(before);
    await settle(page);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(`${app.redirectUri}?code=*`);
    await page.context().close();
  });

  it('C15: a form that was led to another origin is not sent', async () => {
    const other = await startApp();
    const page = await newPage();
    const refused = refusals(page);
    await page.goto(link());
    await signIn(page);
    await settle(page);
    await page.evaluate(
      `document.querySelector('form.decision').action = '${other.redirectUri}';
       document.querySelector('[data-settle]').click()`,
    );
    await expect.poll(() => refused.join(' ')).toMatch(/form-action|Content Security Policy/);
    expect(other.callbacks).toEqual([]);
    expect(page.url()).toContain('/oauth/authorize');
    other.close();
    await page.context().close();
  });

  it('C2: shows itself in nobody’s frame', async () => {
    const framing = await startApp({ '/': `<iframe src="${link()}"></iframe>` });
    const page = await newPage();
    const refused = refusals(page);
    await page.goto(framing.origin);
    await expect.poll(() => refused.join(' ')).toMatch(/frame-ancestors|X-Frame-Options/);
    const frame = page.frames()[1]!;
    expect(await frame.locator('form').count()).toBe(0);
    framing.close();
    await page.context().close();
  });

  it('H4: tells nobody where it came from, and asks nobody but the service', async () => {
    const page = await newPage();
    const requests: { url: string; referer: string }[] = [];
    page.on('request', (request) =>
      requests.push({ url: request.url(), referer: request.headers().referer ?? '' }),
    );
    await page.goto(link());
    await signIn(page);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.waitForURL(`${app.redirectUri}?*`);
    expect(requests.length).toBeGreaterThan(6);
    for (const { url, referer } of requests) {
      expect(referer, url).toBe('');
      const { origin, protocol, pathname } = new URL(url);
      if (protocol === 'data:') continue;
      const isApp = origin === app.origin && ['/callback', '/favicon.ico'].includes(pathname);
      expect(isApp ? demo.origin : origin, url).toBe(demo.origin);
    }
    await page.context().close();
  });
});

/** Presses Tab until what has that name has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, name: string) {
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate<string>(
      '[document.activeElement.innerText, ...(document.activeElement.labels ?? [])].map((one) => one.textContent ?? one).join()',
    );
    if (found.includes(name)) return;
  }
  throw new Error(`no way to ${name} by keyboard`);
}
