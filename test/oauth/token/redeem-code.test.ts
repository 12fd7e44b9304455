import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { authLifetimes } from '../../../src/base/auth-lifetimes.ts';
import { randomBase64url } from '../../../src/base/crypto/random.ts';
import { settingsOf } from '../../../src/base/settings.ts';
import { issueCode } from '../../../src/oauth/issue-code.ts';
import { disconnectApp } from '../../../src/oauth/revoke-grants.ts';
import { readToken } from '../../../src/oauth/token/grant-tokens.ts';
import { withdrawAppEverywhere } from '../../../src/oauth/withdraw-app.ts';
import { fakeDatabase } from '../../support/fakes/fake-database.ts';
import { flakyDatabase } from '../../support/fakes/flaky-database.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import {
  createTestApp,
  approveConsent,
  connectApp,
  postToken,
  redemptionForm,
  refreshForm,
  type ApprovedCode,
  type ConnectedTestApp,
} from '../../support/oauth/partner.ts';
import '../../support/fixtures/first-shard.ts';

const start = Date.UTC(2026, 5, 1);

const approveForNewApp = async (options: Parameters<typeof approveConsent>[2] = {}) =>
  approveConsent(await createTestStore(), await createTestApp(), options);

/** Returns the consent behind a grant, as the decision passes it to issueCode. */
const consentOf = ({ grantId, app, store }: ApprovedCode) => ({
  grantId,
  clientId: app.client_id,
  userId: store.userId,
  store: { id: store.id, alias: store.alias, shard: 0 },
  scopes: 1,
  challenge: 'c',
  redirectUri: 'r',
});

const canRefresh = async ({ app, tokens }: ConnectedTestApp) =>
  (await postToken(refreshForm(app, tokens.refresh_token))).status === 200;

/** A directory that no connection reaches. */
const lost = () => Promise.reject(new Error('D1_ERROR: Network connection lost.'));
const lostStatement = { bind: () => lostStatement, all: lost, raw: lost, run: lost, first: lost };
const unavailable = fakeDatabase({ prepare: () => lostStatement, batch: lost });

