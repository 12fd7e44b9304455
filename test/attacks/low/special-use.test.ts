import { describe, expect, it } from 'vitest';
import { checkUrl, isSpecialUse } from '../../../src/webhooks/check-url.ts';

/** First and last address of networks that a receiver had been allowed to have. */
const networks: readonly [network: string, first: string, last: string][] = [
  ['3fff::/20 (documentation)', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['5f00::/16 (segment routing)', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['192.31.196.0/24 (AS112)', '192.31.196.0', '192.31.196.255'],
  ['192.175.48.0/24 (AS112)', '192.175.48.0', '192.175.48.255'],
  ['2001:4:112::/48 (AS112)', '2001:4:112::', '2001:4:112:ffff:ffff:ffff:ffff:ffff'],
  ['2620:4f:8000::/48 (AS112)', '2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  ['192.52.193.0/24 (AMT)', '192.52.193.0', '192.52.193.255'],
  ['2001:3::/32 (AMT)', '2001:3::', '2001:3:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['4000::/2 (not assigned)', '4000::', '7fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
];

describe('a special-use network', () => {
  it.each(networks)('contains no receiver: %s', async (_network, ...addresses) => {
    expect(addresses.map(isSpecialUse)).toEqual([true, true]);
    for (const address of addresses) {
      const type = address.includes(':') ? 28 : 1;
      const answer = { Status: 0, Answer: [{ type, data: address }] };
      const message = await checkUrl(
        'https://receiver.example/hook',
        { allowLocalReceivers: false, ownHosts: [], resolverUrl: 'https://resolver.example/dns' },
        { fetch: () => Promise.resolve(Response.json(answer)) },
      );
      expect(message).toBe('Must have a host with public addresses only.');
    }
  });

  it('has public neighbours', () => {
    const neighbours = [
      '3ffe::1',
      '192.31.195.255',
      '192.31.197.0',
      '192.52.192.255',
      '2620:4f:8001::',
    ];
    expect(neighbours.map(isSpecialUse)).toEqual(neighbours.map(() => false));
  });
});
