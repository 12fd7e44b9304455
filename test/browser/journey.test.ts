import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPackage } from '../support/node/client/built-client.ts';
import { expected, mark, scenario } from '../support/node/client/scenario.ts';
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

/**
 * Opens a page in a new browser context. Its clock stands still, unless it `hasTime` or runs no
 * scripts.
 */
async function newPage({
  hasTime = false,
  ...options
}: { javaScriptEnabled?: boolean; hasTime?: boolean } = {}): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  context.setDefaultTimeout(patience.timeout);
  const page = await context.newPage();
  if (!hasTime && options.javaScriptEnabled !== false) await installClock(page);
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

  it('attack C2, C15, C21: ignores a click within half a second after the page receives the focus, submits no form that is redirected to another origin, and is not rendered in a frame of another site', async () => {
    const other = await startAppServer({ '/': `<iframe src="${link()}"></iframe>` });
    const page = await newPage();
    const consoleErrors = collectConsoleErrors(page);
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
    expect(consoleErrors).toEqual([]);
    await page.evaluate(
      `document.querySelector('form.decision').action = '${other.redirectUri}';
       document.querySelector('[data-settle]').click()`,
    );
    await expect
      .poll(() => consoleErrors.join(' '), patience)
      .toMatch(/form-action|Content Security Policy/);
    expect(other.callbacks).toEqual([]);
    expect(page.url()).toContain('/oauth/authorize');
    await page.goto(link());
    await passClickGuard(page);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(`${app.redirectUri}?code=*`);

    consoleErrors.length = 0;
    await page.goto(other.origin);
    await expect
      .poll(() => consoleErrors.join(' '), patience)
      .toMatch(/frame-ancestors|X-Frame-Options/);
    const frame = page.frames()[1]!;
    expect(await frame.locator('form').count()).toBe(0);
    other.close();
    await page.context().close();
  });

  it('attack C14, H4: returns to the app with access_denied after Deny, sends no referrer, and requests resources of the service only', async () => {
    const page = await newPage();
    const requests: { url: string; referer: string }[] = [];
    page.on('request', (request) =>
      requests.push({ url: request.url(), referer: request.headers().referer ?? '' }),
    );
    await page.goto(link());
    await signIn(page);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.waitForURL(`${app.redirectUri}?*`);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'xyz',
      iss: demo.origin,
    });
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

/** Serves an empty page and the package. */
async function servePage(file: string): Promise<Server> {
  const server = createServer((request, response) => {
    const isScript = request.url === '/client.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? readFileSync(file) : '<!doctype html><title>Page</title>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe.skipIf(!hasChromium)('the client in Chromium', () => {
  it('works on a page of another origin', async () => {
    const pages = await servePage(join(await buildPackage(), 'index.js'));
    const page = await newPage({ hasTime: true });
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
    const call = `import('/client.js').then((built) => (${scenario})(built, ${JSON.stringify(demo.origin)}, ${JSON.stringify(mark())}))`;
    expect(await page.evaluate(call)).toEqual(expected);
    await page.context().close();
    pages.close();
  });
});

/** Collects what violates the Content Security Policy of a page. */
function collectPolicyErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && message.text().includes('Content Security Policy'))
      errors.push(message.text());
  });
  return errors;
}

/** Gives a page an authenticator that keeps passkeys and has verified its user. */
async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { session, authenticatorId };
}

/**
 * Makes a browser that proposes no passkeys, as older ones do; a virtual authenticator accepts what
 * is proposed at once.
 */
const proposeNone = (page: Page) =>
  page.addInitScript('delete PublicKeyCredential.isConditionalMediationAvailable');

