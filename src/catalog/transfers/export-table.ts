import { sql } from 'drizzle-orm';
import type * as z from 'zod';
import type { StoreDb } from '../../data/core/store-db.ts';
import { brands } from '../../data/schema/store/catalog-tables.ts';
import { formatRow } from './csv.ts';
import type { ExportedProductSchema } from './export-line.ts';
import {
  columns,
  formatImage,
  formatPair,
  isBrandId,
  productColumns,
  type Column,
  type ColumnNames,
} from './table-lines.ts';

// The lines of an export as a table, which `table-lines.ts` reads again: a row for each SKU.

type Product = z.input<typeof ExportedProductSchema>;
type Sku = Product['skus'][number];

/** How a table is written in a language. */
export interface TableSpelling {
  names: ColumnNames;
  yes: string;
  no: string;
  /** Whether 1234,56 is how it writes numbers; columns are then separated by semicolons. */
  hasDecimalComma: boolean;
}

/** The columns of a table: all but the one that has a header for each variation. */
const written = columns.filter((column) => column !== 'variation');

/** Columns with long texts, which only the first row of a product has. */
const long = new Set<Column>(['description', 'images']);

/** The names of brands by their ids, as far as they were read. */
type BrandNames = Map<number, string>;

/**
 * Converts the lines of an export to a table while they are sent. One round trip for each part with
 * new brands.
 */
export function streamTable(
  lines: ReadableStream<Uint8Array>,
  db: StoreDb,
  spelling: TableSpelling,
): ReadableStream<Uint8Array> {
  const delimiter = spelling.hasDecimalComma ? ';' : ',';
  const known: BrandNames = new Map();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  const table = new TransformStream<Uint8Array, Uint8Array>({
    start(controller) {
      const header = written.map((column) => spelling.names[column]);
      // The mark tells spreadsheets that the file is in UTF-8.
      controller.enqueue(encoder.encode(`\uFEFF${formatRow(header, delimiter)}`));
    },
    async transform(bytes, controller) {
      const found = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      // Each line ends with a line feed, so what is behind the last one is not complete.
      rest = found.pop() ?? '';
      const products = found.map((line) => JSON.parse(line) as Product);
      await readBrandNames(db, products, known);
      const rows = products.flatMap((product) => rowsOf(product, spelling, known));
      const text = rows.map((row) => formatRow(row, delimiter)).join('');
      if (text !== '') controller.enqueue(encoder.encode(text));
    },
  });
  return lines.pipeThrough(table);
}

async function readBrandNames(db: StoreDb, products: readonly Product[], known: BrandNames) {
  const ids = products.flatMap(({ brand_id: id }) => (id && !known.has(id) ? [id] : []));
  if (ids.length === 0) return;
  const where = sql`${brands.id} in (select value from json_each(${JSON.stringify(ids)}))`;
  const [found] = await db.batch([db.select(brands, { where })]);
  for (const { id, name } of found) known.set(id, name);
}

/** The rows of a product: one for each SKU, or one without a SKU. */
function rowsOf(product: Product, spelling: TableSpelling, brandNames: BrandNames): string[][] {
  const skus = product.skus.length > 0 ? product.skus : [undefined];
  return skus.map((sku, at) =>
    written.map((column) => {
      if (column in productColumns) {
        const isLeftOut = at > 0 && long.has(column);
        return isLeftOut ? '' : write(productValue(product, column, brandNames), spelling);
      }
      return sku ? write(skuValue(sku, column), spelling) : '';
    }),
  );
}

function productValue(product: Product, column: Column, brandNames: BrandNames): unknown {
  switch (column) {
    case 'brand': {
      const { brand_id: id } = product;
      const name = brandNames.get(id ?? 0);
      return name === undefined || isBrandId(name) ? id : name;
    }
    case 'images':
      // Without a cell, the images of the product stay as they are.
      return product.images.some(({ url }) => /[\s|"]|,(?=https?:|$)/.test(url))
        ? null
        : product.images.map(formatImage).join('\n');
    default:
      return (product as Record<string, unknown>)[column];
  }
}

function skuValue(sku: Sku, column: Column): unknown {
  switch (column) {
    case 'variations':
      return sku.variations.map(formatPair).join('\n');
    case 'sku_id':
      return sku.id;
    case 'quantity_before':
      return sku.quantity;
    default:
      return (sku as Record<string, unknown>)[column];
  }
}

function write(value: unknown, { yes, no, hasDecimalComma }: TableSpelling): string {
  if (typeof value === 'boolean') return value ? yes : no;
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return '';
  // Three decimals could be taken for thousands.
  const text = String(value).replace(/\.\d{3}$/, '$&0');
  return hasDecimalComma ? text.replace('.', ',') : text;
}
