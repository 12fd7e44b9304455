import { costOf, hasTooManyMarks } from './string-input.ts';

const LINE_BREAKS_AND_TABS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
// Control characters except tab and line feed; bidirectional embeddings, overrides and isolates.
const INVISIBLE = /(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069\u200b\ufeff]/gu;

/** False if the string has a lone surrogate, which no encoding can represent. */
export function isWellFormed(value: string): boolean {
  return value.isWellFormed();
}

/** Cleans a `line`: line breaks and tabs become one space, then as `cleanText`. */
export function cleanLine(value: string): string | undefined {
  return cleanText(value.replace(LINE_BREAKS_AND_TABS, ' '));
}

/**
 * Cleans a `text`: line breaks become LF, invisible characters and tags are removed, the rest is NFC and trimmed. Idempotent.
 * Returns `undefined` for too many combining marks in a row: what is removed between marks can join them. The value has
 * passed `costOf`.
 */
export function cleanText(value: string): string | undefined {
  const visible = value.replace(/\r\n?/g, '\n').replace(INVISIBLE, '');
  if (visible !== value && hasTooManyMarks(visible)) return undefined;
  const plain = stripTags(visible.normalize('NFC'));
  if (plain !== visible && hasTooManyMarks(plain)) return undefined;
  // Removing a tag can join a letter and its accent, so NFC is applied twice.
  return plain.normalize('NFC').trim();
}

/** Cleans a line of a form; `undefined` if it is costly to clean, or longer than `max` code points. */
export function cleanFormLine(value: string, max: number): string | undefined {
  const cleaned = costOf(value, max) === undefined ? cleanLine(value) : undefined;
  return cleaned === undefined || codePoints(cleaned) > max ? undefined : cleaned;
}

/** Returns the length in Unicode code points. */
export function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

/** The beginning of a tag. */
const TAG_START = /<(?=[A-Za-z/!?])/g;
const TAG_STARTER = /[A-Za-z/!?]/;

/**
 * Removes tags: `<` followed by a letter, `/`, `!` or `?`, up to the next `>`. Also removes tags that appear when others are
 * removed. Jumps from tag to tag in one pass, because repeating a regular expression takes quadratic time on hostile input.
 */
function stripTags(text: string): string {
  if (!text.includes('<') || !text.includes('>')) return text;
  let kept = '';
  // How many `<` stand between `kept` and the text from `from` on. Each may begin a tag when the one behind it is removed.
  let waiting = 0;
  let from = 0;
  for (;;) {
    const completed = waiting > 0 && TAG_STARTER.test(text.charAt(from));
    TAG_START.lastIndex = from;
    const starts = completed ? from - 1 : (TAG_START.exec(text)?.index ?? -1);
    const closes = completed || starts >= 0 ? text.indexOf('>', starts + 1) : -1;
    if (closes < 0) return kept + '<'.repeat(waiting) + text.slice(from);
    let end = starts;
    while (end > from && text.charAt(end - 1) === '<') end -= 1;
    if (end > from) {
      kept += '<'.repeat(waiting) + text.slice(from, end);
      waiting = 0;
    }
    waiting += completed ? -1 : starts - end;
    from = closes + 1;
  }
}

/** Returns the form for searching and sorting: no accents, lower case, single spaces. */
export function foldText(text: string): string {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.replace(/\s+/gu, ' ');
}

/** Returns the form for uniqueness of names: lower case, single spaces. Accents count. */
export function nameKey(text: string): string {
  return text.toLowerCase().normalize('NFC').replace(/\s+/gu, ' ').trim();
}

/** Whether a text has more than so many bytes in UTF-8. Only a text that may be too long is encoded. */
export const exceedsBytes = (text: string, max: number): boolean =>
  text.length * 3 > max && new TextEncoder().encode(text).length > max;
