import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../../src/base/settings.ts';
import { scopesFromBits } from '../../../src/data/grants/scopes.ts';
import { verifyAccessToken } from '../../../src/http/access/access-token.ts';
import { handleRevocationRequest } from '../../../src/oauth/revoke-endpoint.ts';
import { disconnectApp } from '../../../src/oauth/revoke-grants.ts';
import { mintToken, readToken } from '../../../src/oauth/token/grant-tokens.ts';
import { withdrawAppEverywhere } from '../../../src/oauth/withdraw-app.ts';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { flakyDatabase } from '../../support/fakes/flaky-database.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import {
  createTestApp,
  connectApp,
  postToken,
  refreshForm,
  type ConnectedTestApp,
} from '../../support/oauth/partner.ts';
import { runsOf } from '../../support/slow.ts';
import '../../support/fixtures/first-shard.ts';

const start = Date.UTC(2026, 5, 1);
const second = 1_000;
const rounds = runsOf(100, 6);
const retries = runsOf(1_000, 60);
const hour = 3_600 * second;
const { tokenKeys } = settingsOf(env);

/** Connects an app at `start`. */
const connectAtStart = async (options: Parameters<typeof connectApp>[1] = {}) =>
  connectApp(await createTestStore(), { now: start, ...options });

const refresh = (connected: ConnectedTestApp, token: string, now: number, more: object = {}) =>
  postToken({ ...refreshForm(connected.app, token), ...more }, { now });

const eventKinds = async ({ grantId }: ConnectedTestApp) => {
  const sql = 'select kind from oauth_events where grant_id = ? order by id';
  const { results } = await env.STORE_0.prepare(sql).bind(grantId).all<{ kind: string }>();
  return results.map(({ kind }) => kind);
};

const revokedHint = 'Token has been revoked';