describe('redeemCode', () => {
  it('returns the documented fields', async () => {
    const approvedCode = await approveForNewApp({ now: start });
    const { status, body } = await postToken(redemptionForm(approvedCode), { now: start });
    expect(status).toBe(200);
    expect(body).toEqual({
      token_type: 'Bearer',
      expires_in: 600,
      access_token: expect.stringMatching(/^oat_/),
      refresh_token: expect.stringMatching(/^ort_[\w-]{104}$/),
      refresh_token_expires_in: 2_592_000,
      scope: expect.stringContaining('catalog.read catalog.write'),
      merchant: approvedCode.store.alias,
    });
    expect(approvedCode.code).toMatch(/^oac_[\w-]{104}$/);
  });

  it.each([
    ['of 42 characters', 'a'.repeat(42)],
    ['of 129 characters', 'a'.repeat(129)],
    ['with an exclamation mark', `${'a'.repeat(43)}!`],
  ])('attack E2: rejects a verifier %s, although its hash matches', async (_why, verifier) => {
    const { body } = await postToken(redemptionForm(await approveForNewApp({ verifier })));
    expect(body.hint).toBe("Failed to verify 'code_verifier'");
  });

  it.each(['a'.repeat(43), '-._~'.repeat(32)])('accepts the verifier %s', async (verifier) => {
    expect((await postToken(redemptionForm(await approveForNewApp({ verifier })))).status).toBe(
      200,
    );
  });

  it('attack E3, E4, E5: a wrong verifier, redirect URI or client does not use up the code', async () => {
    const approvedCode = await approveForNewApp();
    const validForm = redemptionForm(approvedCode);
    const other = await createTestApp();
    const hints = [];
    for (const change of [
      { code_verifier: 'b'.repeat(43) },
      { redirect_uri: undefined },
      { redirect_uri: 'https://partner.test/other' },
      { client_id: other.client_id },
      {},
    ]) {
      const { status, body } = await postToken({ ...validForm, ...change });
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

  it('attack A17: rejects a loopback port other than that of the authorization request', async () => {
    const app = await createTestApp({ redirectUris: ['http://127.0.0.1/cb'] });
    const redirectUri = 'http://127.0.0.1:5000/cb';
    const form = redemptionForm(
      await approveConsent(await createTestStore(), app, { redirectUri }),
    );
    const otherPort = await postToken({ ...form, redirect_uri: 'http://127.0.0.1:5001/cb' });
    expect(otherPort.body.hint).toBe('The redirect uri is incorrect.');
    expect((await postToken({ ...form, redirect_uri: redirectUri })).status).toBe(200);
  });

  it('checks the client first, then expiry, the verifier and the redirect URI', async () => {
    const form = redemptionForm(await approveForNewApp({ now: start }));
    const wrongForm = { ...form, code_verifier: 'b'.repeat(43), redirect_uri: 'x' };
    expect((await postToken(wrongForm, { now: start })).body.hint).toBe(
      "Failed to verify 'code_verifier'",
    );
    const afterExpiry = { now: start + authLifetimes.authorizationCode };
    expect((await postToken(wrongForm, afterExpiry)).body.hint).toBe(
      'Authorization code has expired',
    );
    const otherClientForm = { ...wrongForm, client_id: (await createTestApp()).client_id };
    expect((await postToken(otherClientForm, afterExpiry)).body.error).toBe('invalid_client');
  });

  it('attack E6: reads no code with a flipped bit, a truncation or another spelling', async () => {
    const { tokenKeys } = settingsOf(env);
    const { code } = await approveForNewApp();
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const read = (text: string) => readToken(tokenKeys, 'code', text);
    expect(await read(code)).toBeDefined();
    for (let index = 4; index < code.length; index += 1) {
      for (let bit = 1; bit < 64; bit *= 2) {
        const flipped = alphabet[alphabet.indexOf(code[index] ?? '') ^ bit];
        expect(await read(code.slice(0, index) + flipped + code.slice(index + 1))).toBeUndefined();
      }
    }
    const truncations = fc.asyncProperty(fc.nat(code.length - 1), async (length) => {
      expect(await read(code.slice(0, length))).toBeUndefined();
    });
    await fc.assert(truncations);
    for (const text of [`${code}A`, ` ${code}`, `${code}=`, code.toUpperCase()]) {
      expect(await read(text)).toBeUndefined();
    }
  });

  it('attack E7: rejects a refresh or access token as a code', async () => {
    const { app, tokens, verifier } = await connectApp(await createTestStore());
    for (const code of [tokens.refresh_token, tokens.access_token]) {
      const form = { ...redemptionForm({ app, code, verifier } as ConnectedTestApp) };
      expect((await postToken(form)).body.hint).toBe('Cannot decrypt the authorization code');
    }
  });

  it.each([
    [-1_000, 200],
    [-1, 200],
    [0, 400],
    [1_000, 400],
  ])('attack E8: at %d ms from the expiry returns %d', async (offset, status) => {
    const form = redemptionForm(await approveForNewApp({ now: start }));
    const response = await postToken(form, {
      now: start + authLifetimes.authorizationCode + offset,
    });
    expect(response.status).toBe(status);
    if (status === 400) expect(response.body.hint).toBe('Authorization code has expired');
  });

  it('attack E9: a replay with the right verifier revokes the grant and all its tokens', async () => {
    const connected = await connectApp(await createTestStore());
    const replay = await postToken(redemptionForm(connected));
    expect(replay.body.hint).toBe('Authorization code has been revoked');
    expect((await connected.api('GET /catalog/brands')).status).toBe(401);
    expect(await canRefresh(connected)).toBe(false);
  });

  it('attack E9: a replay after the expiry reports the expiry and still revokes the grant', async () => {
    const connected = await connectApp(await createTestStore(), { now: start });
    const replay = await postToken(redemptionForm(connected), {
      now: start + authLifetimes.authorizationCode,
    });
    expect(replay.body.hint).toBe('Authorization code has expired');
    const { refresh_token } = connected.tokens;
    const next = await postToken(refreshForm(connected.app, refresh_token), {
      now: start + 70_000,
    });
    expect(next.body.hint).toBe('Token has been revoked');
  });

  it('attack E10, E11: a replay with a wrong verifier, without one or by another client revokes nothing', async () => {
    const connected = await connectApp(await createTestStore());
    const other = await createTestApp();
    const form = redemptionForm(connected);
    const hints = [];
    for (const change of [
      { code_verifier: 'b'.repeat(43) },
      { code_verifier: undefined },
      { client_id: other.client_id },
    ]) {
      const { status, body } = await postToken({ ...form, ...change });
      hints.push(body.hint ?? status);
    }
    expect(hints).toEqual([
      'Authorization code has been revoked',
      'Cannot decrypt the authorization code',
      401,
    ]);
    expect(await canRefresh(connected)).toBe(true);
  });

  it('attack E12: of 50 parallel redemptions one wins, and the grant is revoked', async () => {
    const approvedCode = await approveForNewApp();
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => postToken(redemptionForm(approvedCode))),
    );
    const winners = responses.filter(({ status }) => status === 200);
    const hints = responses.map(({ body }) => body.hint).filter(Boolean);
    expect(winners).toHaveLength(1);
    expect(hints).toEqual(Array.from({ length: 49 }, () => 'Authorization code has been revoked'));
    const { refresh_token } = winners[0]!.body;
    expect((await postToken(refreshForm(approvedCode.app, refresh_token))).body.hint).toBe(
      'Token has been revoked',
    );
  });

  it('attack E13: of 25 right and 25 wrong verifiers in parallel exactly one wins', async () => {
    const form = redemptionForm(await approveForNewApp());
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        postToken(index % 2 === 0 ? form : { ...form, code_verifier: 'b'.repeat(43) }),
      ),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("attack E14: a victim's code in an attacker's session of the same app fails to verify", async () => {
    const [victim, attacker] = [await approveForNewApp(), await approveForNewApp()];
    const form = { ...redemptionForm(victim), code_verifier: attacker.verifier };
    expect((await postToken(form)).body.hint).toBe("Failed to verify 'code_verifier'");
  });

  it('attack E15: rejects a code after the app was disconnected or disabled', async () => {
    const now = Date.now();
    const one = await approveForNewApp();
    await disconnectApp(env, { id: one.store.id, shard: 0 }, one.app.client_id, now);
    expect((await postToken(redemptionForm(one))).body.hint).toBe(
      'Authorization code has been revoked',
    );
    const other = await approveForNewApp();
    await withdrawAppEverywhere(env, other.app.client_id, now);
    expect((await postToken(redemptionForm(other))).body.error).toBe('invalid_client');
  });

  it('attack E16: succeeds when the connection to the database is lost after the commit', async () => {
    const approvedCode = await approveForNewApp();
    const STORE_0 = flakyDatabase(env.STORE_0, ['after']);
    const { status, body } = await postToken(redemptionForm(approvedCode), {
      bindings: { STORE_0 },
    });
    expect(status).toBe(200);
    expect((await postToken(refreshForm(approvedCode.app, body.refresh_token))).status).toBe(200);
  });

  it('attack E17: returns 503 with Retry-After while the database is unavailable; the code works later', async () => {
    const form = redemptionForm(await approveForNewApp());
    const STORE_0 = flakyDatabase(env.STORE_0, ['before', 'before', 'before']);
    const { status, headers, body } = await postToken(form, { bindings: { STORE_0 } });
    expect([status, body.error, 'hint' in body]).toEqual([503, 'temporarily_unavailable', false]);
    expect(headers.get('Retry-After')).toBe('2');
    const again = flakyDatabase(env.STORE_0, ['before', 'before']);
    expect((await postToken(form, { bindings: { STORE_0: again } })).status).toBe(200);
  });

  it('attack E17: returns 503 while the directory is unavailable after the rotation; the code works later, once', async () => {
    const approvedCode = await approveForNewApp();
    const form = redemptionForm(approvedCode);
    // Puts the app into the cache of the isolate.
    await postToken(refreshForm(approvedCode.app, 'ort_x'));
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { status, body } = await postToken(form, { bindings: { DIRECTORY: unavailable } });
      expect([status, body.error]).toEqual([503, 'temporarily_unavailable']);
    }
    const responses = await Promise.all([
      postToken(form),
      postToken(form, { bindings: { DIRECTORY: unavailable } }),
      postToken(form),
    ]);
    expect(responses.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    const again = await approveForNewApp();
    const again503 = { bindings: { DIRECTORY: unavailable } };
    await postToken(refreshForm(again.app, 'ort_x'));
    expect((await postToken(redemptionForm(again), again503)).status).toBe(503);
    const { status, body } = await postToken(redemptionForm(again));
    expect(status).toBe(200);
    expect((await postToken(refreshForm(again.app, body.refresh_token))).status).toBe(200);
    const replay = await postToken(redemptionForm(again), again503);
    expect(replay.body.hint).toBe('Authorization code has been revoked');
  });

  it('lets an agent leave the redirect URI out, but not send another one, and works once', async () => {
    const app = await createTestApp({ host: 'agent.test' });
    const approvedCode = await approveConsent(await createTestStore(), app, { resource: 'mcp' });
    const form = redemptionForm(approvedCode);
    for (const redirect_uri of ['https://partner.test/other', 'x']) {
      const { body } = await postToken({ ...form, redirect_uri });
      expect(body.hint).toBe('The redirect uri is incorrect.');
    }
    const bare = { ...form, redirect_uri: undefined };
    const wrong = await postToken({ ...bare, code_verifier: 'b'.repeat(43) });
    expect(wrong.body.hint).toBe("Failed to verify 'code_verifier'");
    const responses = await Promise.all(Array.from({ length: 20 }, () => postToken(bare)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('attack E19: two codes for the same app and store make two grants', async () => {
    const store = await createTestStore();
    const app = await createTestApp();
    const [one, other] = [await connectApp(store, { app }), await connectApp(store, { app })];
    expect(one.grantId).not.toBe(other.grantId);
    expect([await canRefresh(one), await canRefresh(other)]).toEqual([true, true]);
  });

  it('attack E20: the eleventh grant revokes only the oldest one', async () => {
    const store = await createTestStore();
    const app = await createTestApp();
    const grants = [];
    for (let n = 0; n < 11; n += 1) {
      grants.push(await connectApp(store, { app, now: Date.now() - 1_000 + n }));
    }
    const statuses = [];
    for (const { api } of grants) statuses.push((await api('GET /catalog/brands')).status);
    expect(statuses).toEqual([401, ...Array.from({ length: 10 }, () => 200)]);
  });

  it('returns 429 with Retry-After beyond the rate limit of a grant; the code stays valid', async () => {
    const approvedCode = await approveForNewApp();
    const API_LIMIT: RateLimit = { limit: () => Promise.resolve({ success: false }) };
    const bindings = { API_LIMIT, API_PER_MINUTE: '1' } as unknown as Partial<Env>;
    const { status, headers, body } = await postToken(redemptionForm(approvedCode), { bindings });
    expect([status, body.error]).toEqual([429, 'temporarily_unavailable']);
    expect(headers.get('Retry-After')).toBe('60');
    expect(headers.get('RateLimit')).toBe('"credential";r=0;t=60');
    expect((await postToken(redemptionForm(approvedCode))).status).toBe(200);
  });
});

describe('issueCode', () => {
  it('returns no code for a consent that was decided before', async () => {
    const approvedCode = await approveForNewApp();
    const again = await issueCode(env, consentOf(approvedCode), Date.now(), () => undefined);
    expect(again).toBe(undefined);
    expect((await postToken(redemptionForm(approvedCode))).status).toBe(200);
  });

  it('creates one grant and one code from 20 parallel approvals of one page', async () => {
    const approvedCode = await approveForNewApp();
    const consent = { ...consentOf(approvedCode), grantId: randomBase64url(16) };
    const issued = await Promise.all(
      Array.from({ length: 20 }, () => issueCode(env, consent, Date.now(), () => undefined)),
    );
    expect(issued.filter((one) => one !== undefined)).toHaveLength(1);
  });

  it('returns the code when the connection to the database is lost after the commit', async () => {
    const approvedCode = await approveForNewApp();
    const consent = { ...consentOf(approvedCode), grantId: randomBase64url(16) };
    const bindings = { ...env, STORE_0: flakyDatabase(env.STORE_0, ['after']) };
    const issued = await issueCode(bindings, consent, Date.now(), () => undefined);
    expect(issued).toMatch(/^oac_/);
  });

  it('returns no code for an app that was disabled while its consent page was open', async () => {
    const approvedCode = await approveForNewApp();
    const sql = `update apps set state = 'disabled' where id = ?`;
    await env.DIRECTORY.prepare(sql).bind(approvedCode.app.id).run();
    const consent = { ...consentOf(approvedCode), grantId: randomBase64url(16) };
    const issued = await issueCode(env, consent, Date.now(), () => undefined);
    expect(issued).toBe(undefined);
  });
});
