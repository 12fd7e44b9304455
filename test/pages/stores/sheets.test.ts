import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { languages } from '../../../src/base/languages.ts';
import { formatRow, readRows } from '../../../src/catalog/transfers/csv.ts';
import { columns, guessColumns, type Column } from '../../../src/catalog/transfers/table-lines.ts';
import { messagesFor } from '../../../src/web/texts/messages.ts';
import { Browser } from '../../support/browser/browser.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { createBrand, productLine, upTo } from '../../support/transfers/catalog.ts';
import { exportLines, importLines, workOff } from '../../support/transfers/transfers.ts';
import { recordedEvents, subscribeEndpoint } from '../../support/webhooks/recorded-events.ts';
import { proposedIn } from './support.ts';
import '../../support/fixtures/first-shard.ts';

/** A store whose owner takes sheets out of it and into it, as a person does with a browser. */
async function shop() {
  const store = await createTestStore();
  const browser = await new Browser().signIn(store.userId);
  const account = `/account/stores/${store.alias}`;
  const idOf = (path: string | null) => path?.split('/').at(-1);

  /** The table of an export, in rows of cells. */
  const exported = async (language = 'en') => {
    const { location } = await browser.submit(`${account}/product-exports`);
    await workOff(store, `/catalog/exports/${idOf(location)}`);
    await browser.get(`${location}?lang=${language}`);
    const { html } = await browser.get(`${location}/csv`);
    return [...readRows(html.replace('\uFEFF', ''))].map(({ cells }) => [...cells]);
  };

  /** Uploads a table, and returns the page that asks for its columns. */
  const upload = async (text: string) => {
    const file = new File([text], 'sheet.csv');
    const { location } = await browser.upload(`${account}/imports`, file);
    const asked = await browser.get(location ?? '');
    const values = { ...proposedIn(asked.html), active: 'yes', brand: 'Sol' };
    return { path: location ?? '', asked, values };
  };

  /** Uploads a table, answers as told, and works the import off. */
  const imported = async (text: string, answers: Record<string, string> = {}) => {
    const { path, asked, values } = await upload(text);
    const started = await browser.submit(path, { ...values, ...answers });
    expect(started.status).toBe(303);
    const result = started.location ?? '';
    const ended = await workOff(store, `/catalog/imports/${idOf(result)}`);
    return { asked, ended, result, shown: await browser.get(result) };
  };

  /** The stock of each SKU. */
  const stocks = async () => {
    const { lines } = await exportLines(store);
    const skus = lines.flatMap((line) => line['skus'] as { sku: string; quantity: number }[]);
    return Object.fromEntries(skus.map(({ sku, quantity }) => [sku, quantity]));
  };

  /** Changes a stock as sales and deliveries do meanwhile. */
  const move = (sku: string, delta: number) =>
    store.api('PUT /catalog/stocks', { items: [{ sku, delta }] });

  return { store, browser, account, exported, upload, imported, stocks, move };
}

const toText = (rows: readonly (readonly string[])[]) => rows.map((row) => formatRow(row)).join('');

/**
 * A store with products of two SKUs, of which the first of each has as many units as its number.
 */
async function shopWithProducts(count: number) {
  const owner = await shop();
  const brand = await createBrand(owner.store);
  const lines = upTo(count).map((n) => productLine(n, brand));
  expect(await importLines(owner.store, lines)).toMatchObject({ created: count });
  return owner;
}

const { names } = messagesFor('en').transfers.imports.columns;

