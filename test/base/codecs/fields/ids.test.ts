import { describe, expect, it } from 'vitest';
import { toFieldErrors } from '../../../../src/base/codecs/field-errors.ts';
import {
  bracketedIds,
  idsOrBracketed,
  recordId,
  ids,
  pathId,
  associationBody,
} from '../../../../src/base/codecs/fields/ids.ts';
import { parseOutcome, bodyError, inputSchema, outputSchema } from '../parse-outcome.ts';

const ID_MESSAGE = 'Must be a positive whole number.';

describe('recordId', () => {
  it.each([[1], [Number.MAX_SAFE_INTEGER]])('accepts %j', (value) => {
    expect(parseOutcome(recordId(), value)).toEqual({ value });
  });
  it.each([[0], [-1], [1.5], ['1'], [null], [2 ** 53]])('rejects %j', (value) => {
    expect(parseOutcome(recordId(), value)).toEqual(bodyError(ID_MESSAGE));
  });
});

describe('pathId', () => {
  it.each([
    ['1', 1],
    ['9007199254740991', 9007199254740991],
  ])('accepts %s', (value, stored) =>
    expect(parseOutcome(pathId, value)).toEqual({ value: stored }),
  );
  it.each([['0'], ['-1'], ['1.0'], ['007'], ['abc'], [''], ['1\n'], ['9007199254740992'], ['1e3']])(
    'rejects %j',
    (value) => expect(parseOutcome(pathId, value)).toEqual(bodyError(ID_MESSAGE)),
  );
  it('has the JSON schema of an integer', () => {
    expect(inputSchema(pathId)).toEqual({ type: 'integer', minimum: 1, maximum: 9007199254740991 });
  });
});

describe('ids', () => {
  it('drops duplicates', () => {
    expect(parseOutcome(ids(), [3, 1, 3])).toEqual({ value: [3, 1] });
    expect(parseOutcome(ids({ min: 2 }), [3, 3])).toEqual(
      bodyError('Must contain at least 2 ids.'),
    );
  });
  it('rejects a long list by its length, before it looks at duplicates', () => {
    expect(parseOutcome(ids({ max: 1 }), [3, 3])).toEqual(bodyError('Must contain at most 1 id.'));
  });
  it.each([
    [undefined, { body: ['Required.'] }],
    [null, { body: ['Must be an array of ids.'] }],
    ['[1]', { body: ['Must be an array of ids.'] }],
    [[1, 0, 'x'], { 1: [ID_MESSAGE], 2: [ID_MESSAGE] }],
    [[], { body: ['Must contain at least 1 id.'] }],
    [Array.from({ length: 1001 }, (_, i) => i), { body: ['Must contain at most 1,000 ids.'] }],
  ])('rejects case %#', (value, errors) => {
    expect(parseOutcome(ids({ min: 1 }), value)).toEqual({ errors });
  });
  it('has a JSON schema', () => {
    expect(inputSchema(ids({ min: 1 }))).toEqual({
      type: 'array',
      items: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
      minItems: 1,
      maxItems: 1000,
    });
  });
});

describe('bracketedIds', () => {
  it.each([
    [[4, 8, 15], '[4, 8, 15]'],
    ['[4,8,15]', '[4, 8, 15]'],
    [[], '[]'],
    ['[]', '[]'],
  ])('serializes %j as %j', (stored, text) => expect(bracketedIds.parse(stored)).toBe(text));
  it('has a JSON schema, whose pattern its texts match', () => {
    const pattern = String.raw`^\[(?:\d+(?:, \d+)*)?\]$`;
    const examples = ['[4, 8, 15]'];
    expect(outputSchema(bracketedIds)).toEqual({ type: 'string', pattern, examples });
    for (const stored of [[], [4], [4, 8, 15], '[4,8]'])
      expect(bracketedIds.parse(stored)).toMatch(new RegExp(pattern));
  });
});

describe('idsOrBracketed', () => {
  it.each([
    [
      [4, 4, 8],
      [4, 8],
    ],
    ['[4, 8, 15]', [4, 8, 15]],
    ['[4,4]', [4]],
    ['[]', []],
  ])('stores %j as %j', (value, stored) => {
    expect(parseOutcome(idsOrBracketed(), value)).toEqual({ value: stored });
  });
  it.each([[null], ['4, 8'], ['[4,]'], ['[4 8]'], ['[-4]'], [''], [4], [{}]])(
    'rejects %j',
    (value) => {
      expect(parseOutcome(idsOrBracketed(), value)).toEqual(
        bodyError('Must be an array of ids, or a string such as "[4, 8, 15]".'),
      );
    },
  );
  it('reports the index of an invalid id', () => {
    expect(parseOutcome(idsOrBracketed(), '[1, 0]')).toEqual({ errors: { 1: [ID_MESSAGE] } });
  });
});

const association = associationBody('product_ids', 'products_ids');

describe('associationBody', () => {
  it.each([
    [{ product_ids: [3, 3, 1] }, [3, 1]],
    [{ products_ids: [3] }, [3]],
    [{ product_ids: [1], products_ids: [3] }, [1]],
  ])('accepts %j', (body, ids) => expect(association.parse(body)).toEqual(ids));

  it.each([
    [{}, { product_ids: ['Required.'] }],
    [{ product_ids: [] }, { product_ids: ['Must contain at least 1 id.'] }],
    [{ product_ids: null }, { product_ids: ['Must be an array of ids.'] }],
    [{ products_ids: [0] }, { 'products_ids.0': ['Must be a positive whole number.'] }],
  ])('rejects %j', (body, errors) => {
    expect(toFieldErrors(association.safeParse(body).error!)).toEqual(errors);
  });

  it('accepts only one name without an alternative', () => {
    expect(associationBody('categories_ids').safeParse({ product_ids: [1] }).success).toBe(false);
  });
});
