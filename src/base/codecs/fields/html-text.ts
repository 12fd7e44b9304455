/** Tags that end a line where a browser shows them, at both ends of their element. */
const blocks =
  'address|article|aside|blockquote|body|caption|center|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6r]|head|header|hgroup|html|legend|li|main|menu|nav|ol|optgroup|option|p|pre|search|section|select|summary|table|tbody|tfoot|thead|title|tr|ul';

// Marks for removed tags, until none is left. The text has no other control characters.
const blockMark = '\0';
const breakMark = '\u0001';
const cellMark = '\u0002';

/**
 * The text that each mark becomes, with the white space and the lesser marks around it. Each `br`
 * ends a line; blocks in a row end one. The lookbehind keeps a search linear: a run of white space
 * is looked at from its first character only.
 */
/* oxlint-disable no-control-regex -- the marks above */
const partEnds = [
  [breakMark, /(?<![\s\0\u0002])[\s\0\u0002]+(?=\u0001)|(?<=\u0001)[\s\0\u0002]+/g, ''],
  [blockMark, /(?<![\s\u0002])[\s\u0002]*\0[\s\0\u0002]*/g, '\n'],
  [cellMark, /(?<!\s)\s*\u0002[\s\u0002]*/g, ' '],
  [breakMark, /\u0001/g, '\n'],
] as const;
/* oxlint-enable no-control-regex */

/** The beginning of a tag. */
const tagStart = /<(?=[A-Za-z/!?])/g;
const tagStarter = /[A-Za-z/!?]/y;

/** The names of tags that leave a mark. */
const markingTag = new RegExp(`/?(?:br|t[dh]|${blocks})(?![a-z0-9])`, 'iy');

/**
 * Where a pattern ends in a text, searched from a place on, or 0. A match as an object would be
 * dear: a text may have 100,000.
 */
function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : 0;
}

/**
 * Removes tags: `<` followed by a letter, `/`, `!` or `?`, up to the next `>`. Also removes tags
 * that appear when others are removed. A tag of a block ends the line, once for all that follow
 * each other, and `br` each time; a cell ends with a space. Jumps from tag to tag in one pass,
 * because repeating a regular expression takes quadratic time on hostile input.
 */
export function stripTags(text: string): string {
  if (!text.includes('<') || !text.includes('>')) return text;
  let kept = '';
  // How many `<` stand between `kept` and the text from `from` on. Each may begin a tag when the
  // one behind it is removed.
  let waiting = 0;
  let from = 0;
  for (;;) {
    const completed = waiting > 0 && endOf(tagStarter, text, from) > 0;
    const starts = completed ? from - 1 : endOf(tagStart, text, from) - 1;
    const closes = completed || starts >= 0 ? text.indexOf('>', starts + 1) : -1;
    if (closes < 0) return endLines(kept + '<'.repeat(waiting) + text.slice(from));
    let end = starts;
    while (end > from && text.charAt(end - 1) === '<') end -= 1;
    if (end > from) {
      kept += '<'.repeat(waiting) + text.slice(from, end);
      waiting = 0;
    }
    waiting += completed ? -1 : starts - end;
    const mark = markOf(text, starts + 1);
    if (mark !== '') {
      kept += '<'.repeat(waiting) + mark;
      waiting = 0;
    }
    from = closes + 1;
  }
}

/**
 * The mark of a removed tag. Tags of words, such as `b`, leave none, so the text around them is
 * joined.
 */
function markOf(text: string, at: number): string {
  const end = endOf(markingTag, text, at);
  if (end === 0) return '';
  // No block ends with the letters of these.
  const letters = text.slice(end - 2, end).toLowerCase();
  if (letters === 'br') return breakMark;
  return letters === 'td' || letters === 'th' ? cellMark : blockMark;
}

/** Replaces the marks. By patterns alone, since a function would be called for each of 100,000. */
const endLines = (text: string): string =>
  partEnds.reduce(
    (ended, [mark, around, end]) => (ended.includes(mark) ? ended.replace(around, end) : ended),
    text,
  );

/**
 * The names of references that editors write, without those of `<` and `>`: no reference may begin
 * or end a tag.
 */
const namedCharacters: Readonly<Record<string, string>> = {
  AElig: 'Æ',
  Oslash: 'Ø',
  aelig: 'æ',
  amp: '&',
  apos: "'",
  bull: '•',
  copy: '©',
  deg: '°',
  euro: '€',
  hellip: '…',
  iexcl: '¡',
  iquest: '¿',
  laquo: '«',
  ldquo: '“',
  lsquo: '‘',
  mdash: '—',
  middot: '·',
  nbsp: ' ',
  ndash: '–',
  ordf: 'ª',
  ordm: 'º',
  oslash: 'ø',
  quot: '"',
  raquo: '»',
  rdquo: '”',
  reg: '®',
  rsquo: '’',
  sup2: '²',
  sup3: '³',
  szlig: 'ß',
  times: '×',
  trade: '™',
};

/** The names of accents, which follow a letter: `&eacute;`. */
const accents: Readonly<Record<string, string>> = {
  acute: '\u0301',
  caron: '\u030c',
  cedil: '\u0327',
  circ: '\u0302',
  grave: '\u0300',
  ring: '\u030a',
  tilde: '\u0303',
  uml: '\u0308',
};

const reference =
  /&(?:#(?:x([\da-f]{1,6})|(\d{1,7}))|([a-z])(acute|caron|cedil|circ|grave|ring|tilde|uml)|([a-z]{2,6}\d?));/gi;

/**
 * Reads the references of HTML: all that are numbers, and the usual names. Others stay as they are.
 */
export const readReferences = (text: string): string =>
  text.replace(
    reference,
    (sent, hex?: string, decimal?: string, letter?: string, accent = '', name = '') => {
      if (letter !== undefined) return letter + (accents[accent.toLowerCase()] ?? '');
      if (name !== '')
        return Object.hasOwn(namedCharacters, name) ? (namedCharacters[name] ?? sent) : sent;
      const number = Number(hex === undefined ? decimal : `0x${hex}`);
      const isCharacter = number <= 0x10ffff && (number < 0xd800 || number > 0xdfff);
      return isCharacter && number !== 0x3c && number !== 0x3e
        ? String.fromCodePoint(number)
        : sent;
    },
  );
