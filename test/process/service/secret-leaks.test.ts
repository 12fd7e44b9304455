import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { InboxEntry } from '../../../src/demo/inbox/entries.ts';
import { authorizeLink, pkce } from '../../support/node/oauth/link.ts';
import { MerchantBrowser } from '../../support/node/oauth/merchant.ts';
import { startDemo, type RunningDemo } from '../../support/node/runtime/demo.ts';
import { patience } from '../../support/patience.ts';

let demo: RunningDemo;
beforeAll(async () => {
  const wrapper = join(import.meta.dirname, '../../support/node/logged-queues.js');
  demo = await startDemo({ wrapperSource: readFileSync(wrapper, 'utf8') });
});
afterAll(() => demo.close());

const redirectUri = 'http://127.0.0.1:9999/callback';

/** Posts a form of the demo's app to the token endpoint. */
async function postToken(form: Record<string, string>) {
  const response = await fetch(`${demo.origin}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'demo-app', ...form }),
  });
  return (await response.json()) as { access_token: string; refresh_token: string };
}

/** Calls an operation with an access token. */
async function call(accessToken: string, method: string, path: string, body?: object) {
  const response = await fetch(`${demo.origin}/v2/demo${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${accessToken}`,
      'X-Partner-Client-ID': 'demo-app',
      'Content-Type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

/** Waits for the first delivery and returns all that have arrived. */
const waitForDeliveries = () =>
  vi.waitUntil(async () => {
    const response = await fetch(`${demo.origin}/demo/inbox.json`);
    const found = (await response.json()) as InboxEntry[];
    return found.length > 0 && found;
  }, patience);

/** Reads all files of the runtime: databases with their journals, KV blobs and queues. */
function readFiles(folder: string): { path: string; bytes: Buffer }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return { path, bytes: readFileSync(path) };
    });
}

describe('after a merchant and an app have used the service', () => {
  it('attack H1, H2: no code, token, verifier, password or cookie is in a log, webhook, queue or file', async () => {
    const merchant = new MerchantBrowser(demo.origin);
    const anonymous = await merchant
      .send('/session')
      .then(() => merchant.cookies.get('__Host-session'));
    const wrong = 'not-the-password-of-ana';
    await merchant.signIn('/session', 'ana@demo.test', wrong).catch(() => undefined);
    const callback = await merchant.decide(`${demo.origin}${authorizeLink()}`);
    const code = callback.searchParams.get('code')!;
    const redemption = {
      grant_type: 'authorization_code',
      redirect_uri: redirectUri,
      code,
      code_verifier: pkce.verifier,
    };
    const otherVerifier = 'another-verifier-0123456789-0123456789-0123456789';
    await postToken({ ...redemption, code_verifier: otherVerifier });
    const first = await postToken(redemption);
    const second = await postToken({
      grant_type: 'refresh_token',
      refresh_token: first.refresh_token,
    });

    const webhook = await call(second.access_token, 'POST', '/webhooks', {
      name: 'Inbox',
      url: `${demo.origin}/demo/inbox`,
      events: ['product.created'],
    });
    expect(webhook.status).toBe(201);
    const product = await call(second.access_token, 'POST', '/catalog/products', {
      name: 'Camiseta',
      simple: true,
      active: true,
      brand_id: 1,
      skus: [{ sku: 'LEAK-1', price_sale: 10, quantity: 1 }],
    });
    expect(product.status).toBe(201);
    expect((await call('junk', 'GET', '/catalog/brands')).status).toBe(401);
    const delivered = await waitForDeliveries();
    for (const path of ['/account', '/account/apps', '/account/keys', '/account/password']) {
      expect((await merchant.send(path)).status).toBe(200);
    }
    // A replay of the code revokes the grant; a refresh after it fails.
    await postToken(redemption);
    await postToken({ grant_type: 'refresh_token', refresh_token: second.refresh_token });
    expect(await demo.triggerCron()).toBe('ok');

    const { secret_key: signing } = (JSON.parse(webhook.text) as { data: { secret_key: string } })
      .data;
    const secrets = {
      code,
      verifier: pkce.verifier,
      otherVerifier,
      anonymous,
      cookie: merchant.cookies.get('__Host-session'),
      password: 'demo-password-ana',
      wrong,
      firstAccess: first.access_token,
      firstRefresh: first.refresh_token,
      secondAccess: second.access_token,
      secondRefresh: second.refresh_token,
      signing,
    };
    const hasQueueLine = (queue: string) =>
      demo.lines.some((line) => line.startsWith(`queue ${queue}`));
    await expect.poll(() => hasQueueLine('webhook-dead-letters'), patience).toBe(true);
    const files = readFiles(demo.state);
    const logged = demo.lines.join('\n');
    const bodies = JSON.stringify(delivered);
    // Checks the search itself: it finds values that are not secret. The log has a line per queue
    // message.
    expect(hasQueueLine('webhook-fast-')).toBe(true);
    expect(logged).toMatch(
      /queue webhook-dead-letters brings .*"error":"D1_ERROR: D1 DB is overloaded/,
    );
    expect(logged).toContain('oauth.authorize');
    expect(bodies).toContain('Camiseta');
    expect(files.some(({ bytes }) => bytes.includes('Camiseta'))).toBe(true);
    expect(files.some(({ bytes }) => bytes.includes('ana@demo.test'))).toBe(true);
    for (const [name, secret] of Object.entries(secrets)) {
      expect(secret?.length, name).toBeGreaterThan(15);
      // The prefix of a token only names its kind; the rest must not appear either.
      for (const part of [secret!, secret!.slice(4)]) {
        expect(logged.includes(part), `${name} in the log`).toBe(false);
        expect(bodies.includes(part), `${name} in a webhook`).toBe(false);
        const holders = files.filter(({ bytes }) => bytes.includes(part)).map(({ path }) => path);
        expect(holders, name).toEqual([]);
      }
    }
    // Attack H6.
    expect(logged).not.toContain('code_challenge');
    expect(logged).not.toContain('redirect_uri');
  });
});
