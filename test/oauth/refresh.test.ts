import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { verifyAccessToken } from '../../src/access/access-token.ts';
import { scopesOf } from '../../src/access/scopes.ts';
import { disableApp } from '../../src/oauth/disable-app.ts';
import { disconnectApp } from '../../src/oauth/disconnect-app.ts';
import { revokeEndpoint } from '../../src/oauth/revoke-endpoint.ts';
import { mintToken, readToken } from '../../src/oauth/token.ts';
import { settingsOf } from '../../src/settings.ts';
import { counting } from '../support/counted.ts';
import { flaky } from '../support/flaky.ts';
import { app, connect, post, refreshment, type Connected } from '../support/partner.ts';
import { store } from '../support/store.ts';

const start = Date.UTC(2026, 5, 1);
const second = 1_000;
const hour = 3_600 * second;
const { tokenKeys } = settingsOf(env);

/** An app that was connected at `start`. */
const connected = async (options: Parameters<typeof connect>[1] = {}) =>
  connect(await store(), { now: start, ...options });

const refresh = (of: Connected, token: string, now: number, more: object = {}) =>
  post({ ...refreshment(of.app, token), ...more }, { now });

const events = async ({ grantId }: Connected) => {
  const sql = 'select kind from oauth_events where grant_id = ? order by id';
  const { results } = await env.STORE_0.prepare(sql).bind(grantId).all<{ kind: string }>();
  return results.map(({ kind }) => kind);
};

const dead = 'Token has been revoked';

