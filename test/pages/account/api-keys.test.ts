import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { scopesToBits } from '../../../src/data/grants/scopes.ts';
import { callPathWithBindings, countingDatabase, noCost } from '../../support/api/measure.ts';
import { Browser, type BrowserPage, type FormValues } from '../../support/browser/browser.ts';
import { addTestMember } from '../../support/fixtures/members.ts';
import { sampleCustomer } from '../../support/fixtures/sample-data.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { sentMails } from '../../support/mail.ts';
import { showCode } from '../../support/second-factor.ts';

const create = '/account/keys/new';

/** The widest choices of the form, apart from the name. */
const unlimited = { stores: 'all', powers: 'all', expiry: 'never' };

async function merchant() {
  const own = await createTestStore();
  return { own, browser: await new Browser().signIn(own.userId) };
}

const rowsOf = async ({ userId }: TestStore) =>
  (
    await env.DIRECTORY.prepare('select * from api_keys where user_id = ? order by id')
      .bind(userId)
      .all()
  ).results;

/** Reads the key that a page shows. */
function pairOn({ html }: BrowserPage) {
  const [token, secret] = Array.from(html.matchAll(/<code>([^<]+)<\/code>/g), ([, code]) => code);
  return { 'User-Token': token ?? '', 'User-Secret-Key': secret ?? '' };
}

/** Creates a key in the browser and returns its headers. */
async function createAndReadKey(browser: Browser, name = 'Program') {
  const response = await browser.submit(create, { ...unlimited, name });
  return pairOn(await browser.get(response.location ?? ''));
}

/** Calls the API in the isolate of the test and returns the status. */
const statusOf = async (own: TestStore, headers: Record<string, string>) =>
  (await callPathWithBindings('GET', `/v2/${own.alias}/catalog/brands`, { headers, bindings: {} }))
    .status;

