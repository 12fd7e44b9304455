import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { keepLogos, maxLogoBytes } from '../../../src/accounts/partners/app-logo.ts';
import { evictApp } from '../../../src/data/directory/apps.ts';
import { Browser } from '../../support/browser/browser.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { jpegFile, pngFile, webpFile } from '../../support/images.ts';
import { authorizeUrl } from '../../support/oauth/consent.ts';
import { connectApp, createTestApp } from '../../support/oauth/partner.ts';
import { partner } from './support.ts';
import '../../support/fixtures/first-shard.ts';

const site = 'https://loja.example/app';

/** A partner with a published app whose domain is verified, and the form of its logo. */
async function scene() {
  const { ownerId, browser } = await partner();
  const app = await createTestApp({ ownerId, site });
  await env.DIRECTORY.prepare(
    `update apps set verified_host = 'loja.example', verified_at = ? where client_id = ?`,
  )
    .bind(Date.now(), app.client_id)
    .run();
  const path = `/partners/${app.client_id}/logo`;
  const upload = (bytes: Uint8Array<ArrayBuffer>) => browser.upload(path, new File([bytes], 'x'));
  return { ownerId, browser, app, path, upload };
}

const filesOf = async (clientId: string) =>
  (await env.ARCHIVE.list({ prefix: `logos/${clientId}/` })).objects.map(({ key }) => key);

const logoOf = (clientId: string) =>
  env.DIRECTORY.prepare('select logo from apps where client_id = ?')
    .bind(clientId)
    .first<string | null>('logo');