const credentialsOf = async (session: CDPSession, authenticatorId: string) =>
  (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials;

async function enterPassword(page: Page, who: string) {
  await page.goto(`${demo.origin}/session`);
  await page.getByLabel('E-mail').fill(`${who}@demo.test`);
  await page.getByLabel('Password').fill(`demo-password-${who}`);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Adds a passkey on the security page. */
async function addPasskey(page: Page, name: string) {
  await page.goto(`${demo.origin}/account/security`);
  await page.getByRole('link', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name of the passkey').fill(name);
  await page.getByRole('button', { name: 'Create the passkey' }).click();
}

describe.skipIf(!hasChromium)('a passkey in Chromium', () => {
  it('is made on the security page, once a device and by a verified user, replaces the code at sign-in and at a proof, signs in alone, and is removed', async () => {
    const page = await newPage({ hasTime: true });
    const errors = collectPolicyErrors(page);
    await proposeNone(page);
    const { session, authenticatorId } = await addAuthenticator(page);
    await enterPassword(page, 'ana');
    await page.waitForURL((url) => url.pathname === '/account');
    await addPasskey(page, 'My laptop');
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    const [kept] = await credentialsOf(session, authenticatorId);
    expect(kept).toMatchObject({ isResidentCredential: true, rpId: 'localhost' });
    await addPasskey(page, 'Second');
    await page.getByRole('alert').filter({ hasText: 'Your device made no passkey' }).waitFor();
    expect(await credentialsOf(session, authenticatorId)).toHaveLength(1);

    const verifyUser = (isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    await verifyUser(false);
    await page.context().clearCookies();
    await page.goto(`${demo.origin}/session`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').filter({ hasText: 'sign in with your password' }).waitFor();
    await enterPassword(page, 'ana');
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('alert').filter({ hasText: 'did not use a passkey' }).waitFor();
    await verifyUser(true);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL((url) => url.pathname === '/account');
    await page.goto(`${demo.origin}/account/security`);
    await page.getByText('My laptop', { exact: true }).waitFor();

    // Without the password, also from a page that asks to sign in.
    await page.context().clearCookies();
    await page.goto(`${demo.origin}/account/security`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('My laptop', { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/account/security');
    await demo.env.DIRECTORY.prepare('update passkeys set replaces_password = 0').run();
    await page.context().clearCookies();
    await page.goto(`${demo.origin}/session`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').filter({ hasText: 'Your password is new' }).waitFor();
    await enterPassword(page, 'ana');
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL((url) => url.pathname === '/account');
    await page.goto(`${demo.origin}/account/security`);

    await demo.env.DIRECTORY.prepare('update sessions set factor_at = 1, proved_at = 1').run();
    await demo.env.DIRECTORY.prepare('update passkeys set created_at = 1').run();
    await page.getByRole('link', { name: 'Remove My laptop' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('heading', { name: 'Remove My laptop?' }).waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('You have no passkey.').waitFor();
    expect(errors).toEqual([]);
  });

  it('is proposed in the field of the e-mail address, without a click on the button', async () => {
    const page = await newPage({ hasTime: true });
    const errors = collectPolicyErrors(page);
    await addAuthenticator(page);
    await enterPassword(page, 'vera');
    await page.waitForURL((url) => url.pathname === '/account');
    await addPasskey(page, 'Phone');
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    await page.context().clearCookies();
    await page.goto(`${demo.origin}/account/security`);
    await page.getByText('Phone', { exact: true }).waitFor();
    expect(errors).toEqual([]);
  });

  it('has no button in a browser without the API or without scripts', async () => {
    const page = await newPage({ hasTime: true });
    await page.addInitScript('delete window.PublicKeyCredential');
    await page.goto(`${demo.origin}/session`);
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0);
    await enterPassword(page, 'bruno');
    await page.waitForURL((url) => url.pathname === '/account');
    await page.goto(`${demo.origin}/account/security`);
    expect(await page.getByRole('link', { name: 'Add a passkey' }).count()).toBe(0);
    await page.goto(`${demo.origin}/account/security/passkeys/new`);
    expect(await page.getByRole('button', { name: 'Create the passkey' }).count()).toBe(0);

    const plain = await newPage({ javaScriptEnabled: false });
    await plain.goto(`${demo.origin}/session`);
    expect(await plain.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0);
    await enterPassword(plain, 'bruno');
    await plain.waitForURL((url) => url.pathname === '/account');
    await plain.goto(`${demo.origin}/account/security/passkeys/new`);
    expect(await plain.locator('noscript p').innerText()).toContain('a browser with scripts');
    expect(await plain.getByRole('button', { name: 'Create the passkey' }).count()).toBe(0);
  });
});
