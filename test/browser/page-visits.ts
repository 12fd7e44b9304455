import type { Page } from 'playwright-core';
import { vi } from 'vitest';
import { sha256 } from '../../src/base/crypto/digest.ts';
import { languages } from '../../src/base/languages.ts';
import { settingsOf } from '../../src/base/settings.ts';
import type { MailKind } from '../../src/mail/kinds.ts';
import { renderMail } from '../../src/mail/render.tsx';
import { makeUnsubscribeLink } from '../../src/mail/unsubscribe.ts';
import { FormToken } from '../../src/web/forms/received-form.ts';
import { linkOrigin, mailExamples } from '../support/mail-examples.ts';
import { authorizeLink, registerAssistant } from '../support/node/oauth/link.ts';
import type { RunningDemo } from '../support/node/runtime/demo.ts';
import { patience } from '../support/patience.ts';
import { passClickGuard, submit } from './click-guard.ts';

/** Navigates a browser to one page. */
export type PageVisit = (page: Page, demo: RunningDemo) => Promise<unknown>;

const open =
  (path: string): PageVisit =>
  (page, { origin }) =>
    page.goto(`${origin}${path}`);

/** Opens a page that asks before it changes something. */
const openForm =
  (path: string): PageVisit =>
  async (page, { origin }) => {
    const response = await page.goto(`${origin}${path}`);
    if (response?.status() !== 200) throw new Error(`${path}: ${response?.status()}`);
    await page.locator('main form').waitFor();
  };

/** Opens a page and follows its first link or button that matches the selector. */
function follow(path: string, selector: string): PageVisit {
  return async (page, demo) => {
    await open(path)(page, demo);
    await page.locator(selector).first().click();
    await page.waitForURL((url) => url.pathname !== path.replace(/\?.*/, ''));
  };
}

const serverApp = { redirect_uri: 'https://partner.example/callback' };

/** Opens the consent page of an assistant that has just registered itself. */
async function openAssistantConsent(page: Page, demo: RunningDemo) {
  const redirect_uri = 'https://editor.test/callback';
  const client_id = await registerAssistant(demo.origin, redirect_uri);
  await open(authorizeLink({ client_id, redirect_uri }))(page, demo);
}

/** Approves the access of an assistant to no area. */
async function approveNoArea(page: Page, demo: RunningDemo) {
  await openAssistantConsent(page, demo);
  for (const box of await page.locator('[name=area]').all()) await box.uncheck();
  await pressApprove(page);
  await page.getByRole('alert').waitFor();
}

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

/** Presses Approve once the click guard is over. */
async function pressApprove(page: Page) {
  await passClickGuard(page);
  await submit(page, page.locator('[data-settle]'));
}

