import { describe, expect, it } from 'vitest';
import { hasRedirectUri, validateRedirectUri } from '../../../src/oauth/redirect-uris.ts';
import { authorizeUrl, openConsentPage } from '../../support/oauth/consent.ts';

/**
 * Hosts that the URL parser accepts, and that would add directives or sources to a
 * Content-Security-Policy.
 */
const hosts = [
  "a;script-src'self'",
  'a;report-uri.example',
  "'unsafe-inline'.example",
  'a,b.example',
  'a_b.example',
  'a&b.example',
  'a=b.example',
  '(a).example',
  '{a}.example',
  'a"b.example',
  '[2606:4700::1111]',
  '[::1]',
];

describe('the host of a redirect URI', () => {
  it.each(hosts)('cannot be registered with other characters than [a-z0-9.-]: %s', (host) => {
    expect(validateRedirectUri(`https://${host}/callback`)).toEqual({ problem: 'host' });
  });

  it('keeps loopback, punycode and capitals', () => {
    for (const uri of [
      'http://[::1]:51004/callback',
      'http://127.0.0.1/callback',
      'https://xn--caf-dma.example/callback',
      'https://PARTNER.example:8443/callback',
    ]) {
      expect(validateRedirectUri(uri)).toEqual({ uri });
    }
  });

  it('is checked again for an app that registered it before: a page with 400 and no directive of the app', async () => {
    const redirectUri = 'https://a;script-src.example/callback';
    const { page, browser, app } = await openConsentPage({
      redirectUris: [redirectUri],
      changed: { redirect_uri: redirectUri },
    });
    expect([page.status, page.location]).toEqual([400, null]);
    expect(page.headers.get('Content-Security-Policy')).not.toContain('a;script-src');
    expect(hasRedirectUri(app, redirectUri)).toBe(false);
    const again = await browser.get(authorizeUrl(app, { redirect_uri: redirectUri }));
    expect(again.status).toBe(400);
  });
});
