// Files of rows (RFC 4180), as the spreadsheet programs of all countries write and read them. A
// file is read in one pass, and only as far as it fits: nobody may fill the memory of an isolate
// with line feeds.

/** The most rows below the headers, columns, and characters of a row that a table has. */
export const tableLimits = { rows: 10_000, columns: 100, rowLength: 131_072 };

/** Why a file is no table, and the row that says so. */
export class TableFault extends Error {
  readonly kind: 'binary' | 'empty' | 'long' | 'wide' | 'longRow' | 'quotes';
  readonly row: number;

  constructor(kind: TableFault['kind'], row = 0) {
    super(kind);
    this.kind = kind;
    this.row = row;
  }
}

/**
 * Beginnings of files that are no table: a page under the name of a workbook, RTF, PDF; and a NUL
 * anywhere.
 */
const otherKinds = /^(?:\s*<|\{\\rtf|%PDF)|\0/;

/** Workbooks are ZIP files. */
const isZip = ([first, second, third]: Uint8Array) =>
  first === 0x50 && second === 0x4b && third === 3;

/**
 * Returns the text of a file in UTF-8, UTF-16, or Windows-1252. Throws `binary` for a file of
 * another kind.
 */
export function decodeTable(bytes: Uint8Array): string {
  const text = isZip(bytes) ? undefined : decode(bytes);
  if (text === undefined || otherKinds.test(text)) throw new TableFault('binary');
  return text;
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    const isUtf16 = encodingOf(bytes) !== 'utf-8';
    return isUtf16 ? undefined : new TextDecoder('windows-1252').decode(bytes);
  }
}

/**
 * UTF-16 begins with a mark, or has a NUL in nearly each pair of its first bytes, at the same side.
 * Else UTF-8.
 */
function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const start = bytes.subarray(0, 256);
  const nuls = [0, 1].map((side) => start.filter((byte, at) => byte === 0 && at % 2 === side));
  const [even = 0, odd = 0] = nuls.map(({ length }) => length / start.length);
  if (odd > 0.3 && even < 0.05) return 'utf-16le';
  return even > 0.3 && odd < 0.05 ? 'utf-16be' : 'utf-8';
}

/** The members of a text that reading needs; tests count its steps. */
export type TableText = Pick<string, 'length' | 'charCodeAt' | 'indexOf' | 'slice'>;

/** A row, and its number in the file: a row of several lines is one, a blank one counts. */
export interface TableRow {
  number: number;
  cells: readonly string[];
}

const [lineFeed, carriageReturn, space, quote] = [10, 13, 32, 34];

/** The first line of programs that name the delimiter there. A tab is also written as `\t`. */
const delimiterLine = /^"?sep=(\\t|[^\w"\r\n])"?(?:\r\n|\r|\n)/i;

/** Finds the delimiter of a table, and the length of a line before its rows that names it. */
export function delimiterOf(text: TableText): { delimiter: string; start: number } {
  const [line = '', named] = delimiterLine.exec(text.slice(0, 12)) ?? [];
  const start = line.length;
  return { delimiter: named?.replace('\\t', '\t') ?? findDelimiter(text, start), start };
}

/**
 * Reads rows one after the other. Throws a {@link TableFault} as soon as one is too many or too
 * long.
 */
export function* readRows(
  text: TableText,
  { delimiter, start } = delimiterOf(text),
): Generator<TableRow> {
  const first = start === 0 ? 1 : 2;
  let at = start;
  for (let number = first; at < text.length; number += 1) {
    if (number > tableLimits.rows + first) throw new TableFault('long', number);
    const { cells, end, fault } = readRow(text, at, delimiter);
    if (fault) throw new TableFault(fault, number);
    yield { number, cells };
    at = end;
  }
}