/** Submits the consent form with an expired form token. */
async function decideLate(page: Page, demo: RunningDemo) {
  await open(authorizeLink())(page, demo);
  const cookies = await page.context().cookies();
  const cookie = cookies.find(({ name }) => name === '__Host-session')?.value ?? '';
  const formToken = await new FormToken('consent').seal(
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

/** Submits a form as it is, although fields of it must be filled. */
const submitEmpty =
  (path: string): PageVisit =>
  async (page, demo) => {
    await open(path)(page, demo);
    await submit(page, page.locator('main form button:not(.quiet, [type=button])').last());
    await page.locator('[aria-invalid]').first().waitFor();
  };

/** Gives a user of the demo a second factor, which no code opens, or takes it back. */
const switchFactor = (demo: RunningDemo, email: string, isOn: boolean) =>
  demo.env.DIRECTORY.prepare('update users set mfa_enabled = ?1 where email = ?2')
    .bind(Number(isOn), email)
    .run();

/** Signs in as far as the page that asks for a code and offers to remember the device. */
async function askForCode(page: Page, demo: RunningDemo) {
  await switchFactor(demo, 'vera@demo.test', true);
  await open('/session')(page, demo);
  await page.locator('[name=email]').fill('vera@demo.test');
  await page.locator('[name=password]').fill('demo-password-vera');
  await submit(page, page.locator('main form button').first());
  await page.locator('[name=remember]').waitFor();
}

/** Shows the devices of a user that need no second step. */
async function showRememberedDevices(page: Page, demo: RunningDemo) {
  const now = Date.now();
  await demo.env.DIRECTORY.prepare(
    `insert into remembered_devices (user_id, token_hash, device, created_at, used_day, expires_at)
      select id, ?1, 'Firefox, Linux', ?2, ?2, ?3 from users where email = 'ana@demo.test'`,
  )
    .bind(crypto.randomUUID(), now, now + 30 * 86_400_000)
    .run();
  await switchFactor(demo, 'ana@demo.test', true);
  await open('/account/security')(page, demo);
  await page.locator('main a[href$="/forget"]').first().waitFor();
  await switchFactor(demo, 'ana@demo.test', false);
}

/**
 * Starts the change of the secret of a webhook unless it is under way, and opens the page of the
 * webhook.
 */
async function startSecretChange(page: Page, demo: RunningDemo) {
  await open('/account/webhooks/demo/1/rotate')(page, demo);
  const start = page.locator('main button[value=start]');
  if ((await start.count()) > 0) {
    await start.click();
    await page.waitForURL((url) => url.pathname.endsWith('/secret'));
  }
  await open('/account/webhooks/demo/1')(page, demo);
  await page.locator('main .card a[href$="/rotate"]').waitFor();
}

/** Shows the log of a webhook with a delivery that failed and is tried again in some minutes. */
async function showFailedDelivery(page: Page, demo: RunningDemo) {
  await demo.env.STORE_0.prepare(
    `update webhook_deliveries set state = 0, attempts = 2, response_status = 500, error = 'http_5xx',
       duration_ms = 40, due_at = ? where endpoint_id = 1 and seq = (
       select min(seq) from webhook_deliveries where endpoint_id = 1)`,
  )
    .bind(Date.now() + 200_000)
    .run();
  await open('/account/webhooks/demo/1')(page, demo);
  await page.locator('main .state.warn').first().waitFor();
}

/** Makes a key that only reads, and shows its two parts. */
async function makeKey(page: Page, demo: RunningDemo) {
  await open('/account/keys/new')(page, demo);
  await page.locator('[name=name]').fill('Relatórios');
  await submit(page, page.locator('main form button:not(.quiet, [type=button])').last());
  await page.waitForURL((url) => url.pathname === '/account/keys/made');
}

/** Lists keys that are in use and end one day. */
async function listKeysInUse(page: Page, demo: RunningDemo) {
  await makeKey(page, demo);
  await demo.env.DIRECTORY.prepare(
    `update api_keys set last_used_at = created_at
      where user_id = (select id from users where email = 'paula@demo.test')`,
  ).run();
  await open('/account/keys')(page, demo);
}

/** Uploads a logo of the demo app, a picture of the page itself, and shows the app. */
async function uploadLogo(page: Page, demo: RunningDemo) {
  await open('/partners/demo-app/logo')(page, demo);
  const clip = { x: 0, y: 0, width: 96, height: 96 };
  const buffer = await page.screenshot({ clip, type: 'png' });
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
  await submit(page, page.locator('main form button').last());
  await page.locator('main img.app-logo').waitFor();
}

/** Uploads a spreadsheet. The next page asks for its columns, and what the numbers of one mean. */
async function uploadTable(page: Page, demo: RunningDemo) {
  await open('/account/stores/demo/imports')(page, demo);
  const rows =
    'Nome;Marca;Tamanho;Código;Preço;Estoque\nCamisa;Ipê;P;C-P;49,90;1.000\nCaneca;Ipê;;K-1;barato;1\n';
  const file = { name: 'produtos.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) };
  await page.locator('input[type=file]').setInputFiles(file);
  await submit(page, page.locator('main form button').last());
}

/** Exports the products, unless that was done before, and shows the export with its files. */
async function exportProducts(page: Page, demo: RunningDemo) {
  const list = '/account/stores/demo/product-exports';
  await open(list)(page, demo);
  const done = page.locator('tr:has(.state.good) a').first();
  if ((await done.count()) > 0) await done.click();
  else await submit(page, page.locator('main form button').last());
  await page.waitForURL((url) => url.pathname !== list);
  await vi.waitUntil(async () => {
    await page.reload();
    return (await page.locator('main a[href$="/csv"]').count()) > 0;
  }, patience);
}

/** Imports a spreadsheet with a row that does not fit, and shows the import. */
async function importTable(page: Page, demo: RunningDemo) {
  await uploadTable(page, demo);
  await page.locator('main input[type=radio][value=","]').check();
  await submit(page, page.locator('main form button').last());
}

/** Does not say what the numbers of a column mean. */
async function leaveNumbersOpen(page: Page, demo: RunningDemo) {
  await uploadTable(page, demo);
  await submit(page, page.locator('main form button').last());
}

/**
 * Signs in with a wrong password until the service asks to wait (429): outside the browser, and at
 * last in it.
 */
async function signInTooOften(page: Page, demo: RunningDemo) {
  await open('/session')(page, demo);
  await page.locator('[name=email]').fill('nobody@demo.test');
  await page.locator('[name=password]').fill('wrong');
  const form = await page.evaluate<Record<string, string>>(
    `Object.fromEntries(new FormData(document.querySelector('main form')))`,
  );
  await vi.waitUntil(async () => {
    const headers = { Origin: demo.origin };
    const answer = await page.request.post(`${demo.origin}/session`, { form, headers });
    return answer.status() === 429;
  }, patience);
  await submit(page, page.locator('main form button').first());
  await page.locator('[role=alert]').filter({ hasText: /\d/ }).waitFor();
}

/** Sends a form that was made for another session (403). */
async function sendForeignForm(page: Page, demo: RunningDemo) {
  await open('/session')(page, demo);
  await page.locator('[name=email]').fill('ana@demo.test');
  await page.locator('[name=password]').fill('demo-password-ana');
  await page.context().clearCookies();
  await submit(page, page.locator('main form button').first());
}

/** Opens a page of managers as a viewer of the store (403). */
async function openAsViewer(page: Page, demo: RunningDemo) {
  const change = (text: string) => demo.env.DIRECTORY.prepare(text).run();
  await change(`insert into memberships (user_id, store_id, role, created_at)
    select u.id, s.id, 'viewer', 1 from users u, stores s where u.email = 'ana@demo.test' and s.alias = 'outlet'`);
  await open('/account/webhooks/outlet/new')(page, demo);
  await change(`delete from memberships where user_id = (select id from users where email = 'ana@demo.test')
    and store_id = (select id from stores where alias = 'outlet')`);
}

/**
 * Calls the API with the key of the demo, and shows the log of its requests once these are in it.
 */
async function showFilledRequests(page: Page, demo: RunningDemo) {
  const headers = { 'User-Token': 'demo-user-token', 'User-Secret-Key': 'sk_demo_secret_key' };
  const paths = ['catalog/products/0', 'catalog/brands/999999', 'orders?limit=many'];
  for (const path of paths) await fetch(`${demo.origin}/v2/demo/${path}`, { headers });
  await fetch(`${demo.origin}/v2/demo/catalog/brands`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: '', active: 'perhaps' }),
  });
  await open('/account/keys/1/requests')(page, demo);
  await vi.waitUntil(async () => {
    await page.reload();
    return (await page.locator('main tbody tr').count()) >= paths.length;
  }, patience);
}

