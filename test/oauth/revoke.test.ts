import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import {
  app,
  approve,
  connect,
  post,
  redemption,
  refreshment,
  revoke,
} from '../support/partner.ts';
import { store } from '../support/store.ts';

describe('POST /oauth/revoke', () => {
  it('I4: 200 for what is unknown or foreign, which it does not touch', async () => {
    const own = await connect(await store());
    const other = await app();
    for (const token of ['nothing', own.tokens.refresh_token, own.tokens.access_token]) {
      const { status, body, headers } = await revoke({ client_id: other.client_id, token });
      expect([status, body, headers.get('Cache-Control')]).toEqual([200, {}, 'no-store']);
    }
    expect((await own.api('GET /catalog/brands')).status).toBe(200);
  });

  it.each(['refresh_token', 'access_token'] as const)(
    'I5, I6: its own %s ends the grant at once, whatever the hint says',
    async (kind) => {
      const own = await connect(await store());
      const token_type_hint = kind === 'access_token' ? 'refresh_token' : 'nonsense';
      const form = { client_id: own.app.client_id, token: own.tokens[kind], token_type_hint };
      expect((await revoke(form)).status).toBe(200);
      expect((await own.api('GET /catalog/brands')).status).toBe(401);
      const next = await post(refreshment(own.app, own.tokens.refresh_token));
      expect(next.body.hint).toBe('Token has been revoked');
      expect((await revoke(form)).status).toBe(200);
      const events = await env.STORE_0.prepare('select kind from oauth_events where grant_id = ?')
        .bind(own.grantId)
        .all();
      expect(events.results).toEqual([{ kind: 'revoked by the app' }]);
    },
  );

  it('ends a code that nobody has redeemed', async () => {
    const given = await approve(await store(), await app());
    await revoke({ client_id: given.app.client_id, token: given.code });
    expect((await post(redemption(given))).body.hint).toBe('Authorization code has been revoked');
  });

  it('I7: 400 without a token, 405 for GET, 401 for an unknown client', async () => {
    const { client_id } = await app();
    const without = await revoke({ client_id });
    expect([without.status, without.body]).toMatchObject([400, { error: 'invalid_request' }]);
    const unknown = await revoke({ client_id: 'nobody', token: 'x' });
    expect([unknown.status, unknown.body]).toMatchObject([401, { error: 'invalid_client' }]);
    const got = await exports.default.fetch('https://api.test/oauth/revoke');
    expect([got.status, got.headers.get('Allow')]).toEqual([405, 'POST']);
    await got.text();
  });
});

describe('GET /.well-known/oauth-authorization-server', () => {
  it('I2: says what there is, under the issuer of the redirects', async () => {
    const url = 'https://api.test/.well-known/oauth-authorization-server';
    const response = await exports.default.fetch(url);
    expect(response.headers.get('Content-Type')).toMatch(/^application\/json/);
    expect(await response.json()).toMatchObject({
      issuer: 'https://api.test',
      authorization_endpoint: 'https://api.test/oauth/authorize',
      token_endpoint: 'https://api.test/oauth/token',
      revocation_endpoint: 'https://api.test/oauth/revoke',
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    });
  });
});
