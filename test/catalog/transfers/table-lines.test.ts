import { describe, expect, it } from 'vitest';
import { readCell, readRows } from '../../../src/catalog/transfers/csv.ts';
import {
  guessColumns,
  readImages,
  toLines,
  type Mapping,
  type TableLine,
} from '../../../src/catalog/transfers/table-lines.ts';
import { SpellingReader } from '../../../src/catalog/transfers/table-numbers.ts';

/** The lines of a text, with their numbers, as a table whose columns are guessed. */
async function linesOf(text: string, changes: Partial<Mapping> = {}) {
  const [head, ...rows] = readRows(text);
  const header = head?.cells ?? [];
  const marks = header.map((_, at) => {
    const reader = new SpellingReader();
    for (const { cells } of rows) reader.add(readCell(cells[at] ?? ''));
    return reader.spelling.mark;
  });
  const brands = new Set<string>();
  const columns = guessColumns(header);
  const mapping = { header, columns, marks, active: true, brand: 'Sol', brands, ...changes };
  const lines: string[] = [];
  for await (const line of toLines(rows, mapping)) lines.push(line);
  const read = lines
    .join('')
    .split('\n')
    .flatMap((line, at) =>
      line === '' ? [] : [{ line: at + 1, ...(JSON.parse(line) as TableLine) }],
    );
  return { lines: read, brands: [...brands] };
}

/** The SKUs of all lines. */
const skusOf = async (text: string) =>
  (await linesOf(text)).lines.flatMap(({ product }) => product['skus']);

describe('guessColumns', () => {
  it.each([
    [
      'Handle,Title,Vendor,Variant SKU,Variant Price',
      ['slug', 'name', 'brand', 'sku', 'price_sale'],
    ],
    [
      'Nome do Produto,Marca,Código,Preço,Estoque',
      ['name', 'brand', 'sku', 'price_sale', 'quantity'],
    ],
    ['Nombre,Talla,Color,Existencias', ['name', 'variation', 'variation', 'quantity']],
    ['name,title,Nome,foo', ['name', 'title', undefined, undefined]],
  ])('finds the fields of %s', (header, fields) => {
    expect(guessColumns(header.split(','))).toEqual(fields);
  });
});

