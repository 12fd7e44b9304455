import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { scopes, scopesToBits, type Scope } from '../../../src/data/grants/scopes.ts';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import {
  createTestApp,
  connectApp,
  postToken,
  redemptionForm,
  refreshForm,
} from '../../support/oauth/partner.ts';
import { partner, right } from './support.ts';
import '../../support/fixtures/first-shard.ts';

const register = '/partners/new';

const rowsOf = async (ownerId: number) =>
  (await env.DIRECTORY.prepare('select * from apps where owner_id = ?').bind(ownerId).all())
    .results;

/** The power over an area that the form shows as chosen. */
const powerShown = (area: string, power: string) =>
  new RegExp(`name="area_${area}">(?:(?!</select>).)*<option value="${power}" selected`);

describe('GET /partners', () => {
  it("returns 200 with name, client id, state and installs of the user's own apps only", async () => {
    const { ownerId, browser } = await partner();
    const mine = await createTestApp({ ownerId });
    const theirs = await createTestApp();
    const shop = await createTestStore();
    await connectApp(shop, { app: mine });
    // A second grant of the same store is no second install.
    await connectApp(shop, { app: mine });
    await connectApp(await createTestStore(), { app: mine });
    const gone = await connectApp(await createTestStore(), { app: mine });
    await env.STORE_0.prepare('update oauth_grants set revoked_at = 1 where id = ?')
      .bind(gone.grantId)
      .run();
    const { text } = await browser.get('/partners');
    expect(text).toContain(`Test App Published 2 ${mine.client_id}`);
    expect(text).not.toContain(theirs.client_id);
  });

  it('adds up installs and events of all shards with one round trip to each', async () => {
    const { ownerId, browser } = await partner();
    const mine = await createTestApp({ ownerId });
    await connectApp(await createTestStore(), { app: mine });
    const replayed = await connectApp(await createTestStore(), { app: mine });
    await postToken(redemptionForm(replayed));
    const costs = [0, 1].map(() => noCost());
    // The second shard has the same rows, so that each is seen twice.
    const [STORE_0, STORE_1] = costs.map((cost) => countingDatabase(env.STORE_0, cost));
    browser.bindings = { STORE_0, STORE_1 } as Partial<Env>;
    expect((await browser.get('/partners')).text).toContain(`Published 2 ${mine.client_id}`);
    expect(costs.map(({ roundTrips }) => roundTrips)).toEqual([1, 1]);
    const { text } = await browser.get(`/partners/${mine.client_id}`);
    expect(text.match(/code was used a second time/g)).toHaveLength(2);
  });

  it('returns 200 with the next step for a user without apps', async () => {
    const { browser } = await partner();
    expect((await browser.get('/partners')).text).toContain('You have no app. Register one');
  });

  it('costs two round trips to the directory and one to the shard for any number of apps', async () => {
    const costs = [];
    for (const count of [1, 6]) {
      const { ownerId, browser } = await partner();
      for (let created = 0; created < count; created += 1) {
        await connectApp(await createTestStore(), { app: await createTestApp({ ownerId }) });
      }
      const directory = noCost();
      const shard = { ...directory };
      browser.bindings = {
        DIRECTORY: countingDatabase(env.DIRECTORY, directory),
        STORE_0: countingDatabase(env.STORE_0, shard),
      };
      expect((await browser.get('/partners')).text.match(/Test App/g)).toHaveLength(count);
      costs.push([directory.roundTrips, shard.roundTrips, shard.statements, shard.rowsWritten]);
    }
    expect(costs).toEqual([
      [2, 1, 1, 0],
      [2, 1, 1, 0],
    ]);
  });
});

