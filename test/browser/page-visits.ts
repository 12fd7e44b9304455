import type { Page } from 'playwright-core';
import { sha256 } from '../../src/crypto/digest.ts';
import { consentFormToken } from '../../src/oauth/authorize/show-consent.tsx';
import { authorizeLink } from '../support/node/oauth/link.ts';
import type { RunningDemo } from '../support/node/runtime/demo.ts';

/** Navigates a browser to one page. */
export type PageVisit = (page: Page, demo: RunningDemo) => Promise<unknown>;

const open =
  (path: string): PageVisit =>
  (page, { origin }) =>
    page.goto(`${origin}${path}`);

/** Opens a page and follows its first link or button that matches the selector. */
function follow(path: string, selector: string): PageVisit {
  return async (page, demo) => {
    await open(path)(page, demo);
    await page.locator(selector).first().click();
    await page.waitForURL((url) => url.pathname !== path);
  };
}

const serverApp = { redirect_uri: 'https://partner.example/callback' };

/** Approves outside the browser, then presses Approve on the consent page. */
async function decideTwice(page: Page, demo: RunningDemo) {
  await open(authorizeLink())(page, demo);
  const formToken = await page.locator('form.decision [name=form_token]').inputValue();
  await page.request.post(`${demo.origin}/oauth/authorize`, {
    form: { form_token: formToken, decision: 'approve' },
    headers: { Origin: demo.origin },
    maxRedirects: 0,
  });
  await pressApprove(page);
}

/** Presses Approve once the click guard (500 ms) is over. */
async function pressApprove(page: Page) {
  await page.waitForTimeout(600);
  await page.locator('[data-settle]').click();
  await page.locator('[data-settle]').waitFor({ state: 'detached' });
}

/** Submits the consent form with an expired form token. */
async function decideLate(page: Page, demo: RunningDemo) {
  await open(authorizeLink())(page, demo);
  const cookies = await page.context().cookies();
  const cookie = cookies.find(({ name }) => name === '__Host-session')?.value ?? '';
  const formToken = await consentFormToken.seal(
    { tokenKeys: { current: demo.env.TOKEN_KEY ?? '', previous: undefined } },
    { idHash: await sha256(cookie) },
    { grantId: 'AAAAAAAAAAAAAAAAAAAAAA', storeId: 1, scopes: 1, requestPath: authorizeLink() },
    Date.now() - 1,
  );
  await page.evaluate(
    `for (const field of document.getElementsByName('form_token')) field.value = '${formToken}'`,
  );
  await pressApprove(page);
}

/** Submits an empty sign-in form. */
async function signInEmpty(page: Page, demo: RunningDemo) {
  await open('/session')(page, demo);
  await page.locator('main button').click();
  await page.locator('[aria-invalid]').first().waitFor();
}

/** Submits an empty form of a new app. */
async function registerEmpty(page: Page, demo: RunningDemo) {
  await open('/partners/new')(page, demo);
  await page.locator('main form button').last().click();
  await page.locator('[aria-invalid]').first().waitFor();
}

/** Pages without a signed-in user. */
export const publicPages: Record<string, PageVisit> = {
  'sign-in': open('/session'),
  'sign-in-for-app': open(authorizeLink()),
  'sign-in-missing': signInEmpty,
  refusal: open(authorizeLink({ client_id: 'nobody' })),
  'refusal-redirect': open(authorizeLink({ redirect_uri: 'https://elsewhere.example/' })),
  'signed-out': open('/session?signed-out=everywhere'),
};

/** Pages of the merchant of the demo. */
export const merchantPages: Record<string, PageVisit> = {
  consent: open(authorizeLink()),
  'consent-server': open(authorizeLink(serverApp)),
  'consent-catalog': open(authorizeLink({ client_id: 'catalog-app', scope: 'catalog.read' })),
  'foreign-store': open(authorizeLink({ store: 'outlet' })),
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

/** Pages of the partner of the demo, who has two stores. */
export const partnerPages: Record<string, PageVisit> = {
  stores: open(authorizeLink()),
  'consent-draft': open(authorizeLink({ client_id: 'draft-app', store: 'bancada' })),
  partners: open('/partners'),
  'new-app': open('/partners/new'),
  'new-app-missing': registerEmpty,
  app: open('/partners/demo-app'),
  'edit-app': open('/partners/demo-app/edit'),
  'disable-app': open('/partners/demo-app/disable'),
  'publish-app': open('/partners/draft-app/publish'),
};
