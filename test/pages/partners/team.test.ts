import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { Browser } from '../../support/browser/browser.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { lastLink } from '../../support/mail.ts';
import { authorizeUrl } from '../../support/oauth/consent.ts';
import { createTestApp } from '../../support/oauth/partner.ts';
import { partner, right } from './support.ts';

const team = '/partners/team';

const emailOf = async (userId: number) =>
  (
    await env.DIRECTORY.prepare('select email from users where id = ?')
      .bind(userId)
      .first<{ email: string }>()
  )?.email ?? '';

/** A partner with an app, and a colleague who has accepted the invitation to the team. */
async function withColleague() {
  const { own, ownerId, browser } = await partner();
  const app = await createTestApp({ ownerId, state: 'draft' });
  const { userId } = await createTestStore();
  const email = await emailOf(userId);
  const invited = await browser.submit(team, { email: email.toUpperCase() });
  const colleague = await new Browser().signIn(userId);
  const link = await lastLink(email, 'invitation');
  await colleague.submit(link);
  return { own, ownerId, browser, app, userId, email, invited, colleague, link };
}

describe('the team of a partner', () => {
  it('is invited by mail; a member sees, edits, publishes and registers apps of the partner', async () => {
    const { ownerId, browser, app, invited, colleague, own } = await withColleague();
    expect([invited.status, invited.location]).toEqual([303, `${team}?done=invited`]);
    expect((await browser.get(team)).text).toContain('Members of your team');
    const page = `/partners/${app.client_id}`;
    expect((await colleague.get('/partners')).text).toContain(app.client_id);
    expect((await colleague.get(page)).text).toContain('Belongs to Test Owner');
    const edited = await colleague.submit(`${page}/edit`, { ...right, name: 'By a colleague' });
    expect(edited.status).toBe(303);
    expect((await browser.get(page)).text).toContain('By a colleague');
    await colleague.submit(`${page}/publish`);
    expect((await browser.get(page)).text).toContain('Published');
    await colleague.submit('/partners/new', { ...right, name: 'Shared', owner: String(ownerId) });
    expect((await browser.get('/partners')).text).toContain('Shared');
    expect(own.userId).toBe(ownerId);
  });

  it('is invited under the limit of invitations: 429 with Retry-After over it, and no mail', async () => {
    const { browser } = await partner();
    const limiter: RateLimit = { limit: () => Promise.resolve({ success: false }) };
    browser.bindings = { ME_LIMIT: limiter, ME_PER_MINUTE: '1' as never };
    const { userId } = await createTestStore();
    const email = await emailOf(userId);
    const refused = await browser.submit(team, { email });
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '60']);
    const invitations = env.DIRECTORY.prepare(
      'select count(*) as n from invitations where email = ?',
    );
    expect(await invitations.bind(email).first('n')).toBe(0);
  });

  it('lets a member connect a draft to stores of the partner that they manage, and to no other', async () => {
    const { own, app, userId, colleague } = await withColleague();
    expect((await colleague.get(authorizeUrl(app))).status).toBe(200);
    expect((await colleague.get(authorizeUrl(app))).text).not.toContain(own.alias);
    await env.DIRECTORY.prepare(
      `insert into memberships (user_id, store_id, role, created_at) values (?, ?, 'manager', 0)`,
    )
      .bind(userId, own.id)
      .run();
    expect((await colleague.get(authorizeUrl(app, { store: own.alias }))).text).toContain(
      'Connect Test App?',
    );
  });

  it('returns 303 when a member is removed or leaves, who then gets 404 for the apps', async () => {
    for (const leaves of [false, true]) {
      const { ownerId, browser, app, userId, colleague } = await withColleague();
      const page = `/partners/${app.client_id}`;
      const path = leaves ? `${team}/of/${ownerId}/leave` : `${team}/members/${userId}/remove`;
      const { status, location } = await (leaves ? colleague : browser).submit(path);
      expect([status, location]).toEqual([303, `${team}?done=${leaves ? 'left' : 'removed'}`]);
      for (const gone of [
        page,
        `${page}/edit`,
        `${page}/stores`,
        `${page}/requests`,
        `${page}/try`,
      ]) {
        expect((await colleague.get(gone)).status).toBe(404);
      }
      expect((await browser.get(page)).status).toBe(200);
    }
  });

  it('returns 404 to a member who would remove others or the partner', async () => {
    const { ownerId, userId, colleague } = await withColleague();
    for (const id of [ownerId, userId]) {
      expect((await colleague.get(`${team}/members/${id}/remove`)).status).toBe(404);
    }
    const stranger = (await partner()).browser;
    expect((await stranger.get(`${team}/of/${ownerId}/leave`)).status).toBe(404);
  });

  it('returns 422 for an address that is wrong or in the team, and withdraws an invitation', async () => {
    const { browser, email } = await withColleague();
    for (const [typed, text] of [
      ['nobody', 'Enter an e-mail address'],
      [email, 'This person is in your team already.'],
    ] as const) {
      const page = await browser.submit(team, { email: typed });
      expect(page.status).toBe(422);
      expect(page.html).toContain(`<a href="#email">${text}`);
    }
    await browser.submit(team, { email: 'new@colleague.test' });
    const page = await browser.get(team);
    const withdraw = /href="(\/partners\/team\/invitations\/\d+\/withdraw)"/.exec(page.html)?.[1];
    const { location } = await browser.submit(withdraw ?? '');
    expect(location).toBe(`${team}?done=withdrawn`);
    expect((await browser.get(team)).text).not.toContain('new@colleague.test');
  });
});
