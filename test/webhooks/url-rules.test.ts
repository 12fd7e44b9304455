import { describe, expect, it } from 'vitest';
import { validateUrl } from '../../src/webhooks/url-rules.ts';

const strict = { allowLocalReceivers: false, ownHosts: ['api.shop.example'] };
const local = { allowLocalReceivers: true, ownHosts: [] };

describe('validateUrl', () => {
  it.each([
    'https://receiver.example/hooks',
    'https://receiver.example:443/hooks?token=a',
    'https://receiver.example:8443/',
    'https://receiver.example./',
    'https://mylocal.example/',
    'https://bücher.example/',
    'https://other.shop.example/',
  ])('accepts %s', (url) => {
    expect(validateUrl(url, strict)).toBeUndefined();
  });

  it.each([
    ['not a url', 'Must be a URL.'],
    ['/hooks', 'Must be a URL.'],
    [`https://receiver.example/${'a'.repeat(2048)}`, 'Must have at most 2048 characters.'],
    [' https://receiver.example/', 'Must not contain spaces or control characters.'],
    ['https://receiver.example/a\tb', 'Must not contain spaces or control characters.'],
    ['http://receiver.example/', 'Must start with https://.'],
    ['ftp://receiver.example/', 'Must start with https://.'],
    ['javascript:alert(1)', 'Must start with https://.'],
    ['https://user@receiver.example/', 'Must not contain a user name or password.'],
    ['https://:secret@receiver.example/', 'Must not contain a user name or password.'],
    ['https://receiver.example/#a', 'Must not contain a fragment.'],
    ['https://receiver.example/#', 'Must not contain a fragment.'],
    ['https://receiver.example:8080/', 'Must use port 443 or 8443.'],
    ['https://receiver.example:22/', 'Must use port 443 or 8443.'],
    ['https://203.0.113.7/', 'Must not be an IP address.'],
    ['https://127.0.0.1/', 'Must not be an IP address.'],
    ['https://127.0.0.1./', 'Must not be an IP address.'],
    ['https://127.1/', 'Must not be an IP address.'],
    ['https://2130706433/', 'Must not be an IP address.'],
    ['https://0x7f.1/', 'Must not be an IP address.'],
    ['https://0177.0.0.1/', 'Must not be an IP address.'],
    ['https://１２７.0.0.1/', 'Must not be an IP address.'],
    ['https://%31%32%37.0.0.1/', 'Must not be an IP address.'],
    ['https://169.254.169.254/latest/meta-data', 'Must not be an IP address.'],
    ['https://[::1]/', 'Must not be an IP address.'],
    ['https://[::]/', 'Must not be an IP address.'],
    ['https://[::ffff:7f00:1]/', 'Must not be an IP address.'],
    ['https://[64:ff9b::7f00:1]/', 'Must not be an IP address.'],
    [
      'https://intranet/',
      'Must have a full domain name that the internet knows: for your own computer, use store-api listen.',
    ],
    [
      'https://localhost/',
      'Must have a full domain name that the internet knows: for your own computer, use store-api listen.',
    ],
    [
      'https://localhost./',
      'Must have a full domain name that the internet knows: for your own computer, use store-api listen.',
    ],
    [
      'https://LOCALHOST/',
      'Must have a full domain name that the internet knows: for your own computer, use store-api listen.',
    ],
    ['https://a.localhost/', 'Must be a public host.'],
    ['https://printer.local/', 'Must be a public host.'],
    ['https://printer.local./', 'Must be a public host.'],
    ['https://metadata.google.internal/', 'Must be a public host.'],
    ['https://router.home.arpa/', 'Must be a public host.'],
    ['https://abc.onion/', 'Must be a public host.'],
    ['https://me.workers.dev/', 'Must be a public host.'],
    ['https://api.shop.example/v2', 'Must not be a host of this platform.'],
    ['https://API.shop.example./v2', 'Must not be a host of this platform.'],
  ])('fault 61: rejects %s', (url, message) => {
    expect(validateUrl(url, strict)).toBe(message);
  });

  it.each([
    'http://127.0.0.1:9000/hooks',
    'http://localhost:9000/',
    'https://localhost:9000/',
    'http://[::1]:9000/',
    'http://receiver.example/',
  ])('accepts %s where local receivers are allowed', (url) => {
    expect(validateUrl(url, local)).toBeUndefined();
  });

  it.each([
    'http://192.168.0.10/',
    'http://169.254.169.254/',
    'http://receiver.example:9000/',
    'ftp://localhost/',
    'http://user@localhost/',
    'http://[::ffff:a00:1]/',
  ])('rejects %s even where local receivers are allowed', (url) => {
    expect(validateUrl(url, local)).toBeDefined();
  });
});