/** What a person writes into the cell of each column, and what the line of the product then has. */
const changes: Record<Exclude<Column, 'variation'>, { cell: string; shows?: object }> = {
  // Names of the product and the variant: another one means another record.
  id: { cell: '' },
  sku_id: { cell: '' },
  // Says what the stock was: it is no value of the product.
  quantity_before: { cell: '0' },
  slug: { cell: 'other', shows: { slug: 'other' } },
  name: { cell: 'Other', shows: { name: 'Other' } },
  brand: { cell: 'Lua', shows: { brand_id: expect.any(Number) } },
  description: { cell: 'Long', shows: { description: 'Long' } },
  active: { cell: 'no', shows: { active: false } },
  simple: { cell: 'no', shows: { simple: false } },
  images: {
    cell: 'https://a.example/1',
    shows: { images: [{ url: 'https://a.example/1', alt: null }] },
  },
  erp_id: { cell: 'E-1', shows: { erp_id: 'E-1' } },
  ncm: { cell: '0101', shows: { ncm: '0101' } },
  sku: { cell: 'OTHER', shows: { skus: [{ sku: 'OTHER' }] } },
  price_sale: { cell: '7.5', shows: { skus: [{ price_sale: 7.5 }] } },
  price_discount: { cell: '3', shows: { skus: [{ price_discount: 3 }] } },
  price_cost: { cell: '2', shows: { skus: [{ price_cost: 2 }] } },
  quantity: { cell: '9', shows: { skus: [{ quantity: 9 }] } },
  title: { cell: 'T', shows: { skus: [{ title: 'T' }] } },
  barcode: { cell: '789', shows: { skus: [{ barcode: '789' }] } },
  weight: { cell: '1.5', shows: { skus: [{ weight: 1.5 }] } },
  height: { cell: '2', shows: { skus: [{ height: 2 }] } },
  width: { cell: '3', shows: { skus: [{ width: 3 }] } },
  length: { cell: '4', shows: { skus: [{ length: 4 }] } },
  variations: {
    cell: 'Size: L',
    shows: { skus: [{ variations: [{ name: 'Size', value: 'L' }] }] },
  },
};

