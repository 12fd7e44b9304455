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
    ['a..b@x.example'],
    ['.a@x.example'],
    ['a.@x.example'],
    ['.@x.example'],
    ['"a b"@x.example'],
    ['jösé@x.example'],
    ['日本@x.example'],
    ['a@müller'],
    ['a@mül_ler.example'],
    ['a@mül%6cer.example'],
    ['a@mül/ler.example'],
    ['a@müller.example:80'],
    ['a@-ü.example'],
    [`a@${'ü'.repeat(64)}.example`],
    [`${'a'.repeat(65)}@x.example`],
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
  it.each([
    ['max@müller.example', 'max@xn--mller-kva.example'],
    ['max@mu\u0308ller.example', 'max@xn--mller-kva.example'],
    ['max@MÜLLER.Example', 'max@xn--mller-kva.example'],
    ['max@straße.example', 'max@xn--strae-oqa.example'],
    ['max@日本。example', 'max@xn--wgv71a.example'],
    ['max@почта.рф', 'max@xn--80a1acny.xn--p1ai'],
    ['\u200bAna@Example.com\u00a0', 'Ana@Example.com'],
    ['ana\u2011maria@x\u00ad.example', 'ana-maria@x.example'],
    ['ａｎａ＠ｘ．ｅｘａｍｐｌｅ', 'ana@x.example'],
  ])('stores %s as %s', (sent, value) => {
    expect(parseOutcome(email, sent)).toEqual({ value });
    expect(parseOutcome(email, value)).toEqual({ value });
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
    ['Łódź', 'lodz'],
    ['Æon', 'aeon'],
    ['Straße', 'strasse'],
    ['Đồng', 'dong'],
    ['Øl & Œuvre', 'ol-oeuvre'],
    ['ﬁlter ＡＢＣ', 'filter-abc'],
    ['Caixa d’Água nº 5', 'caixa-d-agua-no-5'],
    ['Lego™ 10×15 m² 30 °C', 'lego-10x15-m2-30-c'],
    ['ca\u200bmi\u00adsa', 'camisa'],
    ['a\ud800b', 'a-b'],
  ])('converts %j to %j', (name, slugified) => {
    expect(slugify(name)).toBe(slugified);
    expect(slugify(slugified)).toBe(slugified);
  });
});

describe('slug', () => {
  it.each([[undefined], [null], [''], [' \n'], ['\u200b\u3164'], ['<br>']])(
    'leaves %j to the name',
    (value) => {
      expect(parseOutcome(slug(10), value)).toEqual({ value: undefined });
    },
  );
  it('converts the value', () => {
    expect(parseOutcome(slug(10), 'Olá Mundo')).toEqual({ value: 'ola-mundo' });
  });
  it.each([['كتاب'], ['日本'], ['!'], ['---'], ['🙂']])(
    'rejects %j, of which nothing is left',
    (value) => {
      expect(parseOutcome(slug(10), value)).toEqual(
        bodyError('Must have letters from a to z or digits, such as blue-t-shirt.'),
      );
    },
  );
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
