import * as z from 'zod';
import { formatNumber, messageOrRequired } from '../field-messages.ts';

/**
 * How the text of a request field is read. Something of a `name` on one line, and of a `text` of
 * several, must be visible. Two equal looks of a `code` are one. What is `raw` is stored as sent,
 * or refused.
 */
export type TextRule = 'name' | 'text' | 'code' | 'raw';

/** The rule of each schema that takes a text, and the limit of those that clean it. */
export const textRules = z.registry<{ rule: TextRule; max?: number }>();

/**
 * The longest run of combining marks in a text, that of the Stream-Safe Text Format (UAX #15,
 * section 13).
 */
const maxMarksInARow = 30;

// The lookbehind keeps the search linear: only the first mark of a run starts a match.
const longRunOfMarks = new RegExp(`(?<!\\p{M})\\p{M}{${maxMarksInARow + 1}}`, 'u');

/** Composed Latin letters, digits and signs: nothing to normalize, to join or to hide. */
const simplePattern = /^[\t\n\x20-~\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e]*$/;

/**
 * Whether a text, as most are, has only characters that stay what they are when Unicode is
 * normalized to NFC.
 */
export function isSimple(text: string): boolean {
  return simplePattern.test(text);
}

/**
 * Whether a text has a run of combining marks so long that normalization, which sorts each run,
 * would be slow.
 */
export function hasTooManyMarks(text: string): boolean {
  return !isSimple(text) && longRunOfMarks.test(text);
}

export const tooManyMarks = `Must have at most ${maxMarksInARow} combining marks in a row.`;

/**
 * Returns why a text is too costly to process, as a message; `undefined` if it is not. `max` is its
 * limit in characters. Cleaning shortens texts, so one of up to four times the limit may still be
 * valid.
 */
export function costOf(text: string, max: number): string | undefined {
  if (text.length > 4 * max + 1024) return tooLong(max);
  return hasTooManyMarks(text) ? tooManyMarks : undefined;
}

/** The message for a text of more than `max` characters. */
export function tooLong(max: number): string {
  return `Must be at most ${formatNumber(max)} ${max === 1 ? 'character' : 'characters'}.`;
}

/**
 * Request field: the string that every other string field starts from. A costly text fails here,
 * before it is normalized, trimmed, stripped or matched.
 */
export function stringInput(message: string, max: number) {
  return z.string({ error: messageOrRequired(message) }).check((payload) => {
    const cost = costOf(payload.value, max);
    if (cost !== undefined) {
      payload.issues.push({ code: 'custom', message: cost, input: payload.value, continue: false });
    }
  });
}
