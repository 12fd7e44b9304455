import { describe, expect, it } from 'vitest';
import {
  bool,
  boolOutput,
  maxCents,
  money,
  moneyOutput,
  int,
  number,
  percent,
} from '../../../../src/base/codecs/fields/scalars.ts';
import { colour } from '../../../../src/base/codecs/fields/string-formats.ts';
import { parseOutcome, bodyError, inputSchema, outputSchema } from '../parse-outcome.ts';

describe('bool', () => {
  it.each([
    [true, true],
    [1, true],
    ['1', true],
    ['true', true],
    [false, false],
    [0, false],
    ['0', false],
    ['false', false],
  ])('converts %j to %j', (value, stored) =>
    expect(parseOutcome(bool, value)).toEqual({ value: stored }),
  );

  it.each([[null], [2], ['TRUE'], [''], ['yes'], [[]]])('rejects %j', (value) => {
    expect(parseOutcome(bool, value)).toEqual(bodyError('Must be true or false.'));
  });

  it('rejects an absent value', () =>
    expect(parseOutcome(bool, undefined)).toEqual(bodyError('Required.')));

  it('serializes booleans, 0 and 1', () => {
    expect([true, false, 1, 0].map((stored) => boolOutput.parse(stored))).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(outputSchema(boolOutput)).toEqual({ type: 'boolean' });
  });
});

describe('colour', () => {
  it.each([['#abc'], ['#A1b2C3']])('accepts %s', (value) =>
    expect(parseOutcome(colour, value)).toEqual({ value }),
  );
  it.each([['abc'], ['#abcd'], ['#ggg'], ['#abc\n'], [null]])('rejects %j', (value) => {
    expect(parseOutcome(colour, value)).toEqual(bodyError('Must be a colour such as #1A2B3C.'));
  });
});

describe('int', () => {
  const message = 'Must be a whole number from 1 to 10,000.';
  it.each([[1], [10_000]])('accepts %j', (value) =>
    expect(parseOutcome(int(1, 10_000), value)).toEqual({ value }),
  );
  it.each([[0], [10_001], [1.5], ['1'], [null], [true], [1e300]])('rejects %j', (value) => {
    expect(parseOutcome(int(1, 10_000), value)).toEqual(bodyError(message));
  });
  it('has a JSON schema', () => {
    expect(inputSchema(int(1, 9))).toEqual({ type: 'integer', minimum: 1, maximum: 9 });
  });
});

describe('number', () => {
  const factor = number({ above: 0, max: 1000, decimals: 4 });
  const message = 'Must be a number above 0 and up to 1,000 with at most four decimals.';
  it.each([[0.0001], [1], [1000], [12.3456]])('accepts %j', (value) => {
    expect(parseOutcome(factor, value)).toEqual({ value });
  });
  it.each([[0], [-1], [1000.0001], [0.00001], ['1'], [null]])('rejects %j', (value) => {
    expect(parseOutcome(factor, value)).toEqual(bodyError(message));
  });
  it('names its bounds in the message', () => {
    expect(parseOutcome(number(), 'x')).toEqual(bodyError('Must be a number.'));
    expect(parseOutcome(number({ min: 1 }), 0)).toEqual(bodyError('Must be a number from 1.'));
    expect(parseOutcome(number({ max: 5 }), 6)).toEqual(bodyError('Must be a number up to 5.'));
    expect(parseOutcome(number({ above: 2 }), 2)).toEqual(bodyError('Must be a number above 2.'));
  });
  it('has a JSON schema', () => {
    expect(inputSchema(factor)).toEqual({ type: 'number', exclusiveMinimum: 0, maximum: 1000 });
  });
});

describe('percent', () => {
  it('allows four decimals by default, or the given number', () => {
    expect(parseOutcome(percent(), 99.9999)).toEqual({ value: 99.9999 });
    expect(parseOutcome(percent(2), 9.999)).toEqual(
      bodyError('Must be a number from 0 to 100 with at most two decimals.'),
    );
  });
});

describe('money', () => {
  it.each([
    [0, 0],
    [-0, 0],
    [0.29, 29],
    [1.1, 110],
    [8.2, 820],
    [99_999_999.99, maxCents],
  ])('stores %j as %j', (value, cents) => {
    expect(parseOutcome(money, value)).toEqual({ value: cents });
    expect(moneyOutput.parse(cents)).toBe(value + 0);
  });
  it.each([[-0.01], [0.001], [100_000_000], ['1.00'], [null], [0.1 + 0.2]])(
    'rejects %j',
    (value) => {
      expect(parseOutcome(money, value)).toEqual(
        bodyError('Must be a number from 0 to 99,999,999.99 with at most two decimals.'),
      );
    },
  );
  it('has a JSON schema', () => {
    expect(inputSchema(money)).toEqual({ type: 'number', minimum: 0, maximum: 99_999_999.99 });
    expect(outputSchema(moneyOutput)).toEqual({ type: 'number' });
  });
});