describe('a table that was exported, changed and imported', () => {
  it('changes the column of each row that was changed and nothing else, or says that it does not', async () => {
    const { store, exported, imported } = await shop();
    const brand = await createBrand(store);
    const edits = Object.entries(changes).map(([column, change], index) => ({
      column,
      ...change,
      index,
    }));
    const skusOf = (index: number) => [{ sku: `A-${index}`, price_sale: 5, quantity: 4 }];
    await importLines(
      store,
      edits.map(({ index }) =>
        productLine(index + 1, brand, { simple: true, skus: skusOf(index) }),
      ),
    );
    const before = (await exportLines(store)).lines as { skus: object[] }[];
    const [header = [], ...rows] = await exported();
    for (const { column, cell, index } of edits) {
      rows[index]![header.indexOf(names[column as Column])] = cell;
    }
    // A change of the stock is asked about, and no other one.
    for (const isStock of [false, true]) {
      const sent = edits.filter(({ column }) => (column === 'quantity') === isStock);
      const text = toText([header, ...sent.map(({ index }) => rows[index]!)]);
      const { asked, shown } = await imported(text, isStock ? { stock: 'changes' } : {});
      // Every column of an export is read.
      expect(asked.text).not.toContain('Not read');
      expect(asked.html.includes('name="stock"')).toBe(isStock);
      const changed = sent.filter(({ shows }) => shows).length;
      expect(shown.text).toContain(`Changed products ${changed}`);
    }
    const expected = edits.map(({ shows = {}, index }) => {
      const line = before[index]!;
      const { skus: [sku] = [{}], ...product } = shows as { skus?: object[] };
      return { ...line, ...product, skus: [{ ...line.skus[0], ...sku }] };
    });
    expect((await exportLines(store)).lines).toEqual(expected);
  });

  it('has each field that a column can hold, but variations one by one', async () => {
    const { exported } = await shop();
    const [header = []] = await exported();
    const written = columns.filter((column) => column !== 'variation');
    expect(guessColumns(header, [names])).toEqual(written);
    expect(Object.keys(changes).toSorted()).toEqual(written.toSorted());
  });

  it('sets stock by choice: keeps it and counts the rows, adds what was changed, or sets it', async () => {
    const owner = await shopWithProducts(4);
    const { exported, upload, imported, stocks, move } = owner;
    const rows = await exported();
    const at = rows[0]!.indexOf(names.quantity);
    const rowOf = (sku: string) => rows.find((row) => row.includes(sku))!;
    rowOf('S-3-A')[at] = '10';
    rowOf('S-4-A')[at] = '1';
    // Meanwhile two units of one are sold, and one of a row that nobody touches.
    await move('S-3-A', -2);
    await move('S-2-A', -1);
    const { path, asked, values } = await upload(toText(rows));
    expect(asked.text).toContain('Rows with another stock than now: 2. What should become of it?');
    expect(asked.text).toContain('The file has 11 units there, the store 5.');
    expect(asked.text).toContain(
      'Rows whose stock has changed since the export: 2. Total change in units: -3.',
    );
    const refused = await owner.browser.submit(path, values);
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('Say what becomes of the stock.'),
    ]);
    const kept = await imported(toText(rows), { stock: 'keep' });
    expect(kept.ended).toMatchObject({ unchanged: 4, stocks_left: 2, stocks_set: 0 });
    expect(kept.shown.text).toContain('Rows with another stock than now: 2. The stock was not');
    await subscribeEndpoint(owner.store, ['product.inventory.updated', 'product.updated']);
    const moved = await imported(toText(rows), { stock: 'changes' });
    expect(moved.ended).toMatchObject({ updated: 2, unchanged: 2, stocks_set: 2, stocks_left: 0 });
    expect(moved.shown.text).toContain('Stocks set 2');
    expect(await stocks()).toMatchObject({ 'S-1-A': 1, 'S-2-A': 1, 'S-3-A': 8, 'S-4-A': 1 });
    expect(await recordedEvents(owner.store)).toMatchObject([
      { event: 'product.inventory.updated', resource: { quantity: 8 } },
      { event: 'product.inventory.updated', resource: { quantity: 1 } },
    ]);
    await imported(toText(rows), { stock: 'exact' });
    expect(await stocks()).toMatchObject({ 'S-1-A': 1, 'S-2-A': 1, 'S-3-A': 10, 'S-4-A': 1 });
  });

  it('takes the stock of a table without the column of the export, and says what the store has', async () => {
    const { imported, upload, stocks } = await shopWithProducts(2);
    const text = 'sku;estoque\nS-1-A;7\nS-1-B;0\nS-2-A;5\nNONE;3\n';
    const { asked } = await upload(text);
    expect(asked.text).toContain('Rows with another stock than now: 2.');
    expect(asked.text).toContain('The file has 12 units there, the store 3.');
    expect(asked.html).not.toContain('value="changes"');
    const { ended, shown } = await imported(text, { stock: 'exact' });
    // The rows of one product are one line.
    expect(ended).toMatchObject({ total: 3, updated: 2, failed: 1, stocks_set: 2 });
    expect(await stocks()).toMatchObject({ 'S-1-A': 7, 'S-1-B': 0, 'S-2-A': 5 });
    expect(shown.text).toMatch(/Row\s5 Variant: SKU NONE No such SKU in this store\./);
  });
});

