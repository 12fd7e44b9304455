import { describe, expect, it } from 'vitest';
import { list } from '../../src/wire/list.ts';
import { int } from '../../src/wire/number.ts';
import { orWrapped } from '../../src/wire/or-wrapped.ts';
import { outcome } from './outcome.ts';

const schema = orWrapped(list(int(0, 9), { max: 2 }));

describe('orWrapped', () => {
  it.each([[[1, 2]], [{ data: [1, 2] }]])('takes %j', (sent) => {
    expect(outcome(schema, sent)).toEqual({ value: [1, 2] });
  });

  it('names the item that is wrong, wrapped or not', () => {
    const errors = { 1: ['Must be a whole number from 0 to 9.'] };
    expect(outcome(schema, [1, 'two'])).toEqual({ errors });
    expect(outcome(schema, { data: [1, 'two'] })).toEqual({ errors });
  });

  it.each([[{}], [{ data: 1 }], ['data'], [null]])('refuses %j', (sent) => {
    expect(outcome(schema, sent)).toEqual({
      errors: { body: ['Must be an array of at most 2 items.'] },
    });
  });
});
