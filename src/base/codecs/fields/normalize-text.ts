import { domainToUnicode } from 'node:url';
import { readReferences, stripTags } from './html-text.ts';
import { costOf, hasTooManyMarks, isSimple } from './string-input.ts';

const lineBreaksAndTabs = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const lineEnds = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

/**
 * Letters and symbols that look like a blank: fillers of Hangul, the empty cell of braille, and
 * others.
 */
const blankCharacters = String.raw`[\u2800\u3164\uffa0\u{13441}\u{13442}\u{1d159}]`;

/**
 * Characters without a look: controls, what fonts may ignore, noncharacters, anchors of annotations
 * and objects.
 */
const unseenCharacters = String.raw`[[\p{Cc}--[\t\n]]\p{DI}\p{NChar}\ufff9-\ufffc${blankCharacters}]`;

/** Where one of them changes how others look, and stays. */
const keptCharacters = [
  // The three flags that are written with tags. Other tags are a text that only programs read.
  String.raw`\p{RGI_Emoji_Tag_Sequence}`,
  // One variation selector behind what has variants.
  String.raw`(?<=[\p{Emoji}\p{Ideo}[[\p{sc=Mong}\p{sc=Mymr}\p{Sm}]--[\p{ASCII}\p{DI}]]])\p{VS}`,
  // One joiner behind an emoji, or behind a letter or mark of a script that joins letters.
  String.raw`(?<=[\p{ExtPict}\p{EMod}]\ufe0f?|[[\p{L}\p{M}]--[\p{scx=Latn}\p{scx=Grek}\p{scx=Cyrl}\p{sc=Zinh}\p{sc=Zyyy}\p{DI}]][\p{M}--\p{DI}]*)\p{Join_C}`,
  // One mark of the direction, where no tag can begin. It is removed from a text without letters
  // from right to left.
  String.raw`(?<=^|[^<>${unseenCharacters}])[\u061c\u200e\u200f]`,
  // An empty cell behind another cell.
  String.raw`(?<=[\u2801-\u28ff])\u2800`,
].join('|');

/**
 * Made for the first text that is not simple: the sets take the start-up of an isolate some
 * milliseconds.
 */
let patterns: ReturnType<typeof makePatterns> | undefined;

const makePatterns = () => ({
  unseen: new RegExp(unseenCharacters, 'v'),
  keptOrUnseen: new RegExp(`(${keptCharacters})|(${blankCharacters})|${unseenCharacters}`, 'gv'),
  /** A character that can be seen alone: no mark, and none that is private or unassigned. */
  visible: /[\p{L}\p{N}\p{P}\p{S}\p{ExtPict}]/u,
  rightToLeft:
    /[[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{sc=Adlm}\p{sc=Rohg}]&&\p{L}]/v,
});

/** False if the string has a lone surrogate, which no encoding can represent. */
export function isWellFormed(value: string): boolean {
  return value.isWellFormed();
}

/** Cleans a `line`: line breaks, tabs and tags of blocks become one space, else as `cleanText`. */
export function cleanLine(value: string): string | undefined {
  return cleanText(value.replace(lineBreaksAndTabs, ' '))?.replaceAll('\n', ' ');
}

/**
 * Cleans a `text`: line breaks become LF, invisible characters and tags are removed, the rest is
 * NFC and trimmed. Empty if nothing of it can be seen. Idempotent. Returns `undefined` for too many
 * combining marks in a row: what is removed between marks can join them. The value has passed
 * `costOf`.
 */
export function cleanText(value: string): string | undefined {
  const visible = removeInvisible(value.replace(lineEnds, '\n'));
  if (!visible?.includes('<')) return visible?.trim();
  const plain = stripTags(visible);
  if (plain === visible) return plain.trim();
  // A text with tags is HTML. What its references mean may be invisible, or a part of another tag.
  // Removing a tag can join a letter and its accent.
  const read = removeInvisible(plain.includes('&') ? readReferences(plain) : plain);
  return read === undefined ? undefined : removeInvisible(stripTags(read))?.trim();
}

/**
 * Makes a text NFC without what cannot be seen; `''` if nothing is left, `undefined` for too many
 * marks in a row.
 */
export function removeInvisible(value: string): string | undefined {
  if (isSimple(value)) return value;
  const { unseen, keptOrUnseen, visible, rightToLeft } = (patterns ??= makePatterns());
  let text = value;
  if (unseen.test(value)) {
    text = value.replace(keptOrUnseen, (_, kept?: string, blank?: string) =>
      blank === undefined ? (kept ?? '') : ' ',
    );
    if (!rightToLeft.test(text)) text = text.replace(/[\u061c\u200e\u200f]/g, '');
  }
  if (hasTooManyMarks(text)) return undefined;
  return visible.test(text) ? text.normalize('NFC') : '';
}