describe('POST /account/keys/new', () => {
  it('returns 303 to the page that shows the key once; the key works, and only its digests are stored', async () => {
    const { own, browser } = await merchant();
    const response = await browser.submit(create, { ...unlimited, name: '  ERP da loja ' });
    expect([response.status, response.location]).toEqual([303, '/account/keys/made']);
    const page = await browser.get('/account/keys/made');
    const headers = pairOn(page);
    expect(headers['User-Token']).toMatch(/^ut_[\w-]{32}$/);
    expect(headers['User-Secret-Key']).toMatch(/^sk_[\w-]{43}$/);
    expect(page.text).toContain(
      'Anyone who has this API key can do with it what you allowed it to do.',
    );
    expect(await statusOf(own, headers)).toBe(200);

    const again = await browser.get('/account/keys/made');
    expect(again.status).toBe(200);
    expect(again.text).toContain('This API key was already shown');
    const list = await browser.get('/account/keys');
    expect(list.text).toContain('ERP da loja');
    expect(list.text).toContain(headers['User-Secret-Key'].slice(-4));
    const [, row] = await rowsOf(own);
    expect(row).toMatchObject({
      name: 'ERP da loja',
      last_four: headers['User-Secret-Key'].slice(-4),
    });
    for (const text of [again.html, list.html, JSON.stringify(row)]) {
      for (const part of Object.values(headers)) expect(text).not.toContain(part);
    }
  });

  it('stores the key in a sealed HttpOnly cookie for a minute, which another browser cannot open', async () => {
    const { own, browser } = await merchant();
    const response = await browser.submit(create, { ...unlimited, name: 'x' });
    const cookie = response.headers
      .getSetCookie()
      .find((one) => one.startsWith('__Host-made-key='));
    for (const attribute of ['Max-Age=60', 'HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/']) {
      expect(cookie?.split('; ')).toContain(attribute);
    }
    expect(cookie).not.toMatch(/ut_|sk_/);
    const other = await new Browser().signIn(own.userId);
    other.cookies.set('__Host-made-key', browser.cookies.get('__Host-made-key') ?? '');
    expect((await other.get('/account/keys/made')).text).toContain('was already shown');
    expect((await browser.get('/account/keys/made')).text).toContain('Your new API key');
    expect(browser.cookies.get('__Host-made-key')).toBe('');
  });

  it.each([
    ['', 'Enter a name.'],
    [' \u200b ', 'Enter a name.'],
    ['x'.repeat(81), 'The name has more than 80 characters.'],
  ])(
    'returns 422 with the error beside the field and in the summary for the name %j',
    async (name, text) => {
      const { own, browser } = await merchant();
      const page = await browser.submit(create, { ...unlimited, name });
      expect(page.status).toBe(422);
      expect(page.html).toContain(`<a href="#name">${text}</a>`);
      expect(page.html).toContain(`id="name-error">${text}</p>`);
      expect(page.html).toContain('aria-describedby="name-hint name-error"');
      expect(page.html).toMatch(/role="alert" tabindex="-1" autofocus/);
      if (name.length > 80) expect(page.html).toContain(`value="${name}"`);
      expect(await rowsOf(own)).toHaveLength(1);
    },
  );

  it('returns 303 and creates a key with the chosen stores, scopes and end, notifies its user, and records it', async () => {
    const { own, browser } = await merchant();
    const response = await browser.submit(create, {
      name: 'Stock',
      stores: 'chosen',
      store_ids: [String(own.id)],
      powers: 'chosen',
      area_inventory: 'write',
      area_catalog: 'read',
      expiry: '30',
    });
    expect(response.status).toBe(303);
    const [, row] = await rowsOf(own);
    expect(row).toMatchObject({
      scopes: scopesToBits(new Set(['inventory.write', 'catalog.read'])),
      store_ids: JSON.stringify([own.id]),
      for_operator: 0,
      expires_at: Number(row?.created_at) + 30 * 86_400_000,
    });
    const headers = pairOn(await browser.get(response.location ?? ''));
    expect(await statusOf(own, headers)).toBe(200);
    const list = await browser.get('/account/keys');
    expect(list.text).toContain('Test Store Catalogue: Read Stock: Read and change');
    expect(await sentMails(`${own.alias}@store.test`)).toMatchObject([{ kind: 'api_key_created' }]);
    await browser.submit(`/account/keys/${String(row?.id)}/revoke`);
    await browser.submit(`/account/keys/${String(row?.id)}/revoke`).catch(() => undefined);
    const { body } = await own.api('GET /audit?kind=api_key');
    const actor = { kind: 'user', id: String(own.userId), name: 'Test Owner' };
    const target = { kind: 'api_key', id: String(row?.id) };
    expect(body.data).toMatchObject([
      { action: 'api_key.revoked', actor, target },
      { action: 'api_key.created', actor, target },
    ]);
  });

  it('proposes a key that only reads', async () => {
    const { browser } = await merchant();
    const { html } = await browser.get(create);
    const checked = Array.from(html.matchAll(/<input[^>]* name="powers"[^>]*>/g), ([input]) => [
      /value="(\w+)"/.exec(input)?.[1],
      input.includes('checked'),
    ]);
    expect(checked).toEqual([
      ['read', true],
      ['stock', false],
      ['orders', false],
      ['all', false],
      ['chosen', false],
    ]);
  });

  it.each<[powers: string, reads: number, writesBrand: number, writesCustomer: number]>([
    ['read', 200, 403, 403],
    ['stock', 200, 201, 403],
    ['orders', 200, 403, 403],
    ['all', 200, 201, 201],
  ])(
    'creates a key with the set %s, which the API holds to it (200, 201, 403)',
    async (powers, ...expected) => {
      const { own, browser } = await merchant();
      const { location } = await browser.submit(create, { ...unlimited, powers, name: 'Set' });
      const headers = pairOn(await browser.get(location ?? ''));
      const post = async (path: string, body: object) =>
        (
          await callPathWithBindings('POST', `/v2/${own.alias}${path}`, {
            headers,
            body,
            bindings: {},
          })
        ).status;
      // A set of many areas is one line, as it was one choice.
      expect((await browser.get('/account/keys')).text.includes('Read only: everything')).toBe(
        powers === 'read',
      );
      expect([
        await statusOf(own, headers),
        await post('/catalog/brands', { name: 'Acme', active: 1 }),
        await post('/customers', sampleCustomer),
      ]).toEqual(expected);
    },
  );

  it.each<[why: string, fields: FormValues, text: string]>([
    ['no store', { stores: 'chosen' }, 'Choose all your stores, or tick at least one.'],
    ['all stores and some', { store_ids: ['1'] }, 'You ticked stores and chose all of them.'],
    ['the store of another', { stores: 'chosen', store_ids: ['1'] }, 'tick at least one.'],
    ['nothing that it may do', { powers: 'chosen' }, 'Choose a fixed set, or at least one area.'],
    ['everything and some', { area_orders: 'read' }, 'You chose areas and a fixed set.'],
    ['a set and some', { powers: 'read', area_orders: 'read' }, 'You chose areas and a fixed set.'],
    ['no choice at all', { powers: '' }, 'Choose a fixed set, or at least one area.'],
    ['an end that is not offered', { expiry: '1000' }, 'Choose how long the key may be used.'],
  ])('returns 422 and creates no key for %s', async (_why, fields, text) => {
    const { own, browser } = await merchant();
    const page = await browser.submit(create, { ...unlimited, name: 'x', ...fields });
    expect([page.status, page.text.includes(text)]).toEqual([422, true]);
    expect(page.html).toContain('value="x"');
    expect(await rowsOf(own)).toHaveLength(1);
  });

  it('creates keys for operators (303) only for an operator, who alone is offered them', async () => {
    const { own, browser } = await merchant();
    const asked = { ...unlimited, name: 'x', for_operator: 'yes' };
    expect((await browser.get(create)).text).not.toContain('For operators');
    expect((await browser.submit(create, asked)).status).toBe(303);
    await env.DIRECTORY.prepare('update users set super_user = 1, mfa_enabled = 1 where id = ?')
      .bind(own.userId)
      .run();
    await showCode(own.userId);
    expect((await browser.get(create)).text).toContain('For operators');
    expect((await browser.submit(create, asked)).status).toBe(303);
    expect((await rowsOf(own)).map(({ for_operator }) => for_operator)).toEqual([0, 0, 1]);
  });

  it('offers a viewer to read only', async () => {
    const { own } = await merchant();
    const { userId } = await addTestMember(own, 'viewer');
    const { html, text } = await (await new Browser().signIn(userId)).get(create);
    expect(text).toContain('so the key only reads');
    expect(text).not.toContain('Stock and prices:');
    expect(html).not.toContain('value="write"');
  });

  it('returns 422 for the 21st key until one is revoked', async () => {
    const { own, browser } = await merchant();
    const statuses = [];
    for (let count = 0; count < 20; count += 1) {
      statuses.push((await browser.submit(create, { ...unlimited, name: `Key ${count}` })).status);
    }
    expect(statuses).toEqual([...Array<number>(19).fill(303), 422]);
    const [first] = await rowsOf(own);
    await browser.submit(`/account/keys/${String(first?.id)}/revoke`);
    expect((await browser.submit(create, { ...unlimited, name: 'Last' })).status).toBe(303);
  });

  it('returns 429 with Retry-After over the limit and creates nothing', async () => {
    const { own, browser } = await merchant();
    const perMinute = { ME_PER_MINUTE: '1' } as unknown as Partial<Env>;
    const limiter: RateLimit = { limit: () => Promise.resolve({ success: false }) };
    browser.bindings = { ...perMinute, ME_LIMIT: limiter };
    const page = await browser.submit(create, { ...unlimited, name: 'x' });
    expect([page.status, page.headers.get('Retry-After')]).toEqual([429, '60']);
    expect(page.text).toContain('Nothing was done.');
    expect(await rowsOf(own)).toHaveLength(1);
  });

  it('escapes the name of a key', async () => {
    const { browser } = await merchant();
    await browser.submit(create, { ...unlimited, name: 'A & "B" \u202eC' });
    const { html } = await browser.get('/account/keys');
    expect(html).toContain('<bdi>A &amp; &quot;B&quot; C</bdi>');
  });
});

