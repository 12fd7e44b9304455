import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isOpen,
  readNumber,
  SpellingReader,
  type DecimalMark,
} from '../../../src/catalog/transfers/table-numbers.ts';
import { runsOf } from '../../support/slow.ts';

function spellingOf(cells: readonly string[]) {
  const reader = new SpellingReader();
  for (const cell of cells) reader.add(cell);
  return reader.spelling;
}

/** The cells of a column as they are read, with this answer where they are asked. */
function readColumn(cells: readonly string[], answer?: DecimalMark) {
  const spelling = spellingOf(cells);
  const mark = isOpen(spelling) ? answer : spelling.mark;
  return cells.map((cell) => readNumber(cell, mark));
}

const refused = undefined;

describe('the numbers of a column', () => {
  it.each<[string[], (number | undefined)[]]>([
    // A cell shows the mark of the others.
    [
      ['1.500', 'R$ 1.500', '49,90'],
      [1500, 1500, 49.9],
    ],
    [
      ['1.000', '1.234.567'],
      [1000, 1_234_567],
    ],
    [
      ['12.500', '0.125'],
      [12.5, 0.125],
    ],
    [
      ['12,500', '0,125'],
      [12.5, 0.125],
    ],
    [
      ['12,50', '0,125', '1.234,5'],
      [12.5, 0.125, 1234.5],
    ],
    [
      ['1,500', '1,234.5'],
      [1500, 1234.5],
    ],
    [
      ['1,500', '12.00'],
      [1500, 12],
    ],
    [
      ['1.000,00', '10,0', '1.500'],
      [1000, 10, 1500],
    ],
    [
      ['1,23,456', '1,500'],
      [123_456, 1500],
    ],
    [
      ['$1,500.00 ', 'US$ 2,000'],
      [1500, 2000],
    ],
    // A column of both has no doubtful cell.
    [
      ['12.50', '12,50', '1.234.567', '7'],
      [12.5, 12.5, 1_234_567, 7],
    ],
    // Blanks and apostrophes only separate thousands.
    ...[' ', '\u00a0', '\u202f', '\u2009', '\u2007', "'", '’'].map(
      (separator): [string[], number[]] => [
        [`1${separator}234,50`, `12${separator}345${separator}678`, '1.500'],
        [1234.5, 12_345_678, 1500],
      ],
    ),
  ])('%j are %j', (cells, values) => {
    expect(isOpen(spellingOf(cells))).toBe(false);
    expect(readColumn(cells)).toEqual(values);
  });

  it.each<[string[], string[], number[], number[]]>([
    [['1.500', '7'], ['1.500'], [1.5, 7], [1500, 7]],
    [['R$ 1.500', '2.500'], ['R$ 1.500'], [1.5, 2.5], [1500, 2500]],
    [['1,000', '500'], ['1,000'], [1000, 500], [1, 500]],
    // Two countries in one column: cells that only one mark allows keep it.
    [['1.500', '12.50', '12,50'], ['1.500'], [1.5, 12.5, 12.5], [1500, 12.5, 12.5]],
    [
      ['1.500', '2,500'],
      ['1.500', '2,500'],
      [1.5, 2500],
      [1500, 2.5],
    ],
    // A fault shows no mark.
    [['1.500', '1.50.00', '-3,5', '12,5%'], ['1.500'], [1.5], [1500]],
  ])('%j are asked, with %j as examples', (cells, doubtful, point, comma) => {
    const spelling = spellingOf(cells);
    expect(isOpen(spelling)).toBe(true);
    expect(spelling.doubtful).toEqual(doubtful);
    expect(readColumn(cells, '.').filter((value) => value !== refused)).toEqual(point);
    expect(readColumn(cells, ',').filter((value) => value !== refused)).toEqual(comma);
    // Nothing is taken without an answer.
    expect(readNumber(doubtful[0]!, undefined)).toBe(refused);
  });

  it.each([
    ['0', 0],
    ['+5', 5],
    ['007', 7],
    ['5,', 5],
    [',5', 0.5],
    ['12.50', 12.5],
    ['BRL 12,50', 12.5],
    ['12,50 BRL', 12.5],
    ['R$12,50', 12.5],
    ['MX$12.50', 12.5],
    ['COL$ 12,50', 12.5],
    ['ARS 12,50', 12.5],
    ['$U 12,50', 12.5],
    ['S/ 12.50', 12.5],
    ['Bs. 12,50', 12.5],
    ['12,50 €', 12.5],
    ['€\u00a012,50', 12.5],
    ['\u200f12,50\u00a0\u20aa', 12.5],
    ['１２．５０', 12.5],
    ['￥１,２３４', 1234],
    ['$\u00a01.234,5\u00a0MXN', 1234.5],
  ])('%j is %d', (cell, value) => {
    expect(readNumber(cell, cell.includes(',') && !cell.includes('￥') ? ',' : '.')).toBe(value);
  });

  it.each(
    (
      '1e3 1E+03 1,5E+3 7,89E+12 1.5e-3 0x10 0b1 Infinity -Infinity NaN ∞ #N/A #VALUE! #¡VALOR! ##### ' +
      '-3 −3 –3 3- R$-3 -R$3 (5) ($5.00) 5CR 12% 12,5% 1.50.00 1,50,00 1.50.000 1,23,45 12,34.567,8 1..5 1,,5 1.2345,6 ' +
      '1_000 1½ 5² ١٢ 05/03/2031 2031-03-05 05.03.2031 5-mar 12:30 1/2 . , + R$ KGX5 ABC12 5kg 1;5 1|5 true sim'
    ).split(' '),
  )('%j is no number', (cell) => {
    expect(readNumber(cell, '.')).toBe(refused);
    expect(readNumber(cell, ',')).toBe(refused);
  });

  it.each(['R$ -   ', '1 50', '1 1500', '1. 500', "1'50", '1 1/2', '1 e3', `1${'0'.repeat(60)}`])(
    '%j is no number either',
    (cell) => {
      expect([readNumber(cell, '.'), readNumber(cell, ',')]).toEqual([refused, refused]);
    },
  );
});