/**
 * Cleans a code, such as a SKU, an address or a document number, so that two that look the same are
 * one. Beyond `cleanLine`, no invisible character stays, each dash is `-`, and white space is one
 * space. Full-width forms and ligatures become ASCII.
 */
export function cleanCode(value: string): string | undefined {
  if (/^[!-;=-~]*$/.test(value)) return value;
  const plain = value
    .replace(/[\ufb00-\ufb06\uff01-\uff5e]+/g, (run) => run.normalize('NFKC'))
    .replace(dashes, '-')
    .replace(ignorable, '');
  return cleanLine(plain)?.replace(/\s+/g, ' ');
}

/**
 * Cleans a line of a form; `undefined` if it is costly to clean, or longer than `max` code points.
 */
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

const dash = String.raw`[\p{Dash}--[\-\u2053\u301c\u3030\u30a0]]`;
const dashes = new RegExp(dash, 'gv');
const apostrophes = '`´ʻʼ‘’‛′';
const apostrophesAndDashes = new RegExp(`[${apostrophes}${dash}]`, 'gv');
const ignorable = /\p{DI}/gu;

/** The folded forms of letters and signs that NFKD leaves whole, without the dashes. */
const foldedCharacters: Readonly<Record<string, string>> = Object.fromEntries([
  ...Array.from(apostrophes, (sign) => [sign, "'"] as const),
  ...'ß=ss æ=ae œ=oe ø=o đ=d ð=d þ=th ł=l ħ=h ı=i ĸ=k ŋ=ng ŧ=t ƀ=b ɓ=b ɖ=d ɗ=d ǝ=e ə=e ɛ=e ƒ=f ɠ=g ǥ=g ɣ=g ɨ=i ƙ=k ɲ=n ɔ=o ɵ=o ʉ=u ʋ=v ƴ=y ƶ=z ς=σ ×=x °=o ⁄=/ 。=. “=" ”=" „=" ‟=" «=" »="'
    .split(' ')
    .map((pair) => pair.split('=')),
]);
const foldable = new RegExp(`[${Object.keys(foldedCharacters).join('')}${dash}]`, 'gv');

/** Printable ASCII without the sign that is typed for an apostrophe. */
const foldedAscii = /^[ -_a-~]*$/;

/**
 * Returns the form for searching and sorting: without accents, in lower case, with single spaces.
 * Letters and signs that many keyboards lack become those that people type instead, such as `ss`,
 * `o`, `'` and `-`. Hosts are as people read them.
 */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (foldedAscii.test(lower)) {
    const read = lower.replace(/xn--[a-z0-9-]{1,59}/g, (label) => domainToUnicode(label) || label);
    return read === lower ? lower.replace(/ {2,}/g, ' ') : foldText(read);
  }
  const plain = isSimple(lower) ? lower.replace(/[^ -_a-~]/g, foldSign) : foldSigns(lower);
  return plain.replace(/\s+/g, ' ');
}

function foldSigns(lower: string): string {
  // NFKD makes a space and a mark of an acute accent, and two primes of a double prime.
  const plain = lower.replaceAll('´', "'").replaceAll('″', '"').normalize('NFKD');
  return plain
    .replace(/[\p{M}\p{DI}]/gu, '')
    .toLowerCase()
    .replace(foldable, (sign) => foldedCharacters[sign] ?? '-');
}

/** The signs of simple texts, of which there are some hundreds. */
const foldedSigns = new Map<string, string>();

function foldSign(sign: string): string {
  let folded = foldedSigns.get(sign);
  if (folded === undefined) foldedSigns.set(sign, (folded = foldSigns(sign)));
  return folded;
}

/**
 * Returns the form for uniqueness of names: lower case, single spaces, and one look of dashes and
 * apostrophes. Accents count.
 */
export function nameKey(text: string): string {
  const lower = text.toLowerCase();
  if (foldedAscii.test(lower)) return lower.replace(/ {2,}/g, ' ').trim();
  const same = lower.replace(apostrophesAndDashes, (sign) => foldedCharacters[sign] ?? '-');
  const composed = isSimple(same) ? same : same.replace(ignorable, '').normalize('NFC');
  return composed.replace(/\s+/gu, ' ').trim();
}

/**
 * Whether a text has more than so many bytes in UTF-8. Only a text that may be too long is encoded.
 */
export const exceedsBytes = (text: string, max: number): boolean =>
  text.length * 3 > max && new TextEncoder().encode(text).length > max;
