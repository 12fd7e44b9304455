import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createApiClient } from '../../support/api/client.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { addTestMember, createTestUser, roleOf } from '../../support/fixtures/members.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { lastLink, sentMails } from '../../support/mail.ts';
import { authorizeUrl, consentPath, grantsOf } from '../../support/oauth/consent.ts';
import { createTestApp, partnerRedirectUri } from '../../support/oauth/partner.ts';
import { addSecondFactor } from '../../support/second-factor.ts';
import { followChanges } from '../../support/sweep.ts';
import '../../support/fixtures/first-shard.ts';

const thiefsUri = 'https://thief.test/callback';

const hookFields = (name: string, url: string) => ({ name, url, events: 'product.created' });

/** Sends a form of a page, which must succeed. */
const send = async (browser: Browser, path: string, fields: Record<string, string> = {}) => {
  const answer = await browser.submit(path, fields);
  expect([path, answer.status]).toEqual([path, 303]);
  return answer;
};

/** Opens the link of a mail as a user, and sends its form. */
const open = async (browser: Browser, link: string) => {
  const [path = ''] = link.split('?');
  const answer = await browser.post(path, hiddenFieldsOf(await browser.get(link), path));
  expect([path, answer.status]).toEqual([path, 303]);
};

const appRow = (clientId: string) =>
  env.DIRECTORY.prepare('select redirect_uris, state from apps where client_id = ?')
    .bind(clientId)
    .first();

const activeHooks = async (store: TestStore) =>
  (
    await env.STORE_0.prepare(
      'select name from webhook_endpoints where store_id = ? and status = 0 order by name',
    )
      .bind(store.id)
      .all<{ name: string }>()
  ).results.map(({ name }) => name);

/** A further store of an owner. */
async function createStoreOf(userId: number) {
  const store = await createTestStore();
  await env.DIRECTORY.batch(
    [
      'update stores set owner_id = ?2 where id = ?1',
      'update memberships set user_id = ?2 where store_id = ?1',
    ].map((sql) => env.DIRECTORY.prepare(sql).bind(store.id, userId)),
  );
  return store;
}

/**
 * A merchant, whose stores and apps others rely on, and the browser of a thief who is signed in as
 * they are.
 */
async function createVictim() {
  const store = await createTestStore();
  const { userId } = store;
  const email = `${store.alias}@store.test`;
  await addSecondFactor(userId);
  const [strict, sold] = [await createStoreOf(userId), await createStoreOf(userId)];
  await env.DIRECTORY.prepare('update stores set mfa_required = 1 where id = ?')
    .bind(strict.id)
    .run();
  const viewer = await addTestMember(store, 'viewer', { name: 'Vera' });
  const manager = await addTestMember(store, 'manager', { name: 'Max' });
  const app = await createTestApp({ ownerId: userId });
  const draft = await createTestApp({ ownerId: userId, state: 'draft' });
  for (const name of ['kept', 'moved', 'gone']) {
    await store.api('POST /webhooks', {
      ...hookFields(name, 'http://127.0.0.1:9/own'),
      events: ['product.created'],
    });
  }
  const hookIds = await env.STORE_0.prepare(
    'select name, id from webhook_endpoints where store_id = ?',
  )
    .bind(store.id)
    .all<{ name: string; id: number }>();
  const hooks = Object.fromEntries(hookIds.results.map(({ name, id }) => [name, id]));
  const thief = await new Browser().signIn(userId);
  return { store, userId, email, strict, sold, viewer, manager, app, draft, hooks, thief };
}

type Victim = Awaited<ReturnType<typeof createVictim>>;

/** The thief changes the address of the account. */
async function stealAddress({ thief, store }: Victim) {
  const newEmail = `${store.alias}@thief.test`;
  await send(thief, '/account/profile/e-mail', { email: newEmail });
  await open(new Browser(), await lastLink(newEmail, 'email_confirmation'));
  return newEmail;
}

/** Invites by a page, and accepts as a new accomplice. */
async function bringIn({ thief }: Victim, path: string, role?: 'manager' | 'viewer') {
  const accomplice = await createTestUser({ name: 'Mallory' });
  await send(thief, path, { email: accomplice.email, ...(role && { role }) });
  const browser = await new Browser().signIn(accomplice.userId);
  await open(browser, await lastLink(accomplice.email, 'invitation'));
  return { ...accomplice, browser };
}

/** The owner opens the link of the mail to the old address. */
async function undo({ email }: Victim) {
  const link = await lastLink(email, 'email_changed');
  const browser = new Browser();
  const page = await browser.get(link);
  return browser.post('/e-mail/undo', hiddenFieldsOf(page, '/e-mail/undo'));
}

