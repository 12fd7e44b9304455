import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { connectApp, createTestApp } from '../../support/oauth/partner.ts';
import { partner } from './support.ts';
import '../../support/fixtures/first-shard.ts';

const day = 86_400_000;

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
        env.STORE_0.prepare(
          'insert or ignore into placements (store_id, works) values (?, 1)',
        ).bind(id + 1_000_000 + index),
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
