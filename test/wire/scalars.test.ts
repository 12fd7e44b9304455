import { describe, expect, it } from 'vitest';
import { bool, shownBool } from '../../src/wire/bool.ts';
import { colour } from '../../src/wire/colour.ts';
import { MAX_CENTS, money, shownMoney } from '../../src/wire/money.ts';
import { int, number, percent } from '../../src/wire/number.ts';
import { outcome, refused, sent, shown } from './outcome.ts';

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
  ])('%j is %j', (value, stored) => expect(outcome(bool, value)).toEqual({ value: stored }));

  it.each([[null], [2], ['TRUE'], [''], ['yes'], [[]]])('%j is refused', (value) => {
    expect(outcome(bool, value)).toEqual(refused('Must be true or false.'));
  });

  it('is required', () => expect(outcome(bool, undefined)).toEqual(refused('Required.')));

  it('is shown from booleans and from 0 and 1', () => {
    expect([true, false, 1, 0].map((stored) => shownBool.parse(stored))).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(shown(shownBool)).toEqual({ type: 'boolean' });
  });
});

describe('colour', () => {
  it.each([['#abc'], ['#A1b2C3']])('%s', (value) =>
    expect(outcome(colour, value)).toEqual({ value }),
  );
  it.each([['abc'], ['#abcd'], ['#ggg'], ['#abc\n'], [null]])('%j is refused', (value) => {
    expect(outcome(colour, value)).toEqual(refused('Must be a colour such as #1A2B3C.'));
  });
});

describe('int', () => {
  const sentence = 'Must be a whole number from 1 to 10,000.';
  it.each([[1], [10_000]])('%j', (value) =>
    expect(outcome(int(1, 10_000), value)).toEqual({ value }),
  );
  it.each([[0], [10_001], [1.5], ['1'], [null], [true], [1e300]])('%j is refused', (value) => {
    expect(outcome(int(1, 10_000), value)).toEqual(refused(sentence));
  });
  it('is documented', () => {
    expect(sent(int(1, 9))).toEqual({ type: 'integer', minimum: 1, maximum: 9 });
  });
});

describe('number', () => {
  const factor = number({ above: 0, max: 1000, decimals: 4 });
  const sentence = 'Must be a number above 0 and up to 1,000 with at most four decimals.';
  it.each([[0.0001], [1], [1000], [12.3456]])('%j', (value) => {
    expect(outcome(factor, value)).toEqual({ value });
  });
  it.each([[0], [-1], [1000.0001], [0.00001], ['1'], [null]])('%j is refused', (value) => {
    expect(outcome(factor, value)).toEqual(refused(sentence));
  });
  it('describes its bounds', () => {
    expect(outcome(number(), 'x')).toEqual(refused('Must be a number.'));
    expect(outcome(number({ min: 1 }), 0)).toEqual(refused('Must be a number from 1.'));
    expect(outcome(number({ max: 5 }), 6)).toEqual(refused('Must be a number up to 5.'));
    expect(outcome(number({ above: 2 }), 2)).toEqual(refused('Must be a number above 2.'));
  });
  it('is documented', () => {
    expect(sent(factor)).toEqual({ type: 'number', exclusiveMinimum: 0, maximum: 1000 });
  });
});

describe('percent', () => {
  it('has four decimals, or those given', () => {
    expect(outcome(percent(), 99.9999)).toEqual({ value: 99.9999 });
    expect(outcome(percent(2), 9.999)).toEqual(
      refused('Must be a number from 0 to 100 with at most two decimals.'),
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
    [99_999_999.99, MAX_CENTS],
  ])('%j is stored as %j', (value, cents) => {
    expect(outcome(money, value)).toEqual({ value: cents });
    expect(shownMoney.parse(cents)).toBe(value + 0);
  });
  it.each([[-0.01], [0.001], [100_000_000], ['1.00'], [null], [0.1 + 0.2]])(
    '%j is refused',
    (value) => {
      expect(outcome(money, value)).toEqual(
        refused('Must be a number from 0 to 99,999,999.99 with at most two decimals.'),
      );
    },
  );
  it('is documented', () => {
    expect(sent(money)).toEqual({ type: 'number', minimum: 0, maximum: 99_999_999.99 });
    expect(shown(shownMoney)).toEqual({ type: 'number' });
  });
});
