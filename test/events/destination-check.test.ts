import { describe, expect, it } from 'vitest';
import { checkDestination } from '../../src/events/destination-check.ts';
import { isSpecialUse } from '../../src/events/special-use.ts';
import { resolver } from '../support/network.ts';

const settings = {
  allowLocalReceivers: false,
  ownHosts: ['api.shop.example'],
  resolverUrl: 'https://resolver.example/dns-query',
};

/** The verdict on a host that has these addresses. */
async function verdict(addresses: string[] | undefined, url = 'https://receiver.example/hooks') {
  const asked: URL[] = [];
  const answer = resolver(addresses ? { 'receiver.example': addresses } : {});
  const fetch = (address: string, init: RequestInit) => {
    asked.push(new URL(address));
    return Promise.resolve(answer(new Request(address, init)));
  };
  return { reason: await checkDestination(url, settings, { fetch }), asked };
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
    'not an address',
    '',
  ])('holds for %s', (address) => {
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
  ])('does not for %s', (address) => {
    expect(isSpecialUse(address)).toBe(false);
  });
});

describe('checkDestination', () => {
  it('admits a host whose addresses are all public, and asks for both families', async () => {
    const { reason, asked } = await verdict(['93.184.215.14', '2606:2800:21f::1']);
    expect(reason).toBeUndefined();
    expect(asked.map(({ search }) => search).toSorted()).toEqual([
      '?name=receiver.example&type=A',
      '?name=receiver.example&type=AAAA',
    ]);
  });

  it.each([
    [['10.0.0.1']],
    [['93.184.215.14', '127.0.0.1']],
    [['93.184.215.14', 'fd00::1']],
    [['93.184.215.14', '::ffff:10.0.0.1']],
  ])('fault 62: refuses a host that has %j', async (addresses) => {
    const { reason } = await verdict(addresses);
    expect(reason).toBe('Must have a host with public addresses only.');
  });

  it.each([[[]], [undefined]])('refuses a host without an address: %j', async (addresses) => {
    const { reason } = await verdict(addresses);
    expect(reason).toBe('Must have a host that resolves to an address.');
  });

  it('asks nobody about a URL that its text refuses', async () => {
    const { reason, asked } = await verdict(['1.1.1.1'], 'https://api.shop.example/v2');
    expect([reason, asked]).toEqual(['Must not be a host of this platform.', []]);
  });

  it.each<[string, () => Promise<Response>]>([
    ['does not answer', () => Promise.reject(new Error('Network connection lost.'))],
    ['fails', () => Promise.resolve(Response.json({ Status: 2 }))],
    ['says no JSON', () => Promise.resolve(new Response('<html>', { status: 502 }))],
  ])('fault 64: refuses when the resolver %s', async (_why, fetch) => {
    const reason = await checkDestination('https://receiver.example/', settings, { fetch });
    expect(reason).toBe('Must have a host that can be looked up; try again later.');
  });

  it('goes by the text alone without a resolver, and asks nobody about a local receiver', async () => {
    const fetch = () => Promise.reject(new Error('asked'));
    const none = { ...settings, resolverUrl: '' };
    expect(await checkDestination('https://receiver.example/', none, { fetch })).toBeUndefined();
    const local = { ...settings, allowLocalReceivers: true };
    expect(await checkDestination('http://127.0.0.1:9/', local, { fetch })).toBeUndefined();
  });
});