describe('refreshTokens', () => {
  it('attack F1: returns new tokens; the previous access token stays valid', async () => {
    const connected = await connectApp(await createTestStore());
    const { status, body } = await postToken(
      refreshForm(connected.app, connected.tokens.refresh_token),
    );
    expect(status).toBe(200);
    expect(body.refresh_token).not.toBe(connected.tokens.refresh_token);
    expect(body.access_token).not.toBe(connected.tokens.access_token);
    expect(body).toMatchObject({ expires_in: 600, merchant: connected.store.alias });
    expect((await connected.api('GET /catalog/brands')).status).toBe(200);
  });

  it('attack F2: a missing or malformed token, or another client, revokes nothing', async () => {
    const connected = await connectAtStart();
    const other = await createTestApp();
    const token = connected.tokens.refresh_token;
    const responses = [
      await postToken({ ...refreshForm(connected.app, token), refresh_token: '' }, { now: start }),
      await refresh(connected, 'x', start),
      await postToken(refreshForm(other, token), { now: start }),
    ];
    expect(responses.map(({ status, body }) => [status, body.hint])).toEqual([
      [400, 'Check the refresh_token parameter'],
      [400, 'Cannot decrypt the refresh token'],
      [401, undefined],
    ]);
    expect((await refresh(connected, token, start)).status).toBe(200);
  });

  it('attack F3: a refresh token lives 30 days from its own issue, and not a millisecond longer', async () => {
    const day30 = 30 * 24 * hour;
    const connected = await connectAtStart();
    const last = await refresh(connected, connected.tokens.refresh_token, start + day30 - 1);
    expect(last.status).toBe(200);
    const late = await refresh(connected, last.body.refresh_token, start + 2 * day30 - 1);
    expect(late.body.hint).toBe(revokedHint);
  });

  it('attack F4: 60 parallel refreshes get one refresh token and one access token', async () => {
    const connected = await connectAtStart();
    const responses = await Promise.all(
      Array.from({ length: 60 }, () =>
        refresh(connected, connected.tokens.refresh_token, start + second),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 60 }, () => 200));
    const tokens = responses.map(({ body }) => `${body.refresh_token} ${body.access_token}`);
    expect(new Set(tokens).size).toBe(1);
  });

  it.each([1, 60, 119, 120])('attack F5: a retry after %d s gets the same tokens', async (age) => {
    const connected = await connectAtStart();
    const token = connected.tokens.refresh_token;
    const first = await refresh(connected, token, start);
    const again = await refresh(connected, token, start + age * second);
    expect([again.body.refresh_token, again.body.access_token]).toEqual([
      first.body.refresh_token,
      first.body.access_token,
    ]);
    expect(await eventKinds(connected)).toEqual([]);
  });

  it('attack F6: a late retry gets the same refresh token, counts as a late retry and records an event', async () => {
    for (const age of [121 * second, 24 * hour - 60 * second]) {
      const connected = await connectAtStart();
      const token = connected.tokens.refresh_token;
      const first = await refresh(connected, token, start);
      const again = await refresh(connected, token, start + age);
      expect(again.body.refresh_token).toBe(first.body.refresh_token);
      const claims = await verifyAccessToken(tokenKeys, again.body.access_token, start + age);
      const left = (claims!.expiresAt - start - age) / second;
      expect(left).toBe(age < 600 * second ? 600 - age / second : 600);
      expect(again.body.expires_in).toBe(left);
      const row = await env.STORE_0.prepare(
        'select late_retries_left from oauth_grants where id = ?',
      )
        .bind(connected.grantId)
        .first();
      expect(row).toEqual({ late_retries_left: 2 });
      expect(await eventKinds(connected)).toEqual(['refresh_recovered']);
    }
  });

  it('attack F7: the fourth late retry revokes the grant', async () => {
    const connected = await connectAtStart();
    const token = connected.tokens.refresh_token;
    const next = (await refresh(connected, token, start)).body.refresh_token;
    const statuses = [];
    for (const n of [1, 2, 3, 4]) {
      statuses.push((await refresh(connected, token, start + n * hour)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 400]);
    expect((await refresh(connected, next, start + 5 * hour)).body.hint).toBe(revokedHint);
    expect(await eventKinds(connected)).toEqual([
      'refresh_recovered',
      'refresh_recovered',
      'refresh_recovered',
      'refresh_token_reused',
    ]);
  });

  it('revokes the grant on a retry after more than a day', async () => {
    const connected = await connectAtStart();
    const token = connected.tokens.refresh_token;
    const next = (await refresh(connected, token, start)).body.refresh_token;
    const late = start + 24 * hour + 1;
    expect((await refresh(connected, token, late)).body.hint).toBe(revokedHint);
    expect((await refresh(connected, next, late)).body.hint).toBe(revokedHint);
  });

  it.each([
    ['F8', 'whose successor was used', 2],
    ['F9', 'of three generations ago', 4],
  ])(
    'attack %s: a token %s revokes the grant, the current token included',
    async (_id, _age, generations) => {
      const connected = await connectAtStart();
      let current = connected.tokens.refresh_token;
      for (let n = 1; n <= generations; n += 1) {
        current = (await refresh(connected, current, start + n)).body.refresh_token;
      }
      expect((await refresh(connected, connected.tokens.refresh_token, start + 10)).body.hint).toBe(
        revokedHint,
      );
      expect((await refresh(connected, current, start + 11)).body.hint).toBe(revokedHint);
      expect(await eventKinds(connected)).toEqual(['refresh_token_reused']);
    },
  );

  it('attack F10: a thief who always follows the app is detected at the fourth late retry of a day', async () => {
    const connected = await connectAtStart();
    let [token, followed, now] = [connected.tokens.refresh_token, 0, start];
    for (;;) {
      // The app refreshes every ten minutes, the thief five minutes later with the token it copied.
      now += 600 * second;
      const victim = await refresh(connected, token, now);
      if (victim.status !== 200) break;
      const thief = await refresh(connected, token, now + 300 * second);
      if (thief.status !== 200) break;
      followed += 1;
      token = victim.body.refresh_token;
    }
    expect(followed).toBe(3);
    expect((await refresh(connected, token, now + 301 * second)).body.hint).toBe(revokedHint);
  });

  it("attack F11: a thief who goes first is stopped by the victim's next refresh", async () => {
    const connected = await connectAtStart();
    const stolen = connected.tokens.refresh_token;
    const one = (await refresh(connected, stolen, start + second)).body.refresh_token;
    const two = (await refresh(connected, one, start + 2 * second)).body.refresh_token;
    expect((await refresh(connected, stolen, start + 3 * second)).body.hint).toBe(revokedHint);
    expect((await refresh(connected, two, start + 4 * second)).body.hint).toBe(revokedHint);
  });

  it('attack F12: a wider scope does not rotate; a narrower one limits only the access token', async () => {
    const connected = await connectAtStart({ scopes: ['catalog.write', 'orders.read'] });
    const token = connected.tokens.refresh_token;
    for (const scope of ['orders.write', 'catalog.read config.read', 'nonsense']) {
      const { status, body } = await refresh(connected, token, start, { scope });
      expect([status, body.error, body.hint]).toEqual([
        400,
        'invalid_scope',
        'Check the scope parameter',
      ]);
    }
    const narrow = await refresh(connected, token, start, { scope: 'catalog.read' });
    expect(narrow.body.scope).toBe('catalog.read');
    const claims = await verifyAccessToken(tokenKeys, narrow.body.access_token, start);
    expect([...scopesFromBits(claims!.scopes)]).toEqual(['catalog.read']);
    const full = await refresh(connected, narrow.body.refresh_token, start);
    expect(full.body.scope).toBe('catalog.write orders.read');
  });

  it.each<[id: string, name: string, end: (connected: ConnectedTestApp) => Promise<unknown>]>([
    [
      'F13',
      'revocation',
      ({ app: { client_id }, tokens }) => {
        const body = new URLSearchParams({ client_id, token: tokens.refresh_token });
        const request = new Request('https://api.test/oauth/revoke', { method: 'POST', body });
        return handleRevocationRequest(env, request, Date.now(), () => undefined);
      },
    ],
    [
      'F14',
      'disconnection',
      ({ app, store }) => disconnectApp(env, { id: store.id, shard: 0 }, app.client_id, Date.now()),
    ],
  ])(
    `attack %s: after a %s during a refresh no token works, in ${rounds} rounds`,
    async (_id, _name, end) => {
      const store = await createTestStore();
      for (let round = 0; round < rounds; round += 1) {
        const connected = await connectApp(store);
        const [response] = await Promise.all([
          postToken(refreshForm(connected.app, connected.tokens.refresh_token)),
          end(connected),
        ]);
        const token = response.body.refresh_token ?? connected.tokens.refresh_token;
        expect((await postToken(refreshForm(connected.app, token))).body.hint).toBe(revokedHint);
      }
    },
    60_000,
  );

  it('attack F15: returns invalid_client for a disabled app', async () => {
    const connected = await connectAtStart();
    await withdrawAppEverywhere(env, connected.app.client_id, start);
    const { status, body } = await refresh(connected, connected.tokens.refresh_token, start);
    expect([status, body.error]).toEqual([401, 'invalid_client']);
  });

  it('attack F16: rejects a token of a generation beyond the grant, and revokes nothing', async () => {
    const connected = await connectAtStart();
    const claims = await readToken(tokenKeys, 'refresh', connected.tokens.refresh_token);
    const beyondGrant = await mintToken(tokenKeys, 'refresh', { ...claims!, generation: 7 });
    expect((await refresh(connected, beyondGrant, start)).body.hint).toBe(revokedHint);
    expect((await refresh(connected, connected.tokens.refresh_token, start)).status).toBe(200);
  });

  it('rejects a token with a valid MAC that was never issued, and does not rotate', async () => {
    const connected = await connectAtStart();
    const claims = await readToken(tokenKeys, 'refresh', connected.tokens.refresh_token);
    const forged = await mintToken(tokenKeys, 'refresh', claims!);
    expect((await refresh(connected, forged, start)).body.hint).toBe(revokedHint);
    expect((await refresh(connected, connected.tokens.refresh_token, start)).status).toBe(200);
  });

  it(`attack F18: ${retries} retries in a minute get the same tokens and write nothing`, async () => {
    const connected = await connectAtStart();
    const token = connected.tokens.refresh_token;
    const first = await refresh(connected, token, start);
    const cost = noCost();
    const bindings = { STORE_0: countingDatabase(env.STORE_0, cost) };
    for (let n = 0; n < retries; n += 1) {
      const form = refreshForm(connected.app, token);
      const { status, body } = await postToken(form, {
        now: start + Math.floor((n * 60 * second) / retries),
        bindings,
      });
      expect([200, 429]).toContain(status);
      if (status === 200) expect(body).toMatchObject({ refresh_token: first.body.refresh_token });
    }
    expect(cost.rowsWritten).toBe(0);
    expect((await refresh(connected, first.body.refresh_token, start + 60 * second)).status).toBe(
      200,
    );
  });

  it('succeeds when the connection to the database is lost after the commit', async () => {
    const connected = await connectAtStart();
    const STORE_0 = flakyDatabase(env.STORE_0, ['after', 'after']);
    const form = refreshForm(connected.app, connected.tokens.refresh_token);
    const { status, body } = await postToken(form, { now: start, bindings: { STORE_0 } });
    expect(status).toBe(200);
    expect((await refresh(connected, body.refresh_token, start)).status).toBe(200);
  });

  it('does not take its own committed attempt for theft when another request continued the chain', async () => {
    const connected = await connectAtStart();
    const token = connected.tokens.refresh_token;
    let current = '';
    const lost = flakyDatabase(env.STORE_0, ['after']);
    const batch = async (statements: D1PreparedStatement[]) => {
      try {
        return await lost.batch(statements);
      } catch (error) {
        const again = await refresh(connected, token, start);
        current = (await refresh(connected, again.body.refresh_token, start)).body.refresh_token;
        throw error;
      }
    };
    const prepare = (sql: string) => lost.prepare(sql);
    const STORE_0 = { prepare, batch } as unknown as D1Database;
    await postToken(refreshForm(connected.app, token), { now: start, bindings: { STORE_0 } });
    expect((await refresh(connected, current, start)).status).toBe(200);
  });

  it('returns 503 while the database is unavailable; the token works later', async () => {
    const connected = await connectAtStart();
    const STORE_0 = flakyDatabase(env.STORE_0, ['before', 'before', 'before']);
    const form = refreshForm(connected.app, connected.tokens.refresh_token);
    const { status, body } = await postToken(form, { now: start, bindings: { STORE_0 } });
    expect([status, body.error]).toEqual([503, 'temporarily_unavailable']);
    expect((await refresh(connected, connected.tokens.refresh_token, start)).status).toBe(200);
  });
});
