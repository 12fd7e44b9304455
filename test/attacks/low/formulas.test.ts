import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRow } from '../../../src/catalog/transfers/csv.ts';
import { Browser } from '../../support/browser/browser.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { runsOf } from '../../support/slow.ts';
import { createBrand, productLine } from '../../support/transfers/catalog.ts';
import { importLines, sendImport, workOff } from '../../support/transfers/transfers.ts';
import '../../support/fixtures/first-shard.ts';

// Programs of other countries separate the cells of a table elsewhere, and then take what follows
// for a formula.

/**
 * The cells of a text as a program reads them that knows this delimiter only, with quotes or
 * without.
 */
function cellsOf(text: string, delimiter: string, hasQuotes: boolean): string[] {
  if (!hasQuotes) return text.split(/\r?\n|\r/).flatMap((row) => row.split(delimiter));
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (isQuoted && text.startsWith('""', at)) {
      cell += '"';
      at += 1;
    } else if (char === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted;
    else if (!isQuoted && (char === delimiter || char === '\n' || char === '\r')) {
      cells.push(cell);
      cell = '';
    } else cell += char;
  }
  return [...cells, cell];
}

const formula = /^[\s"]*[=+\-@＝＋－＠]/;

/** The cells that any program takes for a formula. */
const formulasIn = (text: string) =>
  [',', ';', '\t', '|'].flatMap((delimiter) =>
    [true, false].flatMap((hasQuotes) =>
      cellsOf(text.replace(/^\uFEFF/, ''), delimiter, hasQuotes).filter((cell) =>
        formula.test(cell),
      ),
    ),
  );

const hostile = [
  '=1+1',
  'Cup;=HYPERLINK("https://evil.example";A1)',
  'Cup,=HYPERLINK(A1)',
  'Cup\t+1',
  'Cup|-1',
  'Cup; =1',
  'Cup;"=1"',
  'Cup;"; "@SUM(A1)',
  '";=1;"',
  '＝1+1',
  'Cup;＠SUM(A1)',
  'one\n=two',
  "';'=1",
];

describe('a cell with a formula', () => {
  it.each(hostile)('is none in a row of any program: %j', (cell) => {
    for (const delimiter of [',', ';'])
      for (const row of [[cell], ['a', cell], [cell, cell, 'b']])
        expect(formulasIn(formatRow(row, delimiter))).toEqual([]);
  });

  it('is none whatever is around it', () => {
    const piece = fc.constantFrom(...'=+-@＝＋－＠\'",;|\t\n\r aA1'.split(''));
    const cell = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join('').trim());
    const row = fc.array(cell, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(row, fc.constantFrom(',', ';'), (cells, delimiter) => {
        expect(formulasIn(formatRow(cells, delimiter))).toEqual([]);
      }),
      { numRuns: runsOf(100_000, 3_000) },
    );
  });

  it('is none in an exported table, or in the errors of an import', async () => {
    const store = await createTestStore();
    const brand = await createBrand(store);
    const browser = await new Browser().signIn(store.userId);
    const lines = hostile.map((text, at) => ({
      ...productLine(at, brand),
      name: text,
      description: text,
      images: [{ url: `https://a.example/${at}`, alt: text }],
      skus: [
        {
          sku: `${text}${at}`,
          price_sale: 1,
          title: text,
          variations: [{ name: text.slice(0, 30), value: text.slice(0, 50) }],
        },
      ],
    }));
    expect(await importLines(store, lines)).toMatchObject({ created: lines.length });
    const exports = `/account/stores/${store.alias}/product-exports`;
    const { location } = await browser.submit(exports);
    await workOff(store, `/catalog/exports/${location?.split('/').at(-1)}`);
    for (const language of ['en', 'pt-BR']) {
      await browser.get(`${location}?lang=${language}`);
      const { html } = await browser.get(`${location}/csv`);
      expect(html).toContain('Cup');
      expect(formulasIn(html)).toEqual([]);
    }
    const wrong = hostile.map((text) => ({ ...productLine(1, brand), slug: text, active: text }));
    const { body } = await sendImport(store, wrong);
    await workOff(store, `/catalog/imports/${body.data.id}`);
    const errors = `/account/stores/${store.alias}/imports/${body.data.id}/errors`;
    const { html } = await browser.get(errors);
    expect(html).toContain('Cup');
    expect(formulasIn(html)).toEqual([]);
  });
});
