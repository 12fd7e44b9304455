import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authorizeLink, pkce } from '../support/node/oauth/link.ts';
import { startDemo, type RunningDemo } from '../support/node/runtime/demo.ts';
import { patience } from '../support/patience.ts';
import { startAppServer, type AppServer } from './app-server.ts';
import { hasChromium, launchChromium } from './chromium.ts';
import { installClock, passClickGuard } from './click-guard.ts';

let demo: RunningDemo;
let browser: Browser;
let app: AppServer;

beforeAll(async () => {
  if (!hasChromium) return;
  [demo, app] = await Promise.all([startDemo(), startAppServer()]);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  app?.close();
  await demo?.close();
});

const link = (changed = {}) =>
  `${demo.origin}${authorizeLink({ redirect_uri: app.redirectUri, ...changed })}`;

/** Opens a page in a new browser context. */
async function newPage(options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  context.setDefaultTimeout(patience.timeout);
  const page = await context.newPage();
  if (options.javaScriptEnabled !== false) await installClock(page);
  return page;
}

async function signIn(page: Page) {
  await page.getByLabel('E-mail').fill('ana@demo.test');
  await page.getByLabel('Password').fill('demo-password-ana');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Approve' }).waitFor();
}

/** Collects the errors that Chromium logs, such as violations of the Content Security Policy. */
function collectConsoleErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return errors;
}

describe.skipIf(!hasChromium)('the consent page in Chromium', () => {
  it('attack C15, I1, I3: returns to the app with code, merchant, state and iss after Approve', async () => {
    const page = await newPage();
    const consoleErrors = collectConsoleErrors(page);
    await page.goto(link());
    await signIn(page);
    await passClickGuard(page);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(`${app.redirectUri}?*`);
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({
      code: expect.stringMatching(/^oac_/),
      merchant: 'demo',
      state: 'xyz',
      iss: demo.origin,
    });
    expect(consoleErrors).toEqual([]);

    // Attack I3: the tokens are for the approved store, even if the app sends another merchant.
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

    // Attack C22: the back button shows a new consent page, not a cached one.
    await page.goBack();
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    expect(app.callbacks.filter((url) => url.searchParams.has('code'))).toHaveLength(1);
    await page.context().close();
  });

  it('attack C14: returns to the app with access_denied after Deny', async () => {
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

  it('attack C24: works with the keyboard only', async () => {
    const page = await newPage();
    await page.goto(link());
    await tabTo(page, 'E-mail');
    await page.keyboard.type('ana@demo.test');
    await page.keyboard.press('Tab');
    await page.keyboard.type('demo-password-ana');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await passClickGuard(page);
    await tabTo(page, 'Approve');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${app.redirectUri}?code=*`);
    expect(new URL(page.url()).searchParams.get('code')).toMatch(/^oac_/);
    await page.context().close();
  });

  it('attack C24: works without JavaScript', async () => {
    const page = await newPage({ javaScriptEnabled: false });
    await page.goto(link());
    await signIn(page);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(`${app.redirectUri}?code=*`);
    expect(new URL(page.url()).searchParams.get('code')).toMatch(/^oac_/);
    await page.context().close();
  });

  it('attack C21: ignores a click within half a second after the page receives the focus', async () => {
    const page = await newPage();
    await page.goto(link());
    await signIn(page);
    await passClickGuard(page);
    const before = app.callbacks.length;
    // The script of the page listens first, so that this listener sees what it made of the event.
    const isIgnored = await page.evaluate<boolean>(
      `new Promise((resolve) => {
        document.addEventListener('submit', (event) => resolve(event.defaultPrevented));
        dispatchEvent(new Event('focus'));
        document.querySelector('[data-settle]').click();
      })`,
    );
    expect(isIgnored).toBe(true);
    expect(new URL(page.url()).pathname).toBe('/oauth/authorize');
    expect(app.callbacks).toHaveLength(before);
    await passClickGuard(page);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(`${app.redirectUri}?code=*`);
    await page.context().close();
  });

  it('attack C15: does not submit a form that is redirected to another origin', async () => {
    const other = await startAppServer();
    const page = await newPage();
    const consoleErrors = collectConsoleErrors(page);
    await page.goto(link());
    await signIn(page);
    await passClickGuard(page);
    await page.evaluate(
      `document.querySelector('form.decision').action = '${other.redirectUri}';
       document.querySelector('[data-settle]').click()`,
    );
    await expect
      .poll(() => consoleErrors.join(' '), patience)
      .toMatch(/form-action|Content Security Policy/);
    expect(other.callbacks).toEqual([]);
    expect(page.url()).toContain('/oauth/authorize');
    other.close();
    await page.context().close();
  });

  it('attack C2: is not rendered in a frame of another site', async () => {
    const framing = await startAppServer({ '/': `<iframe src="${link()}"></iframe>` });
    const page = await newPage();
    const consoleErrors = collectConsoleErrors(page);
    await page.goto(framing.origin);
    await expect
      .poll(() => consoleErrors.join(' '), patience)
      .toMatch(/frame-ancestors|X-Frame-Options/);
    const frame = page.frames()[1]!;
    expect(await frame.locator('form').count()).toBe(0);
    framing.close();
    await page.context().close();
  });

  it('attack H4: sends no referrer and requests resources of the service only', async () => {
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

/** Presses Tab until the element with that name has the focus. */
async function tabTo(page: Page, name: string) {
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<string>(
      '[document.activeElement.innerText, ...(document.activeElement.labels ?? [])].map((node) => node.textContent ?? node).join()',
    );
    if (focused.includes(name)) return;
  }
  throw new Error(`${name} is not reachable by keyboard`);
}
