import { describe, expect, it } from 'vitest';
import {
  cleanLine,
  cleanText,
  codePoints,
  foldText,
  nameKey,
} from '../../../../src/base/codecs/fields/normalize-text.ts';

describe('cleanText', () => {
  it.each([
    ['keeps what is clean', 'Café 😀', 'Café 😀'],
    ['makes CRLF and CR a LF', 'a\r\nb\rc\nd', 'a\nb\nc\nd'],
    ['keeps tabs', 'a\tb', 'a\tb'],
    ['removes control characters', 'a\u0000b\u0007c\u007fd\u0085e', 'abcde'],
    ['removes bidirectional overrides', 'a\u202eb\u202cc\u2066d', 'abcd'],
    ['removes U+200B and U+FEFF', '\ufeffa\u200bb', 'ab'],
    ['keeps joiners and direction marks', 'a\u200db\u200e', 'a\u200db\u200e'],
    ['composes to NFC', 'Cafe\u0301', 'Caf\u00e9'],
    ['strips tags and keeps the words', '<p>Hello <b>you</b></p>', 'Hello you'],
    ['strips comments and declarations', 'a<!-- x -->b<?php y ?>c', 'abc'],
    ['keeps a < that starts no tag', '1 < 2 > 0 <3', '1 < 2 > 0 <3'],
    ['keeps a tag that is never closed', 'a <b', 'a <b'],
    ['strips what stripping brings about', '<<b>script>x<</b>/script>', 'x'],
    ['strips a tag hidden by invisible characters', '<\u200bb>x<\u0000/b>', 'x'],
    ['trims after stripping', ' <b> a </b> ', 'a'],
    ['composes what stripping brings together', 'e<b>\u0301', '\u00e9'],
    ['can leave nothing', ' <br> \u200b\n', ''],
  ])('cleans %s', (_, dirty, clean) => {
    expect(cleanText(dirty)).toBe(clean);
    expect(cleanText(clean)).toBe(clean);
  });
});

describe('cleanLine', () => {
  it.each([
    ['a\r\nb', 'a b'],
    ['a\n\n\tb', 'a b'],
    ['a\u2028b\u0085c', 'a b c'],
    ['  a  b  ', 'a  b'],
    ['<p>\na</p>', 'a'],
    ['<b\n>a', 'a'],
  ])('converts %j to %j', (dirty, clean) => {
    expect(cleanLine(dirty)).toBe(clean);
    expect(cleanLine(clean)).toBe(clean);
  });
});

describe('codePoints', () => {
  it('counts a surrogate pair once', () => expect(codePoints('a😀é')).toBe(3));
});

describe('foldText', () => {
  it.each([
    ['São  Paulo', 'sao paulo'],
    ['Cafe\u0301', 'cafe'],
    ['A\u00a0\tB', 'a b'],
  ])('converts %j to %j', (text, folded) => {
    expect(foldText(text)).toBe(folded);
    expect(foldText(folded)).toBe(folded);
  });
});

describe('nameKey', () => {
  it('ignores case and white space but not accents', () => {
    expect(nameKey('São   PAULO')).toBe('são paulo');
    expect(nameKey('Sa\u0303o Paulo')).toBe(nameKey('SÃO PAULO'));
    expect(nameKey('Sao Paulo')).not.toBe(nameKey('São Paulo'));
  });
});