/** How the programs of a country write numbers. */
interface Country {
  mark: DecimalMark;
  group: string;
  /** The least digits before the marks for a separator of thousands to be there. */
  groupedFrom: number;
  currency: (amount: string) => string;
  accounting: (amount: string) => string;
}

const brazil: Country = {
  mark: ',',
  group: '.',
  groupedFrom: 4,
  currency: (amount) => `R$ ${amount}`,
  accounting: (amount) => ` R$ ${amount} `,
};
const states: Country = {
  mark: '.',
  group: ',',
  groupedFrom: 4,
  currency: (amount) => `$${amount}`,
  accounting: (amount) => ` $${amount} `,
};
const spain: Country = {
  ...brazil,
  currency: (amount) => `${amount}\u00a0€`,
  accounting: (amount) => ` ${amount} € `,
};

const countries: readonly Country[] = [
  brazil,
  states,
  spain,
  // Of the Unicode data, which Google Sheets uses: Spanish writes 1500 and 10.000.
  { ...spain, groupedFrom: 5 },
  // Mexico, and Argentina with Colombia.
  {
    ...states,
    currency: (amount) => `MX$${amount}`,
    accounting: (amount) => `-$${amount}`.slice(1),
  },
  { ...brazil, currency: (amount) => `$\u00a0${amount}`, accounting: (amount) => ` $ ${amount} ` },
  // Settings of a system with a blank, a narrow one, or an apostrophe.
  { ...brazil, group: '\u00a0' },
  { ...spain, group: '\u202f' },
  { ...states, group: '’' },
];

/** A number with so many decimals; thousands are separated if the format says so. */
function digits(value: number, places: number, country: Country, isGrouped: boolean): string {
  const [whole = '', decimals] = Math.abs(value).toFixed(places).split('.');
  const separated =
    isGrouped && whole.length >= country.groupedFrom
      ? whole.replace(/\B(?=(\d{3})+$)/g, country.group)
      : whole;
  return decimals === undefined ? separated : `${separated}${country.mark}${decimals}`;
}

/** A cell, and the value that is written in it; `undefined` for one that must be refused. */
type Printed = readonly [cell: string, value: number | undefined];
type Format = (value: number, country: Country) => Printed;

const fixed =
  (places: number, isGrouped: boolean): Format =>
  (value, country) => [
    (value < 0 ? '-' : '') + digits(value, places, country, isGrouped),
    value < 0 ? refused : Number(value.toFixed(places)),
  ];