describe('a sheet of a shop', () => {
  const sheet = (count: number, price: string) =>
    `Nome;Código;Preço;Cor da caixa\n${upTo(count)
      .map((n) => `Camisa ${n};C-${n};${price};azul\n`)
      .join('')}`;

  it('finds its products by SKU when it is sent again, and changes or leaves them out as told', async () => {
    const { store, browser, imported, upload } = await shop();
    const first = await imported(sheet(20, '10,50'));
    expect(first.asked.html).not.toContain('name="known_skus"');
    expect(first.asked.text).toContain('Not read: Cor da caixa.');
    expect(first.ended).toMatchObject({ created: 20 });
    expect(first.shown.text).toContain('Columns that were not read: Cor da caixa.');
    const again = sheet(21, '12,00');
    const { path, asked, values } = await upload(again);
    expect(asked.text).toContain('Rows with a SKU that you have: 20.');
    const refused = await browser.submit(path, values);
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('Say what becomes of the rows with a SKU that you have.'),
    ]);
    const skipped = await imported(again, { known_skus: 'skip' });
    expect(skipped.ended).toMatchObject({ created: 1, skipped: 20, failed: 0, updated: 0 });
    expect(skipped.shown.text).toContain('Left out: the SKU exists 20');
    const changed = await imported(again, { known_skus: 'change' });
    expect(changed.ended).toMatchObject({ created: 0, updated: 20, unchanged: 1, failed: 0 });
    const { lines } = await exportLines(store);
    expect(lines.map((line) => line['skus'])).toEqual(
      lines.map(() => [expect.objectContaining({ price_sale: 12 })]),
    );
    expect(lines).toHaveLength(21);
  });

  it('changes what it has of products that exist: neither who sees them nor their brand', async () => {
    const { store, imported } = await shop();
    const brand = await createBrand(store);
    const skus = [
      { sku: 'C-1', price_sale: 1 },
      { sku: 'C-2', price_sale: 1 },
    ];
    await importLines(store, [productLine(1, brand, { active: false, skus })]);
    const { ended } = await imported('sku,price\nC-1,3\n', { brand: 'Other' });
    expect(ended).toMatchObject({ updated: 1 });
    expect((await exportLines(store)).lines).toMatchObject([
      {
        active: false,
        simple: false,
        brand_id: brand,
        skus: [{ price_sale: 3 }, { price_sale: 1 }],
      },
    ]);
  });

  it('folds equal errors, with their rows and their number', async () => {
    const { imported } = await shop();
    const rows = upTo(30).map((n) => `Camisa ${n};C-${n};${n === 9 ? '9,50' : 'barato'}\n`);
    const { shown } = await imported(`Nome;Código;Preço\n${rows.join('')}`);
    expect(shown.html.match(/<th scope="row">/g)).toHaveLength(1);
    expect(shown.text).toMatch(/Rows\s2–9, 11–31 \(29\) Variant: price barato Must be written/);
  });

  it('folds errors of different values as one, and counts what it does not write out', async () => {
    const { imported } = await shop();
    const rows = upTo(20).map((n) => `Camisa ${n};C-${n};${n % 2 ? `${n},50` : `x${n}`}\n`);
    const { shown } = await imported(`Nome;Código;Preço\n${rows.join('')}`);
    expect(shown.text).toMatch(/Rows\s3, 5, 7, 9 and others \(10\) Variant: price x2, … Must be/);
  });
});

