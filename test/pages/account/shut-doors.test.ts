import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createApiKey } from '../../../src/accounts/users/manage-api-keys.ts';
import { actionOf } from '../../support/action.ts';
import { createApiClient } from '../../support/api/client.ts';
import { Browser } from '../../support/browser/browser.ts';
import { inviteTo } from '../../support/fixtures/invitations.ts';
import { addTestMember, createTestUser } from '../../support/fixtures/members.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { sentMails } from '../../support/mail.ts';
import { connectApp } from '../../support/oauth/partner.ts';
import { showCode } from '../../support/second-factor.ts';
import { followChanges } from '../../support/sweep.ts';
import '../../support/fixtures/first-shard.ts';

const path = '/account/security/shut-doors';
const powers = { scopes: null, storeIds: null, isForOperator: false };

/** A user with one door of each kind in a store, and a colleague with the same doors there. */
async function createWorld() {
  const store = await createTestStore();
  const colleague = await addTestMember(store, 'manager');
  const keyOf = async (userId: number) => {
    const key = await createApiKey(actionOf(userId), {
      userId,
      name: 'ERP',
      ...powers,
      expiresAt: null,
    });
    return createApiClient(store.alias, {
      'User-Token': key!.token,
      'User-Secret-Key': key!.secret,
    });
  };
  const [key, theirKey] = [await keyOf(store.userId), await keyOf(colleague.userId)];
  const url = 'http://127.0.0.1:9/hook';
  for (const [api, name] of [
    [key, 'own'],
    [theirKey, 'theirs'],
  ] as const) {
    const made = await api('POST /webhooks', { name, url, events: ['order.paid'] });
    expect(made.status).toBe(201);
  }
  const app = await connectApp(store, { now: Date.now() - 60_000 });
  const guest = await createTestUser();
  await inviteTo(store, guest.email);
  const here = await new Browser().signIn(store.userId);
  const there = await new Browser().signIn(store.userId);
  const theirs = await new Browser().signIn(colleague.userId);
  return { store, key, theirKey, app, here, there, theirs };
}

const hooksOf = async ({ id }: { id: number }) => {
  const { results } = await env.STORE_0.prepare(
    'select name, status from webhook_endpoints where store_id = ? order by name',
  )
    .bind(id)
    .all<{ name: string; status: number }>();
  return Object.fromEntries(results.map(({ name, status }) => [name, status === 0]));
};

describe('the page that shuts all doors', () => {
  it('lists them with numbers, ends them all at once, says so, and touches nothing of others', async () => {
    const { store, key, theirKey, app, here, there, theirs } = await createWorld();
    expect((await here.get('/account/security')).html).toContain(`href="${path}"`);
    const asked = await here.get(path);
    const lines = [
      'Other devices that are signed in: 1',
      'API keys: 2',
      'Open invitations that you sent: 1',
      'Connections of apps that you allowed: 1',
    ];
    for (const line of [...lines, 'Those of the last 24 hours: 1']) {
      expect(asked.text).toContain(line);
    }

    const sent = await here.submit(path, { webhooks: '1' });
    expect([sent.status, sent.location]).toEqual([303, path]);
    const done = await here.get(path);
    for (const line of [...lines, 'Webhooks that pause: 1']) expect(done.text).toContain(line);
    expect(done.text).toContain('All doors are shut');
    expect(done.html).toContain('href="/account/keys/new"');
    await followChanges(env, store);

    expect((await there.get('/account')).text).toContain('Sign in');
    expect((await key('GET /catalog/brands')).status).toBe(401);
    expect((await app.api('GET /catalog/brands')).status).toBe(401);
    expect((await theirs.get('/account/security')).status).toBe(200);
    expect((await theirKey('GET /catalog/brands')).status).toBe(200);
    expect(await hooksOf(store)).toEqual({ own: false, theirs: true });
    const again = await here.get(path);
    for (const line of lines) expect(again.text).toContain(line.replace(/\d/, '0'));

    expect(await sentMails(`${store.alias}@store.test`, 'doors_shut')).toHaveLength(1);
    const { results } = await env.DIRECTORY.prepare(
      "select action from audit where action = 'user.doors_shut' and target_id = ?",
    )
      .bind(String(store.userId))
      .all();
    expect(results).toHaveLength(1);
  });

  it('leaves the webhooks if its user says so', async () => {
    const { store, here } = await createWorld();
    await here.submit(path, { webhooks: 'none' });
    await followChanges(env, store);
    expect(await hooksOf(store)).toEqual({ own: true, theirs: true });
  });

  it('opens without a proof, and asks for one to send it', async () => {
    const { store, here, key } = await createWorld();
    await showCode(store.userId, 1);
    const shown = await here.submit(path, { webhooks: '1' });
    expect(shown.text).toContain('Confirm that it is you');
    expect((await key('GET /catalog/brands')).status).toBe(200);
  });
});
