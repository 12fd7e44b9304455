import { describe, expect, it } from 'vitest';
import { line, raw, text } from '../../src/wire/text.ts';
import { outcome, refused, sent } from './outcome.ts';

describe('line', () => {
  it.each([
    [' <b>Ana\nMaria</b> ', 'Ana Maria'],
    ['😀😀😀😀😀', '😀😀😀😀😀'],
    ['<i>abcde</i>', 'abcde'],
    [' abcde ', 'abcde'],
  ])('%j is stored as %j', (value, stored) => {
    expect(outcome(line(5 + 4), value)).toEqual({ value: stored });
  });

  it.each([
    [undefined, 'Required.'],
    [null, 'Must be text.'],
    [5, 'Must be text.'],
    [['a'], 'Must be text.'],
    ['', 'Must not be empty.'],
    [' <br> ', 'Must not be empty.'],
    ['abcdef', 'Must be at most 5 characters.'],
    ['a\ud800', 'Must be valid Unicode text.'],
  ])('%j is refused', (value, sentence) => {
    expect(outcome(line(5), value)).toEqual(refused(sentence));
  });

  it('writes long limits with a comma', () => {
    expect(outcome(line(1000), 'a'.repeat(1001))).toEqual(
      refused('Must be at most 1,000 characters.'),
    );
  });

  it('is documented', () => {
    expect(sent(line(255))).toEqual({ type: 'string', minLength: 1, maxLength: 255 });
  });
});

describe('text', () => {
  it('keeps line breaks', () => {
    expect(outcome(text(10), ' a\r\nb ')).toEqual({ value: 'a\nb' });
  });
});

describe('raw', () => {
  it('takes a string as it is', () => {
    expect(outcome(raw(20), ' <b>\r\n\u0001 ')).toEqual({ value: ' <b>\r\n\u0001 ' });
    expect(outcome(raw(20), '')).toEqual(refused('Must not be empty.'));
    expect(outcome(raw(2), 'abc')).toEqual(refused('Must be at most 2 characters.'));
  });
});
