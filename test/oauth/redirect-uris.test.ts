import { describe, expect, it } from 'vitest';
import { describeRedirectTarget, validateRedirectUri } from '../../src/oauth/redirect-uris.ts';

describe('validateRedirectUri', () => {
  it.each([
    ['https://*.app.example/cb', 'wildcard'],
    ['https://app.example/cb#f', 'fragment'],
    ['https://user@app.example/cb', 'userInfo'],
    ['https://10.1.2.3/cb', 'privateAddress'],
    ['https://192.168.0.1/cb', 'privateAddress'],
    ['https://0x7f.1/cb/../', 'privateAddress'],
    ['https://[fd00::1]/cb', 'host'],
    ['https://[::ffff:10.0.0.1]/cb', 'host'],
    ['http://app.example/cb', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['data:text/html,x', 'scheme'],
    ['vbscript:x', 'scheme'],
    ['file:///x', 'scheme'],
    ['blob:https://app.example/1', 'scheme'],
    ['/cb', 'notUrl'],
    ['https://app.example/c b', 'characters'],
    ['https://app.example\\@evil.tld/cb', 'characters'],
  ])('attack A14, A19: rejects %s with the problem %s', (text, problem) => {
    expect(validateRedirectUri(text)).toEqual({ problem });
  });

  it('attack A19: rejects a redirect URI of more than 2,048 characters', () => {
    expect(validateRedirectUri(`https://app.example/${'x'.repeat(2_029)}`)).toEqual({
      problem: 'tooLong',
    });
  });

  it.each([
    ['https://app.example/cb?x=1', 'https://app.example/cb?x=1'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1/cb'],
    ['http://[::1]/cb', 'http://[::1]/cb'],
    ['http://localhost:3000/cb', 'http://localhost:3000/cb'],
    ['https://açaí.example/cb', 'https://xn--aa-4iaz.example/cb'],
  ])('attack A19: stores %s as %s', (text, uri) => {
    expect(validateRedirectUri(text)).toEqual({ uri });
  });
});

describe('describeRedirectTarget', () => {
  it.each([
    ['https://partner.test/cb?x=1', 'partner.test', false, 'https://partner.test'],
    [
      'https://xn--caf-dma.test:8443/cb',
      'xn--caf-dma.test:8443',
      false,
      'https://xn--caf-dma.test:8443',
    ],
    ['http://127.0.0.1:51004/cb', '127.0.0.1:51004', true, 'http://127.0.0.1:51004'],
    ['http://localhost/cb', 'localhost', true, 'http://localhost'],
    ['http://[::1]:51004/cb', '[::1]:51004', true, 'http:'],
  ])('describes %s as host %s', (uri, host, isThisDevice, source) => {
    expect(describeRedirectTarget(uri)).toEqual({ host, isThisDevice, source });
  });
});
