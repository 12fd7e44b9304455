import * as z from 'zod';
import { messageOrRequired, formatNumber } from '../field-messages.ts';

/** Request field: `true` or `false`, or one of `1`, `0`, `"1"`, `"0"`, `"true"`, `"false"`. */
export const bool = z
  .union([z.boolean(), z.literal([1, 0, '1', '0', 'true', 'false'])], {
    error: messageOrRequired('Must be true or false.'),
  })
  .transform((value) => value === true || value === 1 || value === '1' || value === 'true');

/** Response field: a boolean that SQLite may return as 0 or 1. */
export const boolOutput = z.codec(z.union([z.boolean(), z.literal([0, 1])]), z.boolean(), {
  decode: (stored) => stored === true || stored === 1,
  encode: (value) => value,
});

interface Range {
  min?: number;
  /** Exclusive lower bound. */
  above?: number;
  max?: number;
  decimals?: number;
}

const numberWords = ['no', 'one', 'two', 'three', 'four', 'five', 'six'];

/** Request field: whole JSON number within both bounds. */
export function int(min: number, max: number) {
  const message = `Must be a whole number from ${formatNumber(min)} to ${formatNumber(max)}.`;
  return z
    .int({ error: messageOrRequired(message) })
    .min(min, message)
    .max(max, message);
}

/** Request field: JSON number within the bounds, with at most `decimals` decimals. */
export function number(range: Range = {}) {
  const { min, above, max, decimals } = range;
  const message = rangeMessage(range);
  let schema = z.number({ error: messageOrRequired(message) });
  if (min !== undefined) schema = schema.min(min, message);
  if (above !== undefined) schema = schema.gt(above, message);
  if (max !== undefined) schema = schema.max(max, message);
  return decimals === undefined
    ? schema
    : schema.refine((value) => hasAtMostDecimals(value, decimals), { error: message });
}

/** Request field: a percentage from 0 to 100 with at most `decimals` decimals. */
export function percent(decimals = 4) {
  return number({ min: 0, max: 100, decimals });
}

/** Whether a number has at most `decimals` decimals. */
function hasAtMostDecimals(value: number, decimals: number): boolean {
  return Number(value.toFixed(decimals)) === value;
}

function rangeMessage({ min, above, max, decimals }: Range): string {
  const places = decimals === undefined ? '' : ` with at most ${numberWords[decimals]} decimals`;
  return `Must be a number${describeBounds(min, above, max)}${places}.`;
}

function describeBounds(min?: number, above?: number, max?: number): string {
  if (above !== undefined) {
    return ` above ${formatNumber(above)}${max === undefined ? '' : ` and up to ${formatNumber(max)}`}`;
  }
  const low = min === undefined ? '' : ` from ${formatNumber(min)}`;
  if (max === undefined) return low;
  return low ? `${low} to ${formatNumber(max)}` : ` up to ${formatNumber(max)}`;
}

/** The largest amount, in cents. */
export const maxCents = 9_999_999_999;

const moneyRange = (min: number) => ({ min, max: maxCents / 100, decimals: 2 });

const moneyFrom = (min: number) => number(moneyRange(min)).transform(toCents);

/** The error of {@link money}. */
export const moneyMessage = rangeMessage(moneyRange(0));

/** Request field: a JSON number with at most two decimals. Stored as integer cents. */
export const money = moneyFrom(0);

/** Request field: money that moves, one cent at least. */
export const movedMoney = moneyFrom(0.01);

/** Response field: integer cents as a JSON number. */
export const moneyOutput = z.codec(z.int(), z.number(), {
  decode: (cents) => cents / 100,
  encode: toCents,
});

function toCents(amount: number): number {
  // Adding 0 converts -0 to 0.
  return Math.round(amount * 100) + 0;
}
