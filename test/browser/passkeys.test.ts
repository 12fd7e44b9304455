import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type RunningDemo } from '../support/node/runtime/demo.ts';
import { patience } from '../support/patience.ts';
import { hasChromium, launchChromium } from './chromium.ts';

let demo: RunningDemo;
let browser: Browser;

beforeAll(async () => {
  if (!hasChromium) return;
  demo = await startDemo();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await demo?.close();
});

/** Opens a page, and notes what violates its Content Security Policy. */
async function newPage(options: { javaScriptEnabled?: boolean } = {}) {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  context.setDefaultTimeout(patience.timeout);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && message.text().includes('Content Security Policy'))
      errors.push(message.text());
  });
  return { page, errors };
}

/** Gives a page an authenticator that keeps passkeys and has verified its user, unless `isUserVerified` is false. */
async function addAuthenticator(page: Page, isUserVerified = true) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  });
  return { session, authenticatorId };
}

/** Makes a browser that proposes no passkeys, as older ones do; a virtual authenticator accepts what is proposed at once. */
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
  it('is made on the security page, replaces the code at sign-in and at a proof, signs in alone, and is removed', async () => {
    const { page, errors } = await newPage();
    await proposeNone(page);
    const { session, authenticatorId } = await addAuthenticator(page);
    await enterPassword(page, 'ana');
    await page.waitForURL((url) => url.pathname === '/account');
    await addPasskey(page, 'My laptop');
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    const [kept] = await credentialsOf(session, authenticatorId);
    expect(kept).toMatchObject({ isResidentCredential: true, rpId: 'localhost' });

    await page.context().clearCookies();
    await enterPassword(page, 'ana');
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
    await demo.env.DIRECTORY.prepare('update passkeys set works_alone = 0').run();
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
    const { page, errors } = await newPage();
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

  it('is refused twice on one device, and without verification of the user', async () => {
    const { page } = await newPage();
    await proposeNone(page);
    const { session, authenticatorId } = await addAuthenticator(page);
    await enterPassword(page, 'paula');
    await page.waitForURL((url) => url.pathname === '/account');
    await addPasskey(page, 'First');
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    await addPasskey(page, 'Second');
    await page.getByRole('alert').filter({ hasText: 'Your device made no passkey' }).waitFor();
    expect(await credentialsOf(session, authenticatorId)).toHaveLength(1);

    await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.context().clearCookies();
    await enterPassword(page, 'paula');
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('alert').filter({ hasText: 'did not use a passkey' }).waitFor();
    await page.goto(`${demo.origin}/session`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').filter({ hasText: 'sign in with your password' }).waitFor();
  });

  it('has no button in a browser without the API or without scripts', async () => {
    const { page } = await newPage();
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
    await plain.page.goto(`${demo.origin}/session`);
    expect(await plain.page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(
      0,
    );
    await enterPassword(plain.page, 'bruno');
    await plain.page.waitForURL((url) => url.pathname === '/account');
    await plain.page.goto(`${demo.origin}/account/security/passkeys/new`);
    expect(await plain.page.locator('noscript p').innerText()).toContain('a browser with scripts');
    expect(await plain.page.getByRole('button', { name: 'Create the passkey' }).count()).toBe(0);
  });
});
