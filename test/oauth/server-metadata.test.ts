import { exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';

describe('GET /.well-known/oauth-authorization-server', () => {
  it.each(['', '/', '/mcp', '/mcp/'])(
    'attack I2: returns the metadata under the issuer that redirects name, at the path %j',
    async (path) => {
      const url = `https://api.test/.well-known/oauth-authorization-server${path}`;
      const response = await exports.default.fetch(url);
      expect(response.headers.get('Content-Type')).toMatch(/^application\/json/);
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
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
    },
  );
});
