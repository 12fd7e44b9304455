import type * as z from 'zod';
import { addIssue, formatNoteKey, formatNumber } from '../field-messages.ts';
import { cleanCode, cleanLine, cleanText, codePoints, isWellFormed } from './normalize-text.ts';
import { stringInput, textRules, tooLong, tooManyMarks, type TextRule } from './string-input.ts';

/** The limit of a string whose format has no limit of its own. */
const maxFormatted = 255;

/** Request field: cleaned text on one line, `min` to `max` code points. */
export function line(max: number, { min = 1 } = {}) {
  return cleanedText(min, max, 'name', cleanLine);
}

/** Request field: cleaned text that keeps line breaks, `min` to `max` code points. */
export function text(max: number, { min = 1 } = {}) {
  return cleanedText(min, max, 'text', cleanText);
}

/**
 * Request field: what people and machines call a thing by, such as a SKU, 1 to `max` code points.
 */
export function code(max: number) {
  return cleanedText(1, max, 'code', cleanCode);
}

/** Request field: a string that is not cleaned, for secrets, `min` to `max` code points. */
export function verbatimText(max: number, { min = 1 } = {}) {
  return textInput(min, max)
    .register(textRules, { rule: 'raw' })
    .transform((value, context) => checkLength(value, min, max, context));
}

/** Request field: a code, cleaned before `decode` parses it. */
export function cleanedCode<Out>(
  shape: Record<string, unknown>,
  decode: (value: string, context: z.core.$RefinementCtx) => Out,
  message = 'Must be text.',
) {
  const rule = { rule: 'code', max: maxFormatted } as const;
  const input = stringInput(message, maxFormatted).meta(shape).register(textRules, rule);
  return input.transform((value, context) => {
    if (!isWellFormed(value)) return addIssue(context, 'Must be valid Unicode text.');
    const cleaned = cleanCode(value);
    return cleaned === undefined ? addIssue(context, tooManyMarks) : decode(cleaned, context);
  });
}

/**
 * Returns the stored form of a text that records are looked up by. What the field refuses stays: no
 * record has it.
 */
export const asStored = <Out>(field: z.ZodType<Out, string>, text: string): Out | string =>
  field.safeParse(text).data ?? text;

function cleanedText(
  min: number,
  max: number,
  rule: TextRule,
  clean: (value: string) => string | undefined,
) {
  return textInput(min, max)
    .register(textRules, { rule, max })
    .transform((value, context) => {
      if (!isWellFormed(value)) return addIssue(context, 'Must be valid Unicode text.');
      const cleaned = clean(value);
      return cleaned === undefined
        ? addIssue(context, tooManyMarks)
        : checkLength(cleaned, min, max, context);
    });
}

function textInput(minLength: number, maxLength: number) {
  return stringInput('Must be text.', maxLength).meta({ minLength, maxLength });
}

function checkLength(
  value: string,
  min: number,
  max: number,
  context: z.core.$RefinementCtx,
): string {
  if (!isWellFormed(value)) return addIssue(context, 'Must be valid Unicode text.');
  const length = codePoints(value);
  if (length < min && min === 1) return addIssue(context, 'Must not be empty.');
  if (length < min) return addIssue(context, `Must be at least ${formatNumber(min)} characters.`);
  return length > max ? addIssue(context, tooLong(max)) : value;
}

/**
 * Request field: one word of a list. With `anyCase` its case is ignored and the listed spelling is
 * stored.
 */
export function choice<const Word extends string>(
  words: readonly Word[],
  { anyCase = false } = {},
) {
  const shape = {
    enum: [...words],
    ...(anyCase && { [formatNoteKey]: 'Letter case is ignored.' }),
  };
  return cleanedCode(shape, (value, context): Word => {
    const wanted = anyCase ? value.toLowerCase() : value;
    const word = words.find((listed) => (anyCase ? listed.toLowerCase() : listed) === wanted);
    return word ?? addIssue(context, `Must be one of ${words.join(', ')}.`);
  });
}

/** Request field: a string that matches a pattern as a whole. `lowerCase` converts it first. */
export function textMatching(pattern: RegExp, message: string, { lowerCase = false } = {}) {
  const whole = new RegExp(`^(?:${pattern.source})$`, pattern.flags);
  return cleanedCode(lowerCase ? {} : { pattern: whole.source }, (value, context) => {
    const cased = lowerCase ? value.toLowerCase() : value;
    return whole.test(cased) ? cased : addIssue(context, message);
  });
}

/** Request field: an identifier that the API does not restrict to a list, such as a sort order. */
export const identifier = textMatching(
  /[a-z][a-z0-9_-]{0,49}/,
  'Must be a lower-case letter, then up to 49 letters, digits, _ or -.',
);
