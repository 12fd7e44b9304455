import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cleanCode,
  cleanLine,
  cleanText,
  codePoints,
  foldText,
  nameKey,
} from '../../../../src/base/codecs/fields/normalize-text.ts';
import { runsOf } from '../../../support/slow.ts';

/** Letters as characters of tags, which nobody sees. */
const tags = (text: string) =>
  Array.from(text, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');

describe('cleanText', () => {
  it.each([
    ['keeps what is clean', 'Café 😀', 'Café 😀'],
    ['makes CRLF and CR a LF', 'a\r\nb\rc\nd', 'a\nb\nc\nd'],
    ['keeps tabs', 'a\tb', 'a\tb'],
    ['makes other line ends a LF', 'a\vb\fc\u0085d\u2028e\u2029f', 'a\nb\nc\nd\ne\nf'],
    ['removes control characters', 'a\u0000b\u0007c\u007fd\u0086e', 'abcde'],
    ['removes bidirectional overrides', 'a\u202eb\u202cc\u2066d', 'abcd'],
    ['removes U+200B and U+FEFF', '\ufeffa\u200bb', 'ab'],
    ['removes joiners and direction marks of Latin words', 'a\u200db\u200c\u200e', 'ab'],
    ['keeps joiners of Persian and Hindi', 'می\u200cخواهم क्\u200dष', 'می\u200cخواهم क्\u200dष'],
    [
      'keeps one mark of the direction in Hebrew',
      'שלום!\u200f\u200f C++\u200e',
      'שלום!\u200f C++\u200e',
    ],
    [
      'keeps families and flags',
      '👨\u200d👩\u200d👧 🏳\ufe0f\u200d🌈 👩🏽\u200d🚀',
      '👨\u200d👩\u200d👧 🏳\ufe0f\u200d🌈 👩🏽\u200d🚀',
    ],
    [
      'keeps variants of emoji, digits and ideographs',
      '❤\ufe0f 1\ufe0f\u20e3 葛\u{e0100}',
      '❤\ufe0f 1\ufe0f\u20e3 葛\u{e0100}',
    ],
    ['keeps the tags of a flag', `🏴${tags('gbeng\u007f')}`, `🏴${tags('gbeng\u007f')}`],
    ['removes a text in tags', `a${tags('obey')}b🏴${tags('obey\u007f')}`, 'ab🏴'],
    ['removes a text in variation selectors', '🙂\ufe0f\u{e0101}\u{e0102}\ufe00', '🙂\ufe0f'],
    ['removes joiners that follow each other', 'خ\u200c\u200d\u200c\u200dا', 'خ\u200cا'],
    ['removes soft hyphens and other ignorable characters', 'a\u00ad\u034f\u2060\u{1d173}b', 'ab'],
    ['removes noncharacters and anchors', 'a\uffff\ufdd0\ufff9\ufffa\ufffb\ufffcb', 'ab'],
    ['makes letters and symbols without a look a space', 'a\u3164b\u2800c\uffa0d', 'a b c d'],
    ['keeps the blanks of braille', '⠓⠊\u2800⠞⠕', '⠓⠊\u2800⠞⠕'],
    ['keeps private characters beside others', 'a\ue000', 'a\ue000'],
    ['composes to NFC', 'Cafe\u0301', 'Caf\u00e9'],
    ['strips tags and keeps the words', '<p>Hello <b>you</b></p>', 'Hello you'],
    ['strips comments and declarations', 'a<!-- x -->b<?php y ?>c', 'abc'],
    ['keeps a < that starts no tag', '1 < 2 > 0 <3', '1 < 2 > 0 <3'],
    ['keeps a tag that is never closed', 'a <b', 'a <b'],
    ['strips what stripping brings about', '<<b>script>x<</b>/script>', 'x'],
    ['strips a tag hidden by invisible characters', '<\u200bb>x<\u0000/b>', 'x'],
    ['trims after stripping', ' <b> a </b> ', 'a'],
    ['composes what stripping brings together', 'e<b>\u0301', '\u00e9'],
    ['does not make a tag of what hides one', '<div title="ש"><\u200fb>x', 'x'],
    [
      'ends a line with the tags of blocks',
      '<p>Camisa</p><p>Azul</p><ul><li>P</li><li>M</li></ul>Preto<br>Branco',
      'Camisa\nAzul\nP\nM\nPreto\nBranco',
    ],
    [
      'ends it once for blocks, and once for each br',
      '<h1>a</h1>\n\n<DIV>b</DIV> c<br/><br>d<hr>e',
      'a\nb\nc\n\nd\ne',
    ],
    ['joins what a break ends twice', 'a<br />\nb<br>\r\nc', 'a\nb\nc'],
    [
      'parts cells by a space',
      '<table><tr><th>P</th><td>38</td></tr><tr><td>M</td></tr></table>',
      'P 38\nM',
    ],
    ['joins words around other tags', 'Tam<b>anho</b><o:p></o:p> <span>G</span>G', 'Tamanho GG'],
    [
      'reads references of a text with tags',
      '<p>Caf&eacute; &amp; p&Atilde;o&nbsp;&#8364;&#x1F600; 5&deg;</p>',
      'Café & pÃo €😀 5°',
    ],
    [
      'keeps references that it does not know, and those of < and >',
      '<i>&lt;b&gt;&#60;i&#x3e;&nada;</i>',
      '&lt;b&gt;&#60;i&#x3e;&nada;',
    ],
    ['strips a tag that references bring about', '<<i>&#98;>x<b>y', 'xy'],
    ['keeps references of a text without tags', 'a &amp; b &lt; c', 'a &amp; b &lt; c'],
    ['removes what references hide', '<b>a</b>&#8203;&#x202e;b', 'ab'],
    ['can leave nothing', ' <br> \u200b\n', ''],
  ])('cleans %s', (_, dirty, clean) => {
    expect(cleanText(dirty)).toBe(clean);
    expect(cleanText(clean)).toBe(clean);
  });
});

describe('a text of which nothing can be seen', () => {
  const ranges: [number, number][] = [
    [0x00, 0x20],
    [0x7f, 0xa0],
    [0xad, 0xad],
    [0x300, 0x36f],
    [0x61c, 0x61c],
    [0x115f, 0x1160],
    [0x17b4, 0x17b5],
    [0x180b, 0x180f],
    [0x2000, 0x200f],
    [0x2028, 0x202f],
    [0x205f, 0x206f],
    [0x2800, 0x2800],
    [0x3000, 0x3000],
    [0x3164, 0x3164],
    [0xe000, 0xe00f],
    [0xfdd0, 0xfdef],
    [0xfe00, 0xfe0f],
    [0xfeff, 0xfeff],
    [0xffa0, 0xffa0],
    [0xfff0, 0xfffc],
    [0xfffe, 0xffff],
    [0x13441, 0x13442],
    [0x1bca0, 0x1bca3],
    [0x1d159, 0x1d159],
    [0x1d173, 0x1d17a],
    [0x1fffe, 0x1ffff],
    [0xe0000, 0xe0fff],
    [0xf0000, 0xf000f],
  ];
  const characters = ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
  );
  it.each([
    ['text', cleanText],
    ['line', cleanLine],
    ['code', cleanCode],
  ])('is empty as a %s', (_kind, clean) => {
    const seen = characters.filter(
      (one) => clean(one) !== '' || clean(` ${one}<b>${one}</b>`) !== '',
    );
    expect(seen).toEqual([]);
    expect(clean(characters.slice(-300).join(''))).toBe('');
  });
});

