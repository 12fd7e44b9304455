import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeTable,
  formatRow,
  readCell,
  readRows,
  TableFault,
} from '../../../src/catalog/transfers/csv.ts';
import { runsOf } from '../../support/slow.ts';

const encode = (text: string) => new TextEncoder().encode(text);

/** A text in UTF-16, with the byte order mark unless `isBare`. */
function utf16(text: string, order: 'little' | 'big', isBare = false): Uint8Array {
  const marked = isBare ? text : `\uFEFF${text}`;
  const units = Array.from({ length: marked.length }, (_, at) => marked.charCodeAt(at));
  const bytes = new DataView(new ArrayBuffer(units.length * 2));
  for (const [at, unit] of units.entries()) bytes.setUint16(at * 2, unit, order === 'little');
  return new Uint8Array(bytes.buffer);
}

const rowsOf = (text: string) => [...readRows(text)];
const cellsOf = (text: string) => rowsOf(text).map(({ cells }) => cells);

/** The fault of a file, with the row that it names. */
function faultOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof TableFault) return `${error.kind} ${error.row}`;
    throw error;
  }
  return 'none';
}

describe('decodeTable', () => {
  const text = 'name;preço\r\nCafé 😀;1\r\n';

  it.each([
    ['UTF-8', encode(text)],
    ['UTF-8 with its mark', encode(`\uFEFF${text}`)],
    ['UTF-16, as Excel writes "Unicode text"', utf16(text, 'little')],
    ['UTF-16 with the high byte first', utf16(text, 'big')],
    ['UTF-16 without a mark', utf16(text, 'little', true)],
    ['UTF-16 without a mark, with the high byte first', utf16(text, 'big', true)],
  ])('reads %s', (_name, bytes) => {
    expect(decodeTable(bytes)).toBe(text);
  });

  it('reads Windows-1252, as spreadsheets write it', () => {
    const bytes = new Uint8Array([...encode('name\nCaf'), 0xe9, 0x20, 0x80]);
    expect(decodeTable(bytes)).toBe('name\nCafé €');
  });

  it.each<[string, number[]]>([
    ['a workbook or a document (ZIP)', [0x50, 0x4b, 3, 4, 20, 0, 6, 0, 8, 0]],
    ['an old workbook', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]],
    ['a PDF', [...encode('%PDF-1.7\n%\n1 0 obj\n')]],
    ['a page under the name of a workbook', [...encode('\n<table><tr><td>name</td></tr></table>')]],
    ['XML', [...encode('<?xml version="1.0"?><Workbook/>')]],
    ['RTF', [...encode('{\\rtf1 name}')]],
    ['UTF-32', [0xff, 0xfe, 0, 0, 0x6e, 0, 0, 0, 0x61, 0, 0, 0]],
    ['UTF-32 with the high byte first', [0, 0, 0xfe, 0xff, 0, 0, 0, 0x6e, 0, 0, 0, 0x61]],
    ['UTF-32 without a mark', [0x6e, 0, 0, 0, 0x61, 0, 0, 0, 0x6d, 0, 0, 0]],
    ['half of a character in UTF-16', [0xff, 0xfe, 0x3d, 0xd8]],
    ['an odd byte in UTF-16', [0xff, 0xfe, 0x61, 0, 0x62]],
    ['a NUL', [...encode('name\na\0b\n')]],
  ])('refuses %s', (_name, bytes) => {
    expect(faultOf(() => decodeTable(new Uint8Array(bytes)))).toBe('binary 0');
  });
});