/** The query of a request that comes from a network that has used up its limit of pages. */
const busyNetwork = 'network=busy';

/** A wrapper of the Worker that refuses the pages of the busy network. */
export const busyNetworkSource = `
  import worker from './index.js';
  export * from './index.js';
  const refused = { PAGES_PER_MINUTE: '1', PAGES_LIMIT: { limit: async () => ({ success: false }) } };
  export default {
    ...worker,
    fetch: (request, env, context) =>
      worker.fetch(request, request.url.endsWith('${busyNetwork}') ? { ...env, ...refused } : env, context),
  };`;

/** Adds a store as its erasure leaves it (`eraseDirectory`), and opens the erased stores. */
async function listErasedStores(page: Page, demo: RunningDemo) {
  const day = 86_400_000;
  const now = Date.now();
  await demo.env.DIRECTORY.prepare(
    `insert or ignore into stores (id, alias, name, owner_id, shard, active, closed_at, closed_by, close_reason,
       erase_at, erased_at, base_url, created_at, updated_at)
     select 99, 'erased-99', '', id, 0, 0, ?1, 'owner', 'The shop has moved', ?2, ?2, '', ?1, ?2
     from users where email = 'bruno@demo.test'`,
  )
    .bind(now - 31 * day, now - day)
    .run();
  await open('/operator/stores?state=erased')(page, demo);
}