describe('attack: a thief who changed the address of an account, and gave to others what they could', () => {
  it('leaves nothing behind once the owner takes the change back, and what remains is on a page and in a mail', async () => {
    const victim = await createVictim();
    const { store, email, strict, sold, viewer, manager, app, draft, hooks, thief } = victim;
    const [root, webhooks] = [`/account/stores/${store.alias}`, `/account/webhooks/${store.alias}`];
    const newEmail = await stealAddress(victim);

    const accomplice = await bringIn(victim, `${root}/members/invite`, 'manager');
    const colleague = await bringIn(victim, '/partners/team');
    const waiting = await createTestUser();
    await send(thief, `${root}/members/invite`, { email: waiting.email, role: 'viewer' });
    await send(thief, `${root}/members/${viewer.userId}`, { role: 'manager' });
    await send(thief, `${root}/members/${manager.userId}/remove`);
    await send(thief, `/account/stores/${strict.alias}/second-factor`);
    const unlimited = { name: 'Sync', stores: 'all', powers: 'all', expiry: 'never' };
    const { location } = await send(thief, '/account/keys/new', unlimited);
    const { html } = await thief.get(location ?? '');
    const [token = ''] = /ut_[\w-]{32}/.exec(html) ?? [];
    const [secret = ''] = /sk_[\w-]{43}/.exec(html) ?? [];
    const key = createApiClient(store.alias, { 'User-Token': token, 'User-Secret-Key': secret });
    const url = 'http://127.0.0.1:9/thief';
    expect(
      (await key('POST /webhooks', { ...hookFields('by key', url), events: ['order.paid'] }))
        .status,
    ).toBe(201);
    await send(thief, `${webhooks}/new`, hookFields('by page', url));
    await send(accomplice.browser, `${webhooks}/new`, hookFields('by accomplice', url));
    await send(thief, `${webhooks}/${hooks['moved']}/edit`, hookFields('moved', url));
    await send(thief, `${webhooks}/${hooks['gone']}/delete`);
    const consent = authorizeUrl(await createTestApp({ host: 'assistant.test' }), {
      store: store.alias,
    });
    const asked = await thief.get(consent);
    const approved = {
      ...hiddenFieldsOf(asked, consentPath),
      decision: 'approve',
      access: 'write',
      area: 'catalog',
    };
    expect((await thief.post(consentPath, approved)).status).toBe(303);
    const fields = {
      name: 'Test App',
      publisher: 'Test Partner',
      redirect_uris: `${partnerRedirectUri}\n${thiefsUri}`,
      powers: 'all',
    };
    await send(thief, `/partners/${app.client_id}/edit`, fields);
    await send(thief, `/partners/${app.client_id}/webhook`, { url });
    await send(thief, `/partners/${draft.client_id}/publish`);
    const buyer = await addTestMember(sold, 'manager', { name: 'Bruno' });
    await send(thief, `/account/stores/${sold.alias}/members/${buyer.userId}/hand-over`);
    expect(await activeHooks(store)).toEqual([
      'by accomplice',
      'by key',
      'by page',
      'kept',
      'moved',
    ]);

    const page = await undo(victim);
    expect(page.status).toBe(200);
    await followChanges(env, store);

    expect(await roleOf(store, accomplice.userId)).toBeNull();
    expect(await roleOf(store, viewer.userId)).toBe('viewer');
    expect(await roleOf(store, manager.userId)).toBe('manager');
    expect((await accomplice.browser.get(root)).status).toBe(404);
    expect((await colleague.browser.get(`/partners/${app.client_id}`)).status).toBe(404);
    const closed = await new Browser().signIn(waiting.userId);
    expect((await closed.get(await lastLink(waiting.email, 'invitation'))).text).toContain(
      'withdrawn',
    );
    const demand = 'select mfa_required from stores where id = ?';
    expect(await env.DIRECTORY.prepare(demand).bind(strict.id).first('mfa_required')).toBe(1);
    expect((await key('GET /catalog/brands')).status).toBe(401);
    expect(await activeHooks(store)).toEqual(['kept']);
    const { results: grants } = await env.STORE_0.prepare(
      'select revoked_at from oauth_grants where store_id = ?',
    )
      .bind(store.id)
      .all<{ revoked_at: number | null }>();
    expect(grants.map(({ revoked_at: at }) => at === null)).toEqual([false]);
    expect(await appRow(app.client_id)).toMatchObject({
      redirect_uris: JSON.stringify([partnerRedirectUri]),
    });
    expect(await appRow(draft.client_id)).toMatchObject({ state: 'draft' });
    const hook = 'select active from app_webhooks where client_id = ?';
    expect(await env.DIRECTORY.prepare(hook).bind(app.client_id).first('active')).toBe(0);
    // Who paid for a store keeps it: only people can say who that was.
    expect(await roleOf(sold, buyer.userId)).toBe('owner');

    const [mail] = await sentMails(email, 'email_change_undone');
    const told = [
      `Ended or put back: Invited ${accomplice.email} (${store.alias})`,
      `Ended or put back: Invited ${colleague.email}`,
      `Ended or put back: Changed the role of Vera (${store.alias})`,
      `Ended or put back: Removed Max (${store.alias})`,
      `Ended or put back: Changed whether members need two-step sign-in (${strict.alias})`,
      'Ended or put back: Created the API key Sync',
      `Ended or put back: Created webhook by accomplice (${store.alias})`,
      `Ended or put back: Changed webhook moved (${store.alias})`,
      `Remains: Deleted webhook gone (${store.alias})`,
      'Ended or put back: Published the app Test App',
      `Remains: Handed the store over (${sold.alias})`,
    ];
    for (const line of told) {
      expect(page.text).toContain(line);
      expect(mail?.text.replaceAll('\u2060', '')).toContain(line);
    }
    expect(await sentMails(newEmail, 'email_change_undone')).toEqual([]);
    expect(page.html).toContain('href="/password/reset?token=');
  });

  it('changes nothing that was there before, or that others did', async () => {
    const victim = await createVictim();
    const { store, viewer, app } = victim;
    const root = `/account/stores/${store.alias}`;
    const early = await bringIn(victim, `${root}/members/invite`, 'manager');
    await send(
      early.browser,
      `/account/webhooks/${store.alias}/new`,
      hookFields('early', 'http://127.0.0.1:9/e'),
    );
    await stealAddress(victim);
    // The one who was a member accepts another invitation, and a colleague adds an address to the
    // app.
    await send(victim.thief, `${root}/members/invite`, {
      email: (await createTestUser()).email,
      role: 'viewer',
    });
    const added = JSON.stringify([partnerRedirectUri, thiefsUri, 'https://ours.test/back']);
    await send(victim.thief, `/partners/${app.client_id}/edit`, {
      name: 'Test App',
      publisher: 'Test Partner',
      redirect_uris: `${partnerRedirectUri}\n${thiefsUri}`,
      powers: 'all',
    });
    await env.DIRECTORY.prepare('update apps set redirect_uris = ? where client_id = ?')
      .bind(added, app.client_id)
      .run();
    await undo(victim);
    await followChanges(env, store);
    expect(await roleOf(store, early.userId)).toBe('manager');
    expect(await roleOf(store, viewer.userId)).toBe('viewer');
    expect(await activeHooks(store)).toEqual(['early', 'gone', 'kept', 'moved']);
    expect(await appRow(app.client_id)).toMatchObject({
      redirect_uris: JSON.stringify([partnerRedirectUri, 'https://ours.test/back']),
    });
    expect(await grantsOf(app)).toEqual([]);
  });

  it('attack: brings nobody back whom the thief brought, and nobody to a store that has another owner', async () => {
    const victim = await createVictim();
    const { store, sold, thief } = victim;
    const [root, other] = [`/account/stores/${store.alias}`, `/account/stores/${sold.alias}`];
    const colleague = await addTestMember(sold, 'manager');
    const buyer = await addTestMember(sold, 'manager');
    await stealAddress(victim);
    const accomplice = await bringIn(victim, `${root}/members/invite`, 'manager');
    await send(thief, `${root}/members/${accomplice.userId}/remove`);
    await send(thief, `${other}/members/${colleague.userId}/remove`);
    await send(thief, `${other}/members/${buyer.userId}/hand-over`);
    const page = await undo(victim);
    expect(await roleOf(store, accomplice.userId)).toBeNull();
    expect(await roleOf(sold, colleague.userId)).toBeNull();
    expect(await roleOf(sold, buyer.userId)).toBe('owner');
    expect(page.text).toContain(`Remains: Removed ${colleague.name} (${sold.alias})`);
  });

  it('leads to the new password at once where nothing was done, and still sends a mail', async () => {
    const victim = await createVictim();
    await stealAddress(victim);
    const answer = await undo(victim);
    expect([answer.status, answer.location]).toEqual([
      303,
      expect.stringContaining('/password/reset?token='),
    ]);
    const [mail] = await sentMails(victim.email, 'email_change_undone');
    expect(mail?.data).toEqual({ lines: [] });
  });
});
