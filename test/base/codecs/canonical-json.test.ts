import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../src/base/codecs/canonical-json.ts';
import { runsOf } from '../../support/slow.ts';

describe('canonicalJson', () => {
  it.each([
    ['{"b":1,"a":{"d":[],"c":null}}', ' { "a" : {"c":null, "d" : [ ]}, "b":1 }'],
    ['[1,100,-1,0,0]', '[1.0,1e2,-10e-1,-0,0e9]'],
    ['[1]', '[1.00000000000000000000]'],
    ['[100000000000000000000]', '[1E+20]'],
    ['[9007199254740993]', '[9007199254740993.0]'],
    ['["\\u00e9/"]', '["é\\/"]'],
    ['{"a":{"b":2}}', '{"a":{"b":1},"a":{"c":1},"\\u0061":{"b":2}}'],
    ['{"__proto__":1,"toJSON":2}', '{"toJSON":2,"__proto__":1}'],
    ['{"1":1,"2":2,"a":3}', '{"a":3,"2":2,"1":1}'],
    ['"\\ud800"', '"\\uD800"'],
  ])('is equal for %s and %s', (one, other) => {
    expect(canonicalJson(other)).toBe(canonicalJson(one));
    expect(JSON.parse(canonicalJson(one))).toEqual(JSON.parse(one));
  });

  it.each([
    ['[9007199254740993]', '[9007199254740992]'],
    ['{"a":9007199254740993,"b":9007199254740992}', '{"a":9007199254740992,"b":9007199254740993}'],
    ['[9007199254740991.0000001]', '[9007199254740991]'],
    ['[0.1]', '[0.1000000000000000055]'],
    ['[1e400]', '[1e401]'],
    ['[1e400]', '[null]'],
    ['[1e-400]', '[0]'],
    ['[4.9e-324]', '[5e-324]'],
    ['[9007199254740993]', '["9007199254740993"]'],
    ['[1]', '["1"]'],
    ['[[1],2]', '[[1,2]]'],
    ['[1,2]', '[2,1]'],
    ['{"a":null}', '{}'],
    ['[]', '{}'],
  ])('differs for %s and %s', (one, other) => {
    expect(canonicalJson(other)).not.toBe(canonicalJson(one));
  });

  it('is equal exactly for equal values, in whatever way they are written', () => {
    /** Writes a value with its members turned round, blanks and escapes. */
    const write = (value: unknown): string => {
      if (Array.isArray(value)) return `[ ${value.map(write).join(' ,')}\n]`;
      if (typeof value === 'string') return JSON.stringify(value).replaceAll('a', '\\u0061');
      if (typeof value !== 'object' || value === null) return JSON.stringify(value);
      const members = Object.entries(value).toReversed();
      return `{${members.map(([name, member]) => `${write(name)}: ${write(member)}`).join(', ')} }`;
    };
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const text = JSON.stringify(one);
        expect(canonicalJson(write(one))).toBe(canonicalJson(text));
        expect(JSON.parse(canonicalJson(text))).toEqual(JSON.parse(text));
        const isSame = canonicalJson(text) === canonicalJson(JSON.stringify(other));
        if (isSame) expect(JSON.parse(JSON.stringify(other))).toEqual(JSON.parse(text));
      }),
      { numRuns: runsOf(10_000, 200) },
    );
  });
});
