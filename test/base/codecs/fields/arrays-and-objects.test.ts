import { describe, expect, it } from 'vitest';
import {
  arrayOf,
  object,
  orDataWrapped,
} from '../../../../src/base/codecs/fields/arrays-and-objects.ts';
import { int } from '../../../../src/base/codecs/fields/scalars.ts';
import { parseOutcome, bodyError, inputSchema } from '../parse-outcome.ts';

const itemList = arrayOf(object({ quantity: int(1, 9) }), { min: 1, max: 3 });

describe('arrayOf', () => {
  it('parses its items', () => {
    expect(parseOutcome(itemList, [{ quantity: 1, x: 2 }])).toEqual({ value: [{ quantity: 1 }] });
    expect(parseOutcome(itemList, [{}, { quantity: 0 }, 5])).toEqual({
      errors: {
        '0.quantity': ['Required.'],
        '1.quantity': ['Must be a whole number from 1 to 9.'],
        2: ['Must be an object.'],
      },
    });
  });
  it.each([[[]], [null], [{}], ['x'], [[0, 0, 0, 0]]])('rejects %j', (value) => {
    expect(parseOutcome(itemList, value)).toEqual(bodyError('Must be an array of 1 to 3 items.'));
  });
  it('rejects an absent value', () =>
    expect(parseOutcome(object({ items: itemList }), {})).toEqual({
      errors: { items: ['Required.'] },
    }));
  it('has a JSON schema', () => {
    expect(inputSchema(object({ items: itemList }))).toMatchObject({
      properties: { items: { type: 'array', minItems: 1, maxItems: 3 } },
      required: ['items'],
    });
  });
});

const wrapped = orDataWrapped(arrayOf(int(0, 9), { max: 2 }));

describe('orDataWrapped', () => {
  it.each([[[1, 2]], [{ data: [1, 2] }]])('accepts %j', (sent) => {
    expect(parseOutcome(wrapped, sent)).toEqual({ value: [1, 2] });
  });

  it('names the invalid item, with or without an envelope', () => {
    const errors = { 1: ['Must be a whole number from 0 to 9.'] };
    expect(parseOutcome(wrapped, [1, 'two'])).toEqual({ errors });
    expect(parseOutcome(wrapped, { data: [1, 'two'] })).toEqual({ errors });
  });

  it.each([[{}], [{ data: 1 }], ['data'], [null]])('rejects %j', (sent) => {
    expect(parseOutcome(wrapped, sent)).toEqual({
      errors: { body: ['Must be an array of at most 2 items.'] },
    });
  });
});