/** Shows an erased store. */
async function showErasedStore(page: Page, demo: RunningDemo) {
  await listErasedStores(page, demo);
  await page.locator('main tbody th a').first().click();
  await page.waitForURL((url) => url.pathname.endsWith('/99'));
}

/** Invites a person, and shows the members with the open invitation. */
async function invitePerson(page: Page, demo: RunningDemo) {
  await open('/account/stores/demo/members/invite')(page, demo);
  await page.locator('[name=email]').fill('gerente.de.estoque@fornecedor-parceiro.example');
  await page.locator('[name=role]').first().check();
  await submit(page, page.locator('main form button:not(.quiet, [type=button])').last());
  await page.locator('main a[href*="/invitations/"]').first().waitFor();
}

/**
 * Opens an invitation; makes one if none is open, since their number for one address is limited.
 */
async function openInvitation(page: Page, demo: RunningDemo) {
  await open('/account/stores/demo/members')(page, demo);
  const link = page.locator('main a[href*="/invitations/"]').first();
  if (!(await link.isVisible())) await invitePerson(page, demo);
  await link.click();
  await page.waitForURL((url) => url.pathname.includes('/invitations/'));
}

/** Shows a delivery with the longest body unfolded. */
async function unfoldMessage(page: Page, demo: RunningDemo) {
  await follow('/account/webhooks/demo/1?state=held', 'tbody a')(page, demo);
  await page.locator('main details:has(figure) > summary').click();
}

/**
 * Shows a mail as a mailbox does, in the language of the browser and with the brand of the demo.
 */
const showMail = (kind: MailKind) => async (page: Page, demo: RunningDemo) => {
  const locale = await page.evaluate<string>('navigator.language');
  const language = languages.find((known) => known === locale) ?? 'en';
  const to = { to_address: 'ana@demo.test', to_name: 'Ana' };
  const unsubscribe = `${linkOrigin}/e-mail/unsubscribe?token=sealed`;
  const { brand } = settingsOf(demo.env);
  const settings = {
    brand: { ...brand, supportAddress: 'help@service.test' },
    linkOrigin,
    mailFrom: undefined,
  };
  const { data } = mailExamples.find((example) => example.kind === kind) ?? {};
  const mail = renderMail(settings, { kind, language, ...to, unsubscribe }, data);
  await page.setContent(mail?.html ?? '');
};

/** Opens the link of an optional mail, which asks. */
async function openUnsubscribe(page: Page, demo: RunningDemo) {
  const settings = {
    tokenKeys: { current: demo.env.TOKEN_KEY ?? '', previous: undefined },
    linkOrigin: '',
  };
  const content = { user_id: 1, kind: 'webhook_failing' };
  await open((await makeUnsubscribeLink(settings, content, Date.now())) ?? '')(page, demo);
}