const imageIn = (html: string) => /<img class="app-logo" src="([^"]*)" alt="([^"]*)"/.exec(html);

/** The consent page of the app for a merchant without a cached app. */
async function consentOf(app: { client_id: string }) {
  const merchant = await createTestStore();
  evictApp(app.client_id);
  return (await new Browser().signIn(merchant.userId)).get(authorizeUrl(app));
}

describe('the logo of an app', () => {
  it.each([
    ['PNG', pngFile(64, 64), 'image/png'],
    ['JPEG', jpegFile(1_000, 900), 'image/jpeg'],
    ['WebP', webpFile(1_024, 1_024, 'VP8 '), 'image/webp'],
  ])(
    'is a %s that merchants see where they connect it and later (303)',
    async (_n, bytes, type) => {
      const { browser, app, upload } = await scene();
      const before = await consentOf(app);
      expect(before.html).toContain('<span class="app-logo" aria-hidden="true">T</span>');
      const sent = await upload(bytes);
      expect([sent.status, sent.location]).toEqual([
        303,
        `/partners/${app.client_id}?done=logoSet`,
      ]);
      const shown = await browser.get(sent.location ?? '');
      expect(shown.text).toContain('The logo is saved.');
      const [, src = '', alt] = imageIn(shown.html) ?? [];
      expect(alt).toBe('Logo of Test App');
      expect(imageIn((await consentOf(app)).html)?.[1]).toBe(src);
      const merchant = await createTestStore();
      await connectApp(merchant, { app });
      const connected = await (await new Browser().signIn(merchant.userId)).get('/account/apps');
      expect(imageIn(connected.html)?.[1]).toBe(src);
      const image = await new Browser().get(src);
      expect(image.status).toBe(200);
      expect(Object.fromEntries(image.headers)).toMatchObject({
        'content-type': type,
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      });
      const stored = await env.ARCHIVE.get(src.slice(1));
      expect(new Uint8Array(await stored!.arrayBuffer())).toEqual(bytes);
    },
  );

  it('ends the proof of the domain, since the publisher proved it with another picture', async () => {
    const { browser, app, path, upload } = await scene();
    expect((await browser.get(path)).text).toContain('counts as not verified until you verify it');
    expect((await consentOf(app)).text).toContain('loja.example verified');
    await upload(pngFile(96, 96));
    expect((await consentOf(app)).text).toContain('loja.example not verified');
    const activity = await browser.get('/partners/activity');
    expect(activity.text).toContain('Set the logo of the app');
    expect(activity.text).toContain('loja.example');
  });

  it('stays as it is with the same picture, and keeps the proof of the domain', async () => {
    const { app, upload } = await scene();
    await upload(pngFile(96, 96));
    await env.DIRECTORY.prepare(
      `update apps set verified_host = 'loja.example', verified_at = ? where client_id = ?`,
    )
      .bind(Date.now(), app.client_id)
      .run();
    expect((await upload(pngFile(96, 96))).status).toBe(303);
    expect((await consentOf(app)).text).toContain('loja.example verified');
  });

  it('leaves nothing of the one before it, and nothing when it is removed', async () => {
    const { browser, app, path, upload } = await scene();
    await upload(pngFile(96, 96));
    const first = await filesOf(app.client_id);
    await upload(jpegFile(96, 96));
    const second = await filesOf(app.client_id);
    expect([first.length, second.length]).toEqual([1, 1]);
    expect(second).not.toEqual(first);
    expect((await browser.get(path)).html).toContain(`href="${path}/remove"`);
    const removed = await browser.submit(`${path}/remove`);
    expect(removed.location).toBe(`/partners/${app.client_id}?done=logoRemoved`);
    expect(await filesOf(app.client_id)).toEqual([]);
    expect(imageIn((await consentOf(app)).html)).toBeNull();
    expect((await new Browser().get(`/${second[0]}`)).status).toBe(404);
    expect((await browser.get(`${path}/remove`)).location).toBe(path);
  });

  it.each([
    ['no file', new Uint8Array(), 'Choose a picture.'],
    ['an SVG', new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'no whole'],
    ['a page', new TextEncoder().encode('<!doctype html><p>x'), 'This is no whole, still picture'],
    ['a moving PNG', pngFile(96, 96, { before: ['acTL'] }), 'This is no whole, still picture'],
    ['a large file', pngFile(96, 96, { filling: maxLogoBytes }), 'more than 256 KB'],
    ['small sides', pngFile(63, 63), 'must have sides of 64 to 1,024 pixels'],
    ['large sides', webpFile(1_025, 1_025, 'VP8X'), 'must have sides of 64 to 1,024 pixels'],
    ['a banner', jpegFile(300, 200), 'be about square'],
  ])('returns 422 and stores nothing for %s', async (_name, bytes, text) => {
    const { app, upload } = await scene();
    const page = await upload(bytes as Uint8Array<ArrayBuffer>);
    expect(page.status).toBe(422);
    expect(page.html).toContain('<a href="#file">');
    expect(page.text).toContain(text);
    expect(await filesOf(app.client_id)).toEqual([]);
    expect(await logoOf(app.client_id)).toBeNull();
  });

  it('is 413 beyond four times its size, and 404 for the app of another partner', async () => {
    const { upload } = await scene();
    expect((await upload(new Uint8Array(4 * maxLogoBytes + 100_000))).status).toBe(413);
    const theirs = await scene();
    const other = await partner();
    for (const path of [theirs.path, `${theirs.path}/remove`]) {
      expect((await other.browser.get(path)).status).toBe(404);
    }
  });

  it.each(['x.png', `${'a'.repeat(43)}.svg`, `${'a'.repeat(43)}.png`, '..%2f..%2fimports'])(
    'has no file at an address that no logo has: %s (404)',
    async (file) => {
      const { app } = await scene();
      expect((await new Browser().get(`/logos/${app.client_id}/${file}`)).status).toBe(404);
    },
  );

  it('is gone when an operator disables the app, also at its address', async () => {
    const { app, upload } = await scene();
    await upload(pngFile(96, 96));
    const [key] = await filesOf(app.client_id);
    const operator = await createTestOperator();
    const reason = 'It shows the logo of a bank.';
    const { status } = await operator.api(`POST /operator/apps/${app.id}/disable`, { reason });
    expect(status).toBe(200);
    expect(await logoOf(app.client_id)).toBeNull();
    expect((await new Browser().get(`/${key}`)).status).toBe(404);
  });
});

describe('keepLogos', () => {
  const hourMs = 3_600_000;
  const nextRun = (days: number) =>
    Math.floor((Date.now() + days * 24 * hourMs) / hourMs) * hourMs + 47 * 60_000;

  it('stores logos anew that an app has, and deletes others, once they are a day old', async () => {
    const { app, upload } = await scene();
    await upload(pngFile(96, 96));
    const [key = ''] = await filesOf(app.client_id);
    const orphan = `logos/${app.client_id}/${'o'.repeat(43)}.png`;
    await env.ARCHIVE.put(orphan, 'left behind');
    const uploadedAt = async () => (await env.ARCHIVE.head(key))?.uploaded.getTime() ?? 0;
    const before = await uploadedAt();
    await keepLogos(env, nextRun(0));
    expect(await filesOf(app.client_id)).toHaveLength(2);
    expect(await uploadedAt()).toBe(before);
    // Another minute of the hour is none of its own.
    await keepLogos(env, nextRun(2) + 60_000);
    expect(await filesOf(app.client_id)).toHaveLength(2);
    await keepLogos(env, nextRun(2));
    expect(await filesOf(app.client_id)).toEqual([key]);
    expect(await uploadedAt()).toBeGreaterThan(before);
    const image = await new Browser().get(`/${key}`);
    expect(image.headers.get('Content-Type')).toBe('image/png');
    expect((await env.ARCHIVE.head(key))?.httpMetadata?.contentType).toBe('image/png');
  });
});