describe('toLines', () => {
  it('joins the rows of a product that follow one another, and keeps the numbers of all rows', async () => {
    const text =
      'slug,name,size,sku,price,quantity\nshirt,Shirt,S,s-1,10.50,3\nshirt,,M,s-2,11,4\n\n,,L,s-3,12,\n,,,,,\ncup,Cup,,c-1,"1,234.50",\n';
    expect(await linesOf(text)).toEqual({
      brands: ['sol'],
      lines: [
        {
          line: 2,
          fresh: { active: true, brand: 'Sol' },
          rows: [2, 3, 5],
          last: 5,
          product: {
            simple: false,
            slug: 'shirt',
            name: 'Shirt',
            skus: [
              {
                sku: 's-1',
                price_sale: 10.5,
                quantity: 3,
                variations: [{ name: 'size', value: 'S' }],
              },
              {
                sku: 's-2',
                price_sale: 11,
                quantity: 4,
                variations: [{ name: 'size', value: 'M' }],
              },
              { sku: 's-3', price_sale: 12, variations: [{ name: 'size', value: 'L' }] },
            ],
          },
        },
        {
          line: 7,
          fresh: { active: true, simple: true, brand: 'Sol' },
          rows: [7],
          last: 7,
          product: {
            slug: 'cup',
            name: 'Cup',
            skus: [{ sku: 'c-1', price_sale: 1234.5 }],
          },
        },
      ],
    });
  });

  it('reads the numbers of a column as its cells write them, whatever separates the columns', async () => {
    const text =
      'name;price;weight;stock\nA;1.500;"0.125";1.234.567\nB;49,90;12.500;1.000\n' +
      'C;"R$ 2.500,00";1;\n';
    expect(await skusOf(text)).toEqual([
      { price_sale: 1500, weight: 0.125, quantity: 1_234_567 },
      { price_sale: 49.9, weight: 12.5, quantity: 1000 },
      { price_sale: 2500, weight: 1 },
    ]);
    expect(await skusOf('name,price,weight\nA,"12,50","0,125"\nB,"1.234,5",\n')).toEqual([
      { price_sale: 12.5, weight: 0.125 },
      { price_sale: 1234.5 },
    ]);
  });

  it.each([
    ['yes sim sí TRUE VERDADEIRO Verdadero x 1 Ativo', true],
    ['no não NO FALSE FALSO falso 0 inativo draft', false],
  ])('reads %s as %s', async (words, value) => {
    const text = `name,active\n${words.replace(/(\S+) ?/g, 'A $1,$1\n')}`;
    const { lines } = await linesOf(text);
    expect(lines.map(({ product }) => product['active'])).toEqual(
      words.split(' ').map(() => value),
    );
  });

  it('keeps codes as they are, also those that were kept from becoming numbers', async () => {
    const text = `name,sku,barcode,ncm\nA,"=""00123""",'0789,0101.21.00\nB,1E5,7 891234,=x\nC,1.234,,\n`;
    expect((await linesOf(text)).lines.map(({ product }) => product)).toMatchObject([
      { ncm: '0101.21.00', skus: [{ sku: '00123', barcode: '0789' }] },
      { ncm: '=x', skus: [{ sku: '1E5', barcode: '7 891234' }] },
      { skus: [{ sku: '1.234' }] },
    ]);
  });

  const digits = 'Must be written with digits only, such as 1234.56 or 1.234,56.';
  const code =
    'Must be the code as text: the spreadsheet wrote it as a number. Format the column as text, and enter it again.';
  const value = 'Must be a value: the spreadsheet wrote an error.';
  const wide =
    'Must have no more cells than the headers: put a cell that contains the separator in quotes.';

  it.each([
    ['price', '1e3', 'skus.0.price_sale', digits],
    ['price', '0x10', 'skus.0.price_sale', digits],
    ['price', '-3', 'skus.0.price_sale', digits],
    ['price', '12%', 'skus.0.price_sale', digits],
    ['price', '(5)', 'skus.0.price_sale', digits],
    ['price', '1.50.00', 'skus.0.price_sale', digits],
    ['stock', '05/03/2031', 'skus.0.quantity', digits],
    ['id', '1E+03', 'id', digits],
    ['ean', '7.89E+12', 'skus.0.barcode', code],
    ['ean', '7E+12', 'skus.0.barcode', code],
    ['ean', '7.89123456789E12', 'skus.0.barcode', code],
    ['ean', '7.891.234.567.890', 'skus.0.barcode', code],
    ['ean', '7891234567890.00', 'skus.0.barcode', code],
    ['sku', '1.5E-05', 'skus.0.sku', code],
    ['ncm', '1.01E+07', 'ncm', code],
    ['ncm', '61,091,000', 'ncm', code],
    ['erp', '7.89e+12', 'erp_id', code],
    ['slug', '7,89E+12', 'slug', code],
    ['marca', '1,23E+09', 'brand_id', code],
    ['marca', '1.234', 'brand_id', code],
    ['description', '#N/A', 'description', value],
    ['slug', '#¡VALOR!', 'slug', value],
    ['size', '#NOME?', 'skus.0.variation', value],
    ['price', '#DIV/0!', 'skus.0.price_sale', value],
    ['price', '########', 'skus.0.price_sale', value],
    ['image', 'Err:502', 'images', value],
    ['active', '#REF!', 'active', value],
    ['marca', '#N/D', 'brand_id', value],
    ['marca', 'x'.repeat(300), 'brand_id', 'Must be at most 255 characters.'],
    ['marca', '\u200b', 'brand_id', 'Must not be empty.'],
    ['size', '5\t6\t7', 'line', wide],
  ])('refuses the %s %j with its row and cell', async (header, cell, field, message) => {
    const text = `name\tfoo\t${header}\nB\t\t\n\nA\t\t${cell}\n`;
    const { lines } = await linesOf(text);
    const sent = (field === 'line' ? '6 7' : cell).slice(0, 80);
    expect(lines.at(-1)).toMatchObject({ line: 4, refused: [{ line: 4, field, sent, message }] });
  });

  it('names the row of each refused cell of a product, of the first twenty', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => `A,s${at},${at % 2 ? 'x' : '1'},${at}`);
    const { lines } = await linesOf(`name,sku,price,stock\n${rows.join('\n')}`);
    const refused = lines[0]?.refused ?? [];
    expect(refused).toHaveLength(15);
    expect(refused.slice(0, 2)).toMatchObject([
      { line: 3, field: 'skus.1.price_sale', sent: 'x' },
      { line: 5, field: 'skus.3.price_sale', sent: 'x' },
    ]);
    const all = await linesOf(`name,sku,price\n${'A,s,x\n'.repeat(30)}`);
    expect(all.lines[0]?.refused).toHaveLength(20);
  });

  it('leaves words that are no answer as they are, so that the import names them', async () => {
    const { lines } = await linesOf('name,active\nA,maybe\n');
    expect(lines).toMatchObject([{ product: { active: 'maybe' } }]);
  });

  it('names a brand by its id or its name, and each name once', async () => {
    const text = 'name,brand\nA,Acme\nB,ACME\nC,12\nD,"Ze  ta"\nE,\nF,\'=x\n';
    const { lines, brands } = await linesOf(text);
    expect(
      lines.map(({ brand, fresh, product }) => brand ?? fresh.brand ?? product['brand_id']),
    ).toEqual(['Acme', 'ACME', 12, 'Ze  ta', 'Sol', '=x']);
    expect(brands).toEqual(['acme', 'ze ta', 'sol', '=x']);
    const none = await linesOf('name\nA\n', { brand: undefined });
    expect(none.lines[0]).not.toHaveProperty('brand');
  });
});

describe('readImages', () => {
  it.each([
    [
      'https://a.example/1 https://a.example/2',
      [{ url: 'https://a.example/1' }, { url: 'https://a.example/2' }],
    ],
    [
      'https://a.example/1,https://a.example/2,',
      [{ url: 'https://a.example/1' }, { url: 'https://a.example/2' }],
    ],
    [
      'https://a.example/a,b|https://b.example',
      [{ url: 'https://a.example/a,b' }, { url: 'https://b.example' }],
    ],
    [
      'https://a.example "a \\"b\\" \\\\"\nhttps://b.example"c"',
      [
        { url: 'https://a.example', alt: 'a "b" \\' },
        { url: 'https://b.example', alt: 'c' },
      ],
    ],
    // A quote without an end is the rest.
    ['https://a.example "a b', [{ url: 'https://a.example', alt: 'a b' }]],
    ['https://a.example "a\\', [{ url: 'https://a.example', alt: 'a\\' }]],
    ['"https://a.example" "b"', [{ url: 'https://a.example', alt: 'b' }]],
    [' | ', []],
  ])('reads %j', (cell, images) => {
    expect(readImages(cell)).toEqual(images);
  });
});
