import { describe, expect, it } from 'vitest';
import { list } from '../../src/wire/list.ts';
import { int } from '../../src/wire/number.ts';
import { object } from '../../src/wire/object.ts';
import { outcome, refused, sent } from './outcome.ts';

const items = list(object({ quantity: int(1, 9) }), { min: 1, max: 3 });

describe('list', () => {
  it('reads its items', () => {
    expect(outcome(items, [{ quantity: 1, x: 2 }])).toEqual({ value: [{ quantity: 1 }] });
    expect(outcome(items, [{}, { quantity: 0 }, 5])).toEqual({
      errors: {
        '0.quantity': ['Required.'],
        '1.quantity': ['Must be a whole number from 1 to 9.'],
        2: ['Must be an object.'],
      },
    });
  });
  it.each([[[]], [null], [{}], ['x'], [[0, 0, 0, 0]]])('%j is refused', (value) => {
    expect(outcome(items, value)).toEqual(refused('Must be an array of 1 to 3 items.'));
  });
  it('is required', () =>
    expect(outcome(object({ items }), {})).toEqual({
      errors: { items: ['Required.'] },
    }));
  it('is documented', () => {
    expect(sent(object({ items }))).toMatchObject({
      properties: { items: { type: 'array', minItems: 1, maxItems: 3 } },
      required: ['items'],
    });
  });
});
