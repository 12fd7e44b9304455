import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { includesRole, type MemberRole } from '../../src/base/roles.ts';
import { accountPages } from '../../src/pages/account/account-pages.ts';
import { partnerPages } from '../../src/pages/partners/partner-pages.ts';
import type { UserPage } from '../../src/web/page.ts';
import { Browser, tokenFor } from '../support/browser/browser.ts';
import { addTestMember, createTestUser } from '../support/fixtures/members.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';
import { authorizeUrl } from '../support/oauth/consent.ts';
import { connectApp, createTestApp } from '../support/oauth/partner.ts';
import { addSecondFactor, showCode } from '../support/second-factor.ts';

/** All pages of a user that may name a store: in their path, or beside others. */
const pagesOfUsers = [...accountPages, ...partnerPages];

const pagesOfStores = pagesOfUsers.filter(({ path }) => path.includes(':alias'));

/** The path of a page with what it names; other records than the member do not exist. */
const pathIn = ({ path }: UserPage, store: TestStore, userId: number) =>
  path.replace(':alias', store.alias).replace(':userId', String(userId)).replaceAll(/:\w+/g, '1');

/** Everything that the pages of a store could change of it in the directory. */
async function stateOf({ id }: TestStore) {
  const tables = ['memberships', 'invitations', 'jobs', 'audit'].map((table) =>
    env.DIRECTORY.prepare(`select * from ${table} where store_id = ?`).bind(id),
  );
  const store = env.DIRECTORY.prepare('select * from stores where id = ?').bind(id);
  return JSON.stringify(
    (await env.DIRECTORY.batch([store, ...tables])).map(({ results }) => results),
  );
}

async function createScene() {
  const store = await createTestStore();
  const [manager, viewer, stranger] = [
    await addTestMember(store, 'manager'),
    await addTestMember(store, 'viewer'),
    await createTestUser(),
  ];
  const as = (userId: number) => new Browser().signIn(userId);
  return {
    store,
    memberId: viewer.userId,
    browsers: {
      viewer: await as(viewer.userId),
      manager: await as(manager.userId),
      owner: await as(store.userId),
      stranger: await as(stranger.userId),
    },
  };
}

const roles: readonly MemberRole[] = ['viewer', 'manager', 'owner'];

describe('the pages of a store', () => {
  it('all say which role they are for', () => {
    expect(pagesOfStores.length).toBeGreaterThan(20);
    expect(pagesOfStores.filter(({ role }) => role === undefined)).toEqual([]);
    const ofOwner = /\/members\/|\/close$|\/reopen$|\/export$|\/second-factor$/;
    const isWrong = ({ path, role, submitRole, onSubmit, needsProof }: UserPage) =>
      ofOwner.test(path) &&
      (role !== 'owner' || !needsProof || (onSubmit && submitRole !== 'owner'));
    expect(pagesOfStores.filter(isWrong)).toEqual([]);
    const ofViewers = pagesOfStores.filter(({ submitRole }) => submitRole === 'viewer');
    expect(ofViewers.map(({ path }) => path)).toEqual([
      // An export changes nothing of the store.
      '/account/stores/:alias/product-exports',
      '/account/stores/:alias/leave',
    ]);
  });

  it('open for their role and those above (200, or 404 for an unknown record), for no one else (403, 404)', async () => {
    const { store, memberId, browsers } = await createScene();
    for (const page of pagesOfStores) {
      const path = pathIn(page, store, memberId);
      for (const role of roles) {
        const { status } = await browsers[role].get(path);
        const allowed = includesRole(role, page.role ?? 'owner') ? [200, 303, 404] : [403];
        expect(allowed, `${role} GET ${path}`).toContain(status);
      }
      expect((await browsers.stranger.get(path)).status, `stranger GET ${path}`).toBe(404);
    }
  });

  it('show the sign-in page to a browser without a signed-in user', async () => {
    const { store, memberId } = await createScene();
    const browser = new Browser();
    for (const page of pagesOfStores) {
      const { text } = await browser.get(pathIn(page, store, memberId));
      expect(text).toContain('Forgotten your password?');
    }
  });

  it('take no form of a lesser role (403), a stranger (404) or a made-up token (400), and change nothing', async () => {
    const { store, memberId, browsers } = await createScene();
    const before = await stateOf(store);
    const first = pagesOfStores.find(({ onSubmit }) => onSubmit);
    for (const page of pagesOfStores.filter(({ onSubmit }) => onSubmit)) {
      const path = pathIn(page, store, memberId);
      // Fields that would raise a role, if a form took them.
      const fields = { role: 'owner', action: 'withdraw', alias: store.alias, user_id: '1' };
      const send = async (browser: Browser) =>
        (await browser.post(path, { form_token: await tokenFor(browser, path), ...fields })).status;
      for (const role of roles) {
        if (includesRole(role, page.submitRole ?? 'manager')) continue;
        expect(await send(browsers[role]), `${role} POST ${path}`).toBe(403);
      }
      expect(await send(browsers.stranger), `stranger POST ${path}`).toBe(404);
      if (page !== first) {
        const other = pathIn(first!, store, memberId);
        const foreign = await tokenFor(browsers.owner, other);
        const { status } = await browsers.owner.post(path, { form_token: foreign });
        expect(status, `another form's token POST ${path}`).toBe(403);
      }
      const forged = await browsers.owner.post(path, { form_token: 'made-up' });
      expect(forged.status, `forged POST ${path}`).toBe(400);
    }
    expect(await stateOf(store)).toBe(before);
  });

  it('give viewers no links to forms, and say so (403) when they open one', async () => {
    const { store, browsers } = await createScene();
    await connectApp(store);
    const hook = { url: 'http://127.0.0.1:9/x', name: 'hook', events: ['product.created'] };
    const { id } = (await store.api('POST /webhooks', hook)).body.data as { id: number };
    const root = `/account/stores/${store.alias}`;
    for (const path of [
      root,
      `${root}/members`,
      '/account/webhooks',
      `/account/webhooks/${store.alias}/${id}`,
      '/account/apps',
    ]) {
      const { html, status } = await browsers.viewer.get(path);
      expect(status, path).toBe(200);
      for (const page of pagesOfStores) {
        if (!page.onSubmit || page.role === 'viewer') continue;
        const pattern = new RegExp(
          `href="${page.path.replace(':alias', store.alias).replaceAll(/:\w+/g, '[^"/]+')}"`,
        );
        expect(html, `${path} links to ${page.path}`).not.toMatch(pattern);
      }
    }
    const refused = await browsers.viewer.get(`${root}/edit`);
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining('You can look at this store, but not change it'),
    ]);
    const ofOwner = await browsers.manager.get(`${root}/close`);
    expect([ofOwner.status, ofOwner.text]).toEqual([
      403,
      expect.stringContaining('Only the owner of this store can do this'),
    ]);
  });
});

