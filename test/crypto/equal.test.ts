import { expect, it } from 'vitest';
import { equalInConstantTime } from '../../src/crypto/equal.ts';

it.each([
  ['secret', 'secret', true],
  ['secret', 'secreT', false],
  ['secret', 'secret ', false],
  ['', '', true],
  ['', 'secret', false],
])('equalInConstantTime(%j, %j) is %s', async (a, b, expected) => {
  expect(await equalInConstantTime(a, b)).toBe(expected);
});
