import * as z from 'zod';
import { expected, written } from './sentences.ts';

interface Range {
  min?: number;
  /** Exclusive lower bound. */
  above?: number;
  max?: number;
  decimals?: number;
}

const COUNTS = ['no', 'one', 'two', 'three', 'four', 'five', 'six'];

/** Whole JSON number within both bounds. */
export function int(min: number, max: number) {
  const sentence = `Must be a whole number from ${written(min)} to ${written(max)}.`;
  return z
    .int({ error: expected(sentence) })
    .min(min, sentence)
    .max(max, sentence);
}

/** JSON number within the bounds given, with at most `decimals` decimals. */
export function number(range: Range = {}) {
  const { min, above, max, decimals } = range;
  const sentence = describe(range);
  let schema = z.number({ error: expected(sentence) });
  if (min !== undefined) schema = schema.min(min, sentence);
  if (above !== undefined) schema = schema.gt(above, sentence);
  if (max !== undefined) schema = schema.max(max, sentence);
  return decimals === undefined
    ? schema
    : schema.refine((value) => hasDecimals(value, decimals), { error: sentence });
}

/** Per cent: a number from 0 to 100 with at most `decimals` decimals. */
export function percent(decimals = 4) {
  return number({ min: 0, max: 100, decimals });
}

/** Whether a number is written with at most `decimals` decimals. */
export function hasDecimals(value: number, decimals: number): boolean {
  return Number(value.toFixed(decimals)) === value;
}

function describe({ min, above, max, decimals }: Range): string {
  const places = decimals === undefined ? '' : ` with at most ${COUNTS[decimals]} decimals`;
  return `Must be a number${bounds(min, above, max)}${places}.`;
}

function bounds(min?: number, above?: number, max?: number): string {
  if (above !== undefined) {
    return ` above ${written(above)}${max === undefined ? '' : ` and up to ${written(max)}`}`;
  }
  const low = min === undefined ? '' : ` from ${written(min)}`;
  if (max === undefined) return low;
  return low ? `${low} to ${written(max)}` : ` up to ${written(max)}`;
}