/** The delimiter that gives the first row that is not blank most cells. */
function findDelimiter(text: TableText, from: number): string {
  const limit = Math.min(text.length, from + tableLimits.rowLength);
  let start = from;
  while (start < limit && text.charCodeAt(start) <= space) start += 1;
  const found = [',', ';', '\t'].map((delimiter) => ({
    delimiter,
    count: readRow(text, start, delimiter).cells.length,
  }));
  return found.toSorted((one, other) => other.count - one.count)[0]?.delimiter ?? ',';
}

interface ReadRow {
  cells: string[];
  /** Where the next row begins. */
  end: number;
  fault?: 'wide' | 'longRow' | 'quotes';
}

/** Reads a row, at most as far as it may be long. Looks at each character once. */
function readRow(text: TableText, start: number, delimiter: string): ReadRow {
  const cells: string[] = [];
  const separator = delimiter.charCodeAt(0);
  const limit = start + tableLimits.rowLength;
  const fail = (fault: ReadRow['fault'] & string): ReadRow => ({ cells, end: text.length, fault });
  let at = start;
  for (;;) {
    let quoted: string | undefined;
    if (text.charCodeAt(at) === quote) {
      let close = text.indexOf('"', at + 1);
      while (close !== -1 && close < limit && text.charCodeAt(close + 1) === quote)
        close = text.indexOf('"', close + 2);
      if (close === -1) return fail('quotes');
      if (close > limit) return fail('longRow');
      quoted = text.slice(at + 1, close).replaceAll('""', '"');
      at = close + 1;
    }
    const bare = at;
    let code = text.charCodeAt(at);
    while (at < text.length && at <= limit && !ends(code, separator))
      code = text.charCodeAt((at += 1));
    if (at > limit) return fail('longRow');
    const rest = text.slice(bare, at);
    // Else a quote that has no end would take the rows behind it into its cell.
    if (quoted !== undefined && rest.trim() !== '') return fail('quotes');
    cells.push(quoted ?? rest);
    if (cells.length > tableLimits.columns) return fail('wide');
    at += 1;
    if (at > text.length || code !== separator) {
      const isPair = code === carriageReturn && text.charCodeAt(at) === lineFeed;
      return { cells, end: isPair ? at + 1 : at };
    }
  }
}

/** Whether a character ends a cell. */
const ends = (code: number, separator: number) =>
  code === separator || code === lineFeed || code === carriageReturn;

/**
 * The beginnings of what a program may take for a formula: of a cell, and behind each delimiter and
 * line break in it. There a program of another country begins a cell.
 */
const formula = /(^|[,;|\t\r\n])(?=[ '"]*[=+\-@＝＋－＠])/g;
const guardedFormula = /(^|[,;|\t\r\n])'(?=[ '"]*[=+\-@＝＋－＠])/g;

/** A number behind a quote, which keeps a program from taking its zeros away. */
const guardedNumber = /^'+\d[\d.]*$/;

/** Puts a quote before all that a program may take for a formula. */
const guard = (text: string) =>
  guardedNumber.test(text) ? `'${text}` : text.replace(formula, "$1'");

/**
 * Reads a cell of {@link formatRow}, or one that a person or a program has guarded: by a quote, or
 * as `="00123"`.
 */
export function readCell(cell: string): string {
  const text = cell.trim();
  if (!/['=]/.test(text)) return text;
  if (guardedNumber.test(text)) return text.slice(1);
  const bare = text.replace(guardedFormula, '$1');
  return bare === text ? text.replace(/^="([^"]*)"$/, '$1') : bare;
}

/** A cell of an uploaded table as it is sent back: a code whose zeros were guarded stays so. */
export function guardAgain(cell: string): string {
  const text = readCell(cell);
  return text !== cell && /^\d[\d.]*$/.test(text) ? `'${text}` : guard(text);
}

/** Writes a row, with its line feed. A cell is quoted where any program would separate it. */
export const formatRow = (cells: readonly string[], delimiter = ',', protect = guard) =>
  `${cells
    .map(protect)
    .map((cell) =>
      /[",;|\t\r\n]/.test(cell) || cell.includes(delimiter)
        ? `"${cell.replaceAll('"', '""')}"`
        : cell,
    )
    .join(delimiter)}\n`;