/** Pages without a signed-in user. */
export const publicPages: Record<string, PageVisit> = {
  // First, while the page has no Content Security Policy: a mail has inline styles.
  mail: showMail('webhook_failing'),
  'demo-mail': open('/demo/mail'),
  home: open('/'),
  'sign-in': open('/session'),
  'sign-in-for-app': open(authorizeLink()),
  'sign-in-missing': submitEmpty('/session'),
  'sign-in-wait': signInTooOften,
  'network-wait': open(`/session?${busyNetwork}`),
  'foreign-form': sendForeignForm,
  code: askForCode,
  refusal: open(authorizeLink({ client_id: 'nobody' })),
  'refusal-redirect': open(authorizeLink({ redirect_uri: 'https://elsewhere.example/' })),
  'forgotten-password-missing': submitEmpty('/password/forgotten'),
  unsubscribe: openUnsubscribe,
  unsubscribed: open('/e-mail/unsubscribe?done=webhook_failing'),
  'forgotten-password-sent': open('/password/forgotten?sent=yes'),
  'sign-up': open('/sign-up'),
  'dead-link': open('/password/reset?token=none'),
  'dead-invitation': open('/invitations/nothing'),
  'signed-out': open('/session?signed-out=everywhere'),
};

/** Pages of the merchant of the demo. */
export const merchantPages: Record<string, PageVisit> = {
  consent: open(authorizeLink()),
  'consent-server': open(authorizeLink(serverApp)),
  'consent-catalog': open(authorizeLink({ client_id: 'catalog-app', scope: 'catalog.read' })),
  'consent-assistant': openAssistantConsent,
  'consent-assistant-missing': approveNoArea,
  'foreign-store': open(authorizeLink({ store: 'outlet' })),
  decided: decideTwice,
  expired: decideLate,
  account: open('/account'),
  'connected-apps': open('/account/apps'),
  disconnect: follow('/account/apps', 'main a.button.danger'),
  keys: open('/account/keys'),
  'key-requests-none': open('/account/keys/1/requests?operation=createBrand&status=5xx'),
  'key-requests': showFilledRequests,
  'new-key-missing': submitEmpty('/account/keys/new'),
  activity: open('/account/stores/demo/activity'),
  store: open('/account/stores/demo?done=saved'),
  'imports-missing': submitEmpty('/account/stores/demo/imports'),
  'import-columns': uploadTable,
  'import-numbers-open': leaveNumbersOpen,
  import: importTable,
  exports: open('/account/stores/demo/product-exports'),
  export: exportProducts,
  'edit-store': open('/account/stores/demo/edit'),
  'close-store-missing': submitEmpty('/account/stores/demo/close'),
  'closed-store': open('/account/stores/closed'),
  'leave-store': open('/account/stores/demo/leave'),
  'store-second-factor': open('/account/stores/demo/second-factor'),
  'export-store': open('/account/stores/demo/export'),
  'only-read': openAsViewer,
  invitations: invitePerson,
  'open-invitation': openInvitation,
  members: open('/account/stores/demo/members'),
  'invite-missing': submitEmpty('/account/stores/demo/members/invite'),
  member: follow('/account/stores/demo/members', 'tbody a'),
  'revoke-key': follow('/account/keys', 'main a[href$="/revoke"]'),
  password: open('/account/password'),
  security: open('/account/security'),
  'remembered-devices': showRememberedDevices,
  'passkey-new': open('/account/security/passkeys/new'),
  'second-factor-missing': submitEmpty('/account/security/second-factor'),
  sessions: open('/account/sessions'),
  'end-sessions': open('/account/sessions/end-others'),
  'shut-doors': open('/account/security/shut-doors'),
  profile: open('/account/profile?done=saved'),
  'change-email-missing': submitEmpty('/account/profile/e-mail'),
  notifications: open('/account/notifications?done=saved'),
  'not-found': open('/account/nowhere'),
  webhooks: open('/account/webhooks'),
  webhook: open('/account/webhooks/demo/1?done=edited'),
  'new-webhook-missing': submitEmpty('/account/webhooks/demo/new'),
  'edit-webhook': open('/account/webhooks/demo/1/edit'),
  'resume-webhook': open('/account/webhooks/demo/1/resume'),
  'delete-webhook': open('/account/webhooks/demo/1/delete'),
  'rotate-webhook': open('/account/webhooks/demo/1/rotate'),
  'webhook-secret-change': startSecretChange,
  'failed-delivery': showFailedDelivery,
  'held-delivery': follow('/account/webhooks/demo/1?state=held', 'tbody a'),
  'unfolded-delivery': unfoldMessage,
};

