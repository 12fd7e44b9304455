import { stripTags } from './strip-tags.ts';

const LINE_BREAKS_AND_TABS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
// Control characters but tab and line feed; bidirectional embeddings, overrides and isolates.
const INVISIBLE = /(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069\u200b\ufeff]/gu;

/** False for a string with a lone surrogate, which no encoding can carry. */
export function isWellFormed(value: string): boolean {
  return value.isWellFormed();
}

/** Cleaning of a `line` (contract 1.3): breaks and tabs become one space, then as `cleanText`. */
export function cleanLine(value: string): string {
  return cleanText(value.replace(LINE_BREAKS_AND_TABS, ' '));
}

/**
 * Cleaning of a `text` (contract 1.3): line breaks are kept as LF; invisible characters removed,
 * NFC, tags stripped, ends trimmed. Cleaning a second time changes nothing.
 */
export function cleanText(value: string): string {
  const visible = value.replace(/\r\n?/g, '\n').replace(INVISIBLE, '');
  // A removed tag can bring a letter and its accent together, hence the second NFC.
  return stripTags(visible.normalize('NFC')).normalize('NFC').trim();
}

/** Length in Unicode code points. */
export function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}
