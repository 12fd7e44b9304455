import { describe, expect, it } from 'vitest';
import { bracketedIds, idsOrBracketed } from '../../src/wire/bracketed-ids.ts';
import { id, ids, pathId } from '../../src/wire/id.ts';
import { outcome, refused, sent, shown } from './outcome.ts';

const SENTENCE = 'Must be a positive whole number.';

describe('id', () => {
  it.each([[1], [Number.MAX_SAFE_INTEGER]])('%j', (value) => {
    expect(outcome(id(), value)).toEqual({ value });
  });
  it.each([[0], [-1], [1.5], ['1'], [null], [2 ** 53]])('%j is refused', (value) => {
    expect(outcome(id(), value)).toEqual(refused(SENTENCE));
  });
});

describe('pathId', () => {
  it.each([
    ['1', 1],
    ['9007199254740991', 9007199254740991],
  ])('%s', (value, stored) => expect(outcome(pathId, value)).toEqual({ value: stored }));
  it.each([['0'], ['-1'], ['1.0'], ['007'], ['abc'], [''], ['1\n'], ['9007199254740992'], ['1e3']])(
    '%j is refused',
    (value) => expect(outcome(pathId, value)).toEqual(refused(SENTENCE)),
  );
  it('is documented as an integer', () => {
    expect(sent(pathId)).toEqual({ type: 'integer', minimum: 1, maximum: 9007199254740991 });
  });
});

describe('ids', () => {
  it('counts duplicates once', () => {
    expect(outcome(ids(), [3, 1, 3])).toEqual({ value: [3, 1] });
    expect(outcome(ids({ max: 1 }), [3, 3])).toEqual({ value: [3] });
  });
  it.each([
    [undefined, { body: ['Required.'] }],
    [null, { body: ['Must be an array of ids.'] }],
    ['[1]', { body: ['Must be an array of ids.'] }],
    [[1, 0, 'x'], { 1: [SENTENCE], 2: [SENTENCE] }],
    [[], { body: ['Must hold at least 1 id.'] }],
    [Array.from({ length: 1001 }, (_, i) => i), { body: ['Must hold at most 1,000 ids.'] }],
  ])('%# is refused', (value, errors) => {
    expect(outcome(ids({ min: 1 }), value)).toEqual({ errors });
  });
  it('is documented', () => {
    expect(sent(ids({ min: 1 }))).toEqual({
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
  ])('%j is shown as %j', (stored, text) => expect(bracketedIds.parse(stored)).toBe(text));
  it('is documented', () => expect(shown(bracketedIds)).toEqual({ type: 'string' }));
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
  ])('%j is stored as %j', (value, stored) => {
    expect(outcome(idsOrBracketed(), value)).toEqual({ value: stored });
  });
  it.each([[null], ['4, 8'], ['[4,]'], ['[4 8]'], ['[-4]'], [''], [4], [{}]])(
    '%j is refused',
    (value) => {
      expect(outcome(idsOrBracketed(), value)).toEqual(
        refused('Must be an array of ids, or a text such as "[4, 8, 15]".'),
      );
    },
  );
  it('reports the place of a bad id', () => {
    expect(outcome(idsOrBracketed(), '[1, 0]')).toEqual({ errors: { 1: [SENTENCE] } });
  });
});