describe('a cleaned text', () => {
  const alphabet = [
    ...Array.from(
      'ae <>/bp&;#8203\n\t-\u0301\u0338\u00ad\u061c\u180b\u200b\u200c\u200d\u200e\u200f\u202e\u2028\u2060',
    ),
    ...Array.from('\u2800\u2803\u3164\ufe0f\ufffeשیक्🏴👩🏽❤葛\u{e0067}\u{e007f}\u{e0100}'),
    '<p>',
    '</li>',
    '<br>',
    '&nbsp;',
    '&#98;',
    '&eacute;',
    '&zwnj;',
  ];
  const texts = fc
    .array(fc.constantFrom(...alphabet), { maxLength: 24 })
    .map((parts) => parts.join(''));
  it.each([
    ['text', cleanText],
    ['line', cleanLine],
    ['code', cleanCode],
  ])('stays the same when it is cleaned again as a %s, and has no tag', (_kind, clean) => {
    const check = (sent: string) => {
      const cleaned = clean(sent) ?? '';
      expect(clean(cleaned)).toBe(cleaned);
      expect(cleaned).not.toMatch(/<[a-z/!?][^>]*>/i);
      expect(cleaned).not.toMatch(/[\u00ad\u200b\u202e\u2060\u{e0020}-\u{e0060}\ufffe]/u);
      expect(foldText(foldText(sent))).toBe(foldText(sent));
      expect(nameKey(nameKey(cleaned))).toBe(nameKey(cleaned));
    };
    fc.assert(fc.property(texts, check), { numRuns: runsOf(200_000, 1_000) });
  });
});

