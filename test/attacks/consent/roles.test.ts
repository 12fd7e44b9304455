import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { changeRole } from '../../../src/accounts/members/change-role.ts';
import { actionOf } from '../../support/action.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { addTestMember } from '../../support/fixtures/members.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { authorizeUrl, consentPath, grantsOf } from '../../support/oauth/consent.ts';
import { createTestApp } from '../../support/oauth/partner.ts';
import { showCode } from '../../support/second-factor.ts';

describe('the consent of a member', () => {
  it('offers a viewer no store, nor one that they name (403)', async () => {
    const [store, app] = [await createTestStore(), await createTestApp()];
    const { userId } = await addTestMember(store, 'viewer');
    const browser = await new Browser().signIn(userId);
    const page = await browser.get(authorizeUrl(app));
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('No store to connect')]);
    const named = await browser.get(authorizeUrl(app, { store: store.alias }));
    expect(named.status).toBe(403);
  });

  it('is refused (403) when the member became a viewer while the page was open', async () => {
    const [store, app] = [await createTestStore(), await createTestApp()];
    const { userId } = await addTestMember(store, 'manager');
    const browser = await new Browser().signIn(userId);
    const page = await browser.get(authorizeUrl(app));
    const form = { ...hiddenFieldsOf(page, consentPath), decision: 'approve' };
    const given = { id: store.id, shard: store.shard, name: 'Test Store' };
    await changeRole(actionOf(store.userId), given, userId, 'viewer');
    expect((await browser.post(consentPath, form)).status).toBe(403);
    expect(await grantsOf(app)).toEqual([]);
  });

  it('is not possible without two-step sign-in where the store requires one (403)', async () => {
    const [store, app] = [await createTestStore(), await createTestApp()];
    const browser = await new Browser().signIn(store.userId);
    const page = await browser.get(authorizeUrl(app));
    const form = { ...hiddenFieldsOf(page, consentPath), decision: 'approve' };
    await env.DIRECTORY.prepare('update stores set mfa_required = 1 where id = ?')
      .bind(store.id)
      .run();
    expect((await browser.get(authorizeUrl(app))).text).toContain('No store to connect');
    expect((await browser.post(consentPath, form)).status).toBe(403);
    await env.DIRECTORY.prepare('update users set mfa_enabled = 1 where id = ?')
      .bind(store.userId)
      .run();
    // A session that has shown no code of it is asked for one.
    const asked = await browser.post(consentPath, form);
    expect(asked.text).toContain('Confirm that it is you');
    expect(await grantsOf(app)).toEqual([]);
    await showCode(store.userId);
    const { location } = await browser.post(consentPath, form);
    expect(location).toMatch(/^https:\/\/partner\.test\/callback\?/);
    expect(await grantsOf(app)).toHaveLength(1);
  });
});
