import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { App } from '../../../src/data/directory/apps.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { authorizeUrl } from '../../support/oauth/consent.ts';
import { createTestApp, connectApp } from '../../support/oauth/partner.ts';
import { partner } from './support.ts';

const stateOf = ({ client_id }: App) =>
  env.DIRECTORY.prepare('select state from apps where client_id = ?')
    .bind(client_id)
    .first<string>('state');

const transitions = ['publish', 'withdraw', 'disable'] as const;

describe('transitions of an app', () => {
  it.each([
    ['draft', 'publish', 'published', 'published'],
    ['draft', 'disable', 'disabled', 'disabled'],
    ['published', 'withdraw', 'draft', 'withdrawn'],
    ['published', 'disable', 'disabled', 'disabled'],
    ['disabled', 'withdraw', 'draft', 'withdrawn'],
  ] as const)(
    'returns 303 for an app in state %s, transition %s, new state %s',
    async (from, transition, to, news) => {
      const { ownerId, browser } = await partner();
      const mine = await createTestApp({ ownerId, state: from });
      const path = `/partners/${mine.client_id}`;
      expect((await browser.get(path)).html).toContain(`href="${path}/${transition}"`);
      const response = await browser.submit(`${path}/${transition}`);
      expect([response.status, response.location]).toEqual([303, `${path}?done=${news}`]);
      expect(await stateOf(mine)).toBe(to);
      expect((await browser.get(response.location ?? '')).html).toContain('role="status"');
    },
  );

  it.each([
    ['draft', ['withdraw']],
    ['published', ['publish']],
    ['disabled', ['publish', 'disable']],
  ] as const)(
    'redirects (303) from the transitions that the state %s does not allow',
    async (state, others) => {
      const { ownerId, browser } = await partner();
      const mine = await createTestApp({ ownerId, state });
      const path = `/partners/${mine.client_id}`;
      for (const transition of others) {
        const response = await browser.get(`${path}/${transition}`);
        expect([response.status, response.location]).toEqual([303, path]);
        expect((await browser.get(path)).html).not.toContain(`href="${path}/${transition}"`);
      }
    },
  );

  it('returns 200 for returning a disabled app to draft, without a warning about connections', async () => {
    const { ownerId, browser } = await partner();
    const { client_id } = await createTestApp({ ownerId, state: 'disabled' });
    const { text, html } = await browser.get(`/partners/${client_id}/withdraw`);
    expect(text).toContain('It works again, but only in your own stores until you publish it.');
    expect(text).not.toContain('connections end');
    expect(html).not.toContain('<button class="danger"');
  });

  it('changes nothing when the app has been disabled since the page for publishing was shown (303)', async () => {
    const { ownerId, browser } = await partner();
    const mine = await createTestApp({ ownerId, state: 'draft' });
    const path = `/partners/${mine.client_id}/publish`;
    const fields = hiddenFieldsOf(await browser.get(path), path);
    await browser.submit(`/partners/${mine.client_id}/disable`);
    expect((await browser.post(path, fields)).status).toBe(303);
    expect(await stateOf(mine)).toBe('disabled');
  });

  it.each(transitions)(
    'returns 404 for %s of the app of another user, with or without a form token',
    async (transition) => {
      const { ownerId, browser } = await partner();
      const state = transition === 'publish' ? 'draft' : 'published';
      const [mine, theirs] = [
        await createTestApp({ ownerId, state }),
        await createTestApp({ state }),
      ];
      const path = `/partners/${mine.client_id}/${transition}`;
      const tampered = `/partners/${theirs.client_id}/${transition}`;
      expect((await browser.get(tampered)).status).toBe(404);
      const fields = hiddenFieldsOf(await browser.get(path), path);
      expect((await browser.post(tampered, fields)).status).toBe(403);
      await env.DIRECTORY.prepare('update apps set owner_id = ? where id = ?')
        .bind(theirs.owner_id, mine.id)
        .run();
      expect((await browser.post(path, fields)).status).toBe(404);
      expect([await stateOf(mine), await stateOf(theirs)]).toEqual([state, state]);
    },
  );
});

describe.each(['disable', 'withdraw'] as const)('the transition %s', (transition) => {
  it("revokes the grants in every store, the partner's own included, and pauses the webhooks", async () => {
    const { own, ownerId, browser } = await partner();
    const mine = await createTestApp({ ownerId });
    const connected = [
      await connectApp(await createTestStore(), { app: mine }),
      await connectApp(own, { app: mine }),
    ];
    const other = await connectApp(await createTestStore());
    const webhook = {
      name: 'Hook',
      url: 'https://partner.test/hook',
      events: ['product.created'],
    };
    for (const { api } of connected)
      expect((await api('POST /webhooks', webhook)).status).toBe(201);
    const path = `/partners/${mine.client_id}/${transition}`;
    const page = await browser.get(path);
    expect(page.text).toContain('All its connections end at once');
    expect(page.text).toContain('Stores that are connected now: 2.');
    await browser.post(path, hiddenFieldsOf(page, path));
    for (const { api, store } of connected) {
      expect((await api('GET /catalog/brands')).status).toBe(401);
      expect((await store.api('GET /webhooks')).body.data).toMatchObject([{ active: false }]);
    }
    expect((await other.api('GET /catalog/brands')).status).toBe(200);
    const after = await browser.get(`/partners/${mine.client_id}`);
    expect(after.text).toContain('The app was disabled or returned to draft.');
  });

  it('prevents new connections', async () => {
    const { ownerId, browser } = await partner();
    const mine = await createTestApp({ ownerId });
    const merchant = await new Browser().signIn((await createTestStore()).userId);
    expect((await merchant.get(authorizeUrl(mine))).status).toBe(200);
    await browser.submit(`/partners/${mine.client_id}/${transition}`);
    expect((await merchant.get(authorizeUrl(mine))).text).toContain(
      transition === 'disable' ? 'This link does not work' : 'This app is a draft',
    );
  });
});
