import { describe, expect, it } from 'vitest';
import { checkUrl, isSpecialUse } from '../../src/webhooks/check-url.ts';
import { dnsResolver } from '../support/fakes/network.ts';

const settings = {
  allowLocalReceivers: false,
  ownHosts: ['api.shop.example'],
  resolverUrl: 'https://resolver.example/dns-query',
};

/** Checks a URL whose host has these addresses. */
async function checkWith(addresses: string[] | undefined, url = 'https://receiver.example/hooks') {
  const requests: URL[] = [];
  const respond = dnsResolver(addresses ? { 'receiver.example': addresses } : {});
  const fetch = (address: string, init: RequestInit) => {
    requests.push(new URL(address));
    return Promise.resolve(respond(new Request(address, init)));
  };
  return { message: await checkUrl(url, settings, { fetch }), requests };
}

describe('isSpecialUse', () => {
  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.255.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:1ff::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'fc00::1',
    'fdff::1',
    'fe80::1',
    'febf::1',
    'fec0::1',
    'ff02::1',
    '::7f00:1',
    '1::1',
    '100:0:0:1::1',
    '4000::1',
    'a000::1',
    'not an address',
    '',
  ])('returns true for %s', (address) => {
    expect(isSpecialUse(address)).toBe(true);
  });

  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '126.0.0.1',
    '128.0.0.1',
    '169.253.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '192.0.1.1',
    '192.167.1.1',
    '198.17.0.1',
    '198.20.0.1',
    '203.0.114.1',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2001:4860:4860::8888',
    '2a00::1',
    '2003::1',
  ])('returns false for %s', (address) => {
    expect(isSpecialUse(address)).toBe(false);
  });
});

describe('checkUrl', () => {
  it('accepts a host whose addresses are all public, and resolves IPv4 and IPv6', async () => {
    const { message, requests } = await checkWith(['93.184.215.14', '2606:2800:21f::1']);
    expect(message).toBeUndefined();
    expect(requests.map(({ search }) => search).toSorted()).toEqual([
      '?name=receiver.example&type=A',
      '?name=receiver.example&type=AAAA',
    ]);
  });

  it.each([
    [['10.0.0.1']],
    [['93.184.215.14', '127.0.0.1']],
    [['93.184.215.14', 'fd00::1']],
    [['93.184.215.14', '::ffff:10.0.0.1']],
  ])('fault 62: rejects a host with the addresses %j', async (addresses) => {
    const { message } = await checkWith(addresses);
    expect(message).toBe('Must have a host with public addresses only.');
  });

  it.each([[[]], [undefined]])('rejects a host without an address: %j', async (addresses) => {
    const { message } = await checkWith(addresses);
    expect(message).toBe('Must have a host that resolves to an address.');
  });

  it('does not resolve the host of a URL that the rules reject', async () => {
    const { message, requests } = await checkWith(['1.1.1.1'], 'https://api.shop.example/v2');
    expect([message, requests]).toEqual(['Must not be a host of this platform.', []]);
  });

  it.each<[string, () => Promise<Response>]>([
    ['does not respond', () => Promise.reject(new Error('Network connection lost.'))],
    ['fails', () => Promise.resolve(Response.json({ Status: 2 }))],
    ['returns no JSON', () => Promise.resolve(new Response('<html>', { status: 502 }))],
  ])('fault 64: rejects a URL when the resolver %s', async (_why, fetch) => {
    const message = await checkUrl('https://receiver.example/', settings, { fetch });
    expect(message).toBe('Must have a host that can be looked up; try again later.');
  });

  it('resolves nothing without a resolver or for a local receiver', async () => {
    const fetch = () => Promise.reject(new Error('resolved'));
    const none = { ...settings, resolverUrl: '' };
    expect(await checkUrl('https://receiver.example/', none, { fetch })).toBeUndefined();
    const local = { ...settings, allowLocalReceivers: true };
    expect(await checkUrl('http://127.0.0.1:9/', local, { fetch })).toBeUndefined();
  });
});
