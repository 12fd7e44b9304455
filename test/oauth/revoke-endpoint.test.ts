import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createTestStore } from '../support/fixtures/store.ts';
import {
  createTestApp,
  approveConsent,
  connectApp,
  postToken,
  redemptionForm,
  refreshForm,
  postRevocation,
} from '../support/oauth/partner.ts';
import '../support/fixtures/first-shard.ts';

describe('POST /oauth/revoke', () => {
  it('attack I4: returns 200 for an unknown or foreign token and does not revoke it', async () => {
    const connected = await connectApp(await createTestStore());
    const other = await createTestApp();
    for (const token of [
      'nothing',
      connected.tokens.refresh_token,
      connected.tokens.access_token,
    ]) {
      const { status, body, headers } = await postRevocation({ client_id: other.client_id, token });
      expect([status, body, headers.get('Cache-Control')]).toEqual([200, {}, 'no-store']);
    }
    expect((await connected.api('GET /catalog/brands')).status).toBe(200);
  });

  it.each(['refresh_token', 'access_token'] as const)(
    'attack I5, I6: revokes the grant of an own %s at once, whatever token_type_hint says',
    async (kind) => {
      const connected = await connectApp(await createTestStore());
      const token_type_hint = kind === 'access_token' ? 'refresh_token' : 'nonsense';
      const form = {
        client_id: connected.app.client_id,
        token: connected.tokens[kind],
        token_type_hint,
      };
      expect((await postRevocation(form)).status).toBe(200);
      expect((await connected.api('GET /catalog/brands')).status).toBe(401);
      const next = await postToken(refreshForm(connected.app, connected.tokens.refresh_token));
      expect(next.body.hint).toBe('Token has been revoked');
      expect((await postRevocation(form)).status).toBe(200);
      const events = await env.STORE_0.prepare('select kind from oauth_events where grant_id = ?')
        .bind(connected.grantId)
        .all();
      expect(events.results).toEqual([{ kind: 'revoked_by_app' }]);
    },
  );

  it('revokes a code that was not redeemed yet', async () => {
    const approved = await approveConsent(await createTestStore(), await createTestApp());
    await postRevocation({ client_id: approved.app.client_id, token: approved.code });
    expect((await postToken(redemptionForm(approved))).body.hint).toBe(
      'Authorization code has been revoked',
    );
  });

  it('attack I7: returns 400 without a token, 405 for GET and 401 for an unknown client', async () => {
    const { client_id } = await createTestApp();
    const withoutToken = await postRevocation({ client_id });
    expect([withoutToken.status, withoutToken.body]).toMatchObject([
      400,
      { error: 'invalid_request' },
    ]);
    const unknownClient = await postRevocation({ client_id: 'nobody', token: 'x' });
    expect([unknownClient.status, unknownClient.body]).toMatchObject([
      401,
      { error: 'invalid_client' },
    ]);
    const getResponse = await exports.default.fetch('https://api.test/oauth/revoke');
    expect([getResponse.status, getResponse.headers.get('Allow')]).toEqual([405, 'POST']);
    await getResponse.text();
  });
});
