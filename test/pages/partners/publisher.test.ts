import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { evictApp } from '../../../src/data/directory/apps.ts';
import { Browser } from '../../support/browser/browser.ts';
import { mockNetwork } from '../../support/fakes/network.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { authorizeUrl } from '../../support/oauth/consent.ts';
import { connectApp, createTestApp } from '../../support/oauth/partner.ts';
import { partner, right } from './support.ts';
import '../../support/fixtures/first-shard.ts';

const site = 'https://loja.example/app';
const fileUrl = 'https://loja.example/.well-known/service-apps.txt';
const resolver = 'https://resolver.example/dns-query';

/** A partner with a published app that has a site, and a merchant without an app. */
async function appWithSite() {
  const { ownerId, browser } = await partner();
  const app = await createTestApp({ ownerId, site });
  const path = `/partners/${app.client_id}/verify`;
  const merchant = await createTestStore();
  return { ownerId, browser, app, path, merchant };
}

const storedOf = (clientId: string) =>
  env.DIRECTORY.prepare('select * from apps where client_id = ?').bind(clientId).first();

/** The text of the consent page, as a merchant without a cached app sees it. */
async function consentOf(app: Parameters<typeof authorizeUrl>[0], userId: number) {
  evictApp(app.client_id);
  const browser = await new Browser().signIn(userId);
  return (await browser.get(authorizeUrl(app))).text;
}

describe('the form of an app', () => {
  it('stores the site, help and privacy policy, which merchants see as links (303)', async () => {
    const { ownerId, browser } = await partner();
    const addresses = {
      site_url: ' https://Loja.example/app ',
      support: 'ajuda@loja.example',
      privacy_url: 'https://loja.example/privacy',
    };
    const { status } = await browser.submit('/partners/new', { ...right, ...addresses });
    expect(status).toBe(303);
    const row = await env.DIRECTORY.prepare('select * from apps where owner_id = ?')
      .bind(ownerId)
      .first<Record<string, string>>();
    expect(row).toMatchObject({ ...addresses, site_url: site });
    const { html } = await browser.get(authorizeUrl({ client_id: row?.['client_id'] ?? '' }));
    expect(html).toContain(
      `<a href="${site}" target="_blank" rel="noopener noreferrer" class="host">loja.example</a> <span class="tag">not verified</span>`,
    );
    expect(html).toContain('href="mailto:ajuda@loja.example"');
    expect(html).toContain('href="https://loja.example/privacy"');
    const activity = await browser.get('/partners/activity');
    expect(activity.text).toContain('Privacy policy');
  });

  it.each([
    ['site_url', 'javascript:alert(1)', 'Enter the full address of a public page'],
    ['site_url', 'ftp://loja.example/', 'Enter the full address of a public page'],
    ['site_url', 'https://10.0.0.1/', 'Enter the full address of a public page'],
    ['site_url', 'ajuda@loja.example', 'Enter the full address of a public page'],
    ['support', 'nobody', 'Enter an e-mail address, or the full address'],
    ['support', 'data:text/html,x', 'Enter an e-mail address, or the full address'],
    ['privacy_url', 'https://user:pass@loja.example/', 'Enter the full address of a public page'],
  ])('returns 422 beside %s for %j', async (field, value, text) => {
    const { ownerId, browser } = await partner();
    const page = await browser.submit('/partners/new', { ...right, [field]: value });
    expect(page.status).toBe(422);
    expect(page.html).toContain(`<a href="#${field}">${text}`);
    const found = await env.DIRECTORY.prepare('select 1 from apps where owner_id = ?')
      .bind(ownerId)
      .first();
    expect(found).toBeNull();
  });
});