describe('cleanCode', () => {
  it.each([
    ['dashes', 'ABC\u2011123', 'ABC-123'],
    ['any dash', '\u2010\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d', '---------'],
    ['invisible characters', 'A\u200bB\u00ad\u2060C\ufeff1\ufe0f', 'ABC1'],
    [
      'full-width characters',
      '\uff21\uff22\uff23\u3000\uff0d\uff11\uff12\uff0f\uff20',
      'ABC -12/@',
    ],
    ['ligatures', 'ﬁ-\ufb04', 'fi-ffl'],
    ['white space', ' A\u00a0\u202f B\tC\n', 'A B C'],
    ['tags, also of full width', '\uff1cb\uff1eA\u200c<i>B', 'AB'],
    ['nothing of a plain code', 'm² ½ nº 5 ~_.a', 'm² ½ nº 5 ~_.a'],
  ])('unifies %s', (_, sent, code) => {
    expect(cleanCode(sent)).toBe(code);
    expect(cleanCode(code)).toBe(code);
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
    ['<p>a</p><p>b</p>c<br>d', 'a b c d'],
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
    ['Caixa d’Água', "caixa d'agua"],
    ["D`Água D´Água Dʼagua D'agua", "d'agua d'agua d'agua d'agua"],
    ['e\u2011mail – e−mail', 'e-mail - e-mail'],
    ['Nº 5 nª n° №', 'no 5 na no no'],
    ['STRASSE Straße STRAẞE', 'strasse strasse strasse'],
    ['ﬁo ﬂor œuvre Æon', 'fio flor oeuvre aeon'],
    ['Łódź Đồng Øl Þór ħ ŋ ı İ', 'lodz dong ol thor h ng i i'],
    ['ＡＢＣ　１', 'abc 1'],
    ['TV 50″ “4K” 10×15 ½', 'tv 50" "4k" 10x15 1/2'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['a\u00ad\u200bb\u2060', 'ab'],
    ['max@XN--mller-kva.example', 'max@muller.example'],
    ['max@Müller.example', 'max@muller.example'],
    ['xn--- xn--a', 'xn--- xn--a'],
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
    expect(nameKey('Straße')).not.toBe(nameKey('Strasse'));
  });
  it('ignores the look of dashes and apostrophes, and invisible characters', () => {
    expect(nameKey('L’Oréal\u2011Pro\u200d')).toBe(nameKey("l'oréal-pro"));
  });
});
