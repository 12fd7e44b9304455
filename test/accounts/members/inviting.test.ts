import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { revokeInvitation } from '../../../src/accounts/members/revoke-invitation.ts';
import { selectOpenInvitations } from '../../../src/data/directory/invitations.ts';
import { actionOf } from '../../support/action.ts';
import { Browser } from '../../support/browser/browser.ts';
import { freshAddress, inviteTo, withPassword } from '../../support/fixtures/invitations.ts';
import { addTestMember, createTestUser } from '../../support/fixtures/members.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { lastLink, sentMails } from '../../support/mail.ts';

describe('inviting', () => {
  it('looks the same for known and unknown addresses', async () => {
    const [store, user] = [await createTestStore(), await createTestUser()];
    await withPassword(user.userId);
    const browser = await new Browser().signIn(store.userId);
    const form = `/account/stores/${store.alias}/members/invite`;
    const answers = [];
    for (const email of [user.email, freshAddress()]) {
      const { status, location } = await browser.submit(form, { email, role: 'viewer' });
      const { text } = await browser.get(location ?? '');
      answers.push([status, location, text.replaceAll(email, 'ADDRESS')]);
      await env.DIRECTORY.prepare('delete from invitations where store_id = ?')
        .bind(store.id)
        .run();
    }
    expect(answers[0]).toEqual(answers[1]);
  });

  it('sends an open invitation again, and says (422) that the address is a member by now', async () => {
    const store = await createTestStore();
    const browser = await new Browser().signIn(store.userId);
    const list = `/account/stores/${store.alias}/members`;
    const email = freshAddress();
    await browser.submit(`${list}/invite`, { email, role: 'viewer' });
    const open = env.DIRECTORY.prepare('select max(id) as id from invitations where store_id = ?');
    const again = async () => {
      const id = await open.bind(store.id).first<number>('id');
      return browser.submit(`${list}/invitations/${id ?? 0}`, { action: 'send' });
    };
    const sent = await again();
    expect([sent.status, sent.location]).toEqual([303, `${list}?done=invited`]);
    expect(await sentMails(email)).toHaveLength(2);

    const member = await addTestMember(store, 'viewer');
    await env.DIRECTORY.prepare('update invitations set email = ? where store_id = ?')
      .bind(member.email, store.id)
      .run();
    const refused = await again();
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('a member already'),
    ]);
    // The page has no field to which the message could lead.
    expect(refused.html).not.toContain('href="#email"');
    expect(await sentMails(member.email)).toHaveLength(0);
  });

  it('refuses (422) the 51st open invitation, a member, a bad address and a made-up role', async () => {
    const store = await createTestStore();
    const member = await addTestMember(store, 'viewer');
    const browser = await new Browser().signIn(store.userId);
    const form = `/account/stores/${store.alias}/members/invite`;
    const send = async (email: string, role = 'viewer') => {
      const { status, text } = await browser.submit(form, { email, role });
      return [status, text];
    };
    await env.DIRECTORY.prepare(
      `insert into invitations (kind, email, language, store_id, role, invited_by, token_hash, created_at, expires_at)
        select 'store', value || '@full.test', 'en', ?1, 'viewer', ?2, ?1 || '-' || value, ?3, ?3 + 1000000
        from json_each(?4)`,
    )
      .bind(
        store.id,
        store.userId,
        Date.now(),
        JSON.stringify(Array.from({ length: 49 }, (_, i) => i)),
      )
      .run();
    const fiftieth = freshAddress();
    expect((await send(fiftieth))[0]).toBe(303);
    expect(await send(freshAddress())).toEqual([
      422,
      expect.stringContaining('50 open invitations'),
    ]);
    // The same address takes the place of its own invitation.
    expect((await send(fiftieth))[0]).toBe(303);
    expect(await send(member.email)).toEqual([422, expect.stringContaining('a member already')]);
    expect(await send('nobody')).toEqual([422, expect.stringContaining('Enter an e-mail address')]);
    expect(await send(freshAddress(), 'owner')).toEqual([
      422,
      expect.stringContaining('Choose a role.'),
    ]);
    expect(await send('a@b.test\r\nBcc: c@d.test')).toEqual([
      422,
      expect.stringContaining('Enter an e-mail'),
    ]);
  });

  it('lists open invitations, sends one again with a new link, and withdraws it', async () => {
    const [store, email] = [await createTestStore(), freshAddress()];
    const first = await inviteTo(store, email);
    const browser = await new Browser().signIn(store.userId);
    const list = `/account/stores/${store.alias}/members`;
    const open = async () => {
      const { html } = await browser.get(list);
      return /href="([^"]+\/invitations\/\d+)"/.exec(html)?.[1] ?? '';
    };
    const { html } = await browser.get(await open());
    expect(html).toMatch(
      /<button name="action" value="send"[^]*<button name="action" value="withdraw"/,
    );
    const sent = await browser.submit(await open(), { action: 'send' });
    expect([sent.status, sent.location]).toEqual([303, `${list}?done=invited`]);
    const second = await lastLink(email, 'invitation');
    expect(second).not.toBe(first);
    expect((await new Browser().get(first)).status).toBe(404);
    expect((await browser.submit(await open(), { action: 'withdraw' })).status).toBe(303);
    expect((await new Browser().get(second)).status).toBe(404);
    expect(await open()).toBe('');
  });

  it('reports a withdrawal only if the invitation was open, of ten at once by one', async () => {
    const store = await createTestStore();
    const email = freshAddress();
    await inviteTo(store, email);
    const [invitation] = await selectOpenInvitations(
      actionOf(0).directory,
      { storeId: store.id },
      Date.now(),
    );
    const revoke = () =>
      revokeInvitation(actionOf(store.userId), invitation!, { storeId: store.id });
    const results = await Promise.all(Array.from({ length: 10 }, revoke));
    expect(results.filter(Boolean)).toHaveLength(1);
  });
});
