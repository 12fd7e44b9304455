import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import {
  approveConsent,
  createTestApp,
  connectApp,
  postToken,
  refreshForm,
} from '../../support/oauth/partner.ts';
import '../../support/fixtures/first-shard.ts';

const list = '/account/apps';
const pathOf = (alias: string, clientId: string) => `${list}/${alias}/${clientId}/disconnect`;

async function merchant() {
  const own = await createTestStore();
  return { own, browser: await new Browser().signIn(own.userId) };
}

describe('GET /account/apps', () => {
  it('returns 200 with app, publisher, described scopes and both dates in the time zone of the store', async () => {
    const own = await createTestStore({ zone: 'Asia/Tokyo' });
    const browser = await new Browser().signIn(own.userId);
    const now = Date.UTC(2026, 0, 5, 20, 0);
    const connected = await connectApp(own, { scopes: ['catalog.read', 'payments.write'], now });
    await env.STORE_0.prepare('update oauth_grants set expires_at = ? where id = ?')
      .bind(Date.now() + 3_600_000, connected.grantId)
      .run();
    const { text, html } = await browser.get(list);
    expect(text).toContain('Test App Publisher Test Partner not verified');
    expect(text).toMatch(/Connected on Jan 6, 2026, 5:00 AM GMT\+9/);
    expect(html).toContain(`<time datetime="${new Date(now).toISOString()}">`);
    expect(text).toContain('See your catalogue');
    expect(text).toContain('It can decide where the money of your sales goes.');
    expect(text).toContain('What it may do (3)');
    expect(html).toContain(`href="${pathOf(own.alias, connected.app.client_id)}"`);
  });

  it('returns 200 with the last refresh as the last use', async () => {
    const { own, browser } = await merchant();
    const then = Date.now() - 86_400_000;
    const connected = await connectApp(own, { now: then });
    const used = then + 3_600_000;
    await postToken(refreshForm(connected.app, connected.tokens.refresh_token), { now: used });
    const { html } = await browser.get(list);
    expect(html).toContain(`<time datetime="${new Date(then).toISOString()}">`);
    expect(html).toContain(`<time datetime="${new Date(used).toISOString()}">`);
  });

  it('returns 200 with one entry for two grants of an app, with the scopes of both', async () => {
    const { own, browser } = await merchant();
    const one = await connectApp(own, { scopes: ['catalog.read'] });
    await connectApp(own, { app: { ...one.app, scopes: 1 << 2 } });
    const { text } = await browser.get(list);
    expect(text.match(/not verified/g)).toHaveLength(1);
    expect(text).toContain('See your catalogue');
    expect(text).toContain('See your stock, also in products.');
  });

  it('returns 200 without grants that are revoked, expired, not redeemed or of other stores', async () => {
    const { own, browser } = await merchant();
    await approveConsent(own, await createTestApp());
    const [revoked, expired] = [await connectApp(own), await connectApp(own)];
    await connectApp(await createTestStore());
    await env.STORE_0.prepare('update oauth_grants set revoked_at = 1 where id = ?')
      .bind(revoked.grantId)
      .run();
    await env.STORE_0.prepare('update oauth_grants set expires_at = 1 where id = ?')
      .bind(expired.grantId)
      .run();
    const { text } = await browser.get(list);
    expect(text).not.toContain('not verified');
    expect(text).toContain('No app is connected to this store.');
  });

  it('costs two round trips to the directory and one to the shard for any number of apps', async () => {
    const costs = [];
    for (const count of [1, 5]) {
      const { own, browser } = await merchant();
      for (let created = 0; created < count; created += 1) await connectApp(own);
      const directory = noCost();
      const shard = { ...directory };
      browser.bindings = {
        DIRECTORY: countingDatabase(env.DIRECTORY, directory),
        STORE_0: countingDatabase(env.STORE_0, shard),
      };
      expect((await browser.get(list)).text.match(/not verified/g)).toHaveLength(count);
      costs.push([
        directory.roundTrips,
        shard.roundTrips,
        directory.rowsWritten,
        shard.rowsWritten,
      ]);
    }
    expect(costs).toEqual([
      [2, 1, 0, 0],
      [2, 1, 0, 0],
    ]);
  });
});

