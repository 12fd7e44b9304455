import * as z from 'zod';
import { number } from './number.ts';

/** The largest amount, in cents. */
export const MAX_CENTS = 9_999_999_999;

/** Request: a JSON number with at most two decimals; stored as integer cents. */
export const money = number({ min: 0, max: MAX_CENTS / 100, decimals: 2 }).transform(toCents);

/** Reply: integer cents, shown as a JSON number. */
export const shownMoney = z.codec(z.int(), z.number(), {
  decode: (cents) => cents / 100,
  encode: toCents,
});

function toCents(amount: number): number {
  // The addition turns the JSON number -0 into 0.
  return Math.round(amount * 100) + 0;
}