describe('GET /account/keys', () => {
  it('costs two round trips to the directory for any number of keys', async () => {
    const { browser } = await merchant();
    for (const more of [0, 6]) {
      for (let count = 0; count < more; count += 1)
        await browser.submit(create, { ...unlimited, name: 'x' });
      const cost = noCost();
      browser.bindings = { DIRECTORY: countingDatabase(env.DIRECTORY, cost) };
      expect((await browser.get('/account/keys')).status).toBe(200);
      expect([cost.roundTrips, cost.rowsWritten]).toEqual([2, 0]);
      browser.bindings = {};
    }
  });

  it('returns 200 with the next step for a user without keys', async () => {
    const { own, browser } = await merchant();
    await env.DIRECTORY.prepare('delete from api_keys where user_id = ?').bind(own.userId).run();
    expect((await browser.get('/account/keys')).text).toContain('You have no API key. Create one');
  });
});

describe('POST /account/keys/{id}/revoke', () => {
  it('returns 303, after which this isolate rejects the key at once although it was cached', async () => {
    const { own, browser } = await merchant();
    const headers = await createAndReadKey(browser);
    expect([await statusOf(own, headers), await statusOf(own, headers)]).toEqual([200, 200]);
    const [kept, row] = await rowsOf(own);
    const response = await browser.submit(`/account/keys/${String(row?.id)}/revoke`);
    expect([response.status, response.location]).toEqual([303, '/account/keys?done=revoked']);
    expect((await browser.get(response.location ?? '')).text).toContain('The key is revoked.');
    expect(await statusOf(own, headers)).toBe(401);
    expect(await statusOf(own, own.headers)).toBe(200);
    expect(await rowsOf(own)).toEqual([
      kept,
      { ...row, revoked_at: expect.any(Number), last_used_at: expect.any(Number) },
    ]);
  });

  it('asks for confirmation (200) with the name of the key and the consequence', async () => {
    const { own, browser } = await merchant();
    const [row] = await rowsOf(own);
    const page = await browser.get(`/account/keys/${String(row?.id)}/revoke`);
    expect(page.text).toContain('Revoke test?');
    expect(page.text).toContain('stop working within a minute');
  });

  it('returns 404 for the key of another user, a revoked key and an invalid id', async () => {
    const { own, browser } = await merchant();
    const [theirs] = await rowsOf(await createTestStore());
    const [mine] = await rowsOf(own);
    await browser.submit(`/account/keys/${String(mine?.id)}/revoke`);
    for (const id of [theirs?.id, mine?.id, '0', '1x', '9'.repeat(20)]) {
      expect((await browser.get(`/account/keys/${String(id)}/revoke`)).status).toBe(404);
    }
  });
});

