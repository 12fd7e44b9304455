import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { setAppWebhook } from '../../../src/accounts/partners/app-webhook.ts';
import { editApp, publishApp, withdrawOwnApp } from '../../../src/accounts/partners/manage-apps.ts';
import { actionOf } from '../../support/action.ts';
import { Browser } from '../../support/browser/browser.ts';
import { createTestUser } from '../../support/fixtures/members.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { sentMails } from '../../support/mail.ts';
import { createTestApp } from '../../support/oauth/partner.ts';

const joinTeam = (partnerId: number, userId: number) =>
  env.DIRECTORY.prepare(
    'insert into partner_members (partner_id, user_id, created_at) values (?, ?, 1)',
  )
    .bind(partnerId, userId)
    .run();

/** A partner with a published app, and a member of the team. */
async function createTeam() {
  const partner = await createTestUser({ name: 'Rui' });
  const member = await createTestUser({ name: 'Mallory' });
  await joinTeam(partner.userId, member.userId);
  const app = await createTestApp({ ownerId: partner.userId });
  return { partner, member, app, clientId: app.client_id };
}

const stored = (clientId: string) =>
  env.DIRECTORY.prepare('select redirect_uris, state, name from apps where client_id = ?')
    .bind(clientId)
    .first<{ redirect_uris: string; state: string; name: string }>();

const linesOf = async (clientId: string) => {
  const { results } = await env.DIRECTORY.prepare(
    "select action, actor_name, partner_id, changes from audit where target_kind = 'app' and target_id = ? order by id",
  )
    .bind(clientId)
    .all<{ action: string; actor_name: string; partner_id: number; changes: string }>();
  return results;
};

const thiefsUri = 'https://thief.test/callback?token=hush-hush';

const formOf = (uri = thiefsUri) => ({
  name: 'App',
  publisher: 'Publisher',
  redirect_uris: uri,
  powers: 'chosen',
  area_catalog: 'read',
});

const values = {
  name: 'App',
  publisher: 'P',
  site_url: null,
  support: null,
  privacy_url: null,
  redirect_uris: [thiefsUri],
  scopes: 1,
};

describe('a member of a team who sends merchants elsewhere', () => {
  it('is seen: by mail at once to partner and team, and in their activity with what was there before', async () => {
    const { partner, member, app, clientId } = await createTeam();
    const browser = await new Browser().signIn(member.userId);
    expect((await browser.submit(`/partners/${clientId}/edit`, formOf())).status).toBe(303);
    for (const { email } of [partner, member]) {
      const [mail] = await sentMails(email, 'app_changed');
      expect(mail?.text).toContain('Mallory');
      expect(mail?.data).toMatchObject({ host: 'thief.test', change: 'address' });
    }
    const [line] = await linesOf(clientId);
    expect(line).toMatchObject({ action: 'app.edited', partner_id: partner.userId });
    expect(JSON.parse(line!.changes)).toMatchObject({
      redirect_uris: [app.redirect_uris, [thiefsUri]],
    });
    const rui = await new Browser().signIn(partner.userId);
    const { text } = await rui.get('/partners/activity');
    expect(text).toContain('Mallory');
    expect(text).toContain(app.redirect_uris[0]);
  });

  it.each(['edit', 'webhook', 'webhook/rotate'])(
    'changes nothing at /%s without a proof, nor with a forged form',
    async (path) => {
      const { partner, member, clientId } = await createTeam();
      await setAppWebhook(actionOf(partner.userId), {
        clientId,
        name: 'App',
        url: 'https://hooks.partner.test/',
      });
      const before = await linesOf(clientId);
      const own = `/partners/${clientId}/${path}`;
      const old = await new Browser().signIn(member.userId, Date.now() - 11 * 60_000);
      const asked = await old.submit(own, { ...formOf(), url: 'https://thief.test/' });
      expect(asked.html).toContain('action="/session/proof"');
      const sent = await old.post(own, { ...formOf(), url: 'https://thief.test/' });
      expect(sent.status).toBeGreaterThanOrEqual(400);
      expect(await linesOf(clientId)).toEqual(before);
      expect((await stored(clientId))?.redirect_uris).not.toContain('thief');
    },
  );

  it('changes nothing once they are removed, though their request had begun before', async () => {
    const { member, clientId } = await createTeam();
    const before = await stored(clientId);
    // The app was looked up while they were in the team.
    const action = actionOf(member.userId);
    await env.DIRECTORY.prepare('delete from partner_members where user_id = ?')
      .bind(member.userId)
      .run();
    await expect(editApp(action, clientId, values)).rejects.toMatchObject({ status: 404 });
    const webhook = { clientId, name: 'App', url: 'https://thief.test/' };
    await expect(setAppWebhook(action, webhook)).rejects.toMatchObject({ status: 404 });
    await withdrawOwnApp(action, clientId, 'disabled');
    await publishApp(action, clientId);
    expect(await stored(clientId)).toEqual(before);
    expect(await linesOf(clientId)).toEqual([]);
    const { results } = await env.DIRECTORY.prepare(
      'select 1 from app_webhooks where client_id = ?',
    )
      .bind(clientId)
      .all();
    expect(results).toEqual([]);
  });
});

