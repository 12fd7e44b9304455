import { describe, expect, it } from 'vitest';
import { fold, nameKey } from '../../src/wire/fold.ts';

describe('fold', () => {
  it.each([
    ['São  Paulo', 'sao paulo'],
    ['Cafe\u0301', 'cafe'],
    ['A\u00a0\tB', 'a b'],
  ])('%j becomes %j', (text, folded) => {
    expect(fold(text)).toBe(folded);
    expect(fold(folded)).toBe(folded);
  });
});

describe('nameKey', () => {
  it('ignores case and white space, not accents', () => {
    expect(nameKey('São   PAULO')).toBe('são paulo');
    expect(nameKey('Sa\u0303o Paulo')).toBe(nameKey('SÃO PAULO'));
    expect(nameKey('Sao Paulo')).not.toBe(nameKey('São Paulo'));
  });
});
