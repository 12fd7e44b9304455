import { describe, expect, it } from 'vitest';
import { networksOf } from '../../../src/http/access/rate-limit.ts';

describe('networksOf', () => {
  it.each([
    ['203.0.113.7', { near: '203.0.113.7' }],
    ['2001:db8:1:2:3:4:5:6', { near: '2001:db8:1:2::/64', wide: '2001:db8:1::/48' }],
    ['2001:0DB8:0001:2::9', { near: '2001:db8:1:2::/64', wide: '2001:db8:1::/48' }],
    ['2001:db8::9', { near: '2001:db8:0:0::/64', wide: '2001:db8:0::/48' }],
    ['::1', { near: '0:0:0:0::/64', wide: '0:0:0::/48' }],
    ['::ffff:203.0.113.7', { near: '203.0.113.7' }],
    ['::ffff:cb00:7107', { near: '203.0.113.7' }],
    ['not an address', { near: 'unknown' }],
    ['2001:db8::1::2', { near: 'unknown' }],
    ['', { near: 'unknown' }],
    [undefined, { near: 'unknown' }],
    [null, { near: 'unknown' }],
  ])('counts %s under %j', (address, networks) => {
    expect(networksOf(address)).toEqual(networks);
  });
});
