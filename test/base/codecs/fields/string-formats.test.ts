import { describe, expect, it } from 'vitest';
import { email, slug, slugify, url } from '../../../../src/base/codecs/fields/string-formats.ts';
import { parseOutcome, bodyError, inputSchema } from '../parse-outcome.ts';

describe('email', () => {
  it.each([['ana@example.com'], ["o'Neil+x@sub.Example.co"], ['a@b.xn--p1ai']])(
    'accepts %s',
    (value) => {
      expect(parseOutcome(email, value)).toEqual({ value });
    },
  );
  it.each([
    ['ana'],
    ['ana@localhost'],
    ['a@b@c.de'],
    ['a b@c.de'],
    ['a@-b.de'],
    ['a@b..de'],
    ['a@b.de, c@d.ef'],
    ['a\n@b.de'],
    [`${'a'.repeat(64)}@${'b.'.repeat(94)}com`],
    [null],
    [''],
  ])('rejects %j', (value) => {
    expect(parseOutcome(email, value)).toEqual(bodyError('Must be an e-mail address.'));
  });
  it('has a JSON schema', () => expect(inputSchema(email)).toMatchObject({ format: 'email' }));
});

describe('slugify', () => {
  it.each([
    ['Blue Shirt', 'blue-shirt'],
    ['  Ação & Reação!! ', 'acao-reacao'],
    ['İstanbul', 'istanbul'],
    ['a__b--c', 'a-b-c'],
    ['---', ''],
    ['日本', ''],
    ['a\ud800b', 'a-b'],
  ])('converts %j to %j', (name, slugified) => {
    expect(slugify(name)).toBe(slugified);
    expect(slugify(slugified)).toBe(slugified);
  });
});

describe('slug', () => {
  it.each([[undefined], [null], [''], ['!']])('leaves %j to the name', (value) => {
    expect(parseOutcome(slug(10), value)).toEqual({ value: undefined });
  });
  it('converts the value', () => {
    expect(parseOutcome(slug(10), 'Olá Mundo')).toEqual({ value: 'ola-mundo' });
  });
  it('rejects other types and long values', () => {
    expect(parseOutcome(slug(10), 4)).toEqual(bodyError('Must be text.'));
    expect(parseOutcome(slug(3), 'abcd')).toEqual(bodyError('Must be at most 3 characters.'));
  });
  it('has a nullable JSON schema', () => {
    expect(inputSchema(slug(10))).toMatchObject({ anyOf: [{ type: 'string' }, { type: 'null' }] });
  });
});

const SENTENCE = 'Must be an absolute http or https URL.';

describe('url', () => {
  it.each([
    ['https://example.com'],
    ['HTTP://Example.com:8080/a?b=c#d'],
    ['https://exámple.com/ação'],
    ['http://[::1]/x'],
    ['https://example.com/@user'],
    [`https://example.com/${'a'.repeat(2028)}`],
  ])('stores %s as sent', (value) => {
    expect(parseOutcome(url(), value)).toEqual({ value });
  });

  it.each([
    [''],
    ['example.com'],
    ['//example.com'],
    ['/a'],
    ['ftp://example.com'],
    ['javascript:alert(1)'],
    ['http:example.com'],
    ['http:///example.com'],
    ['http://'],
    ['https://?a'],
    ['https://user@example.com'],
    ['https://user:pass@example.com'],
    ['https://@example.com'],
    [' https://example.com'],
    ['https://example.com/a b'],
    ['https://exam\nple.com'],
    ['https:\\\\example.com'],
    ['https://example.com\\@evil.com'],
    ['https://example.com:99999'],
    ['https://exa%00mple.com'],
    ['https://example.com/\ud800'],
    [null],
    [4],
  ])('rejects %j', (value) => {
    expect(parseOutcome(url(), value)).toEqual(bodyError(SENTENCE));
  });

  it('rejects more than 2,048 characters', () => {
    expect(parseOutcome(url(), `https://example.com/${'a'.repeat(2029)}`)).toEqual(
      bodyError('Must be at most 2,048 characters.'),
    );
  });

  it('can be restricted to https', () => {
    const message = 'Must be an absolute https URL.';
    expect(parseOutcome(url({ https: true }), 'http://example.com')).toEqual(bodyError(message));
    expect(parseOutcome(url({ https: true }), 'HTTPS://example.com')).toEqual({
      value: 'HTTPS://example.com',
    });
  });

  it('has a JSON schema', () => {
    expect(inputSchema(url())).toEqual({ type: 'string', format: 'uri', maxLength: 2048 });
  });
});
