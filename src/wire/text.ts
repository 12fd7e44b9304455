import * as z from 'zod';
import { cleanLine, cleanText, codePoints, isWellFormed } from './clean.ts';
import { expected, refuse, written } from './sentences.ts';

/** The input schemas whose strings are cleaned, so that `orNull` knows what counts as empty. */
export const cleanedStrings = z.registry();

/** Text on one line, cleaned; from `min` to `max` code points. */
export function line(max: number, { min = 1 } = {}) {
  return sized(min, max, cleanLine);
}

/** Text that keeps its line breaks, cleaned; from `min` to `max` code points. */
export function text(max: number, { min = 1 } = {}) {
  return sized(min, max, cleanText);
}

/** A string taken as it is sent, for secrets; from `min` to `max` code points. */
export function raw(max: number, { min = 1 } = {}) {
  return source(min, max).transform((value, context) => checked(value, min, max, context));
}

/** A string schema for words with rules of their own: `cleanLine` is applied before `decode`. */
export function cleanedLine<Out>(
  shape: Record<string, unknown>,
  decode: (value: string, context: z.core.$RefinementCtx) => Out,
) {
  const input = z.string({ error: expected('Must be text.') }).meta(shape);
  return input.register(cleanedStrings).transform((value, context) => {
    if (!isWellFormed(value)) return refuse(context, 'Must be valid Unicode text.');
    return decode(cleanLine(value), context);
  });
}

function sized(min: number, max: number, clean: (value: string) => string) {
  return source(min, max)
    .register(cleanedStrings)
    .transform((value, context) =>
      isWellFormed(value)
        ? checked(clean(value), min, max, context)
        : refuse(context, 'Must be valid Unicode text.'),
    );
}

function source(minLength: number, maxLength: number) {
  return z.string({ error: expected('Must be text.') }).meta({ minLength, maxLength });
}

function checked(value: string, min: number, max: number, context: z.core.$RefinementCtx): string {
  if (!isWellFormed(value)) return refuse(context, 'Must be valid Unicode text.');
  const length = codePoints(value);
  if (length < min && min === 1) return refuse(context, 'Must not be empty.');
  if (length < min) return refuse(context, `Must be at least ${written(min)} characters.`);
  if (length > max) return refuse(context, `Must be at most ${written(max)} ${plural(max)}.`);
  return value;
}

function plural(count: number): string {
  return count === 1 ? 'character' : 'characters';
}
