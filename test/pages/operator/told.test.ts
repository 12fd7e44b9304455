import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createApiKey } from '../../../src/accounts/users/manage-api-keys.ts';
import { actionOf } from '../../support/action.ts';
import { callApi } from '../../support/api/client.ts';
import { Browser } from '../../support/browser/browser.ts';
import { createTestUser } from '../../support/fixtures/members.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { sentMails } from '../../support/mail.ts';
import { connectApp, createTestApp } from '../../support/oauth/partner.ts';
import '../../support/fixtures/first-shard.ts';

const operator = await createTestOperator();
const browser = await new Browser().signIn(operator.userId);
const reason = 'Seen in a public file';

async function createKey(userId: number, name: string) {
  const powers = { scopes: null, storeIds: null, isForOperator: false };
  const key = await createApiKey(actionOf(userId), { userId, name, ...powers, expiresAt: null });
  return { 'User-Token': key!.token, 'User-Secret-Key': key!.secret };
}

describe('one leaked key', () => {
  it('is found on the page of its user and ends there, with a mail to the user; their other keys go on', async () => {
    const { userId, email } = await createTestUser({ language: 'pt-BR' });
    const [leaked, other] = [await createKey(userId, 'Leaked'), await createKey(userId, 'Other')];
    const page = await browser.get(`/operator/users/${userId}`);
    const [path = ''] = [...page.html.matchAll(/href="([^"]*\/keys\/\d+\/revoke)"/g)]
      .map(
        ([, href = '']) => href,
        // Newest first.
      )
      .slice(1);
    expect(page.text).toContain(leaked['User-Secret-Key'].slice(-4));
    expect(page.html).not.toContain(leaked['User-Secret-Key']);
    const done = await browser.submit(path, { reason });
    expect(done.location).toBe(`/operator/users/${userId}?done=revokeKey`);
    expect((await browser.get(done.location!)).text).toContain('The key is revoked: it stops');
    const statusOf = async (headers: Record<string, string>) =>
      (await callApi('POST', '/v2/auth/me', { headers })).status;
    expect([await statusOf(leaked), await statusOf(other)]).toEqual([401, 200]);
    const [mail] = await sentMails(email, 'api_key_revoked');
    expect(mail?.language).toBe('pt-BR');
    expect(mail?.text).toContain(reason);
    expect((await browser.get(path)).status).toBe(404);
  });

  it('ends by the operation, once, and is 200 again without a second mail', async () => {
    const { userId, email } = await createTestUser();
    await createKey(userId, 'ERP');
    const shown = await operator.api(`GET /operator/users/${userId}`);
    const { keys } = (shown.body as unknown as { data: { keys: { id: number }[] } }).data;
    const path = `POST /operator/users/${userId}/keys/${keys[0]!.id}/revoke`;
    const answers = [await operator.api(path, { reason }), await operator.api(path, { reason })];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]!.body).toMatchObject({ data: { keys: [] } });
    expect(await sentMails(email, 'api_key_revoked')).toHaveLength(1);
    const { results } = await env.DIRECTORY.prepare(
      "select reason from audit where action = 'api_key.revoked' and target_id = ?",
    )
      .bind(String(keys[0]!.id))
      .all();
    expect(results).toEqual([{ reason }]);
  });
});

describe('a page that ends something', () => {
  it('says how many stores and requests an app has, before the button', async () => {
    const store = await createTestStore();
    const app = await createTestApp();
    await connectApp(store, { app });
    const found = await env.DIRECTORY.prepare('select id from apps where client_id = ?')
      .bind(app.client_id)
      .first<{ id: number }>();
    const { text } = await browser.get(`/operator/apps/${found!.id}/disable`);
    expect(text).toContain('Stores that it concerns: 1 · Requests in the past seven days: ');
    const list = await browser.get(`/operator/apps?search=${encodeURIComponent(app.name)}`);
    expect(list.html).toContain(`href="/operator/apps/${found!.id}/disable"`);
  });

  it('says how many people a store has, and erases it only with its alias typed', async () => {
    const store = await createTestStore();
    const path = `/operator/stores/${store.id}/erase`;
    expect((await browser.get(path)).text).toContain('People that it concerns: 1');
    const refused = await browser.submit(path, { reason, typed: 'another' });
    expect([refused.status, refused.text.includes('This is not the name')]).toEqual([422, true]);
    // Only now it is looked at whether the store has been closed for long enough.
    expect((await browser.submit(path, { reason, typed: store.alias })).status).toBe(409);
  });

  it('erases a user only with the name typed', async () => {
    const { userId, name } = await createTestUser();
    const path = `/operator/users/${userId}/erase`;
    expect((await browser.submit(path, { reason })).status).toBe(422);
    const erased = await browser.submit(path, { reason, typed: name });
    expect(erased.location).toBe(`/operator/users/${userId}?done=eraseUser`);
  });
});

describe('who is locked out', () => {
  it.each([
    ['help@service.test', 'help@service.test'],
    ['', 'store@service.test'],
  ])(
    'gets the reason and an address to write to by mail (%j)',
    async (SUPPORT_ADDRESS, contact) => {
      const { userId, email } = await createTestUser({ language: 'es' });
      await browser.submit(`/operator/users/${userId}/deactivate`, { reason: 'Envió spam' });
      const [mail] = await sentMails(
        email,
        'user_deactivated',
        Object.assign({}, env, { SUPPORT_ADDRESS }),
      );
      expect(mail?.text).toContain('Motivo: Envió spam');
      expect(mail?.text).toContain(contact);
    },
  );

  it('a partner is told of an app that is disabled, with the reason and the address', async () => {
    const { userId, email } = await createTestUser();
    const app = await createTestApp({ ownerId: userId });
    const row = await env.DIRECTORY.prepare('select id from apps where client_id = ?')
      .bind(app.client_id)
      .first<{ id: number }>();
    await browser.submit(`/operator/apps/${row!.id}/disable`, { reason });
    const [mail] = await sentMails(email, 'app_disabled');
    expect(mail?.text).toContain(reason);
    expect(mail?.text).toContain('write to store@service.test');
  });
});
