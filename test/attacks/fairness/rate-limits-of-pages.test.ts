import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { randomBase64url } from '../../../src/base/crypto/random.ts';
import { createSite, fakeLimiter, limitBindings, statusesOf } from '../../support/api/limits.ts';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { refusal } from '../../support/api/refusal.ts';
import { Browser } from '../../support/browser/browser.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { connectApp, createTestApp } from '../../support/oauth/partner.ts';
import '../../support/fixtures/first-shard.ts';
import { stopClock } from '../../support/stop-clock.ts';

stopClock();

const app = createApp();

const countedDirectory = () => {
  const cost = noCost();
  return { cost, DIRECTORY: countingDatabase(env.DIRECTORY, cost) };
};

/** Sends a request that is no operation of the API. */
async function send(request: Request, changed: Record<string, unknown>): Promise<Response> {
  const context = createExecutionContext();
  const response = await app.fetch(request, { ...env, ...changed }, context);
  await waitOnExecutionContext(context);
  return response;
}

describe('attack J5: /ready', () => {
  const ready = (address: string, changed: Record<string, unknown>, authorization?: string) => {
    const headers = new Headers({ 'CF-Connecting-IP': address });
    if (authorization !== undefined) headers.set('Authorization', authorization);
    return send(new Request('https://api.test/ready', { headers }), changed);
  };

  it('returns 429 to a network over the limit, and then asks no database', async () => {
    const site = createSite();
    const { cost, DIRECTORY } = countedDirectory();
    const changed = { PAGES_LIMIT: fakeLimiter(false), PAGES_PER_MINUTE: '20', DIRECTORY };
    const statuses = await statusesOf(
      4,
      async (n) => (await ready(`${site}::${n}`, changed)).status,
    );
    expect(statuses).toEqual([200, 200, 429, 429]);
    expect(cost.roundTrips).toBe(2);
  });

  it('returns 401 without the key where READY_KEY is set, and asks no database', async () => {
    const { cost, DIRECTORY } = countedDirectory();
    const READY_KEY = randomBase64url(24);
    const changed = { READY_KEY, DIRECTORY };
    for (const authorization of [undefined, 'Bearer wrong', READY_KEY, `Basic ${READY_KEY}`]) {
      const response = await ready('198.51.100.203', changed, authorization);
      expect(response.status, authorization).toBe(401);
      expect(await response.json()).toEqual(refusal(401, 'unauthenticated'));
    }
    expect(cost.roundTrips).toBe(0);
    const response = await ready('198.51.100.203', changed, `Bearer ${READY_KEY}`);
    expect(response.status).toBe(200);
    expect((await send(new Request('https://api.test/health'), changed)).status).toBe(200);
  });
});

describe('attack J5: pages', () => {
  it('return 429 to a network with invented cookies, and then look up no session', async () => {
    const site = createSite();
    const { cost, DIRECTORY } = countedDirectory();
    const browser = new Browser();
    browser.bindings = limitBindings({
      PAGES_LIMIT: fakeLimiter(false),
      PAGES_PER_MINUTE: '20',
      DIRECTORY,
    });
    const paths = ['/account', '/session', '/partners', '/oauth/authorize?client_id=x'];
    const statuses = await statusesOf(6, async (n) => {
      browser.cookies.set('__Host-session', randomBase64url(32));
      const page = await browser.get(paths[n % 4]!, { 'CF-Connecting-IP': `${site}:1:${n}::` });
      if (page.status === 429) {
        expect(page.headers.get('Retry-After')).toBe('60');
        expect(page.text).toContain('Too many requests');
      }
      return page.status;
    });
    expect(statuses).toEqual([200, 200, 429, 429, 429, 429]);
    expect(cost.roundTrips).toBe(2);
  });

  it('return 429 to all networks of one /48, after ten times as many', async () => {
    const site = createSite();
    const browser = new Browser();
    const PAGES_WIDE_LIMIT = fakeLimiter(false);
    browser.bindings = limitBindings({ PAGES_WIDE_LIMIT, PAGES_PER_MINUTE: '2' });
    const open = async (n: number) =>
      (await browser.get('/session', { 'CF-Connecting-IP': `${site}:${n}::1` })).status;
    expect(await statusesOf(4, open)).toEqual([200, 200, 429, 429]);
  });
});

describe('attack J5: POST /oauth/revoke', () => {
  const revoke = async (clientId: string, token: string, changed: Record<string, unknown>) => {
    const body = new URLSearchParams({ client_id: clientId, token });
    const request = new Request('https://api.test/oauth/revoke', { method: 'POST', body });
    return (await send(request, changed)).status;
  };

  it('returns 429 to repeated requests for one grant, and then writes nothing', async () => {
    const connected = await connectApp(await createTestStore());
    const other = await createTestApp();
    const cost = noCost();
    const changed = {
      REVOCATIONS_LIMIT: fakeLimiter(false),
      REVOCATIONS_PER_MINUTE: '20',
      STORE_0: countingDatabase(env.STORE_0, cost),
    };
    const token = connected.tokens.refresh_token;
    // A caller with a stolen token cannot use up the limit of its app.
    const stolen = await statusesOf(3, () => revoke(other.client_id, token, changed));
    expect(stolen).toEqual([200, 200, 429]);
    const own = await statusesOf(4, (n) =>
      revoke(connected.app.client_id, n % 2 ? connected.tokens.access_token : token, changed),
    );
    expect(own).toEqual([200, 200, 429, 429]);
    expect(cost.roundTrips).toBe(4);
  });
});