describe('a refresh token', () => {
  it('F1: gives a new pair; the access token before it stays good', async () => {
    const own = await connect(await store());
    const { status, body } = await post(refreshment(own.app, own.tokens.refresh_token));
    expect(status).toBe(200);
    expect(body.refresh_token).not.toBe(own.tokens.refresh_token);
    expect(body.access_token).not.toBe(own.tokens.access_token);
    expect(body).toMatchObject({ expires_in: 600, merchant: own.store.alias });
    expect((await own.api('GET /catalog/brands')).status).toBe(200);
  });

  it('F2: missing, malformed or sent by another client, nothing ends', async () => {
    const own = await connected();
    const other = await app();
    const token = own.tokens.refresh_token;
    const wrong = [
      await post({ ...refreshment(own.app, token), refresh_token: '' }, { now: start }),
      await refresh(own, 'x', start),
      await post(refreshment(other, token), { now: start }),
    ];
    expect(wrong.map(({ status, body }) => [status, body.hint])).toEqual([
      [400, 'Check the refresh_token parameter'],
      [400, 'Cannot decrypt the refresh token'],
      [401, undefined],
    ]);
    expect((await refresh(own, token, start)).status).toBe(200);
  });

  it('F3: lives for 30 days from its own making, and not a millisecond longer', async () => {
    const day30 = 30 * 24 * hour;
    const own = await connected();
    const last = await refresh(own, own.tokens.refresh_token, start + day30 - 1);
    expect(last.status).toBe(200);
    const late = await refresh(own, last.body.refresh_token, start + 2 * day30 - 1);
    expect(late.body.hint).toBe(dead);
  });

  it('F4: 60 at once get one refresh token and one access token', async () => {
    const own = await connected();
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => refresh(own, own.tokens.refresh_token, start + second)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 60 }, () => 200));
    const tokens = answers.map(({ body }) => `${body.refresh_token} ${body.access_token}`);
    expect(new Set(tokens).size).toBe(1);
  });

  it.each([1, 60, 119, 120])('F5: a retry after %d s gets the same pair', async (age) => {
    const own = await connected();
    const token = own.tokens.refresh_token;
    const first = await refresh(own, token, start);
    const again = await refresh(own, token, start + age * second);
    expect([again.body.refresh_token, again.body.access_token]).toEqual([
      first.body.refresh_token,
      first.body.access_token,
    ]);
    expect(await events(own)).toEqual([]);
  });

  it('F6: later it gets the same refresh token, at the cost of a late retry and an event', async () => {
    for (const age of [121 * second, 24 * hour - 60 * second]) {
      const own = await connected();
      const token = own.tokens.refresh_token;
      const first = await refresh(own, token, start);
      const again = await refresh(own, token, start + age);
      expect(again.body.refresh_token).toBe(first.body.refresh_token);
      const claims = await verifyAccessToken(tokenKeys, again.body.access_token, start + age);
      const left = (claims!.expiresAt - start - age) / second;
      expect(left).toBe(age < 600 * second ? 600 - age / second : 600);
      expect(again.body.expires_in).toBe(left);
      const row = await env.STORE_0.prepare('select budget from oauth_grants where id = ?')
        .bind(own.grantId)
        .first();
      expect(row).toEqual({ budget: 2 });
      expect(await events(own)).toEqual(['refresh_recovered']);
    }
  });

  it('F7: the fourth late retry ends the family', async () => {
    const own = await connected();
    const token = own.tokens.refresh_token;
    const next = (await refresh(own, token, start)).body.refresh_token;
    const statuses = [];
    for (const n of [1, 2, 3, 4]) {
      statuses.push((await refresh(own, token, start + n * hour)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 400]);
    expect((await refresh(own, next, start + 5 * hour)).body.hint).toBe(dead);
    expect(await events(own)).toEqual([
      'refresh_recovered',
      'refresh_recovered',
      'refresh_recovered',
      'refresh token reused',
    ]);
  });

  it('a retry after more than a day ends the family', async () => {
    const own = await connected();
    const token = own.tokens.refresh_token;
    const next = (await refresh(own, token, start)).body.refresh_token;
    const late = start + 24 * hour + 1;
    expect((await refresh(own, token, late)).body.hint).toBe(dead);
    expect((await refresh(own, next, late)).body.hint).toBe(dead);
  });

  it.each([
    ['F8: after its successor was used', 2],
    ['F9: three generations old', 4],
  ])('%s, it ends the family, the head included', async (_id, generations) => {
    const own = await connected();
    let head = own.tokens.refresh_token;
    for (let n = 1; n <= generations; n += 1) {
      head = (await refresh(own, head, start + n)).body.refresh_token;
    }
    expect((await refresh(own, own.tokens.refresh_token, start + 10)).body.hint).toBe(dead);
    expect((await refresh(own, head, start + 11)).body.hint).toBe(dead);
    expect(await events(own)).toEqual(['refresh token reused']);
  });

  it('F10: a thief who follows is noticed at the latest on the fourth late follow of a day', async () => {
    const own = await connected();
    let [token, followed, now] = [own.tokens.refresh_token, 0, start];
    for (;;) {
      // The app refreshes every ten minutes, the thief five minutes later with the token it copied.
      now += 600 * second;
      const own200 = await refresh(own, token, now);
      if (own200.status !== 200) break;
      const thief = await refresh(own, token, now + 300 * second);
      if (thief.status !== 200) break;
      followed += 1;
      token = own200.body.refresh_token;
    }
    expect(followed).toBe(3);
    expect((await refresh(own, token, now + 301 * second)).body.hint).toBe(dead);
  });

  it("F11: a thief who goes first and goes on is ended by the victim's next use", async () => {
    const own = await connected();
    const stolen = own.tokens.refresh_token;
    const one = (await refresh(own, stolen, start + second)).body.refresh_token;
    const two = (await refresh(own, one, start + 2 * second)).body.refresh_token;
    expect((await refresh(own, stolen, start + 3 * second)).body.hint).toBe(dead);
    expect((await refresh(own, two, start + 4 * second)).body.hint).toBe(dead);
  });

  it('F12: a wider scope rotates nothing, a narrower one narrows the access token alone', async () => {
    const own = await connected({ scopes: ['catalog.write', 'orders.read'] });
    const token = own.tokens.refresh_token;
    for (const scope of ['orders.write', 'catalog.read config.read', 'nonsense']) {
      const { status, body } = await refresh(own, token, start, { scope });
      expect([status, body.error, body.hint]).toEqual([
        400,
        'invalid_scope',
        'Check the scope parameter',
      ]);
    }
    const narrow = await refresh(own, token, start, { scope: 'catalog.read' });
    expect(narrow.body.scope).toBe('catalog.read');
    const claims = await verifyAccessToken(tokenKeys, narrow.body.access_token, start);
    expect([...scopesOf(claims!.scopes)]).toEqual(['catalog.read']);
    const full = await refresh(own, narrow.body.refresh_token, start);
    expect(full.body.scope).toBe('catalog.write orders.read');
  });

  it.each<[id: string, end: (own: Connected) => Promise<unknown>]>([
    [
      'F13: revoked',
      ({ app: { client_id }, tokens }) => {
        const body = new URLSearchParams({ client_id, token: tokens.refresh_token });
        const request = new Request('https://api.test/oauth/revoke', { method: 'POST', body });
        return revokeEndpoint(env, request, Date.now());
      },
    ],
    [
      'F14: disconnected',
      (own) => disconnectApp(env, { id: own.store.id, shard: 0 }, own.app.client_id, Date.now()),
    ],
  ])(
    '%s while it is refreshed, 100 times: nothing works afterwards',
    async (_id, end) => {
      const own = await store();
      for (let round = 0; round < 100; round += 1) {
        const one = await connect(own);
        const [answer] = await Promise.all([
          post(refreshment(one.app, one.tokens.refresh_token)),
          end(one),
        ]);
        const token = answer.body.refresh_token ?? one.tokens.refresh_token;
        expect((await post(refreshment(one.app, token))).body.hint).toBe(dead);
      }
    },
    60_000,
  );

  it('F15: of a disabled app is invalid_client', async () => {
    const own = await connected();
    await disableApp(env, own.app.client_id, start);
    const { status, body } = await refresh(own, own.tokens.refresh_token, start);
    expect([status, body.error]).toEqual([401, 'invalid_client']);
  });

  it('F16: of a generation that the database has not reached is dead, and ends nothing', async () => {
    const own = await connected();
    const facts = await readToken(tokenKeys, 'refresh', own.tokens.refresh_token);
    const future = await mintToken(tokenKeys, 'refresh', { ...facts!, generation: 7 });
    expect((await refresh(own, future, start)).body.hint).toBe(dead);
    expect((await refresh(own, own.tokens.refresh_token, start)).status).toBe(200);
  });

  it('with a right MAC but never issued is dead, and moves nothing', async () => {
    const own = await connected();
    const facts = await readToken(tokenKeys, 'refresh', own.tokens.refresh_token);
    const forged = await mintToken(tokenKeys, 'refresh', facts!);
    expect((await refresh(own, forged, start)).body.hint).toBe(dead);
    expect((await refresh(own, own.tokens.refresh_token, start)).status).toBe(200);
  });

  it('F18: 1,000 hot retries in a minute get the same pair and write nothing', async () => {
    const own = await connected();
    const token = own.tokens.refresh_token;
    const first = await refresh(own, token, start);
    const cost = { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 };
    const bindings = { STORE_0: counting(env.STORE_0, cost) };
    for (let n = 0; n < 1_000; n += 1) {
      const form = refreshment(own.app, token);
      const { status, body } = await post(form, { now: start + n * 60, bindings });
      expect([200, 429]).toContain(status);
      if (status === 200) expect(body).toMatchObject({ refresh_token: first.body.refresh_token });
    }
    expect(cost.rowsWritten).toBe(0);
    expect((await refresh(own, first.body.refresh_token, start + 60 * second)).status).toBe(200);
  }, 60_000);

  it('committed and then disconnected, it is tried again and is the same success', async () => {
    const own = await connected();
    const STORE_0 = flaky(env.STORE_0, ['after', 'after']);
    const form = refreshment(own.app, own.tokens.refresh_token);
    const { status, body } = await post(form, { now: start, bindings: { STORE_0 } });
    expect(status).toBe(200);
    expect((await refresh(own, body.refresh_token, start)).status).toBe(200);
  });

  it('tried again after others went on from its own commit, it is not taken for theft', async () => {
    const own = await connected();
    const token = own.tokens.refresh_token;
    let head = '';
    const lost = flaky(env.STORE_0, ['after']);
    const batch = async (statements: D1PreparedStatement[]) => {
      try {
        return await lost.batch(statements);
      } catch (error) {
        const again = await refresh(own, token, start);
        head = (await refresh(own, again.body.refresh_token, start)).body.refresh_token;
        throw error;
      }
    };
    const prepare = (sql: string) => lost.prepare(sql);
    const STORE_0 = { prepare, batch } as unknown as D1Database;
    await post(refreshment(own.app, token), { now: start, bindings: { STORE_0 } });
    expect((await refresh(own, head, start)).status).toBe(200);
  });

  it('a database that is away is a 503, and the token works later', async () => {
    const own = await connected();
    const STORE_0 = flaky(env.STORE_0, ['before', 'before', 'before']);
    const form = refreshment(own.app, own.tokens.refresh_token);
    const { status, body } = await post(form, { now: start, bindings: { STORE_0 } });
    expect([status, body.error]).toEqual([503, 'temporarily_unavailable']);
    expect((await refresh(own, own.tokens.refresh_token, start)).status).toBe(200);
  });
});