describe('GET /partners/{client id}', () => {
  it.each<[state: 'draft' | 'published' | 'disabled', primary: string, endings: string[]]>([
    ['draft', 'Connect to a test store', ['Disable']],
    ['published', 'Connected stores', ['Return to draft', 'Disable']],
    ['disabled', 'Return to draft', []],
  ])('returns 200 with one primary button, and last what ends connections: %s', async (...row) => {
    const [state, primary, endings] = row;
    const { ownerId, browser } = await partner();
    const { client_id } = await createTestApp({ ownerId, state });
    const { html } = await browser.get(`/partners/${client_id}`);
    const buttons = Array.from(
      html.matchAll(/<a class="(button[^"]*)"[^>]*>([^<]*)</g),
      ([, look = '', text = '']) => ({ look, text }),
    );
    const named = (...looks: string[]) =>
      buttons.filter(({ look }) => looks.includes(look)).map(({ text }) => text);
    expect(named('button')).toEqual([primary]);
    const inSight = html.replace(/<details class="more-actions">.*?<\/ul>/s, '');
    expect(inSight.match(/<a class="button/g)?.length).toBeLessThanOrEqual(2);
    expect(named('button plain', 'button danger').slice(-endings.length || 9)).toEqual(endings);
    expect(named('button danger')).toEqual(state === 'disabled' ? [] : ['Disable']);
  });
});

describe('POST /partners/new', () => {
  it.each<[set: string, scopes: readonly Scope[]]>([
    ['read', scopes.filter((scope) => scope.endsWith('.read'))],
    ['stock', ['catalog.write', 'inventory.write']],
    ['all', scopes],
  ])('registers an app with the set %s (303), which its form shows again', async (set, named) => {
    const { ownerId, browser } = await partner();
    const { name, publisher, redirect_uris } = right;
    const sent = { name, publisher, redirect_uris, powers: set };
    const { status, location } = await browser.submit(register, sent);
    expect(status).toBe(303);
    const [row] = await rowsOf(ownerId);
    expect(row?.scopes).toBe(scopesToBits(new Set(named)));
    const { html } = await browser.get(`${location?.replace(/\?.*/, '')}/edit`);
    expect(html).toContain(`name="powers" value="${set}" checked`);
    expect(html).toMatch(powerShown('catalog', 'none'));
  });

  it('returns 303 to the new app, a draft with its own client id', async () => {
    const { ownerId, browser } = await partner();
    const response = await browser.submit(register, right);
    expect(response.status).toBe(303);
    expect(response.location).toMatch(/^\/partners\/[\w-]{24}\?done=registered$/);
    const [row] = await rowsOf(ownerId);
    expect(row).toMatchObject({
      name: 'Estoque Fácil',
      publisher: 'Paula Prado Software',
      redirect_uris: '["https://partner.test/callback","http://127.0.0.1/callback"]',
      scopes: (1 << 0) | (1 << 17),
      state: 'draft',
    });
    const page = await browser.get(response.location ?? '');
    expect(page.text).toContain('It is a draft until you publish it.');
    for (const shown of [row?.client_id, 'http://127.0.0.1/callback', 'payments.write', 'Draft']) {
      expect(page.text).toContain(shown);
    }
  });

  it.each<[field: string, change: Record<string, string | string[]>, text: string]>([
    ['name', { name: ' ' }, 'Enter the name of the app.'],
    ['name', { name: 'x'.repeat(81) }, 'The name has more than 80 characters.'],
    ['publisher', { publisher: '' }, 'Enter the publisher.'],
    ['publisher', { publisher: 'x'.repeat(81) }, 'The publisher has more than 80 characters.'],
    ['redirect_uris', { redirect_uris: ' \n' }, 'Enter at least one redirect URI.'],
    [
      'redirect_uris',
      { redirect_uris: Array.from({ length: 11 }, (_, at) => `https://a.test/${at}`).join('\n') },
      'There are more than 10 redirect URIs.',
    ],
    [
      'redirect_uris',
      { redirect_uris: 'https://a.test/\nhttp://b.test/' },
      'Line 2: this must start with https://, or with http:// for a loopback address.',
    ],
    [
      'redirect_uris',
      { redirect_uris: 'https://a.test/\n\nhttps://a.test/' },
      'Line 3: this appears twice.',
    ],
    ['redirect_uris', { redirect_uris: 'no address' }, 'Line 1: this is not a complete address.'],
    [
      'redirect_uris',
      { redirect_uris: 'https://*.a.test/' },
      'Line 1: this contains a wildcard (*).',
    ],
    [
      'redirect_uris',
      { redirect_uris: 'https://a.test/#b' },
      'Line 1: this contains a fragment (#).',
    ],
    [
      'redirect_uris',
      { redirect_uris: 'https://10.0.0.1/cb' },
      'Line 1: this is a private address.',
    ],
    ['powers', { powers: '' }, 'Choose a fixed set, or at least one area.'],
    ['powers', { powers: 'admin' }, 'Choose a fixed set, or at least one area.'],
    ['powers', { powers: 'read' }, 'You chose areas and a fixed set. Keep one of the two.'],
    [
      'powers',
      { area_catalog: 'none', area_payments: 'admin' },
      'Choose a fixed set, or at least one area.',
    ],
  ])(
    'returns 422 with the error beside %s and in the summary, and keeps the input: %j',
    async (field, change, text) => {
      const { ownerId, browser } = await partner();
      const page = await browser.submit(register, { ...right, ...change });
      expect(page.status).toBe(422);
      expect(page.html).toContain(`<a href="#${field}">${text}`);
      expect(page.html).toMatch(
        new RegExp(`id="${field}"[^>]*aria-describedby="${field}-hint ${field}-error"`),
      );
      expect(page.html).toMatch(/role="alert" tabindex="-1" autofocus/);
      if (field !== 'name') expect(page.html).toContain('value="Estoque Fácil"');
      if (field !== 'redirect_uris') expect(page.html).toContain('https://partner.test/callback');
      if (field !== 'powers') expect(page.html).toMatch(powerShown('payments', 'write'));
      expect(page.html).toMatch(powerShown('customers', 'none'));
      expect(await rowsOf(ownerId)).toEqual([]);
    },
  );

  it('returns 422 with all errors at once in the language of the page', async () => {
    const { browser } = await partner();
    await browser.get('/partners?lang=es');
    const page = await browser.submit(register, { redirect_uris: 'https://a.test/*' });
    for (const text of [
      'Escribe el nombre de la app.',
      'Escribe el responsable.',
      'Línea 1: contiene un comodín (*).',
      'Elige un conjunto fijo o al menos un área.',
    ]) {
      expect(page.text).toContain(text);
    }
  });

  it('returns 422 for the 51st app', async () => {
    const { ownerId, browser } = await partner();
    for (let count = 0; count < 49; count += 1) await createTestApp({ ownerId });
    expect((await browser.submit(register, right)).status).toBe(303);
    const page = await browser.submit(register, right);
    expect(page.status).toBe(422);
    expect(page.text).toContain('You have 50 apps, the maximum.');
    expect(page.html).toContain('value="Estoque Fácil"');
    expect(await rowsOf(ownerId)).toHaveLength(50);
  });

  it('escapes the name of an app', async () => {
    const { browser } = await partner();
    const response = await browser.submit(register, { ...right, name: 'a&b"c<' });
    const { html } = await browser.get(response.location ?? '');
    expect(html).toContain('<bdi class="name">a&amp;b&quot;c&lt;</bdi>');
  });
});

describe('POST /partners/{client id}/edit', () => {
  it('returns 303 after storing the changes; existing grants keep their scopes', async () => {
    const { ownerId, browser } = await partner();
    const mine = await createTestApp({ ownerId, scopes: ['catalog.read', 'orders.read'] });
    const connected = await connectApp(await createTestStore(), { app: mine });
    const path = `/partners/${mine.client_id}/edit`;
    const page = await browser.get(path);
    expect(page.html).toMatch(powerShown('orders', 'read'));
    expect(page.html).toMatch(powerShown('inventory', 'none'));
    const response = await browser.submit(path, right);
    expect([response.status, response.location]).toEqual([
      303,
      `/partners/${mine.client_id}?done=saved`,
    ]);
    const [row] = await rowsOf(ownerId);
    expect(row).toMatchObject({ name: 'Estoque Fácil', state: 'published', id: mine.id });
    expect(row?.updated_at).toBeGreaterThanOrEqual(mine.updated_at);
    expect((await connected.api('GET /catalog/brands')).status).toBe(200);
  });

  it('returns 422 with the errors and changes nothing', async () => {
    const { ownerId, browser } = await partner();
    const { client_id } = await createTestApp({ ownerId });
    const before = await rowsOf(ownerId);
    const page = await browser.submit(`/partners/${client_id}/edit`, { ...right, name: '' });
    expect([page.status, page.text]).toEqual([422, expect.stringContaining('Edit Test App')]);
    expect(await rowsOf(ownerId)).toEqual(before);
  });
});

describe('GET /partners/{client id}', () => {
  it.each(['', '/edit', '/publish', '/withdraw', '/disable'])(
    'returns 404 for the app of another user on its page %j',
    async (page) => {
      const { browser } = await partner();
      const theirs = await createTestApp({ state: page === '/publish' ? 'draft' : 'published' });
      const response = await browser.get(`/partners/${theirs.client_id}${page}`);
      expect(response.status).toBe(404);
      expect(response.text).not.toContain('Test App');
    },
  );

  it('returns 200 with the events of its connections: late retries, replays and revocations', async () => {
    const { ownerId, browser } = await partner();
    const mine = await createTestApp({ ownerId });
    const day = 86_400_000;
    const then = Date.now() - day;
    const late = await connectApp(await createTestStore(), { app: mine, now: then });
    const spent = refreshForm(mine, late.tokens.refresh_token);
    await postToken(spent, { now: then + 1_000 });
    await postToken(spent, { now: then + 3_600_000 });
    const replayed = await connectApp(await createTestStore(), { app: mine });
    await postToken(redemptionForm(replayed));
    const reused = await connectApp(await createTestStore(), { app: mine });
    const first = refreshForm(mine, reused.tokens.refresh_token);
    const next = await postToken(first);
    await postToken(refreshForm(mine, next.body.refresh_token));
    await postToken(first);
    const { text } = await browser.get(`/partners/${mine.client_id}`);
    for (const [message, { store }] of [
      ['A late retry received the response to a token refresh again.', late],
      ['An authorization code was used a second time. The connection was ended.', replayed],
      ['may have been stolen. The connection was ended.', reused],
    ] as const) {
      expect(text).toContain(`${message} ${store.alias}`);
    }
  });
});