describe('readRows', () => {
  it.each([
    ['commas', 'name,sku\nA,1\n'],
    ['semicolons', 'name;sku\nA;1\n'],
    ['tabs', 'name\tsku\nA\t1'],
    ['CR LF', 'name,sku\r\nA,1\r\n'],
    ['CR', 'name,sku\rA,1\r'],
    ['quotes', '"name";"sku"\n"A";"1" \n'],
  ])('reads %s', (_name, text) => {
    expect(cellsOf(text)).toEqual([
      ['name', 'sku'],
      ['A', '1'],
    ]);
  });

  it.each([
    ['sep=;', ';'],
    ['"sep=;"', ';'],
    ['SEP=,', ','],
    ['sep=\t', '\t'],
    ['sep=\\t', '\t'],
    ['sep=|', '|'],
    ['sep=^', '^'],
  ])('takes the delimiter from a first line %s, which counts as a row', (line, delimiter) => {
    for (const end of ['\n', '\r\n', '\r']) {
      // Other delimiters are in the header more often.
      const others = [',', ';', '|']
        .filter((other) => other !== delimiter)
        .join('')
        .repeat(3);
      const text = [line, `a${others}${delimiter}"b,;"`, '', 'c'].join(end);
      expect(rowsOf(text)).toEqual([
        { number: 2, cells: [`a${others}`, 'b,;'] },
        { number: 3, cells: [''] },
        { number: 4, cells: ['c'] },
      ]);
    }
  });

  it('takes a header for one that only begins so', () => {
    expect(cellsOf('sep=;name\nA;B\n')).toEqual([
      ['sep=', 'name'],
      ['A', 'B'],
    ]);
  });

  it('numbers rows of several lines and blank ones as spreadsheets do', () => {
    expect(rowsOf('\n"na\nme"\n"one\r\ntwo"\n\nthree').map(({ number }) => number)).toEqual([
      1, 2, 3, 4, 5,
    ]);
  });

  it('ignores delimiters in quotes when it looks for that of the file', () => {
    expect(cellsOf('"a,b,c";d\n1;2\n')[0]).toEqual(['a,b,c', 'd']);
  });

  it.each([
    ['a quote without an end', 'name\n"A\nB\n', 'quotes 2'],
    ['a text behind a quote', 'name\n"5" pipe,1\n', 'quotes 2'],
    ['a quote that ends in the next row but one', 'name\n"A,1\nB\n"C",2\n', 'quotes 2'],
    ['too many rows', `name\n${'A\n'.repeat(10_001)}`, 'long 10002'],
    ['too many rows behind a delimiter', `sep=;\nname\n${'A\n'.repeat(10_001)}`, 'long 10003'],
    ['too many blank rows', '\n'.repeat(10_002), 'long 10002'],
    ['too many columns', `name\n${','.repeat(100)}`, 'wide 2'],
    ['a long cell', `name\n${'x'.repeat(131_073)}`, 'longRow 2'],
    ['a long cell in quotes', `name\n"${'x'.repeat(131_073)}"`, 'longRow 2'],
    ['a long cell of quotes', `name\n"${'""'.repeat(70_000)}"`, 'longRow 2'],
  ])('refuses %s with its row', (_name, text, fault) => {
    expect(faultOf(() => rowsOf(text))).toBe(fault);
  });

  it('reads a row of the greatest length', () => {
    expect(cellsOf(`name\n${'x'.repeat(131_072)}\n`)[1]?.[0]).toHaveLength(131_072);
  });
});

describe('readCell', () => {
  it.each([
    [' A ', 'A'],
    ['="00123"', '00123'],
    ["'00123", '00123'],
    ["''00123", "'00123"],
    ["'=1+1", '=1+1'],
    ["'90s shirt", "'90s shirt"],
    ['="1"&"2"', '="1"&"2"'],
  ])('reads %j as %j', (cell, value) => {
    expect(readCell(cell)).toBe(value);
  });

  it('reads back each cell that formatRow writes, whatever is in it', () => {
    const piece = fc.constantFrom(...'=+-@＝＋－＠\'",;|\t\n ab0.'.split(''));
    const cell = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('').trim());
    const delimiter = fc.constantFrom(',', ';');
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 4 }), delimiter, (cells, by) => {
        const text = `sep=${by}\n${formatRow(cells, by)}`;
        expect(cellsOf(text)[0]?.map(readCell)).toEqual(cells);
      }),
      { numRuns: runsOf(100_000, 3_000) },
    );
  });
});
