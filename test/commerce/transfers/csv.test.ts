import { describe, expect, it } from 'vitest';
import {
  brandNames,
  guessColumns,
  readTable,
  toLines,
  type Mapping,
} from '../../../src/commerce/transfers/csv.ts';

const encode = (text: string) => new TextEncoder().encode(text);

/** The lines of a text as a table whose columns are guessed. */
function linesOf(text: string, changes: Partial<Mapping> = {}) {
  const table = readTable(encode(text));
  const mapping = {
    columns: guessColumns(table.header),
    active: true,
    brandId: 7,
    brandIds: new Map([['acme', 3]]),
    ...changes,
  };
  return toLines(table, mapping).split('\n');
}

const parsed = (lines: string[]) =>
  lines.flatMap((line, at) => (line === '' ? [] : [[at + 1, JSON.parse(line)]]));

describe('readTable', () => {
  it.each([
    ['commas', 'name,sku\nA,1\n', false],
    ['semicolons, whose numbers have a comma', 'name;sku\nA;1\n', true],
    ['tabs', 'name\tsku\nA\t1\n', false],
    ['a byte order mark and CR LF', '\uFEFFname,sku\r\nA,1\r\n', false],
  ])('reads %s', (_name, text, hasDecimalComma) => {
    expect(readTable(encode(text))).toMatchObject({
      header: ['name', 'sku'],
      rows: [['A', '1']],
      hasDecimalComma,
    });
  });

  it('reads quoted cells with delimiters, quotes and line breaks', () => {
    const { rows } = readTable(encode('name,description\n"A, ""B""","one\ntwo"\n'));
    expect(rows).toEqual([['A, "B"', 'one\ntwo']]);
  });

  it('reads a file in Windows-1252, as spreadsheets write it', () => {
    const bytes = new Uint8Array([...encode('name\nCaf'), 0xe9]);
    expect(readTable(bytes).rows).toEqual([['Café']]);
  });
});

describe('guessColumns', () => {
  it.each([
    [
      'Handle,Title,Vendor,Variant SKU,Variant Price',
      ['slug', 'name', 'brand', 'sku', 'price_sale'],
    ],
    [
      'Nome do Produto;Marca;Código;Preço;Estoque',
      ['name', 'brand', 'sku', 'price_sale', 'quantity'],
    ],
    ['Nombre;Talla;Color;Existencias', ['name', 'variation', 'variation', 'quantity']],
    ['name,title,Nome,foo', ['name', 'title', undefined, undefined]],
  ])('finds the fields of %s', (header, fields) => {
    expect(guessColumns(readTable(encode(header)).header)).toEqual(fields);
  });
});

describe('toLines', () => {
  it('joins the rows of a product that follow one another, and keeps the number of its first row', () => {
    const text =
      'slug,name,size,sku,price,quantity\nshirt,Shirt,S,s-1,10.50,3\nshirt,,M,s-2,11,4\n,,L,s-3,12,\n,,,,,\ncup,Cup,,c-1,"1,234.50",\n';
    expect(parsed(linesOf(text))).toEqual([
      [
        2,
        {
          active: true,
          simple: false,
          brand_id: 7,
          slug: 'shirt',
          name: 'Shirt',
          skus: [
            {
              sku: 's-1',
              price_sale: 10.5,
              quantity: 3,
              variations: [{ name: 'size', value: 'S' }],
            },
            { sku: 's-2', price_sale: 11, quantity: 4, variations: [{ name: 'size', value: 'M' }] },
            { sku: 's-3', price_sale: 12, variations: [{ name: 'size', value: 'L' }] },
          ],
        },
      ],
      [
        6,
        {
          active: true,
          simple: true,
          brand_id: 7,
          slug: 'cup',
          name: 'Cup',
          skus: [{ sku: 'c-1', price_sale: 1234.5 }],
        },
      ],
    ]);
  });

  it('reads numbers, yes and no as the language of the table writes them', () => {
    const text =
      'name;brand;active;price;weight;images\nA;Acme;Não;R$ 1.234,56;0,5;https://a.example/1 https://a.example/2\n';
    expect(parsed(linesOf(text))).toEqual([
      [
        2,
        {
          active: false,
          simple: true,
          brand_id: 3,
          name: 'A',
          images: [{ url: 'https://a.example/1' }, { url: 'https://a.example/2' }],
          skus: [{ price_sale: 1234.56, weight: 0.5 }],
        },
      ],
    ]);
  });

  it('leaves what is no number or no answer as it is, so that the import names it', () => {
    expect(parsed(linesOf('name,price,active\nA,cheap,maybe\n'))).toEqual([
      [
        2,
        { active: 'maybe', simple: true, brand_id: 7, name: 'A', skus: [{ price_sale: 'cheap' }] },
      ],
    ]);
  });

  it('names each brand that is no id once', () => {
    const table = readTable(encode('name,brand\nA,Acme\nB,ACME\nC,12\nD,Zeta\nE,\n'));
    expect(brandNames(table, guessColumns(table.header))).toEqual(['ACME', 'Zeta']);
  });
});
