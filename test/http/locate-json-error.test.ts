import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locateJsonError, locateWrongByte } from '../../src/http/locate-json-error.ts';
import { runsOf } from '../support/slow.ts';

const parses = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('the place of an error of JSON', () => {
  it.each([
    ['{\n  "name": "Acme",\n  "active": true,,\n}', 'line 3, column 18: there is a comma too many'],
    ['{"name": "Acme",}', 'column 17: there is a comma too many'],
    ['[1, 2,]', 'column 7: a value is missing'],
    ['{"a": }', 'column 7: a value is missing'],
    ['{"name": "Acme"', 'column 16: the text ends too early'],
    ['', 'column 1: the text ends too early'],
    ["{'name': 1}", 'column 2: names and texts need double quotes'],
    ['{name: 1}', 'column 2: names and texts need double quotes'],
    [
      '{"a": True}',
      'column 7: the value is no JSON, which has true, false, null, numbers, and texts in double quotes',
    ],
    ['{"a": 007}', 'column 8: a comma or a closing bracket is missing'],
    ['{"a" 1}', 'column 6: a colon is missing'],
    ['{"a": 1 "b": 2}', 'column 9: a comma or a closing bracket is missing'],
    ['{"a": 1}}', 'column 9: something follows the end'],
    [
      '{"a": "one\ntwo"}',
      'line 1, column 7: a text does not end, or has a line break or a wrong escape',
    ],
    ['{"a": "\\x"}', 'column 7: a text does not end, or has a line break or a wrong escape'],
    ['{"a": 1]', 'column 8: a comma or a closing bracket is missing'],
  ])('is found in %j', (text, place) => {
    expect(parses(text)).toBe(false);
    expect(locateJsonError(text)).toBe(`At ${place}.`);
  });

  it('is found where JSON.parse fails, and nowhere else', () => {
    const spoilt = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', ',', '"', '}', '[', '\\', '\u0001', '1e', '\u0085'),
      )
      .map(([text, at, more]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + more + text.slice(place + (at % 2));
      });
    fc.assert(
      fc.property(spoilt, (text) => {
        expect(locateJsonError(text) === undefined).toBe(parses(text));
      }),
      { numRuns: runsOf(20_000, 1_000) },
    );
  });

  it('is not searched for in a text of more than 200,000 characters', () => {
    expect(locateJsonError(`{"a": "${'x'.repeat(199_000)}",}`)).toContain('comma');
    expect(locateJsonError(`{"a": "${'x'.repeat(200_000)}",}`)).toBeUndefined();
  });

  it('is the first byte that is no UTF-8', () => {
    const bytes = (...parts: (string | number)[]) =>
      new Uint8Array(
        parts.flatMap((part) =>
          typeof part === 'number' ? [part] : [...new TextEncoder().encode(part)],
        ),
      );
    expect(locateWrongByte(bytes('{"name": "Caf', 0xe9, '"}'))).toBe('Byte 14 is no UTF-8.');
    expect(locateWrongByte(bytes('é\uFFFD\uFFFDx', 0xff))).toBe('Byte 10 is no UTF-8.');
    expect(locateWrongByte(bytes('\uFEFFa', 0xc3))).toBe('Byte 5 is no UTF-8.');
  });
});
