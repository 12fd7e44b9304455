import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { fillLog, webhookOf } from '../support/log.ts';
import { app, connect } from '../support/partner.ts';
import { store, type TestStore } from '../support/store.ts';

const pairOf = async ({ userId }: TestStore) =>
  (await env.DIRECTORY.prepare('select id from credentials where user_id = ?')
    .bind(userId)
    .first<number>('id')) ?? 0;

/** Every form of the panels: its path for a merchant, and what it would change. */
const forms: [name: string, pathOf: (own: TestStore) => Promise<string>][] = [
  ['change a password', async () => '/account/password'],
  ['create a key', async () => '/account/keys/new'],
  ['revoke a key', async (own) => `/account/keys/${await pairOf(own)}/revoke`],
  [
    'disconnect an app',
    async (own) => `/account/apps/${own.alias}/${(await connect(own)).app.client_id}/disconnect`,
  ],
  ...(['deliveries/1', 'ping', 'pause', 'resume'] as const).map(
    (what): [string, (own: TestStore) => Promise<string>] => [
      `${what === 'deliveries/1' ? 'resend a delivery of' : what} a webhook`,
      async (own) => {
        const id = await webhookOf(own);
        await fillLog(own, id, { count: 1 });
        if (what === 'resume') await own.api(`PUT /webhooks/${id}`, { active: false });
        return `/account/webhooks/${own.alias}/${id}/${what}`;
      },
    ],
  ),
  ['register an app', async () => '/partners/new'],
  ...(['edit', 'publish', 'withdraw', 'disable'] as const).map(
    (move): [string, (own: TestStore) => Promise<string>] => [
      `${move} an app`,
      async ({ userId: ownerId }) => {
        const state = move === 'withdraw' ? 'published' : 'draft';
        return `/partners/${(await app({ ownerId, state })).client_id}/${move}`;
      },
    ],
  ),
];

const dump = async () => {
  const tables = ['apps', 'credentials', 'passwords'].map((name) => `select * from ${name}`);
  const all = await env.DIRECTORY.batch(tables.map((sql) => env.DIRECTORY.prepare(sql)));
  const held = ['oauth_grants', 'webhook_endpoints', 'webhook_deliveries', 'webhook_pings'].map(
    (name) => env.STORE_0.prepare(`select * from ${name}`),
  );
  const data = await env.STORE_0.batch(held);
  return JSON.stringify([...all, ...data].map(({ results }) => results));
};

describe.each(forms)('the form to %s', (_name, pathOf) => {
  it('403 without a ticket, from another site, from another browser, or with the ticket of another form', async () => {
    const own = await store();
    const path = await pathOf(own);
    const browser = await new Browser().signedIn(own.userId);
    const fields = fieldsOf(await browser.get(path), path);
    const elsewhere = await new Browser().signedIn(own.userId);
    const otherForm = path === '/partners/new' ? '/account/keys/new' : '/partners/new';
    const others = fieldsOf(await browser.get(otherForm), otherForm);
    const before = await dump();
    expect((await browser.post(path, {})).status).toBe(403);
    expect((await browser.post(path, fields, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await elsewhere.post(path, fields)).status).toBe(403);
    expect((await browser.post(path, others)).status).toBe(403);
    expect(await dump()).toBe(before);
  });

  it('303 to the page, which asks to sign in, when the session ended meanwhile', async () => {
    const own = await store();
    const path = await pathOf(own);
    const browser = await new Browser().signedIn(own.userId);
    const fields = fieldsOf(await browser.get(path), path);
    await env.DIRECTORY.prepare('delete from sessions where user_id = ?').bind(own.userId).run();
    const before = await dump();
    const answer = await browser.post(path, fields);
    expect([answer.status, answer.location]).toEqual([303, path]);
    expect((await browser.get(path)).text).toContain('E-mail address');
    expect(await dump()).toBe(before);
  });
});
