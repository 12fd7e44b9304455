import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomBase64url } from '../../src/crypto/random.ts';
import { lifetimes } from '../../src/lifetimes.ts';
import { disableApp } from '../../src/oauth/disable-app.ts';
import { disconnectApp } from '../../src/oauth/disconnect-app.ts';
import { issueCode } from '../../src/oauth/issue-code.ts';
import { readToken } from '../../src/oauth/token.ts';
import { settingsOf } from '../../src/settings.ts';
import { flaky } from '../support/flaky.ts';
import {
  app,
  approve,
  connect,
  post,
  redemption,
  refreshment,
  type Approved,
  type Connected,
} from '../support/partner.ts';
import { store } from '../support/store.ts';

const start = Date.UTC(2026, 5, 1);

const approved = async (options: Parameters<typeof approve>[2] = {}) =>
  approve(await store(), await app(), options);

/** The consent that led to a grant, as the page would send it. */
const consentOf = ({ grantId, app: of, store: own }: Approved) => ({
  grantId,
  clientId: of.client_id,
  userId: own.userId,
  store: { id: own.id, alias: own.alias, shard: 0 },
  scopes: 1,
  challenge: 'c',
  redirectUri: 'r',
});

const isAlive = async ({ app: of, tokens }: Connected) =>
  (await post(refreshment(of, tokens.refresh_token))).status === 200;

