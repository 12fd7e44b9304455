import { describe, expect, it } from 'vitest';
import { hostOf, hostWithPort, isWithin, readHost, withNamesAbove } from '../../src/base/hosts.ts';
import { verifiedHost } from '../../src/data/directory/apps.ts';
import { unverifiedHostOf } from '../../src/webhooks/delivery/unverified-endpoints.ts';

const spellings = [
  'https://bad.example/x',
  'https://BAD.example/x',
  'https://bad.example./x',
  'https://bad.example../x',
  'https://%62ad.example/x',
  'https:///bad.example/x',
  'https:bad.example/x',
  'https://user@bad.example/x',
  'https://bad.example:443/x',
  'https://ｂad.example/x',
  'https://bad。example/x',
];

describe('the host of an address', () => {
  it.each(spellings)('is that of %s, however it is spelled', (address) => {
    expect(hostOf(new URL(address))).toBe('bad.example');
    expect(hostWithPort(new URL(address))).toBe('bad.example');
    expect(unverifiedHostOf(address)).toBe('bad.example');
    const app = { site_url: address, verified_host: 'bad.example', verified_at: 1 };
    expect(verifiedHost(app, 2)).toBe('bad.example');
  });

  it('has its port where it is not the usual one, and decimals for an address of IPv4', () => {
    expect(hostWithPort(new URL('https://BAD.example.:8443/'))).toBe('bad.example:8443');
    expect(hostOf(new URL('https://0x7f.1./'))).toBe('127.0.0.1');
  });

  it('is read from what a person types, if that is no more than a host', () => {
    const typed = ['bad.example', 'BAD.example.', 'bücher.example'];
    expect(typed.map(readHost)).toEqual(['bad.example', 'bad.example', 'xn--bcher-kva.example']);
    for (const text of ['', 'https://bad.example', 'bad.example/x', 'a@bad.example', '%62ad.x']) {
      expect(readHost(text), text).toBeUndefined();
    }
  });

  it('is within a name that it is or ends with, after a dot', () => {
    const within = ['a.example', 'b.a.example', 'ba.example', 'example'];
    expect(within.filter((host) => isWithin(host, ['a.example']))).toEqual(within.slice(0, 2));
    expect(withNamesAbove('b.a.example')).toEqual(['b.a.example', 'a.example', 'example']);
  });
});
