import { describe, expect, it } from 'vitest';
import {
  line,
  verbatimText,
  text,
  choice,
  textMatching,
} from '../../../../src/base/codecs/fields/text.ts';
import { parseOutcome, bodyError, inputSchema } from '../parse-outcome.ts';

describe('line', () => {
  it.each([
    [' <b>Ana\nMaria</b> ', 'Ana Maria'],
    ['😀😀😀😀😀', '😀😀😀😀😀'],
    ['<i>abcde</i>', 'abcde'],
    [' abcde ', 'abcde'],
  ])('stores %j as %j', (value, stored) => {
    expect(parseOutcome(line(5 + 4), value)).toEqual({ value: stored });
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
  ])('rejects %j', (value, message) => {
    expect(parseOutcome(line(5), value)).toEqual(bodyError(message));
  });

  it('formats large limits with a comma', () => {
    expect(parseOutcome(line(1000), 'a'.repeat(1001))).toEqual(
      bodyError('Must be at most 1,000 characters.'),
    );
  });

  it('has a JSON schema', () => {
    expect(inputSchema(line(255))).toEqual({ type: 'string', minLength: 1, maxLength: 255 });
  });
});

describe('text', () => {
  it('keeps line breaks', () => {
    expect(parseOutcome(text(10), ' a\r\nb ')).toEqual({ value: 'a\nb' });
  });
});

describe('verbatimText', () => {
  it('does not clean the string', () => {
    expect(parseOutcome(verbatimText(20), ' <b>\r\n\u0001 ')).toEqual({ value: ' <b>\r\n\u0001 ' });
    expect(parseOutcome(verbatimText(20), '')).toEqual(bodyError('Must not be empty.'));
    expect(parseOutcome(verbatimText(2), 'abc')).toEqual(
      bodyError('Must be at most 2 characters.'),
    );
  });
});

describe('choice', () => {
  const schema = choice(['sku', 'fixed', 'discount']);
  it('accepts a listed word', () =>
    expect(parseOutcome(schema, ' fixed ')).toEqual({ value: 'fixed' }));
  it.each([['Fixed'], [''], ['toString']])('rejects %j', (value) => {
    expect(parseOutcome(schema, value)).toEqual(bodyError('Must be one of sku, fixed, discount.'));
  });
  it('ignores case with anyCase', () => {
    expect(parseOutcome(choice(['tls', 'ssl'], { anyCase: true }), 'TLS')).toEqual({
      value: 'tls',
    });
  });
  it('has a JSON schema', () => {
    expect(inputSchema(schema)).toEqual({ type: 'string', enum: ['sku', 'fixed', 'discount'] });
  });
});

describe('textMatching', () => {
  const service = textMatching(/[a-z0-9][a-z0-9_-]{0,49}/, 'Must be a service.', {
    lowerCase: true,
  });
  it('lower-cases first with lowerCase', () =>
    expect(parseOutcome(service, 'Google')).toEqual({ value: 'google' }));
  it.each([['a b'], ['-a'], [''], ['a\n']])(
    'rejects %j, which does not match as a whole',
    (value) => {
      const expected = value === 'a\n' ? { value: 'a' } : bodyError('Must be a service.');
      expect(parseOutcome(service, value)).toEqual(expected);
    },
  );
});