describe('the file of failed rows', () => {
  it.each(languages)(
    'in %s has the rows as they were, and is imported as it is',
    async (language) => {
      const { store, browser, imported } = await shop();
      const t = messagesFor(language).transfers;
      const text =
        'Nome;Código;EAN;Preço;Tamanho;"Nota; livre"\nCamisa;C-1;"=""00123""";10,50;P;a\nCaneca;K-1;;barato;;"b ""c"""\n' +
        "Bota;B-1;'007;7,50;35;\nBota;B-2;;caro;36;=d\n\nMeia;M-1;;3,00;;\n";
      const first = await imported(text);
      expect(first.ended).toMatchObject({ created: 2, failed: 2 });
      await browser.get(`${first.result}?lang=${language}`);
      const file = await browser.get(`${first.result}/errors`);
      const name = t.imports.columns.names.price_sale;
      expect(file.html.split('\n', 1)).toEqual([
        `Nome;Código;EAN;Preço;Tamanho;"Nota; livre";${t.imports.errorText}`,
      ]);
      const problem = `${name}: ${t.problems.digits}`;
      const other = (row: number) => t.imports.errorsOther.replace('{row}', String(row));
      expect([...readRows(file.html)].slice(1).map(({ cells }) => cells)).toEqual([
        ['Caneca', 'K-1', '', 'barato', '', 'b "c"', problem],
        ['Bota', 'B-1', "'007", '7,50', '35', '', other(5)],
        ['Bota', 'B-2', '', 'caro', '36', "'=d", problem],
      ]);
      // The same again, and then mended: in another program the person may have another language.
      const again = await imported(file.html);
      const left = { en: 'Not read', 'pt-BR': 'Não serão lidas', es: 'No se leerán' }[language];
      expect(again.asked.text).toContain(`${left}: Nota; livre, ${t.imports.errorText}.`);
      expect(again.asked.text).toContain(t.imports.columns.problem);
      expect(again.ended).toMatchObject({ created: 0, failed: 2 });
      const second = await browser.get(`${again.result}/errors`);
      expect(second.html).toBe(file.html.replace(other(5), other(4)));
      const mended = second.html.replace('barato', '5,00').replace('caro', '8,00');
      expect((await imported(mended)).ended).toMatchObject({ created: 2, failed: 0 });
      const { lines } = await exportLines(store);
      const found = lines.flatMap((line) => line['skus'] as Record<string, unknown>[]);
      expect(found.map(({ sku, barcode }) => [sku, barcode])).toEqual([
        ['C-1', '00123'],
        ['M-1', null],
        ['K-1', null],
        ['B-1', '007'],
        ['B-2', null],
      ]);
    },
  );

  it('is a list of errors for a file of lines, and for a table that is gone', async () => {
    const { store, browser, account, imported } = await shop();
    const files = async () =>
      (await env.ARCHIVE.list({ prefix: `imports/${store.id}/` })).objects.map(({ key }) => key);
    await imported('name,sku,price\nA,A,1\n');
    // Nothing is kept of a table whose rows fit.
    expect(await files()).toEqual([]);
    const { result } = await imported('name,sku,price\nB,B,x\n');
    const [table = ''] = await files();
    expect(table).toMatch(/\/table$/);
    expect((await browser.get(`${result}/errors`)).html).toMatch(/^name,sku,price,Problem\nB,B,x,/);
    await env.ARCHIVE.delete(table);
    expect((await browser.get(`${result}/errors`)).html).toMatch(
      /^Row,Field,In the file,Problem\n2,/,
    );
    const lines = new File(['{"name":"A"}\n'], 'a.ndjson');
    const { location } = await browser.upload(`${account}/imports`, lines);
    await workOff(store, `/catalog/imports/${location?.split('/').at(-1)}`);
    expect((await browser.get(location ?? '')).text).toContain('Download all errors');
    expect((await browser.get(`${location}/errors`)).html).toMatch(
      /^Row,Field,In the file,Problem\n/,
    );
  });
});

describe('the page of an import or an export that goes on', () => {
  it('shows itself again every five seconds, unless it was told to stop, or has ended', async () => {
    const { store, browser, account } = await shopWithProducts(1);
    const csv = new File([JSON.stringify(productLine(2, 1))], 'a.ndjson');
    for (const begin of [
      () => browser.upload(`${account}/imports`, csv),
      () => browser.submit(`${account}/product-exports`),
    ]) {
      const { location } = await begin();
      const path = location ?? '';
      const open = await browser.get(path);
      expect(open.headers.get('Refresh')).toBe('5');
      expect(open.text).toContain('every 5 seconds. Stop');
      const still = await browser.get(`${path}?reload=no`);
      expect([still.headers.get('Refresh'), still.html]).toEqual([
        null,
        expect.not.stringContaining('reload=no'),
      ]);
      const kind = path.includes('product-exports') ? 'exports' : 'imports';
      await workOff(store, `/catalog/${kind}/${path.split('/').at(-1)}`);
      expect((await browser.get(path)).headers.get('Refresh')).toBeNull();
    }
  });
});
