import { describe, expect, it } from 'vitest';
import { lifetimes } from '../../src/lifetimes.ts';
import {
  app,
  approve,
  callback,
  connect,
  post,
  redemption,
  refreshment,
} from '../support/partner.ts';
import { store } from '../support/store.ts';

const start = Date.UTC(2026, 5, 1);

/** The nine rows of the specification's table "OAuth token endpoint errors", in its order and words. */
describe('POST /oauth/token answers as the specification says', () => {
  it('invalid_client without a hint: client_id invalid, or another one than the token was issued to', async () => {
    const connected = await connect(await store());
    const other = await app();
    const { refresh_token } = connected.tokens;
    for (const form of [
      redemption({ ...(await approve(connected.store, connected.app)), app: other }),
      refreshment(other, refresh_token),
      { ...refreshment(other, refresh_token), client_id: 'nobody' },
      { ...refreshment(other, refresh_token), client_id: undefined },
    ]) {
      const { status, body } = await post(form);
      expect([status, body.error, 'hint' in body]).toEqual([401, 'invalid_client', false]);
    }
  });

  it('invalid_request, Cannot decrypt the authorization code: malformed, or without code_verifier', async () => {
    const approved = await approve(await store(), await app());
    for (const change of [{ code: 'oac_made-up' }, { code_verifier: undefined }]) {
      const { status, body } = await post({ ...redemption(approved), ...change });
      expect([status, body.error, body.hint]).toEqual([
        400,
        'invalid_request',
        'Cannot decrypt the authorization code',
      ]);
    }
  });

  it('invalid_grant, Authorization code has expired', async () => {
    const approved = await approve(await store(), await app(), { now: start });
    const { status, body } = await post(redemption(approved), { now: start + lifetimes.code });
    expect([status, body.error, body.hint]).toEqual([
      400,
      'invalid_grant',
      'Authorization code has expired',
    ]);
  });

  it('invalid_grant, Authorization code has been revoked: it was already used', async () => {
    const connected = await connect(await store());
    const { status, body } = await post(redemption(connected));
    expect([status, body.error, body.hint]).toEqual([
      400,
      'invalid_grant',
      'Authorization code has been revoked',
    ]);
  });

  it("invalid_grant, Failed to verify 'code_verifier'", async () => {
    const approved = await approve(await store(), await app());
    const { status, body } = await post({ ...redemption(approved), code_verifier: 'a'.repeat(43) });
    expect([status, body.error, body.hint]).toEqual([
      400,
      'invalid_grant',
      "Failed to verify 'code_verifier'",
    ]);
  });

  it('invalid_grant, The redirect uri is incorrect.', async () => {
    const approved = await approve(await store(), await app());
    const { status, body } = await post({ ...redemption(approved), redirect_uri: `${callback}/` });
    expect([status, body.error, body.hint]).toEqual([
      400,
      'invalid_grant',
      'The redirect uri is incorrect.',
    ]);
  });

  it('invalid_request, Cannot decrypt the refresh token: malformed, truncated or corrupted', async () => {
    const { app: of, tokens } = await connect(await store());
    const { refresh_token } = tokens;
    const corrupted = refresh_token.slice(0, -1) + (refresh_token.endsWith('A') ? 'B' : 'A');
    for (const token of ['made-up', refresh_token.slice(0, -1), corrupted]) {
      const { status, body } = await post(refreshment(of, token));
      expect([status, body.error, body.hint]).toEqual([
        400,
        'invalid_request',
        'Cannot decrypt the refresh token',
      ]);
    }
  });

  it('invalid_request, Check the refresh_token parameter: it is missing', async () => {
    const form = { grant_type: 'refresh_token', client_id: (await app()).client_id };
    const { status, body } = await post(form);
    expect([status, body.error, body.hint]).toEqual([
      400,
      'invalid_request',
      'Check the refresh_token parameter',
    ]);
  });

  it('invalid_grant, Token has been revoked: expired after 30 days, or revoked', async () => {
    const thirtyDays = 30 * 24 * 60 * 60 * 1000;
    const expired = await connect(await store(), { now: start });
    const late = await post(refreshment(expired.app, expired.tokens.refresh_token), {
      now: start + thirtyDays,
    });
    const revoked = await connect(await store());
    await post(redemption(revoked));
    const dead = await post(refreshment(revoked.app, revoked.tokens.refresh_token));
    for (const { status, body } of [late, dead]) {
      expect([status, body.error, body.hint]).toEqual([
        400,
        'invalid_grant',
        'Token has been revoked',
      ]);
    }
  });
});
