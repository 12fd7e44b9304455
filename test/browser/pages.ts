import type { Page } from 'playwright-core';
import { sha256 } from '../../src/crypto/sha256.ts';
import { consentTicket } from '../../src/oauth/transaction.ts';
import type { Demo } from '../support/node/demo.ts';
import { linkTo } from '../support/node/link.ts';

/** Brings a browser to one page. */
export type Way = (page: Page, demo: Demo) => Promise<unknown>;

const open =
  (path: string): Way =>
  (page, { origin }) =>
    page.goto(`${origin}${path}`);

/** Goes where the first link or button of a page leads that a selector names. */
function follow(path: string, selector: string): Way {
  return async (page, demo) => {
    await open(path)(page, demo);
    await page.locator(selector).first().click();
    await page.waitForURL((url) => url.pathname !== path);
  };
}

const onServer = { redirect_uri: 'https://partner.example/callback' };

/** Sends the form of the consent page without the browser leaving for the app. */
async function decideTwice(page: Page, demo: Demo) {
  await open(linkTo())(page, demo);
  const ticket = await page.locator('form.decision [name=ticket]').inputValue();
  await page.request.post(`${demo.origin}/oauth/authorize`, {
    form: { ticket, decision: 'approve' },
    headers: { Origin: demo.origin },
    maxRedirects: 0,
  });
  await press(page);
}

/** What the page holds clicks back for is over. */
async function press(page: Page) {
  await page.waitForTimeout(600);
  await page.locator('[data-settle]').click();
  await page.locator('[data-settle]').waitFor({ state: 'detached' });
}

/** A form whose time was over when it was sent. */
async function decideLate(page: Page, demo: Demo) {
  await open(linkTo())(page, demo);
  const cookies = await page.context().cookies();
  const cookie = cookies.find(({ name }) => name === '__Host-session')?.value ?? '';
  const ticket = await consentTicket.seal(
    { tokenKeys: { current: demo.env.TOKEN_KEY ?? '', previous: undefined } },
    { idHash: await sha256(cookie) },
    { grantId: 'AAAAAAAAAAAAAAAAAAAAAA', storeId: 1, scopes: 1, request: linkTo() },
    Date.now() - 1,
  );
  await page.evaluate(
    `for (const field of document.getElementsByName('ticket')) field.value = '${ticket}'`,
  );
  await press(page);
}

/** Sends the form to sign in with fields that are not filled. */
async function signInEmpty(page: Page, demo: Demo) {
  await open('/session')(page, demo);
  await page.locator('main button').click();
  await page.locator('[aria-invalid]').first().waitFor();
}

/** Sends the form of a new app with nothing in it. */
async function registerEmpty(page: Page, demo: Demo) {
  await open('/partners/new')(page, demo);
  await page.locator('main form button').last().click();
  await page.locator('[aria-invalid]').first().waitFor();
}

/** Pages for nobody in particular. */
export const publicPages: Record<string, Way> = {
  'sign-in': open('/session'),
  'sign-in-for-app': open(linkTo()),
  'sign-in-missing': signInEmpty,
  refusal: open(linkTo({ client_id: 'nobody' })),
  'refusal-redirect': open(linkTo({ redirect_uri: 'https://elsewhere.example/' })),
  'signed-out': open('/session?signed-out=everywhere'),
};

/** Pages of the demo's merchant. */
export const merchantPages: Record<string, Way> = {
  consent: open(linkTo()),
  'consent-server': open(linkTo(onServer)),
  'consent-catalog': open(linkTo({ client_id: 'catalog-app', scope: 'catalog.read' })),
  'foreign-store': open(linkTo({ store: 'outlet' })),
  decided: decideTwice,
  expired: decideLate,
  account: open('/account'),
  'connected-apps': open('/account/apps'),
  disconnect: follow('/account/apps', 'main a.button.danger'),
  keys: open('/account/keys'),
  'new-key': open('/account/keys/new'),
  'revoke-key': follow('/account/keys', 'main a[href$="/revoke"]'),
  password: open('/account/password'),
};

/** Pages of the demo's partner, who has two stores. */
export const partnerPages: Record<string, Way> = {
  stores: open(linkTo()),
  'consent-draft': open(linkTo({ client_id: 'draft-app', store: 'bancada' })),
  partners: open('/partners'),
  'new-app': open('/partners/new'),
  'new-app-missing': registerEmpty,
  app: open('/partners/demo-app'),
  'edit-app': open('/partners/demo-app/edit'),
  'disable-app': open('/partners/demo-app/disable'),
  'publish-app': open('/partners/draft-app/publish'),
};
