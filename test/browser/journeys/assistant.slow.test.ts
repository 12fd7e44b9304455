import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { authorizeLink, pkce, registerAssistant } from '../../support/node/oauth/link.ts';
import { patience } from '../../support/patience.ts';
import { hasChromium } from '../chromium.ts';
import { passClickGuard } from '../click-guard.ts';
import { openDemo, Person } from './person.ts';

const opened = openDemo();

const redirectUri = 'https://editor.test/callback';

/** Registers an assistant, and returns its client id with the link that it shows. */
async function newAssistant() {
  const clientId = await registerAssistant(opened.demo.origin, redirectUri);
  const resource = `${opened.demo.origin}/mcp`;
  return {
    clientId,
    link: authorizeLink({ client_id: clientId, redirect_uri: redirectUri, resource }),
  };
}

/** Lists the tools that a token opens. */
async function listTools(token: string) {
  const response = await fetch(`${opened.demo.origin}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  return { status: response.status, text: await response.text() };
}

/** Approves, and redeems the code that the browser brings to the host of the assistant. */
async function approve(page: Page, clientId: string) {
  const returning = page.waitForRequest(`${redirectUri}?*`);
  await page.locator('[data-settle]').click();
  const response = await fetch(`${opened.demo.origin}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code: new URL((await returning).url()).searchParams.get('code') ?? '',
      code_verifier: pkce.verifier,
    }),
  });
  return (await response.json()) as { access_token: string; scope: string };
}

/** The boxes of areas that are ticked, or that are not. */
const areas = (page: Page, state: 'checked' | 'not(:checked)') =>
  page
    .locator(`[name=area]:${state}`)
    .evaluateAll((boxes) => boxes.map((box) => (box as unknown as { value: string }).value));

/** Areas that a merchant ticks one by one. */
const sensitive = ['customers', 'transactions', 'payments', 'config', 'webhooks'];

describe.skipIf(!hasChromium)('an assistant', () => {
  it('reads what the merchant ticked, stands among the connected apps, and is out with the next call once disconnected (401)', async () => {
    const ana = await Person.arrive(opened.browser, opened.demo);
    await ana.signIn('ana@demo.test', 'demo-password-ana');
    await ana.expectHeading('Your account');
    const { clientId, link } = await newAssistant();
    await ana.open(link);
    await ana.expectHeading('Let an assistant use your store?');
    const facts = await ana.page.locator('dl.facts').innerText();
    expect(facts.replaceAll(/\s+/g, ' ')).toBe(
      'It comes from editor.test verified It calls itself Editor not verified',
    );
    expect(await ana.page.locator('[name=access][value=read]').isChecked()).toBe(true);
    expect(await ana.page.locator('[name=access][value=write]').isChecked()).toBe(false);
    expect(await areas(ana.page, 'not(:checked)')).toEqual(sensitive);

    await ana.page.locator('[name=area][value=orders]').uncheck();
    await ana.page.locator('[name=area][value=customers]').check();
    const ticked = await areas(ana.page, 'checked');
    expect(ticked).toContain('customers');
    await passClickGuard(ana.page);
    const { access_token: token, scope } = await approve(ana.page, clientId);
    expect(scope.split(' ').toSorted()).toEqual(ticked.map((area) => `${area}.read`).toSorted());
    const { status, text } = await listTools(token);
    expect(status).toBe(200);
    expect(text).not.toContain('"create_brand"');

    await ana.open('/account/apps');
    const card = ana.page.locator('article', { hasText: 'Assistant from editor.test' });
    await card.getByText('whose name is not verified').waitFor();
    await card.getByText('Last used').waitFor();
    expect(await card.locator('time').count()).toBe(2);
    await card.getByRole('link', { name: 'Disconnect' }).click();
    await ana.page.waitForURL((url) => url.pathname.endsWith('/disconnect'));
    await ana.page.locator('main form button').click();
    await ana.page.waitForURL(/done=disconnected/);
    expect((await listTools(token)).status).toBe(401);
    await ana.page.context().close();
  });

  const words = [
    ['pt-BR', 'Só ler', 'não verificado'],
    ['en', 'Read only', 'not verified'],
    ['es', 'Solo leer', 'no verificado'],
  ] as const;
  // `pages.test.ts` reads the texts of the page in each language.
  it.each(words)('is let in without scripts, to read only, in %s', async (locale, read, claim) => {
    const context = await opened.browser.newContext({ locale, javaScriptEnabled: false });
    context.setDefaultTimeout(patience.timeout);
    const page = await context.newPage();
    const { clientId, link } = await newAssistant();
    await page.goto(opened.demo.origin + link);
    await page.locator('[name=email]').fill('ana@demo.test');
    await page.locator('[name=password]').fill('demo-password-ana');
    await page.locator('main form button').first().click();
    await page.locator('form.decision').waitFor();
    expect(await page.getByLabel(read).isChecked()).toBe(true);
    expect(await page.locator('dl.facts').innerText()).toContain(claim);
    expect(await areas(page, 'not(:checked)')).toEqual(sensitive);
    const { scope } = await approve(page, clientId);
    expect(scope).toContain('catalog.read');
    expect(scope).not.toMatch(/\.write|customers|payments|config/);
    await context.close();
  });
});