describe('the activity of a partner', () => {
  it('has a line for each change of an app, and none for a form that changes nothing', async () => {
    const { partner, clientId } = await createTeam();
    const browser = await new Browser().signIn(partner.userId);
    const edit = `/partners/${clientId}/edit`;
    await browser.submit(edit, formOf('https://app.test/callback'));
    await browser.submit(edit, formOf('https://app.test/callback'));
    const url = 'https://hooks.partner.test/events';
    for (const name of ['one', 'two']) {
      await setAppWebhook(actionOf(partner.userId), { clientId, name, url });
    }
    await browser.submit(`/partners/${clientId}/webhook/rotate`);
    await browser.submit(`/partners/${clientId}/webhook/remove`);
    await browser.submit(`/partners/${clientId}/withdraw`);
    await browser.submit(`/partners/${clientId}/publish`);
    await browser.submit(`/partners/${clientId}/disable`);
    const lines = await linesOf(clientId);
    expect(lines.map(({ action }) => action)).toEqual([
      'app.edited',
      'app.webhook_set',
      'app.webhook_secret_rotated',
      'app.webhook_removed',
      'app.withdrawn',
      'app.published',
      'app.disabled',
    ]);
    expect(lines.every(({ partner_id: id }) => id === partner.userId)).toBe(true);
    const { html, text } = await browser.get('/partners/activity');
    expect(text).toContain('Gave the webhook of the app');
    expect(html).not.toMatch(/<code>(app|partner|member)\./);
  });

  it('registers an app with a line, and tells the team who was invited and removed', async () => {
    const { partner, member } = await createTeam();
    const browser = await new Browser().signIn(partner.userId);
    await browser.submit('/partners/new', formOf('https://new.test/callback'));
    await browser.submit('/partners/team', { email: 'friend@people.test' });
    await browser.submit(`/partners/team/members/${member.userId}/remove`);
    const { text } = await browser.get('/partners/activity');
    for (const sentence of [
      'Registered the app',
      'Invited friend@people.test',
      'Removed Mallory',
    ]) {
      expect(text).toContain(sentence);
    }
  });

  it('is that of the own apps, or of a team that the user is in, and of no other (no choice)', async () => {
    const { partner, member, clientId } = await createTeam();
    const stranger = await createTestUser();
    await editApp(actionOf(partner.userId), clientId, values);
    const [ofMember, ofStranger] = [
      await new Browser().signIn(member.userId),
      await new Browser().signIn(stranger.userId),
    ];
    const path = `/partners/activity?of=${partner.userId}`;
    expect((await ofMember.get(path)).text).toContain('thief.test');
    expect((await ofMember.get('/partners/activity')).text).not.toContain('thief.test');
    expect((await ofStranger.get(path)).text).not.toContain('thief.test');
  });

  it('calls an operator the service, and gives the reason', async () => {
    const { partner, clientId } = await createTeam();
    const operator = await createTestOperator();
    const id = await env.DIRECTORY.prepare('select id from apps where client_id = ?')
      .bind(clientId)
      .first<number>('id');
    const reason = 'It asks for too much';
    expect((await operator.api(`POST /operator/apps/${id}/disable`, { reason })).status).toBe(200);
    const browser = await new Browser().signIn(partner.userId);
    const { text } = await browser.get('/partners/activity');
    expect(text).toContain(reason);
    expect(text).toContain('The service');
    expect(text).not.toContain(operator.name);
  });

  it('goes on page by page without a scan', async () => {
    const { partner, clientId } = await createTeam();
    for (let n = 0; n < 35; n += 1) {
      await editApp(actionOf(partner.userId, Date.now() + n), clientId, {
        ...values,
        name: `App ${n}`,
      });
    }
    const browser = await new Browser().signIn(partner.userId);
    const first = await browser.get('/partners/activity');
    const next = /href="(\/partners\/activity\?cursor=[^"]+)"/.exec(first.html)?.[1] ?? '';
    expect(first.text).toContain('App 34');
    expect(first.text).not.toContain('App 3 →');
    expect((await browser.get(next)).text).toContain('App 3 →');
    const { results } = await env.DIRECTORY.prepare(
      'explain query plan select id from audit where partner_id = 1 order by at desc limit 31',
    ).all<{ detail: string }>();
    expect(results.map(({ detail }) => detail).join()).toContain('audit_partner');
  });
});
