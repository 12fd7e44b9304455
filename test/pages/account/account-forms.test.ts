import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { createTestUser } from '../../support/fixtures/members.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { createTestApp, connectApp } from '../../support/oauth/partner.ts';
import { fillDeliveryLog, createTestWebhook } from '../../support/webhooks/delivery-log.ts';
import '../../support/fixtures/first-shard.ts';

const apiKeyIdOf = async ({ userId }: TestStore) =>
  (await env.DIRECTORY.prepare('select id from api_keys where user_id = ?')
    .bind(userId)
    .first<number>('id')) ?? 0;

/** Every form under /account and /partners with its path for a user. */
const forms: [name: string, pathOf: (own: TestStore) => Promise<string>][] = [
  ['change a password', async () => '/account/password'],
  ['create a key', async () => '/account/keys/new'],
  ['revoke a key', async (own) => `/account/keys/${await apiKeyIdOf(own)}/revoke`],
  [
    'disconnect an app',
    async (own) => `/account/apps/${own.alias}/${(await connectApp(own)).app.client_id}/disconnect`,
  ],
  ...(['deliveries/1', '', 'resume'] as const).map(
    (what): [string, (own: TestStore) => Promise<string>] => [
      `${{ 'deliveries/1': 'resend a delivery of', '': 'ping or pause', resume: 'resume' }[what]} a webhook`,
      async (own) => {
        const id = await createTestWebhook(own);
        await fillDeliveryLog(own, id, { count: 1 });
        if (what === 'resume') await own.api(`PUT /webhooks/${id}`, { active: false });
        return `/account/webhooks/${own.alias}/${id}${what && `/${what}`}`;
      },
    ],
  ),
  ['register an app', async () => '/partners/new'],
  ...(['edit', 'publish', 'withdraw', 'disable'] as const).map(
    (transition): [string, (own: TestStore) => Promise<string>] => [
      `${transition} an app`,
      async ({ userId: ownerId }) => {
        const state = transition === 'withdraw' ? 'published' : 'draft';
        return `/partners/${(await createTestApp({ ownerId, state })).client_id}/${transition}`;
      },
    ],
  ),
];

/** Everything that a form could change: the rows of this user and of this store. */
const dumpTables = async ({ id, userId }: TestStore) => {
  const directory = [
    'select * from apps where owner_id = ?',
    'select * from api_keys where user_id = ?',
    'select * from passwords where user_id = ?',
  ];
  const store = [
    'select * from oauth_grants where store_id = ?',
    'select * from webhook_endpoints where store_id = ?',
    'select * from webhook_pings where store_id = ?',
    `select d.* from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
     where e.store_id = ?`,
  ];
  const select = (db: D1Database, statements: string[], key: number) =>
    db.batch(statements.map((sql) => db.prepare(sql).bind(key)));
  const results = await Promise.all([
    select(env.DIRECTORY, directory, userId),
    select(env.STORE_0, store, id),
  ]);
  return JSON.stringify(results.flat().map(({ results: rows }) => rows));
};

describe.each(forms)('the form to %s', (_name, pathOf) => {
  it('returns 403 without a form token, from another site, from another user or with the token of another form, and 303 in another session', async () => {
    const own = await createTestStore();
    const path = await pathOf(own);
    const browser = await new Browser().signIn(own.userId);
    const fields = hiddenFieldsOf(await browser.get(path), path);
    const elsewhere = await new Browser().signIn(own.userId);
    const stranger = await new Browser().signIn((await createTestUser()).userId);
    const otherForm = path === '/partners/new' ? '/account/keys/new' : '/partners/new';
    const others = hiddenFieldsOf(await browser.get(otherForm), otherForm);
    const before = await dumpTables(own);
    expect((await browser.post(path, {})).status).toBe(403);
    expect((await browser.post(path, fields, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await stranger.post(path, fields)).status).toBe(403);
    // It may be the session before: the page is shown again, with what was typed.
    const again = await elsewhere.post(path, fields);
    expect([again.status, again.location]).toEqual([303, path]);
    expect((await browser.post(path, others)).status).toBe(403);
    expect(await dumpTables(own)).toBe(before);
  });

  it('returns 303 to the page, which asks to sign in, when the session has ended', async () => {
    const own = await createTestStore();
    const path = await pathOf(own);
    const browser = await new Browser().signIn(own.userId);
    const fields = hiddenFieldsOf(await browser.get(path), path);
    await env.DIRECTORY.prepare('delete from sessions where user_id = ?').bind(own.userId).run();
    const before = await dumpTables(own);
    const response = await browser.post(path, fields);
    expect([response.status, response.location]).toEqual([303, path]);
    expect((await browser.get(path)).text).toContain('E-mail address');
    expect(await dumpTables(own)).toBe(before);
  });
});