describe('the last use of an API key', () => {
  it('is stored by the first call and then at most once an hour, after the response', async () => {
    const { own, browser } = await merchant();
    const headers = await createAndReadKey(browser);
    expect((await browser.get('/account/keys')).text).toContain('Never');
    const used = async () => (await rowsOf(own))[1]?.last_used_at;

    const before = Date.now();
    await statusOf(own, headers);
    const first = await used();
    expect(first).toBeGreaterThanOrEqual(before);
    expect((await browser.get('/account/keys')).text).not.toContain('Never');

    // Another alias is not cached yet.
    await callPathWithBindings('POST', '/v2/auth/me', { headers, bindings: {} });
    expect(await used()).toBe(first);
    const lapsed = before - 3_600_001;
    await env.DIRECTORY.prepare('update api_keys set last_used_at = ? where user_id = ?')
      .bind(lapsed, own.userId)
      .run();
    await statusOf(own, headers);
    expect(await used(), 'a cached key causes no query').toBe(lapsed);
    await callPathWithBindings('GET', '/v2/elsewhere/catalog/brands', { headers, bindings: {} });
    expect(await used()).toBeGreaterThanOrEqual(before);
  });

  it('is not stored for a wrong secret', async () => {
    const { own, browser } = await merchant();
    const headers = await createAndReadKey(browser);
    expect(await statusOf(own, { ...headers, 'User-Secret-Key': 'sk_wrong' })).toBe(401);
    expect((await rowsOf(own))[1]?.last_used_at).toBeNull();
  });
});