describe('an authorization code', () => {
  it('answers with the documented fields, once', async () => {
    const given = await approved({ now: start });
    const { status, body } = await post(redemption(given), { now: start });
    expect(status).toBe(200);
    expect(body).toEqual({
      token_type: 'Bearer',
      expires_in: 600,
      access_token: expect.stringMatching(/^oat_/),
      refresh_token: expect.stringMatching(/^ort_[\w-]{104}$/),
      refresh_token_expires_in: 2_592_000,
      scope: expect.stringContaining('catalog.read catalog.write'),
      merchant: given.store.alias,
    });
    expect(given.code).toMatch(/^oac_[\w-]{104}$/);
  });

  it.each([
    ['of 42 characters', 'a'.repeat(42)],
    ['of 129 characters', 'a'.repeat(129)],
    ['with a !', `${'a'.repeat(43)}!`],
  ])('E2: a verifier %s fails, though its hash matches', async (_why, verifier) => {
    const { body } = await post(redemption(await approved({ verifier })));
    expect(body.hint).toBe("Failed to verify 'code_verifier'");
  });

  it.each(['a'.repeat(43), '-._~'.repeat(32)])('takes the verifier %s', async (verifier) => {
    expect((await post(redemption(await approved({ verifier })))).status).toBe(200);
  });

  it('E3, E4, E5: a wrong verifier, redirect or client spends nothing', async () => {
    const given = await approved();
    const good = redemption(given);
    const other = await app();
    const hints = [];
    for (const change of [
      { code_verifier: 'b'.repeat(43) },
      { redirect_uri: undefined },
      { redirect_uri: 'https://partner.test/other' },
      { client_id: other.client_id },
      {},
    ]) {
      const { status, body } = await post({ ...good, ...change });
      hints.push(body.hint ?? `${status} ${body.error ?? 'ok'}`);
    }
    expect(hints).toEqual([
      "Failed to verify 'code_verifier'",
      'The redirect uri is incorrect.',
      'The redirect uri is incorrect.',
      '401 invalid_client',
      '200 ok',
    ]);
  });

  it('A17: a loopback port that is not the one of the request is another redirect URI', async () => {
    const of = await app({ redirectUris: ['http://127.0.0.1/cb'] });
    const redirectUri = 'http://127.0.0.1:5000/cb';
    const form = redemption(await approve(await store(), of, { redirectUri }));
    const moved = await post({ ...form, redirect_uri: 'http://127.0.0.1:5001/cb' });
    expect(moved.body.hint).toBe('The redirect uri is incorrect.');
    expect((await post({ ...form, redirect_uri: redirectUri })).status).toBe(200);
  });

  it('verifier comes before redirect, client before everything', async () => {
    const form = redemption(await approved({ now: start }));
    const wrong = { ...form, code_verifier: 'b'.repeat(43), redirect_uri: 'x' };
    expect((await post(wrong, { now: start })).body.hint).toBe("Failed to verify 'code_verifier'");
    const late = { now: start + lifetimes.code };
    expect((await post(wrong, late)).body.hint).toBe('Authorization code has expired');
    const foreign = { ...wrong, client_id: (await app()).client_id };
    expect((await post(foreign, late)).body.error).toBe('invalid_client');
  });

  it('E6: no flipped bit, cut or other spelling of a code is read', async () => {
    const { tokenKeys } = settingsOf(env);
    const { code } = await approved();
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const read = (text: string) => readToken(tokenKeys, 'code', text);
    expect(await read(code)).toBeDefined();
    for (let at = 4; at < code.length; at += 1) {
      for (let bit = 1; bit < 64; bit *= 2) {
        const flipped = alphabet[alphabet.indexOf(code[at] ?? '') ^ bit];
        expect(await read(code.slice(0, at) + flipped + code.slice(at + 1))).toBeUndefined();
      }
    }
    const cuts = fc.asyncProperty(fc.nat(code.length - 1), async (length) => {
      expect(await read(code.slice(0, length))).toBeUndefined();
    });
    await fc.assert(cuts);
    for (const text of [`${code}A`, ` ${code}`, `${code}=`, code.toUpperCase()]) {
      expect(await read(text)).toBeUndefined();
    }
  });

  it('E7: a refresh or access token is no code', async () => {
    const { app: of, tokens, verifier } = await connect(await store());
    for (const code of [tokens.refresh_token, tokens.access_token]) {
      const form = { ...redemption({ app: of, code, verifier } as Connected) };
      expect((await post(form)).body.hint).toBe('Cannot decrypt the authorization code');
    }
  });

  it.each([
    [-1_000, 200],
    [-1, 200],
    [0, 400],
    [1_000, 400],
  ])('E8: %d ms from its end: %d', async (offset, status) => {
    const form = redemption(await approved({ now: start }));
    const answer = await post(form, { now: start + lifetimes.code + offset });
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body.hint).toBe('Authorization code has expired');
  });

  it('E9: replayed with the right verifier, it ends all that came of it', async () => {
    const connected = await connect(await store());
    const replay = await post(redemption(connected));
    expect(replay.body.hint).toBe('Authorization code has been revoked');
    expect((await connected.api('GET /catalog/brands')).status).toBe(401);
    expect(await isAlive(connected)).toBe(false);
  });

  it('E9: replayed after its end it is expired, and ends the grant all the same', async () => {
    const connected = await connect(await store(), { now: start });
    const replay = await post(redemption(connected), { now: start + lifetimes.code });
    expect(replay.body.hint).toBe('Authorization code has expired');
    const { refresh_token } = connected.tokens;
    const next = await post(refreshment(connected.app, refresh_token), { now: start + 70_000 });
    expect(next.body.hint).toBe('Token has been revoked');
  });

  it('E10, E11: replayed with a wrong verifier, none, or by another client, nothing ends', async () => {
    const connected = await connect(await store());
    const other = await app();
    const form = redemption(connected);
    const hints = [];
    for (const change of [
      { code_verifier: 'b'.repeat(43) },
      { code_verifier: undefined },
      { client_id: other.client_id },
    ]) {
      const { status, body } = await post({ ...form, ...change });
      hints.push(body.hint ?? status);
    }
    expect(hints).toEqual([
      'Authorization code has been revoked',
      'Cannot decrypt the authorization code',
      401,
    ]);
    expect(await isAlive(connected)).toBe(true);
  });

  it('E12: of 50 at once one wins, and the family is dead then', async () => {
    const given = await approved();
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(redemption(given))));
    const won = answers.filter(({ status }) => status === 200);
    const hints = answers.map(({ body }) => body.hint).filter(Boolean);
    expect(won).toHaveLength(1);
    expect(hints).toEqual(Array.from({ length: 49 }, () => 'Authorization code has been revoked'));
    const { refresh_token } = won[0]!.body;
    expect((await post(refreshment(given.app, refresh_token))).body.hint).toBe(
      'Token has been revoked',
    );
  });

  it('E13: of 25 right and 25 wrong verifiers at once exactly one wins', async () => {
    const form = redemption(await approved());
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_one, n) =>
        post(n % 2 === 0 ? form : { ...form, code_verifier: 'b'.repeat(43) }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("E14: a victim's code in another session of the same app fails on its verifier", async () => {
    const [victim, attacker] = [await approved(), await approved()];
    const form = { ...redemption(victim), code_verifier: attacker.verifier };
    expect((await post(form)).body.hint).toBe("Failed to verify 'code_verifier'");
  });

  it('E15: disconnected or disabled between consent and redemption', async () => {
    const now = Date.now();
    const one = await approved();
    await disconnectApp(env, { id: one.store.id, shard: 0 }, one.app.client_id, now);
    expect((await post(redemption(one))).body.hint).toBe('Authorization code has been revoked');
    const other = await approved();
    await disableApp(env, other.app.client_id, now);
    expect((await post(redemption(other))).body.error).toBe('invalid_client');
  });

  it('E16: committed and then disconnected, it is tried again and is the same success', async () => {
    const given = await approved();
    const STORE_0 = flaky(env.STORE_0, ['after']);
    const { status, body } = await post(redemption(given), { bindings: { STORE_0 } });
    expect(status).toBe(200);
    expect((await post(refreshment(given.app, body.refresh_token))).status).toBe(200);
  });

  it('E17: a database that is away is a 503 with Retry-After, and the code works later', async () => {
    const form = redemption(await approved());
    const STORE_0 = flaky(env.STORE_0, ['before', 'before', 'before']);
    const { status, headers, body } = await post(form, { bindings: { STORE_0 } });
    expect([status, body.error, 'hint' in body]).toEqual([503, 'temporarily_unavailable', false]);
    expect(headers.get('Retry-After')).toBe('2');
    const again = flaky(env.STORE_0, ['before', 'before']);
    expect((await post(form, { bindings: { STORE_0: again } })).status).toBe(200);
  });

  it('E19: two codes for the same app and store are two grants', async () => {
    const own = await store();
    const of = await app();
    const [one, other] = [await connect(own, { app: of }), await connect(own, { app: of })];
    expect(one.grantId).not.toBe(other.grantId);
    expect([await isAlive(one), await isAlive(other)]).toEqual([true, true]);
  });

  it('E20: the eleventh grant ends the oldest one alone', async () => {
    const own = await store();
    const of = await app();
    const grants = [];
    for (let n = 0; n < 11; n += 1) {
      grants.push(await connect(own, { app: of, now: Date.now() - 1_000 + n }));
    }
    const statuses = [];
    for (const { api } of grants) statuses.push((await api('GET /catalog/brands')).status);
    expect(statuses).toEqual([401, ...Array.from({ length: 10 }, () => 200)]);
  });

  it('a consent counts once: the second answer to it is "already decided"', async () => {
    const given = await approved();
    const again = await issueCode(env, consentOf(given), Date.now(), () => undefined);
    expect(again).toBe('already decided');
    expect((await post(redemption(given))).status).toBe(200);
  });

  it('20 consents at once to one page are one grant and one code', async () => {
    const given = await approved();
    const consent = { ...consentOf(given), grantId: randomBase64url(16) };
    const issued = await Promise.all(
      Array.from({ length: 20 }, () => issueCode(env, consent, Date.now(), () => undefined)),
    );
    expect(issued.filter((one) => one !== 'already decided')).toHaveLength(1);
  });

  it('a consent whose answer from the database was lost still gets its code', async () => {
    const given = await approved();
    const consent = { ...consentOf(given), grantId: randomBase64url(16) };
    const bindings = { ...env, STORE_0: flaky(env.STORE_0, ['after']) };
    const issued = await issueCode(bindings, consent, Date.now(), () => undefined);
    expect(issued).toHaveProperty('code');
  });

  it('an app that was withdrawn while its consent page was open gets no code', async () => {
    const given = await approved();
    const sql = `update apps set state = 'disabled' where id = ?`;
    await env.DIRECTORY.prepare(sql).bind(given.app.id).run();
    const consent = { ...consentOf(given), grantId: randomBase64url(16) };
    const issued = await issueCode(env, consent, Date.now(), () => undefined);
    expect(issued).toBe('already decided');
  });

  it('429 with Retry-After beyond the limit of a grant, and the code stays good', async () => {
    const given = await approved();
    const API_LIMIT: RateLimit = { limit: () => Promise.resolve({ success: false }) };
    const bindings = { API_LIMIT, API_PER_MINUTE: '1' } as unknown as Partial<Env>;
    const { status, headers, body } = await post(redemption(given), { bindings });
    expect([status, body.error]).toEqual([429, 'temporarily_unavailable']);
    expect(headers.get('Retry-After')).toBe('60');
    expect((await post(redemption(given))).status).toBe(200);
  });
});