/**
 * A store that requires a second factor, of which a member has none, and the owner's session has
 * shown none.
 */
async function createStoreWithDemand() {
  const store = await createTestStore();
  const member = await addTestMember(store, 'owner');
  const name = `Secret ${crypto.randomUUID()}`;
  const connected = await connectApp(store);
  await env.DIRECTORY.prepare('update apps set name = ? where id = ?')
    .bind(name, connected.app.id)
    .run();
  const hook = { url: 'http://127.0.0.1:9/x', name, events: ['product.created'] };
  await store.api('POST /webhooks', hook);
  await addSecondFactor(store.userId);
  const browsers = {
    'without a factor': await new Browser().signIn(member.userId),
    'without a code': await new Browser().signIn(store.userId),
  };
  await env.DIRECTORY.prepare('update sessions set factor_at = null where user_id = ?')
    .bind(store.userId)
    .run();
  await env.DIRECTORY.prepare('update stores set test = 1 where id = ?').bind(store.id).run();
  const demand = () =>
    env.DIRECTORY.prepare('update stores set mfa_required = 1 where id = ?').bind(store.id).run();
  return { store, member, name, browsers, demand };
}

describe('a store that requires two-step sign-in of its members', () => {
  it('attack: shows nothing on any page to a session that has shown no code, and is offered for no consent', async () => {
    const { store, member, name, browsers, demand } = await createStoreWithDemand();
    const app = await createTestApp();
    const visible = async (browser: Browser) => {
      const found: string[] = [];
      for (const page of pagesOfUsers) {
        const { status, html } = await browser.get(pathIn(page, store, member.userId));
        const isOpen =
          page.path.includes(':alias') &&
          status === 200 &&
          !html.includes('action="/session/proof"');
        if (isOpen || html.includes(name)) found.push(page.path);
      }
      const consent = await browser.get(authorizeUrl(app));
      return consent.text.includes(`(${store.alias})`) ? [...found, consent.text] : found;
    };
    await showCode(member.userId);
    expect((await visible(browsers['without a factor'])).length).toBeGreaterThan(10);
    await demand();
    for (const [who, browser] of Object.entries(browsers)) {
      expect(await visible(browser), who).toEqual([]);
    }
  });

  it('attack: takes no form of such a session', async () => {
    const { store, member, browsers, demand } = await createStoreWithDemand();
    await demand();
    const before = await stateOf(store);
    const forms = pagesOfStores.filter(({ onSubmit }) => onSubmit);
    expect(forms.length).toBeGreaterThan(20);
    for (const browser of Object.values(browsers)) {
      for (const page of forms) {
        const path = pathIn(page, store, member.userId);
        const fields = { role: 'owner', action: 'withdraw', alias: store.alias, user_id: '1' };
        const token = await tokenFor(browser, path);
        const sent = await browser.post(path, { form_token: token, ...fields });
        const isAsked = sent.status === 200 && sent.html.includes('action="/session/proof"');
        if (!isAsked) expect([303, 403, 404], `POST ${path}`).toContain(sent.status);
        if (sent.status === 303) expect(sent.location, `POST ${path}`).toBe(path);
      }
    }
    expect(await stateOf(store)).toBe(before);
  });
});
