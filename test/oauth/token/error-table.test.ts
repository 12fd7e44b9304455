import { describe, expect, it } from 'vitest';
import { authLifetimes } from '../../../src/base/auth-lifetimes.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import {
  createTestApp,
  approveConsent,
  partnerRedirectUri,
  connectApp,
  postToken,
  redemptionForm,
  refreshForm,
} from '../../support/oauth/partner.ts';

const start = Date.UTC(2026, 5, 1);

/**
 * The nine rows of the specification's table "OAuth token endpoint errors", in its order and with
 * its texts.
 */
describe('POST /oauth/token: error table of the specification', () => {
  it('returns invalid_client without a hint when client_id is invalid or not the one of the token', async () => {
    const connected = await connectApp(await createTestStore());
    const other = await createTestApp();
    const { refresh_token } = connected.tokens;
    for (const form of [
      redemptionForm({ ...(await approveConsent(connected.store, connected.app)), app: other }),
      refreshForm(other, refresh_token),
      { ...refreshForm(other, refresh_token), client_id: 'nobody' },
      { ...refreshForm(other, refresh_token), client_id: undefined },
    ]) {
      const { status, body } = await postToken(form);
      expect([status, body.error, 'hint' in body]).toEqual([401, 'invalid_client', false]);
    }
  });

  it('returns invalid_request and "Cannot decrypt the authorization code" for a malformed code or without code_verifier', async () => {
    const approved = await approveConsent(await createTestStore(), await createTestApp());
    for (const change of [{ code: 'oac_made-up' }, { code_verifier: undefined }]) {
      const { status, body } = await postToken({ ...redemptionForm(approved), ...change });
      expect([status, body.error, body.hint]).toEqual([
        400,
        'invalid_request',
        'Cannot decrypt the authorization code',
      ]);
    }
  });

  it('returns invalid_grant and "Authorization code has expired" for an expired code', async () => {
    const approved = await approveConsent(await createTestStore(), await createTestApp(), {
      now: start,
    });
    const { status, body } = await postToken(redemptionForm(approved), {
      now: start + authLifetimes.authorizationCode,
    });
    expect([status, body.error, body.hint]).toEqual([
      400,
      'invalid_grant',
      'Authorization code has expired',
    ]);
  });

  it('returns invalid_grant and "Authorization code has been revoked" for a used code', async () => {
    const connected = await connectApp(await createTestStore());
    const { status, body } = await postToken(redemptionForm(connected));
    expect([status, body.error, body.hint]).toEqual([
      400,
      'invalid_grant',
      'Authorization code has been revoked',
    ]);
  });

  it("returns invalid_grant and Failed to verify 'code_verifier' for a wrong verifier", async () => {
    const approved = await approveConsent(await createTestStore(), await createTestApp());
    const { status, body } = await postToken({
      ...redemptionForm(approved),
      code_verifier: 'a'.repeat(43),
    });
    expect([status, body.error, body.hint]).toEqual([
      400,
      'invalid_grant',
      "Failed to verify 'code_verifier'",
    ]);
  });

  it('returns invalid_grant and "The redirect uri is incorrect." for another redirect URI', async () => {
    const approved = await approveConsent(await createTestStore(), await createTestApp());
    const { status, body } = await postToken({
      ...redemptionForm(approved),
      redirect_uri: `${partnerRedirectUri}/`,
    });
    expect([status, body.error, body.hint]).toEqual([
      400,
      'invalid_grant',
      'The redirect uri is incorrect.',
    ]);
  });

  it('returns invalid_request and "Cannot decrypt the refresh token" for a malformed, truncated or corrupted token', async () => {
    const { app, tokens } = await connectApp(await createTestStore());
    const { refresh_token } = tokens;
    const corrupted = refresh_token.slice(0, -1) + (refresh_token.endsWith('A') ? 'B' : 'A');
    for (const token of ['made-up', refresh_token.slice(0, -1), corrupted]) {
      const { status, body } = await postToken(refreshForm(app, token));
      expect([status, body.error, body.hint]).toEqual([
        400,
        'invalid_request',
        'Cannot decrypt the refresh token',
      ]);
    }
  });

  it('returns invalid_request and "Check the refresh_token parameter" without a refresh token', async () => {
    const form = { grant_type: 'refresh_token', client_id: (await createTestApp()).client_id };
    const { status, body } = await postToken(form);
    expect([status, body.error, body.hint]).toEqual([
      400,
      'invalid_request',
      'Check the refresh_token parameter',
    ]);
  });

  it('returns invalid_grant and "Token has been revoked" for a token that is revoked or expired after 30 days', async () => {
    const thirtyDays = 30 * 24 * 60 * 60 * 1000;
    const expired = await connectApp(await createTestStore(), { now: start });
    const late = await postToken(refreshForm(expired.app, expired.tokens.refresh_token), {
      now: start + thirtyDays,
    });
    const revoked = await connectApp(await createTestStore());
    await postToken(redemptionForm(revoked));
    const rejected = await postToken(refreshForm(revoked.app, revoked.tokens.refresh_token));
    for (const { status, body } of [late, rejected]) {
      expect([status, body.error, body.hint]).toEqual([
        400,
        'invalid_grant',
        'Token has been revoked',
      ]);
    }
  });
});
