import { describe, expect, it } from 'vitest';
import { parseSentQuery } from '../../../src/base/codecs/sent-query.ts';

describe('parseSentQuery', () => {
  it.each([
    ['', []],
    ['&&a=1&', [['a', '1']]],
    [
      'a=1&b&a=2&=x',
      [
        ['a', '1'],
        ['b', ''],
        ['a', '2'],
        ['', 'x'],
      ],
    ],
    [
      'a=b=c+d%2B&status%5B0%5D=x',
      [
        ['a', 'b=c d+'],
        ['status[0]', 'x'],
      ],
    ],
    [
      'n=caf%C3%A9&%F0%9F%99%82=%e2%82%ac',
      [
        ['n', 'café'],
        ['🙂', '€'],
      ],
    ],
    ['__proto__=1', [['__proto__', '1']]],
  ])('decodes %j in the order in which it was sent', (text, pairs) => {
    expect(parseSentQuery(text)).toEqual({ pairs, malformed: [] });
  });

  it.each([
    ['n=caf%E9', ['n']],
    ['n=%E0%A4%A', ['n']],
    ['n=%', ['n']],
    ['n=100%&m=1', ['n']],
    ['n=%zz', ['n']],
    // Overlong, a surrogate, beyond Unicode, a lone continuation, NUL.
    ['n=%C0%80&n=%ED%A0%80&n=%F5%80%80%80&n=%80&n=%00', ['n', 'n', 'n', 'n', 'n']],
    ['caf%E9=1&%%=2', ['caf%E9', '%%']],
    ['__proto__=%', ['__proto__']],
  ])('names what cannot be decoded in %j', (text, malformed) => {
    expect(parseSentQuery(text).malformed).toEqual(malformed);
  });
});