/** Pages of the partner of the demo, who has two stores. */
export const partnerVisits: Record<string, PageVisit> = {
  stores: open(authorizeLink()),
  'consent-draft': open(authorizeLink({ client_id: 'draft-app', store: 'bancada' })),
  partners: open('/partners'),
  'new-app': open('/partners/new'),
  'new-app-missing': submitEmpty('/partners/new'),
  app: open('/partners/demo-app'),
  'edit-app': open('/partners/demo-app/edit'),
  'verify-app': open('/partners/demo-app/verify'),
  'logo-missing': submitEmpty('/partners/demo-app/logo'),
  'app-logo': uploadLogo,
  'consent-logo': open(authorizeLink({ store: 'bancada' })),
  'disable-app': open('/partners/demo-app/disable'),
  'publish-app': open('/partners/draft-app/publish'),
  'try-app': open('/partners/draft-app/try'),
  'app-stores': open('/partners/demo-app/stores'),
  'app-requests': open('/partners/demo-app/requests'),
  'app-webhook-missing': submitEmpty('/partners/demo-app/webhook'),
  'test-stores': open('/partners/test-stores'),
  'new-test-store-missing': submitEmpty('/partners/test-stores/new'),
  'test-store': open('/partners/test-stores/bancada'),
  'reset-test-store': open('/partners/test-stores/bancada/reset'),
  'team-missing': submitEmpty('/partners/team'),
  'partner-activity': open('/partners/activity'),
};

/** Pages of the operator. One visit for each kind of page. */
export const operatorVisits: Record<string, PageVisit> = {
  operator: open('/operator'),
  'operator-stores': open('/operator/stores'),
  'operator-store': follow('/operator/stores?state=active', 'main tbody th a'),
  'operator-erased-stores': listErasedStores,
  'operator-erased-store': showErasedStore,
  'operator-new-store-missing': submitEmpty('/operator/stores/new'),
  'operator-deactivate-missing': submitEmpty('/operator/stores/1/deactivate'),
  'operator-invite-owner-missing': submitEmpty('/operator/stores/1/invite-owner'),
  'operator-user': follow('/operator/users', 'main tbody th a'),
  'operator-activity': open('/operator/activity'),
  'operator-objectives': open('/operator/objectives'),
  'operator-users': open('/operator/users'),
  'operator-apps': open('/operator/apps'),
  'operator-app': follow('/operator/apps', 'main tbody th a'),
  'operator-hosts': open('/operator/hosts'),
  'operator-drain-missing': submitEmpty('/operator/databases/0/empty'),
};

/** Visits of pages that ask before they change something. The pages above show one of each kind. */
const formsAt = (root: string, paths: readonly string[]): Record<string, PageVisit> =>
  Object.fromEntries(
    paths.map((path) => [`form${root}/${path}`.replaceAll('/', '-'), openForm(`${root}/${path}`)]),
  );

