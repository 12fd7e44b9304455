import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { purgeRefusals } from '../../../src/accounts/purge-directory.ts';
import { callPathWithBindings, countingDatabase, noCost } from '../../support/api/measure.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { connectApp, createTestApp } from '../../support/oauth/partner.ts';
import { partner } from './support.ts';
import '../../support/fixtures/first-shard.ts';

const day = 86_400_000;

// An isolate stores a number of refused requests in a minute; this minute has none yet, and does not end.
let minutes = 0;
beforeEach(() => {
  minutes += 1;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
});
afterEach(() => void vi.useRealTimers());

describe('GET /partners/{client id}/stores', () => {
  it('returns 200 with each store, the state of its grant, its last refresh and its webhooks', async () => {
    const { ownerId, browser } = await partner();
    const app = await createTestApp({ ownerId });
    const [alive, ended] = [await createTestStore(), await createTestStore()];
    const connected = await connectApp(alive, { app });
    await connected.api('POST /webhooks', {
      name: 'News',
      url: 'https://partner.test/hook',
      events: ['order.paid'],
    });
    const gone = await connectApp(ended, { app });
    await env.STORE_0.prepare(
      `update oauth_grants set revoked_at = 1, reason = 'disconnected_by_merchant' where id = ?`,
    )
      .bind(gone.grantId)
      .run();
    const { status, text } = await browser.get(`/partners/${app.client_id}/stores`);
    expect(status).toBe(200);
    expect(text).toMatch(new RegExp(`${alive.alias} Connected .* active: 1 ${ended.alias} Ended`));
    expect(text).toContain('The merchant disconnected the app.');
  });

  it('shows 25 stores a page, in one round trip to each shard and rows in proportion', async () => {
    const { ownerId, browser } = await partner();
    const app = await createTestApp({ ownerId });
    const { id, alias } = await createTestStore();
    // Stores that the directory does not know are shown without a name.
    await env.STORE_0.batch(
      Array.from({ length: 60 }, (_, index) =>
        env.STORE_0.prepare(
          `insert into oauth_grants (id, store_id, store_alias, client_id, user_id, scopes, challenge, redirect_hash,
              code_expires_at, generation, current_hash, created_at, expires_at)
            values (?1, ?2, ?3, ?4, 1, 1, '', '', 0, 1, '', 0, ?5)`,
        ).bind(crypto.randomUUID(), id + 1_000_000 + index, alias, app.client_id, Date.now() + day),
      ),
    );
    await env.STORE_0.batch(
      Array.from({ length: 60 }, (_, index) =>
        env.STORE_0.prepare('insert or ignore into placements (store_id) values (?)').bind(
          id + 1_000_000 + index,
        ),
      ),
    );
    const cost = noCost();
    browser.bindings = { STORE_0: countingDatabase(env.STORE_0, cost) };
    const path = `/partners/${app.client_id}/stores`;
    const first = await browser.get(path);
    expect(first.text.match(/Store inactive/g)).toHaveLength(25);
    expect(cost.roundTrips).toBe(1);
    expect(cost.rowsRead).toBeLessThan(26 * 6);
    const next = /href="(\/partners\/[\w-]+\/stores\?after=\d+)"/.exec(first.html)?.[1] ?? '';
    const second = await browser.get(next);
    expect(second.text.match(/Store inactive/g)).toHaveLength(25);
    const third = /after=\d+/.exec(
      second.html.split('Next stores')[0]?.split('first')[1] ?? '',
    )?.[0];
    const last = await browser.get(`${path}?${third ?? ''}`);
    expect(last.text.match(/Store inactive/g)).toHaveLength(10);
    expect(last.text).not.toContain('Next stores');
  });
});

describe('GET /partners/{client id}/requests', () => {
  it('shows refused requests of the app with operation, status, code and X-Request-Id, and nothing sent', async () => {
    const { ownerId, browser } = await partner();
    const app = await createTestApp({ ownerId, scopes: ['catalog.read'] });
    const { store, headers } = await connectApp(await createTestStore(), { app });
    const call = (path: string, more: Record<string, string> = {}) =>
      callPathWithBindings('GET', `/v2/${store.alias}${path}`, {
        headers: { ...headers, ...more },
        bindings: {},
      });
    expect((await call('/catalog/brands?name=secret')).status).toBe(200);
    expect(
      (await call('/customers?search=secret', { 'X-Request-Id': 'request-403-a' })).status,
    ).toBe(403);
    expect(
      (await call('/catalog/brands/999999999', { 'X-Request-Id': 'request-404-b' })).status,
    ).toBe(404);
    const { text } = await browser.get(`/partners/${app.client_id}/requests`);
    expect(text).toMatch(/showBrand 404 not_found request-404-b/);
    expect(text).toMatch(/listCustomers 403 insufficient_scope request-403-a/);
    expect(text).not.toContain('secret');
    expect(text).not.toContain(store.alias);
  });

  it('stores nothing for a token that we did not sign, and a sample of a flood', async () => {
    const { ownerId } = await partner();
    const app = await createTestApp({ ownerId, scopes: ['catalog.read'] });
    const { store, headers } = await connectApp(await createTestStore(), { app });
    const call = (authorization: string) =>
      callPathWithBindings('GET', `/v2/${store.alias}/catalog/brands/999999999`, {
        headers: { ...headers, Authorization: authorization },
        bindings: {},
      });
    const count = async () =>
      (
        await env.DIRECTORY.prepare('select count(*) as n from app_refusals where client_id = ?')
          .bind(app.client_id)
          .first<{ n: number }>()
      )?.n;
    expect((await call(`${headers['Authorization']}x`)).status).toBe(401);
    expect(await count()).toBe(0);
    for (let sent = 0; sent < 30; sent += 1) await call(headers['Authorization'] ?? '');
    expect(await count()).toBe(10);
  });

  it('keeps them for seven days', async () => {
    const { ownerId, browser } = await partner();
    const app = await createTestApp({ ownerId });
    const now = Math.floor(Date.now() / 3_600_000) * 3_600_000 + 29 * 60_000;
    const insert = (at: number, id: string) =>
      env.DIRECTORY.prepare(
        `insert into app_refusals (client_id, at, operation, status, code, request_id) values (?, ?, 'showMe', 401, '', ?)`,
      )
        .bind(app.client_id, at, id)
        .run();
    await insert(now - 8 * day, 'request-old');
    await insert(now - 6 * day, 'request-new');
    await purgeRefusals(env.DIRECTORY, now);
    const rows = await env.DIRECTORY.prepare(
      'select request_id from app_refusals where client_id = ?',
    )
      .bind(app.client_id)
      .all();
    expect(rows.results).toEqual([{ request_id: 'request-new' }]);
    expect((await browser.get(`/partners/${app.client_id}/requests`)).text).toContain(
      'request-new',
    );
  });
});
