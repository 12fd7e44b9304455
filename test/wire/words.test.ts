import { describe, expect, it } from 'vitest';
import { choice, word } from '../../src/wire/words.ts';
import { outcome, refused, sent } from './outcome.ts';

describe('choice', () => {
  const schema = choice(['sku', 'fixed', 'discount']);
  it('takes a listed word', () => expect(outcome(schema, ' fixed ')).toEqual({ value: 'fixed' }));
  it.each([['Fixed'], [''], ['toString']])('refuses %j', (value) => {
    expect(outcome(schema, value)).toEqual(refused('Must be one of sku, fixed, discount.'));
  });
  it('takes any case where asked', () => {
    expect(outcome(choice(['tls', 'ssl'], { anyCase: true }), 'TLS')).toEqual({ value: 'tls' });
  });
  it('is documented', () => {
    expect(sent(schema)).toEqual({ type: 'string', enum: ['sku', 'fixed', 'discount'] });
  });
});

describe('word', () => {
  const service = word(/[a-z0-9][a-z0-9_-]{0,49}/, 'Must be a service.', { lowerCase: true });
  it('lower-cases first', () => expect(outcome(service, 'Google')).toEqual({ value: 'google' }));
  it.each([['a b'], ['-a'], [''], ['a\n']])('%j needs the whole pattern', (value) => {
    const expected = value === 'a\n' ? { value: 'a' } : refused('Must be a service.');
    expect(outcome(service, value)).toEqual(expected);
  });
});
