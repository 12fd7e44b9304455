import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { counting } from '../support/counted.ts';
import { app, connect, post, redemption, refreshment } from '../support/partner.ts';
import { store } from '../support/store.ts';
import { partner, right } from './support.ts';

const register = '/partners/new';

const rowsOf = async (ownerId: number) =>
  (await env.DIRECTORY.prepare('select * from apps where owner_id = ?').bind(ownerId).all())
    .results;

describe('GET /partners', () => {
  it('200 with name, client id, state and installs of their own apps alone', async () => {
    const { ownerId, browser } = await partner();
    const mine = await app({ ownerId });
    const theirs = await app();
    const shop = await store();
    await connect(shop, { app: mine });
    // A second grant of the same store is no second install.
    await connect(shop, { app: mine });
    await connect(await store(), { app: mine });
    const gone = await connect(await store(), { app: mine });
    await env.STORE_0.prepare('update oauth_grants set revoked_at = 1 where id = ?')
      .bind(gone.grantId)
      .run();
    const { text } = await browser.get('/partners');
    expect(text).toContain(`Test App Published 2 ${mine.client_id}`);
    expect(text).not.toContain(theirs.client_id);
  });

  it('adds up the installs of all shards, one trip to each, and their events', async () => {
    const { ownerId, browser } = await partner();
    const mine = await app({ ownerId });
    await connect(await store(), { app: mine });
    const replayed = await connect(await store(), { app: mine });
    await post(redemption(replayed));
    const costs = [0, 1].map(() => ({ trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 }));
    // The second shard has the same rows, so that each is seen twice.
    const [STORE_0, STORE_1] = costs.map((cost) => counting(env.STORE_0, cost));
    browser.bindings = { STORE_0, STORE_1 } as Partial<Env>;
    expect((await browser.get('/partners')).text).toContain(`Published 2 ${mine.client_id}`);
    expect(costs.map(({ trips }) => trips)).toEqual([1, 1]);
    const { text } = await browser.get(`/partners/${mine.client_id}`);
    expect(text.match(/code was used a second time/g)).toHaveLength(2);
  });

  it('200 for somebody without apps, saying what to do next', async () => {
    const { browser } = await partner();
    expect((await browser.get('/partners')).text).toContain('You have no app. Register one');
  });

  it('costs the same for one app and for many: two trips to the directory, one to the shard', async () => {
    const costs = [];
    for (const count of [1, 6]) {
      const { ownerId, browser } = await partner();
      for (let made = 0; made < count; made += 1) {
        await connect(await store(), { app: await app({ ownerId }) });
      }
      const directory = { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 };
      const shard = { ...directory };
      browser.bindings = {
        DIRECTORY: counting(env.DIRECTORY, directory),
        STORE_0: counting(env.STORE_0, shard),
      };
      expect((await browser.get('/partners')).text.match(/Test App/g)).toHaveLength(count);
      costs.push([directory.trips, shard.trips, shard.statements, shard.rowsWritten]);
    }
    expect(costs).toEqual([
      [2, 1, 1, 0],
      [2, 1, 1, 0],
    ]);
  });
});

