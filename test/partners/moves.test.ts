import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { App } from '../../src/db/apps.ts';
import { Browser } from '../support/browser.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { requestOf } from '../support/consent.ts';
import { app, connect } from '../support/partner.ts';
import { store } from '../support/store.ts';
import { partner } from './support.ts';

const stateOf = ({ client_id }: App) =>
  env.DIRECTORY.prepare('select state from apps where client_id = ?')
    .bind(client_id)
    .first<string>('state');

const moves = ['publish', 'withdraw', 'disable'] as const;

describe('states of an app', () => {
  it.each([
    ['draft', 'publish', 'published', 'published'],
    ['draft', 'disable', 'disabled', 'disabled'],
    ['published', 'withdraw', 'draft', 'withdrawn'],
    ['published', 'disable', 'disabled', 'disabled'],
    ['disabled', 'withdraw', 'draft', 'withdrawn'],
  ] as const)('303: %s, %s, %s', async (from, move, to, news) => {
    const { ownerId, browser } = await partner();
    const mine = await app({ ownerId, state: from });
    const path = `/partners/${mine.client_id}`;
    expect((await browser.get(path)).html).toContain(`href="${path}/${move}"`);
    const answer = await browser.submit(`${path}/${move}`);
    expect([answer.status, answer.location]).toEqual([303, `${path}?done=${news}`]);
    expect(await stateOf(mine)).toBe(to);
    expect((await browser.get(answer.location ?? '')).html).toContain('role="status"');
  });

  it.each([
    ['draft', ['withdraw']],
    ['published', ['publish']],
    ['disabled', ['publish', 'disable']],
  ] as const)('303 back for what cannot be done with one that is %s', async (state, others) => {
    const { ownerId, browser } = await partner();
    const mine = await app({ ownerId, state });
    const path = `/partners/${mine.client_id}`;
    for (const move of others) {
      const answer = await browser.get(`${path}/${move}`);
      expect([answer.status, answer.location]).toEqual([303, path]);
      expect((await browser.get(path)).html).not.toContain(`href="${path}/${move}"`);
    }
  });

  it('200 for a disabled app that is to be a draft: it ends nothing, so nothing of the kind is said', async () => {
    const { ownerId, browser } = await partner();
    const { client_id } = await app({ ownerId, state: 'disabled' });
    const { text, html } = await browser.get(`/partners/${client_id}/withdraw`);
    expect(text).toContain('It works again, for your own stores alone until you publish it.');
    expect(text).not.toContain('connections end');
    expect(html).not.toContain('<button class="danger"');
  });

  it('publishing an old page of an app that is disabled by now changes nothing', async () => {
    const { ownerId, browser } = await partner();
    const mine = await app({ ownerId, state: 'draft' });
    const path = `/partners/${mine.client_id}/publish`;
    const fields = fieldsOf(await browser.get(path), path);
    await browser.submit(`/partners/${mine.client_id}/disable`);
    expect((await browser.post(path, fields)).status).toBe(303);
    expect(await stateOf(mine)).toBe('disabled');
  });

  it.each(moves)(
    '404 for %s of an app that is not theirs, with a ticket or without',
    async (move) => {
      const { ownerId, browser } = await partner();
      const state = move === 'publish' ? 'draft' : 'published';
      const [mine, theirs] = [await app({ ownerId, state }), await app({ state })];
      const path = `/partners/${mine.client_id}/${move}`;
      const tampered = `/partners/${theirs.client_id}/${move}`;
      expect((await browser.get(tampered)).status).toBe(404);
      const fields = fieldsOf(await browser.get(path), path);
      expect((await browser.post(tampered, fields)).status).toBe(403);
      await env.DIRECTORY.prepare('update apps set owner_id = ? where id = ?')
        .bind(theirs.owner_id, mine.id)
        .run();
      expect((await browser.post(path, fields)).status).toBe(404);
      expect([await stateOf(mine), await stateOf(theirs)]).toEqual([state, state]);
    },
  );
});

describe.each(['disable', 'withdraw'] as const)('%s', (move) => {
  it('ends every connection in every store, the own ones too, and pauses the webhooks', async () => {
    const { own, ownerId, browser } = await partner();
    const mine = await app({ ownerId });
    const connected = [
      await connect(await store(), { app: mine }),
      await connect(own, { app: mine }),
    ];
    const other = await connect(await store());
    const webhook = {
      name: 'Hook',
      url: 'https://partner.test/hook',
      events: ['product.created'],
    };
    for (const { api } of connected)
      expect((await api('POST /webhooks', webhook)).status).toBe(201);
    const path = `/partners/${mine.client_id}/${move}`;
    const page = await browser.get(path);
    expect(page.text).toContain('All its connections end at once');
    expect(page.text).toContain('Stores that are connected now: 2.');
    await browser.post(path, fieldsOf(page, path));
    for (const { api, store } of connected) {
      expect((await api('GET /catalog/brands')).status).toBe(401);
      expect((await store.api('GET /webhooks')).body.data).toMatchObject([{ active: false }]);
    }
    expect((await other.api('GET /catalog/brands')).status).toBe(200);
    const after = await browser.get(`/partners/${mine.client_id}`);
    expect(after.text).toContain('The app was disabled or went back to draft.');
  });

  it('lets no merchant connect it any more', async () => {
    const { ownerId, browser } = await partner();
    const mine = await app({ ownerId });
    const merchant = await new Browser().signedIn((await store()).userId);
    expect((await merchant.get(requestOf(mine))).status).toBe(200);
    await browser.submit(`/partners/${mine.client_id}/${move}`);
    expect((await merchant.get(requestOf(mine))).text).toContain('This link does not work');
  });
});