const formats: Readonly<Record<string, Format>> = {
  general: (value, { mark }) =>
    Math.abs(value) >= 1e11
      ? [value.toExponential(5).replace('.', mark).replace('e', 'E'), refused]
      : [String(value).replace('.', mark), value < 0 ? refused : value],
  'two decimals': fixed(2, false),
  'three decimals': fixed(3, false),
  thousands: fixed(0, true),
  'thousands and two decimals': fixed(2, true),
  'thousands and three decimals': fixed(3, true),
  // 0.## of Excel, which leaves the mark.
  'optional decimals': (value, { mark }) => {
    const text = String(Math.abs(value)).replace('.', mark);
    return [text.includes(mark) ? text : text + mark, Math.abs(value)];
  },
  currency: (value, country) => {
    const amount = country.currency(digits(value, 2, country, true));
    return value < 0 ? [`-${amount}`, refused] : [amount, Number(value.toFixed(2))];
  },
  'currency without decimals': (value, country) => {
    const amount = country.currency(digits(value, 0, country, true));
    return value < 0 ? [`-${amount}`, refused] : [amount, Number(value.toFixed(0))];
  },
  accounting: (value, country) => {
    if (value === 0) return [country.accounting('-  '), refused];
    const amount = digits(value, 2, country, true);
    return value < 0
      ? [country.accounting(`(${amount})`), refused]
      : [country.accounting(amount), Number(value.toFixed(2))];
  },
  percent: (value, country) => [`${digits(value * 100, 0, country, true)}%`, refused],
  'percent with decimals': (value, country) => [
    `${digits(value * 100, 2, country, false)}%`,
    refused,
  ],
  scientific: (value, { mark }) => [
    value
      .toExponential(2)
      .replace('.', mark)
      .replace(/e([+-])(\d)$/, 'E$10$2'),
    refused,
  ],
};

/** The same of the data of the Unicode consortium. */
const intl = [
  'en',
  'en-IN',
  'pt-BR',
  'pt-PT',
  'es',
  'es-MX',
  'es-AR',
  'es-CO',
  'es-CL',
  'es-UY',
  'es-PE',
  'de-CH',
].flatMap((language) =>
  (
    [
      {},
      { minimumFractionDigits: 2, maximumFractionDigits: 2 },
      { maximumFractionDigits: 4 },
      { style: 'currency', currency: 'BRL' },
      { style: 'currency', currency: 'MXN', currencyDisplay: 'code' },
      { style: 'currency', currency: 'ARS', currencySign: 'accounting' },
      { style: 'percent' },
      { notation: 'scientific' },
    ] as const satisfies readonly Intl.NumberFormatOptions[]
  ).map((options) => {
    const printer = new Intl.NumberFormat(language, options);
    const parts = printer.formatToParts(0.5);
    const mark = parts.find(({ type }) => type === 'decimal')?.value === '.' ? '.' : ',';
    const { maximumFractionDigits: places = 0, style } = printer.resolvedOptions();
    const isPlain = style !== 'percent' && !('notation' in options);
    // The same rounding, without marks of a country.
    const plain = new Intl.NumberFormat('en', {
      useGrouping: false,
      maximumFractionDigits: places,
    });
    const print = (value: number): Printed => [
      printer.format(value),
      isPlain && value >= 0 ? Number(plain.format(value)) : refused,
    ];
    return { name: `${language} ${JSON.stringify(options)}`, mark, print } as const;
  }),
);

const printers = [
  ...countries.flatMap((country, at) =>
    Object.entries(formats).map(([name, format]) => ({
      name: `${at} ${name}`,
      mark: country.mark,
      print: (value: number) => format(value, country),
    })),
  ),
  ...intl,
];

/** Values with up to four decimals, as prices, stocks and weights are. */
const values = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 0, max: 9_999_999 }) },
      { weight: 3, arbitrary: fc.integer({ min: 0, max: 3_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: -5_000, max: 2_000_000_000_000 }) },
    ),
    fc.constantFrom(1, 1, 10, 100, 1000, 10_000),
  )
  .map(([whole, parts]) => whole / parts);

describe('a column that a spreadsheet printed', () => {
  it('comes back as its values, or is refused or asked, but never is another value', () => {
    let cells = 0;
    let asked = 0;
    const columns = fc.record({
      printer: fc.constantFrom(...printers),
      column: fc.oneof(
        fc.array(values, { minLength: 1, maxLength: 3 }),
        fc.array(values, { minLength: 4, maxLength: 60, size: 'max' }),
      ),
    });
    fc.assert(
      fc.property(columns, ({ printer, column }) => {
        const printed = column.map(printer.print);
        const spelling = spellingOf(printed.map(([cell]) => cell));
        cells += printed.length;
        if (isOpen(spelling)) asked += 1;
        else expect(spelling.mark ?? printer.mark, printer.name).toBe(printer.mark);
        for (const [cell, value] of printed) {
          expect(readNumber(cell, printer.mark), `${cell} by ${printer.name}`).toBe(value);
        }
      }),
      { numRuns: runsOf(20_000, 1_000) },
    );
    expect(cells).toBeGreaterThan(10_000);
    // Short columns with separators of thousands and without decimals.
    expect(asked).toBeGreaterThan(10);
  });
});