describe('POST /partners/new', () => {
  it('303 to the app, a draft with a client id of its own', async () => {
    const { ownerId, browser } = await partner();
    const answer = await browser.submit(register, right);
    expect(answer.status).toBe(303);
    expect(answer.location).toMatch(/^\/partners\/[\w-]{24}\?done=registered$/);
    const [row] = await rowsOf(ownerId);
    expect(row).toMatchObject({
      name: 'Estoque Fácil',
      publisher: 'Paula Prado Software',
      redirect_uris: '["https://partner.test/callback","http://127.0.0.1/callback"]',
      scopes: (1 << 0) | (1 << 17),
      state: 'draft',
    });
    const page = await browser.get(answer.location ?? '');
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
      'Line 3: this stands here twice.',
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
    ['scopes', { scopes: [] }, 'Choose at least one permission.'],
    [
      'scopes',
      { scopes: ['catalog.read', 'shop.admin'] },
      'One of the permissions does not exist.',
    ],
  ])(
    '422 beside %s and in the summary, keeping what was typed: %j',
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
      if (field !== 'scopes') expect(page.html).toContain('value="payments.write" checked');
      expect(page.html).not.toContain('value="customers.read" checked');
      expect(await rowsOf(ownerId)).toEqual([]);
    },
  );

  it('422 with all that is wrong at once, in the language of the page', async () => {
    const { browser } = await partner();
    await browser.get('/partners?lang=es');
    const page = await browser.submit(register, { redirect_uris: 'https://a.test/*' });
    for (const text of [
      'Escribe el nombre de la aplicación.',
      'Escribe el responsable.',
      'Línea 1: contiene un comodín (*).',
      'Elige al menos un permiso.',
    ]) {
      expect(page.text).toContain(text);
    }
  });

  it('422 for an app beyond the fiftieth', async () => {
    const { ownerId, browser } = await partner();
    for (let count = 0; count < 49; count += 1) await app({ ownerId });
    expect((await browser.submit(register, right)).status).toBe(303);
    const page = await browser.submit(register, right);
    expect(page.status).toBe(422);
    expect(page.text).toContain('You have 50 apps, which is the most there can be.');
    expect(page.html).toContain('value="Estoque Fácil"');
    expect(await rowsOf(ownerId)).toHaveLength(50);
  });

  it('shows a name as text alone, whatever it holds', async () => {
    const { browser } = await partner();
    const answer = await browser.submit(register, { ...right, name: 'a&b"c<' });
    const { html } = await browser.get(answer.location ?? '');
    expect(html).toContain('<bdi class="name">a&amp;b&quot;c&lt;</bdi>');
  });
});

describe('POST /partners/{client id}/edit', () => {
  it('303 with the changes stored; merchants keep what they allowed', async () => {
    const { ownerId, browser } = await partner();
    const mine = await app({ ownerId, scopes: ['catalog.read', 'orders.read'] });
    const connected = await connect(await store(), { app: mine });
    const path = `/partners/${mine.client_id}/edit`;
    const page = await browser.get(path);
    expect(page.html).toContain('value="orders.read" checked');
    const answer = await browser.submit(path, right);
    expect([answer.status, answer.location]).toEqual([
      303,
      `/partners/${mine.client_id}?done=saved`,
    ]);
    const [row] = await rowsOf(ownerId);
    expect(row).toMatchObject({ name: 'Estoque Fácil', state: 'published', id: mine.id });
    expect(row?.updated_at).toBeGreaterThanOrEqual(mine.updated_at);
    expect((await connected.api('GET /catalog/brands')).status).toBe(200);
  });

  it('422 with what is wrong, changing nothing', async () => {
    const { ownerId, browser } = await partner();
    const { client_id } = await app({ ownerId });
    const before = await rowsOf(ownerId);
    const page = await browser.submit(`/partners/${client_id}/edit`, { ...right, name: '' });
    expect([page.status, page.text]).toEqual([422, expect.stringContaining('Edit Test App')]);
    expect(await rowsOf(ownerId)).toEqual(before);
  });
});

describe('GET /partners/{client id}', () => {
  it.each(['', '/edit', '/publish', '/withdraw', '/disable'])(
    '404 for an app of somebody else, at every page of it: %s',
    async (page) => {
      const { browser } = await partner();
      const theirs = await app({ state: page === '/publish' ? 'draft' : 'published' });
      const answer = await browser.get(`/partners/${theirs.client_id}${page}`);
      expect(answer.status).toBe(404);
      expect(answer.text).not.toContain('Test App');
    },
  );

  it('200 with what happened to its connections: late retries, replays, ends', async () => {
    const { ownerId, browser } = await partner();
    const mine = await app({ ownerId });
    const day = 86_400_000;
    const then = Date.now() - day;
    const late = await connect(await store(), { app: mine, now: then });
    const spent = refreshment(mine, late.tokens.refresh_token);
    await post(spent, { now: then + 1_000 });
    await post(spent, { now: then + 3_600_000 });
    const replayed = await connect(await store(), { app: mine });
    await post(redemption(replayed));
    const reused = await connect(await store(), { app: mine });
    const first = refreshment(mine, reused.tokens.refresh_token);
    const next = await post(first);
    await post(refreshment(mine, next.body.refresh_token));
    await post(first);
    const { text } = await browser.get(`/partners/${mine.client_id}`);
    for (const [told, { store }] of [
      ['A late retry got the answer of a refresh again.', late],
      ['An authorization code was used a second time. The connection was ended.', replayed],
      ['it may have been stolen. The connection was ended.', reused],
    ] as const) {
      expect(text).toContain(`${told} ${store.alias}`);
    }
  });
});