/** The other forms of the merchant: a slow run shows them, as the following ones. */
export const merchantForms: Record<string, PageVisit> = {
  ...formsAt('/account/stores/demo/members/4', ['hand-over', 'remove']),
  'end-session': follow('/account/sessions', 'main a[href$="/end"]'),
};

/** The other forms of the partner, and the keys that they make. */
export const partnerForms: Record<string, PageVisit> = {
  ...formsAt('/partners', ['demo-app/withdraw', 'test-stores/bancada/delete']),
  'key-made': makeKey,
  'keys-in-use': listKeysInUse,
};

export const operatorForms: Record<string, PageVisit> = {
  ...formsAt('/operator/stores/1', [
    'close',
    'erase',
    'export',
    'invite',
    'limits',
    'members/4/remove',
    'move',
    'rename',
    'reopen',
    'reactivate',
  ]),
  ...formsAt('/operator/users/4', [
    'deactivate',
    'end-sessions',
    'erase',
    'make-operator',
    'password-reset',
    'reactivate',
    'remove-second-factor',
    'revoke-operator',
  ]),
  ...formsAt('/operator', ['users/new', 'hosts/new', 'apps/1/disable', 'apps/1/enable']),
};

/**
 * The tests of pages that no visit opens, by their paths: they are files, or need a link of a mail,
 * a state that few accounts have, or a deployment with other settings.
 */
export const openedElsewhere: Record<string, readonly string[]> = {
  'stores/store-pages.test.ts': ['/account/new-store', '/account/stores/:alias/reopen'],
  'attacks/factor/codes-of-a-thief.test.ts': [
    '/account/security/second-factor/off',
    '/account/security/second-factor/codes',
    '/account/security/second-factor/codes/new',
  ],
  'attacks/links/one-use-links.test.ts': [
    '/e-mail/confirm',
    '/e-mail/undo',
    '/second-factor/keep',
    '/sign-up/confirm',
  ],
  'attacks/trust/ends.test.ts': [
    '/account/profile/e-mail/cancel',
    '/partners/team/members/:id/remove',
    '/partners/team/of/:id/leave',
  ],
  'attacks/trust/partners.test.ts': [
    '/partners/:clientId/webhook/remove',
    '/partners/:clientId/webhook/rotate',
    '/partners/:clientId/webhook/secret',
  ],
  'browser/journey.test.ts': ['/account/security/passkeys/:id/remove', '/session/passkey'],
  'pages/operator/blocked-hosts.test.ts': ['/operator/hosts/:id/unblock'],
  'pages/operator/every-status.test.ts': [
    '/operator/stores/:id/erasures/:jobId/cancel',
    '/operator/stores/:id/erasures/:jobId/confirm',
    '/operator/stores/:id/exports/:jobId',
  ],
  'pages/operator/told.test.ts': ['/operator/users/:id/keys/:key_id/revoke'],
  'pages/partners/logo.test.ts': ['/logos/:clientId/:file', '/partners/:clientId/logo/remove'],
  'pages/partners/trial.test.ts': ['/partners/try/callback'],
  'pages/partners/team.test.ts': ['/partners/team/invitations/:id/withdraw'],
  'pages/stores/exports.test.ts': [
    '/account/stores/:alias/product-exports/:id/csv',
    '/account/stores/:alias/product-exports/:id/ndjson',
  ],
  'pages/stores/imports.test.ts': ['/account/stores/:alias/imports/:id/errors'],
  'pages/webhooks/forms.test.ts': ['/account/webhooks/:alias/:id/secret'],
  'stores/export.test.ts': ['/account/stores/:alias/exports/:id'],
  'ops/jobs/moves.test.ts': ['/operator/stores/:id/moves/:jobId/purge'],
  'web/sign-in/remembered-devices.test.ts': ['/account/security/devices/:id/forget'],
  'web/sign-in/second-factor.test.ts': ['/session/code', '/session/proof'],
  'web/sign-in/setup.test.ts': ['/setup'],
};
