import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { counting } from '../support/counted.ts';
import { approve, app, connect, post, refreshment } from '../support/partner.ts';
import { store } from '../support/store.ts';

const list = '/account/apps';
const pathOf = (alias: string, clientId: string) => `${list}/${alias}/${clientId}/disconnect`;

async function merchant() {
  const own = await store();
  return { own, browser: await new Browser().signedIn(own.userId) };
}

describe('GET /account/apps', () => {
  it('200 with app, publisher, scopes in words and both moments, in the zone of the store', async () => {
    const own = await store({ zone: 'Asia/Tokyo' });
    const browser = await new Browser().signedIn(own.userId);
    const now = Date.UTC(2026, 0, 5, 20, 0);
    const connected = await connect(own, { scopes: ['catalog.read', 'payments.write'], now });
    await env.STORE_0.prepare('update oauth_grants set expires_at = ? where id = ?')
      .bind(Date.now() + 3_600_000, connected.grantId)
      .run();
    const { text, html } = await browser.get(list);
    expect(text).toContain('Test App Made by Test Partner');
    expect(text).toMatch(/Connected on Jan 6, 2026, 05:00 AM GMT\+9/);
    expect(html).toContain(`<time datetime="${new Date(now).toISOString()}">`);
    expect(text).toContain('See your catalogue');
    expect(text).toContain('It can decide where the money of your sales goes.');
    expect(text).toContain('What it may do (3)');
    expect(html).toContain(`href="${pathOf(own.alias, connected.app.client_id)}"`);
  });

  it('200 with the last refresh as last use', async () => {
    const { own, browser } = await merchant();
    const then = Date.now() - 86_400_000;
    const connected = await connect(own, { now: then });
    const used = then + 3_600_000;
    await post(refreshment(connected.app, connected.tokens.refresh_token), { now: used });
    const { html } = await browser.get(list);
    expect(html).toContain(`<time datetime="${new Date(then).toISOString()}">`);
    expect(html).toContain(`<time datetime="${new Date(used).toISOString()}">`);
  });

  it('200 with one entry for two grants of an app, and the scopes of both', async () => {
    const { own, browser } = await merchant();
    const one = await connect(own, { scopes: ['catalog.read'] });
    await connect(own, { app: { ...one.app, scopes: 1 << 2 } });
    const { text } = await browser.get(list);
    expect(text.match(/Made by/g)).toHaveLength(1);
    expect(text).toContain('See your catalogue');
    expect(text).toContain('See your stock.');
  });

  it('200 without apps that are revoked, expired, not redeemed yet, or of stores of others', async () => {
    const { own, browser } = await merchant();
    await approve(own, await app());
    const [revoked, expired] = [await connect(own), await connect(own)];
    await connect(await store());
    await env.STORE_0.prepare('update oauth_grants set revoked_at = 1 where id = ?')
      .bind(revoked.grantId)
      .run();
    await env.STORE_0.prepare('update oauth_grants set expires_at = 1 where id = ?')
      .bind(expired.grantId)
      .run();
    const { text } = await browser.get(list);
    expect(text).not.toContain('Made by');
    expect(text).toContain('No app is connected to this store.');
  });

  it('costs the same for one app and for many: two trips to the directory, one to the shard', async () => {
    const costs = [];
    for (const count of [1, 5]) {
      const { own, browser } = await merchant();
      for (let made = 0; made < count; made += 1) await connect(own);
      const directory = { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 };
      const shard = { ...directory };
      browser.bindings = {
        DIRECTORY: counting(env.DIRECTORY, directory),
        STORE_0: counting(env.STORE_0, shard),
      };
      expect((await browser.get(list)).text.match(/Made by/g)).toHaveLength(count);
      costs.push([directory.trips, shard.trips, directory.rowsWritten, shard.rowsWritten]);
    }
    expect(costs).toEqual([
      [2, 1, 0, 0],
      [2, 1, 0, 0],
    ]);
  });
});

describe('disconnecting', () => {
  it('200 with what comes of it, then 303: grants end and webhooks pause, in one batch', async () => {
    const { own, browser } = await merchant();
    const connected = await connect(own);
    const second = await connect(own, { app: connected.app });
    const made = await connected.api('POST /webhooks', {
      name: 'Its own',
      url: 'https://partner.test/hook',
      events: ['product.created'],
    });
    expect(made.status).toBe(201);
    const path = pathOf(own.alias, connected.app.client_id);
    const page = await browser.get(path);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Test App loses its access to your store');
    const cost = { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 };
    browser.bindings = { STORE_0: counting(env.STORE_0, cost) };
    const answer = await browser.post(path, fieldsOf(page, path));
    expect([answer.status, answer.location]).toEqual([303, `${list}?done=disconnected`]);
    expect(cost.trips).toBe(1);
    const after = await browser.get(answer.location ?? '');
    expect(after.text).toContain('The app is disconnected.');
    expect(after.text).not.toContain('Made by');
    for (const { api } of [connected, second]) {
      expect((await api('GET /catalog/brands')).status).toBe(401);
    }
    expect((await own.api('GET /webhooks')).body.data).toMatchObject([{ active: false }]);
  });

  it('leaves other apps, and the same app in other stores, alone', async () => {
    const { own, browser } = await merchant();
    const connected = await connect(own);
    const [other, elsewhere] = [
      await connect(own),
      await connect(await store(), { app: connected.app }),
    ];
    await browser.submit(pathOf(own.alias, connected.app.client_id));
    expect((await other.api('GET /catalog/brands')).status).toBe(200);
    expect((await elsewhere.api('GET /catalog/brands')).status).toBe(200);
  });

  it('404 for a store that is not theirs, an app that is not connected, and one that does not exist', async () => {
    const { own, browser } = await merchant();
    const theirs = await connect(await store());
    const loose = await app();
    for (const path of [
      pathOf(theirs.store.alias, theirs.app.client_id),
      pathOf('no-such-store', theirs.app.client_id),
      pathOf(own.alias, loose.client_id),
      pathOf(own.alias, 'nothing'),
    ]) {
      expect((await browser.get(path)).status, path).toBe(404);
    }
  });

  it('403 when the alias of another store is put into the address of a form, which changes nothing', async () => {
    const { own, browser } = await merchant();
    const connected = await connect(own);
    const theirs = await connect(await store(), { app: connected.app });
    const path = pathOf(own.alias, connected.app.client_id);
    const fields = fieldsOf(await browser.get(path), path);
    const tampered = pathOf(theirs.store.alias, connected.app.client_id);
    expect((await browser.post(tampered, fields)).status).toBe(403);
    expect((await theirs.api('GET /catalog/brands')).status).toBe(200);
  });

  it('404 when the merchant lost the store after the page was shown', async () => {
    const { own, browser } = await merchant();
    const connected = await connect(own);
    const path = pathOf(own.alias, connected.app.client_id);
    const fields = fieldsOf(await browser.get(path), path);
    await env.DIRECTORY.prepare('delete from memberships where user_id = ?').bind(own.userId).run();
    expect((await browser.post(path, fields)).status).toBe(404);
    const grant = await env.STORE_0.prepare('select revoked_at from oauth_grants where id = ?')
      .bind(connected.grantId)
      .first('revoked_at');
    expect(grant).toBeNull();
  });
});
