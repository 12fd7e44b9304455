import { describe, expect, it } from 'vitest';
import { returnAddressOf } from '../../src/oauth/return-address.ts';

describe('returnAddressOf', () => {
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
  ])('%s is %s', (uri, host, isThisDevice, source) => {
    expect(returnAddressOf(uri)).toEqual({ host, isThisDevice, source });
  });
});