describe('POST /account/apps/{alias}/{client id}/disconnect', () => {
  it('asks for confirmation (200), then returns 303 after revoking the grants and pausing the webhooks in one batch', async () => {
    const { own, browser } = await merchant();
    const connected = await connectApp(own);
    const second = await connectApp(own, { app: connected.app });
    const created = await connected.api('POST /webhooks', {
      name: 'Its own',
      url: 'https://partner.test/hook',
      events: ['product.created'],
    });
    expect(created.status).toBe(201);
    const path = pathOf(own.alias, connected.app.client_id);
    const page = await browser.get(path);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Test App loses its access to your store');
    const cost = noCost();
    browser.bindings = { STORE_0: countingDatabase(env.STORE_0, cost) };
    const response = await browser.post(path, hiddenFieldsOf(page, path));
    expect([response.status, response.location]).toEqual([303, `${list}?done=disconnected`]);
    expect(cost.roundTrips).toBe(1);
    const after = await browser.get(response.location ?? '');
    expect(after.text).toContain('The app is disconnected.');
    expect(after.text).not.toContain('not verified');
    for (const { api } of [connected, second]) {
      expect((await api('GET /catalog/brands')).status).toBe(401);
    }
    expect((await own.api('GET /webhooks')).body.data).toMatchObject([{ active: false }]);
  });

  it('changes no other app, and not the same app in other stores', async () => {
    const { own, browser } = await merchant();
    const connected = await connectApp(own);
    const [other, elsewhere] = [
      await connectApp(own),
      await connectApp(await createTestStore(), { app: connected.app }),
    ];
    await browser.submit(pathOf(own.alias, connected.app.client_id));
    expect((await other.api('GET /catalog/brands')).status).toBe(200);
    expect((await elsewhere.api('GET /catalog/brands')).status).toBe(200);
  });

  it('returns 404 for the store of another user, an app that is not connected and an unknown app', async () => {
    const { own, browser } = await merchant();
    const theirs = await connectApp(await createTestStore());
    const loose = await createTestApp();
    for (const path of [
      pathOf(theirs.store.alias, theirs.app.client_id),
      pathOf('no-such-store', theirs.app.client_id),
      pathOf(own.alias, loose.client_id),
      pathOf(own.alias, 'nothing'),
    ]) {
      expect((await browser.get(path)).status, path).toBe(404);
    }
  });

  it('returns 403 and changes nothing when the path of the form names another store', async () => {
    const { own, browser } = await merchant();
    const connected = await connectApp(own);
    const theirs = await connectApp(await createTestStore(), { app: connected.app });
    const path = pathOf(own.alias, connected.app.client_id);
    const fields = hiddenFieldsOf(await browser.get(path), path);
    const tampered = pathOf(theirs.store.alias, connected.app.client_id);
    expect((await browser.post(tampered, fields)).status).toBe(403);
    expect((await theirs.api('GET /catalog/brands')).status).toBe(200);
  });

  it('returns 404 when the membership has ended since the page was shown', async () => {
    const { own, browser } = await merchant();
    const connected = await connectApp(own);
    const path = pathOf(own.alias, connected.app.client_id);
    const fields = hiddenFieldsOf(await browser.get(path), path);
    await env.DIRECTORY.prepare('delete from memberships where user_id = ?').bind(own.userId).run();
    expect((await browser.post(path, fields)).status).toBe(404);
    const grant = await env.STORE_0.prepare('select revoked_at from oauth_grants where id = ?')
      .bind(connected.grantId)
      .first('revoked_at');
    expect(grant).toBeNull();
  });
});