describe('POST /partners/{client id}/verify', () => {
  it('verifies the domain by a line of its file (303); merchants see it at once, with the stores', async () => {
    const { browser, app, path, merchant } = await appWithSite();
    await connectApp(await createTestStore(), { app });
    expect(await consentOf(app, merchant.userId)).toMatch(
      /Publisher Test Partner Site loja\.example not verified Connected stores 1/,
    );
    const { html } = await browser.get(path);
    expect(html).toContain(fileUrl);
    using network = mockNetwork(() => new Response(`other-app\r\n ${app.client_id} \r\n`));
    const sent = await browser.submit(path);
    expect([sent.status, sent.location]).toEqual([303, `/partners/${app.client_id}?done=verified`]);
    expect(network.requests.map(({ url }) => url)).toEqual([fileUrl]);
    expect((await browser.get(sent.location ?? '')).text).toContain(
      'The domain is verified: merchants read it beside the name of the app.',
    );
    expect(await consentOf(app, merchant.userId)).toContain('Site loja.example verified');
    expect((await browser.get('/partners/activity')).text).toContain('Verified the domain');
  });

  it('verifies the domain by a TXT record, where the service has a resolver', async () => {
    const { browser, app, path } = await appWithSite();
    browser.bindings = { RESOLVER_URL: resolver } as object;
    expect((await browser.get(path)).html).toContain('_service-app.loja.example');
    using network = mockNetwork((request) => {
      const { origin, searchParams } = new URL(request.url);
      if (origin !== new URL(resolver).origin) return new Response(null, { status: 404 });
      const isText = searchParams.get('type') === 'TXT';
      const data = isText ? `"client-id=" "${app.client_id}"` : '93.184.216.34';
      const type = isText ? 16 : 1;
      return Response.json({ Status: 0, Answer: [{ name: 'x', type, TTL: 1, data }] });
    });
    expect((await browser.submit(path)).status).toBe(303);
    expect(network.requests.length).toBeGreaterThan(0);
    expect(await storedOf(app.client_id)).toMatchObject({ verified_host: 'loja.example' });
  });

  it('returns 422 and says that a record can be late, where the service has a resolver', async () => {
    const { browser, path } = await appWithSite();
    browser.bindings = { RESOLVER_URL: resolver } as object;
    using _network = mockNetwork(() => new Response(null, { status: 404 }));
    const page = await browser.submit(path);
    expect(page.status).toBe(422);
    expect(page.text).toContain('A new record can take an hour to be seen.');
  });

  it.each<[name: string, response: (clientId: string) => Response]>([
    ['another client id', () => new Response('AAAAAAAAAAAAAAAAAAAAAAAA')],
    ['a part of the line', (clientId) => new Response(`${clientId}x`)],
    [
      'a redirect',
      (clientId) => new Response(clientId, { status: 302, headers: { Location: '/' } }),
    ],
    ['a missing file', (clientId) => new Response(clientId, { status: 404 })],
    ['a file that is too long', (clientId) => new Response(`${clientId}\n${'x'.repeat(20_000)}`)],
  ])('returns 422 and stores nothing for %s', async (_name, response) => {
    const { browser, app, path } = await appWithSite();
    using _network = mockNetwork(() => response(app.client_id));
    const page = await browser.submit(path);
    expect(page.status).toBe(422);
    expect(page.text).toContain('The client id is not there.');
    // The only way, where no resolver is set.
    expect(page.text).not.toMatch(/One of these ways|DNS|record/);
    expect(await storedOf(app.client_id)).toMatchObject({ verified_host: null, verified_at: null });
  });

  it('leads to the form of an app without a site (303), and is 404 for the app of another user', async () => {
    const { ownerId, browser } = await partner();
    const app = await createTestApp({ ownerId });
    const { status, location } = await browser.get(`/partners/${app.client_id}/verify`);
    expect([status, location]).toEqual([303, `/partners/${app.client_id}/edit`]);
    const theirs = await createTestApp({ site });
    expect((await browser.get(`/partners/${theirs.client_id}/verify`)).status).toBe(404);
  });
});

describe('a verified domain', () => {
  it.each([
    ['another site', "site_url = 'https://other.example/'"],
    ['no site', 'site_url = null'],
    ['180 days', `verified_at = ${Date.now() - 181 * 86_400_000}`],
  ])('no longer counts with %s', async (_name, change) => {
    const { app, merchant } = await appWithSite();
    const set = (columns: string) =>
      env.DIRECTORY.prepare(`update apps set ${columns} where client_id = ?`)
        .bind(app.client_id)
        .run();
    await set(`verified_host = 'loja.example', verified_at = ${Date.now()}`);
    expect(await consentOf(app, merchant.userId)).toContain('loja.example verified');
    await set(change);
    expect(await consentOf(app, merchant.userId)).toContain('not verified');
  });

  it.each<[change: string, fields: Record<string, string>, isKept: boolean]>([
    ['another name', { name: 'Banco Central' }, false],
    ['another publisher', { publisher: 'Banco Central' }, false],
    ['a site on another host', { site_url: 'https://other.example/' }, false],
    ['no site', { site_url: '' }, false],
    ['a site on another path', { site_url: 'https://loja.example/other' }, true],
    [
      'other help and other redirect URIs',
      { support: 'b@loja.example', redirect_uris: 'https://b.test/' },
      true,
    ],
  ])('after an edit with %s counts only as long as it is about what was proved', async (...row) => {
    const [change, fields, isKept] = row;
    const { browser, app, path, merchant } = await appWithSite();
    const edit = `/partners/${app.client_id}/edit`;
    const name = `Estoque ${crypto.randomUUID().slice(0, 8)}`;
    const sent = { ...right, name, site_url: site };
    expect((await browser.submit(edit, sent)).status).toBe(303);
    expect((await browser.get(edit)).text).not.toContain('your domain counts as not verified');
    using _network = mockNetwork(() => new Response(app.client_id));
    await browser.submit(path);
    expect(await consentOf(app, merchant.userId)).toContain('loja.example verified');
    expect((await browser.get(edit)).text).toContain('your domain counts as not verified');
    expect((await browser.submit(edit, { ...sent, ...fields })).status).toBe(303);
    const host = isKept ? 'loja.example' : null;
    expect(await storedOf(app.client_id), change).toMatchObject({ verified_host: host });
    const activity = (await browser.get('/partners/activity')).text;
    expect(activity.split('Verified domain').length - 1).toBe(isKept ? 1 : 2);
    if (isKept) return;
    // The former values do not bring it back.
    expect((await browser.submit(edit, sent)).status).toBe(303);
    expect(await consentOf(app, merchant.userId)).toContain('not verified');
  });

  it('is not recorded for a name that came while the proof was looked for', async () => {
    const { browser, app, path } = await appWithSite();
    using _network = mockNetwork(async () => {
      await env.DIRECTORY.prepare(`update apps set name = 'Banco Central' where client_id = ?`)
        .bind(app.client_id)
        .run();
      return new Response(app.client_id);
    });
    const page = await browser.submit(path);
    expect(page.status).toBe(422);
    expect(await storedOf(app.client_id)).toMatchObject({ verified_host: null });
  });
});
