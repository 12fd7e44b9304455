import { dsvFormat } from 'd3-dsv';
import { foldText, nameKey } from '../../base/codecs/fields/normalize-text.ts';

// A spreadsheet of products becomes the lines of an import: a row is a SKU, and rows of one product that follow one
// another are one line. `export-table.ts` writes such a table.

/** A table of texts. Row 1 of the spreadsheet is the header. */
export interface Spreadsheet {
  header: readonly string[];
  rows: readonly (readonly string[])[];
  /** Whether 1.234,56 is how it writes numbers, as spreadsheets do that separate columns by semicolons. */
  hasDecimalComma: boolean;
}

const delimiters = [',', ';', '\t'] as const;

/** Reads a file of rows, in UTF-8, or as older spreadsheets write it. The header decides on the delimiter. */
export function readTable(bytes: Uint8Array): Spreadsheet {
  const text = decodeText(bytes);
  const firstLine = text.split(/\r?\n/, 1)[0] ?? '';
  const countOf = (delimiter: string) => firstLine.split(delimiter).length;
  const delimiter = delimiters.toSorted((a, b) => countOf(b) - countOf(a))[0] ?? ',';
  const [header = [], ...rows] = dsvFormat(delimiter).parseRows(text);
  return { header: header.map((name) => name.trim()), rows, hasDecimalComma: delimiter === ';' };
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

type Kind = 'text' | 'number' | 'flag' | 'images';

/** The fields of products that a column can have. `brand` is a name or an id. */
export const productColumns = {
  id: 'number',
  slug: 'text',
  name: 'text',
  brand: 'text',
  description: 'text',
  active: 'flag',
  simple: 'flag',
  images: 'images',
  erp_id: 'text',
  ncm: 'text',
} as const satisfies Record<string, Kind>;

/** The fields of SKUs that a column can have. `variation` takes its name from the header, `variations` has it in the cell. */
const skuColumns = {
  sku: 'text',
  price_sale: 'number',
  price_discount: 'number',
  price_cost: 'number',
  quantity: 'number',
  title: 'text',
  barcode: 'text',
  weight: 'number',
  height: 'number',
  width: 'number',
  length: 'number',
  variation: 'text',
  variations: 'text',
} as const satisfies Record<string, Kind>;

const kinds = { ...productColumns, ...skuColumns } as const;

export type Column = keyof typeof kinds;

export const columns = Object.keys(kinds) as Column[];

/** The column that a field of a line comes from, by its dotted path; `undefined` if there is none. */
export function columnOfField(field: string): Column | undefined {
  const [first = '', , third = ''] = field.split('.');
  const own = first === 'brand_id' ? 'brand' : first;
  const name = first === 'skus' ? third : own;
  return columns.find((column) => column === name && (first === 'skus') === column in skuColumns);
}

/** Headers of spreadsheets in English, Portuguese and Spanish, folded, besides the names of the fields. */
const knownHeaders: Partial<Record<Column, string>> = {
  name: 'product|product name|title|nome|nome do produto|produto|nombre|nombre del producto|producto',
  slug: 'handle|url|url handle',
  brand: 'brand id|vendor|marca|fabricante',
  description: 'descricao|descripcion|body html',
  active: 'published|status|ativo|activo|publicado',
  images: 'image|image src|imagem|imagens|imagen|imagenes|foto|fotos',
  erp_id: 'erp|codigo erp',
  sku: 'sku code|variant sku|codigo|codigo sku|referencia',
  price_sale: 'price|variant price|preco|preco de venda|precio|precio de venta',
  price_discount:
    'sale price|preco promocional|preco com desconto|precio rebajado|precio de oferta',
  price_cost: 'cost|cost per item|custo|preco de custo|costo|precio de costo',
  quantity: 'stock|inventory|qty|estoque|quantidade|existencias|cantidad|stock inicial',
  barcode: 'ean|gtin|codigo de barras',
  weight: 'peso|peso kg|weight kg',
  height: 'altura|alto',
  width: 'largura|ancho',
  length: 'comprimento|largo|profundidade|depth',
  variation:
    'size|color|colour|material|tamanho|cor|voltagem|talla|tamano|color|sabor|option1 value',
};

/** The name of each column, as an export heads it. */
export type ColumnNames = Readonly<Record<Column, string>>;

/**
 * Guesses the field of each column by its header; `undefined` where it says nothing. A field is proposed once. `names`
 * are those of the columns in each language.
 */
export function guessColumns(
  header: readonly string[],
  names: readonly ColumnNames[] = [],
): (Column | undefined)[] {
  const taken = new Set<Column>();
  return header.map((name) => {
    const folded = foldHeader(name);
    const found = columns.find(
      (column) =>
        (column === 'variation' || !taken.has(column)) &&
        (foldHeader(column) === folded ||
          names.some((known) => foldHeader(known[column]) === folded) ||
          knownHeaders[column]?.split('|').includes(folded)),
    );
    if (found) taken.add(found);
    return found;
  });
}

const foldHeader = (name: string) =>
  foldText(name)
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/** The mapping of a table: the field of each column, and the values of products that no column has. */
export interface Mapping {
  columns: readonly (Column | undefined)[];
  active: boolean;
  /** The brand of products without one. */
  brandId: number | undefined;
  /** The id of a brand by the key of its name. */
  brandIds: ReadonlyMap<string, number>;
}

/** The names of brands in a table, without those that are ids. */
export function brandNames({ rows }: Spreadsheet, mapped: Mapping['columns']): string[] {
  const at = mapped.indexOf('brand');
  const names = new Map<string, string>();
  for (const row of at === -1 ? [] : rows) {
    const name = unguard(row[at]?.trim() ?? '');
    if (name !== '' && !isBrandId(name)) names.set(nameKey(name), name);
  }
  return [...names.values()];
}

/** Whether a cell names a brand by its id. */
export const isBrandId = (text: string) => /^[1-9]\d*$/.test(text);

type Fields = Record<string, unknown>;

/** A product as it is collected from its rows. */
interface Collected {
  key: string;
  product: Fields;
  skus: Fields[];
}

/**
 * Converts a table to the lines of an import. The number of a line is that of the first row of its product, so that an error
 * names the row. Cells that fit no type stay texts: the import says what they must be.
 */
export function toLines(table: Spreadsheet, mapping: Mapping): string {
  const lines: string[] = [''];
  let last: Collected | undefined;
  const end = () => {
    if (!last) return;
    const { product, skus } = last;
    const found = skus.filter((sku) => Object.keys(sku).length > 0);
    const simple = found.length < 2 && !found.some(({ variations }) => variations !== undefined);
    const { brand, ...others } = product;
    const brandId = findBrand(brand, mapping);
    lines[lines.length - 1] += JSON.stringify({
      active: mapping.active,
      simple,
      ...(brandId !== undefined && { brand_id: brandId }),
      ...others,
      ...(found.length > 0 && { skus: found }),
    });
  };
  let firstRow = 1;
  for (const [index, row] of table.rows.entries()) {
    const read = readRow(row, table, mapping);
    if (!read) continue;
    // A row without fields of a product is a further SKU of the one above.
    if (last && (read.key === last.key || Object.keys(read.product).length === 0)) {
      last.skus.push(...read.skus);
      continue;
    }
    end();
    const number = index + 2;
    lines.push(...Array.from({ length: number - firstRow }, () => ''));
    firstRow = number;
    last = read;
  }
  end();
  return `${lines.join('\n')}\n`;
}

/** Reads a row; `undefined` for an empty one. */
function readRow(
  row: readonly string[],
  table: Spreadsheet,
  mapping: Mapping,
): Collected | undefined {
  const product: Fields = {};
  const sku: Fields = {};
  const variations: { name: string; value: string }[] = [];
  for (const [at, column] of mapping.columns.entries()) {
    const cell = row[at]?.trim() ?? '';
    if (column === undefined || cell === '') continue;
    if (column === 'variation') variations.push({ name: table.header[at] ?? '', value: cell });
    else if (column === 'variations') variations.push(...readPairs(unguard(cell)));
    else if (column in productColumns) product[column] = readCell(cell, column, table);
    else sku[column] = readCell(cell, column, table);
  }
  if (variations.length > 0) sku['variations'] = variations;
  if (Object.keys(product).length + Object.keys(sku).length === 0) return undefined;
  const key = product['id'] ?? product['slug'] ?? product['name'] ?? '';
  return { key: String(key), product, skus: [sku] };
}

const yes = new Set(['1', 'true', 'yes', 'y', 'x', 'sim', 's', 'si', 'active', 'ativo', 'activo']);
const no = new Set(['0', 'false', 'no', 'n', 'nao', 'draft', 'archived', 'inativo', 'inactivo']);

function readCell(cell: string, column: Column, { hasDecimalComma }: Spreadsheet): unknown {
  const kind: Kind = kinds[column];
  switch (kind) {
    case 'number': {
      const bare = normalizeNumber(cell, hasDecimalComma);
      return bare === '' || Number.isNaN(Number(bare)) ? cell : Number(bare);
    }
    case 'flag': {
      const word = foldHeader(cell);
      return yes.has(word) ? true : no.has(word) ? false : cell;
    }
    case 'images':
      return readImages(cell);
    case 'text':
      return unguard(cell);
  }
}

/** The beginnings of cells that a spreadsheet may take for a formula, also behind quotes that guard them. */
const formula = /^'*[=+\-@]/;

/** Puts a quote before a text that a spreadsheet may take for a formula. */
export const guard = (text: string) => (formula.test(text) ? `'${text}` : text);

/** Reads a text of {@link guard}, or one that a person has guarded in the same way. */
const unguard = (cell: string) =>
  cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;

/** An image with its text for those who do not see it, in quotes behind its address. */
export const formatImage = ({ url, alt }: { url: string; alt: string | null }) =>
  alt === null ? url : `${url} "${alt.replace(/["\\]/g, '\\$&')}"`;

/** Reads addresses between blanks, `|` or a comma, each with its quoted text behind it. */
function readImages(cell: string): { url: string; alt?: string }[] {
  const images: { url: string; alt?: string }[] = [];
  for (const [part] of cell.matchAll(/"(?:[^"\\]|\\.)*"|[^\s|"]+/g)) {
    const last = images.at(-1);
    if (part.startsWith('"') && last) last.alt = part.slice(1, -1).replace(/\\(.)/g, '$1');
    else images.push(...part.split(/,(?=https?:|$)/).flatMap((url) => (url ? [{ url }] : [])));
  }
  return images;
}

/** A variation of a SKU as a line of its cell. */
export const formatPair = ({ name, value }: { name: string; value: string }) =>
  `${name.replace(/[\\:]/g, '\\$&')}: ${value}`;

/** Reads the variations of a cell, one a line. */
function readPairs(cell: string): { name: string; value: string }[] {
  return cell.split(/\r?\n/).flatMap((line) => {
    const [, name = '', value = line] = /^((?:[^:\\]|\\.)*):(.*)$/.exec(line) ?? [];
    return line.trim() === ''
      ? []
      : [{ name: name.replace(/\\(.)/g, '$1').trim(), value: value.trim() }];
  });
}

/** Removes the currency and what separates thousands. */
function normalizeNumber(cell: string, hasDecimalComma: boolean): string {
  const bare = cell.replace(/^[A-Z]{0,3}\p{Sc}?|\s/gu, '');
  if (hasDecimalComma && bare.includes(',')) return bare.replaceAll('.', '').replace(',', '.');
  return /^-?\d+,\d{1,2}$/.test(bare) ? bare.replace(',', '.') : bare.replaceAll(',', '');
}

function findBrand(brand: unknown, { brandId, brandIds }: Mapping): number | undefined {
  if (typeof brand !== 'string') return brandId;
  return isBrandId(brand) ? Number(brand) : (brandIds.get(nameKey(brand)) ?? brandId);
}
