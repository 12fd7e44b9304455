import { cleanFormLine, foldText, nameKey } from '../../base/codecs/fields/normalize-text.ts';
import { maxBrandName } from '../../data/schema/store/catalog-tables.ts';
import { readCell, type TableRow, type TableText } from './csv.ts';
import type { CellError } from './line-reader.ts';
import { readNumber, type DecimalMark } from './table-numbers.ts';

// A spreadsheet of products becomes the lines of an import. A row is a SKU, and rows of one product
// that follow one another are one line. `export-table.ts` writes such a table.

/** A code is a text that a spreadsheet may have taken for a number. */
type Kind = 'text' | 'code' | 'number' | 'flag' | 'images';

/** The fields of products that a column can have. `brand` is a name or an id. */
export const productColumns = {
  id: 'number',
  slug: 'code',
  name: 'text',
  brand: 'text',
  description: 'text',
  active: 'flag',
  simple: 'flag',
  images: 'images',
  erp_id: 'code',
  ncm: 'code',
} as const satisfies Record<string, Kind>;

/**
 * The fields of SKUs that a column can have; `quantity_before` is the stock when the table was
 * exported. `variation` takes its name from the header, `variations` has it in the cell.
 */
const skuColumns = {
  sku: 'code',
  price_sale: 'number',
  price_discount: 'number',
  price_cost: 'number',
  quantity: 'number',
  quantity_before: 'number',
  sku_id: 'number',
  title: 'text',
  barcode: 'code',
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

export const isNumber = (column: Column | undefined) =>
  column !== undefined && kinds[column] === 'number';

/** Columns whose field in a line has another name. */
const fieldNames: Partial<Record<Column, string>> = { brand: 'brand_id', sku_id: 'id' };

/**
 * The column that a field of a line comes from, by its dotted path; `undefined` if there is none.
 */
export function columnOfField(field: string): Column | undefined {
  const [first, , third] = field.split('.');
  const isOfSku = first === 'skus';
  const name = isOfSku ? third : first;
  return columns.find(
    (column) => (fieldNames[column] ?? column) === name && isOfSku === column in skuColumns,
  );
}

/**
 * Headers of spreadsheets in English, Portuguese and Spanish, folded, besides the names of the
 * fields.
 */
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
  quantity_before: 'stock when exported',
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
 * Guesses the field of each column by its header; `undefined` where it says nothing. A field is
 * proposed once. `names` are those of the columns in each language.
 */
export function guessColumns(
  header: readonly string[],
  names: readonly ColumnNames[] = [],
): (Column | undefined)[] {
  const known = columns.map((column) => ({
    column,
    words: new Set([
      ...[column, ...names.map((own) => own[column])].map(foldHeader),
      ...(knownHeaders[column]?.split('|') ?? []),
    ]),
  }));
  const taken = new Set<Column>();
  return header.map((name) => {
    const folded = foldHeader(name);
    const found = known.find(({ column, words }) => words.has(folded) && !taken.has(column));
    if (found && found.column !== 'variation') taken.add(found.column);
    return found?.column;
  });
}

const foldHeader = (name: string) =>
  foldText(name)
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/**
 * The mapping of a table: the field of each column, and the values of products that no column has.
 */
export interface Mapping {
  header: readonly string[];
  columns: readonly (Column | undefined)[];
  /** The mark before the decimals of each column. */
  marks: readonly (DecimalMark | undefined)[];
  /** Whether new products are shown. */
  active: boolean;
  /** The brand of new products without one. */
  brand: string | undefined;
  /** Whether quantities are set, and not what differs from `quantity_before` added or taken. */
  setsExactly?: boolean;
  /** The products of SKUs by the key of their names, where no column names the product. */
  productOf?: ReadonlyMap<string, number> | undefined;
  /** The keys of the names of brands; the lines add theirs. */
  brands: Set<string>;
}

type Fields = Record<string, unknown>;

/** A line of an import that a table became. */
export interface TableLine {
  product: Fields;
  /** The name of its brand, which the import creates if there is none. */
  brand?: string;
  /** The values of a new product that no column has. */
  fresh: { active?: boolean; simple?: boolean; brand?: string };
  /** The row of each SKU, for the errors of its fields, and the last row of the product. */
  rows: readonly number[];
  last: number;
  /** Why the line cannot be imported: cells that cannot be read. */
  refused?: readonly CellError[];
}

/** A cell that cannot be read, in a column or beyond them. */
interface RefusedCell {
  row: number;
  column?: Column;
  sent: string;
  message: string;
}

/** A product as it is collected from its rows. */
interface Collected {
  number: number;
  last: number;
  key: string;
  product: Fields;
  skus: Fields[];
  rows: number[];
  refused: RefusedCell[];
}

/** Cells of one line that are listed, so that no line fills the list. */
const maxRefused = 20;

/**
 * Converts rows to the lines of an import. The number of a line is that of the first row of its
 * product, so that an error names the row. Words that fit no type stay texts: the import says what
 * they must be.
 */
export async function* toLines(
  rows: Iterable<TableRow> | AsyncIterable<TableRow>,
  mapping: Mapping,
): AsyncGenerator<string> {
  const isNamed = mapping.columns.some(namesProduct);
  let next = 1;
  let last: Collected | undefined;
  const written = ({ number, ...collected }: Collected) => {
    const text = `${'\n'.repeat(number - next)}${JSON.stringify(lineOf(collected, mapping))}\n`;
    next = number + 1;
    return text;
  };
  for await (const row of rows) {
    const read = readRow(row, mapping);
    if (!read) continue;
    // A row without fields of a product is a further SKU of the one above.
    const isFurther = isNamed && Object.keys(read.product).length === 0;
    if (last && (read.key === last.key || isFurther)) {
      last.last = row.number;
      last.skus.push(...read.skus);
      last.rows.push(...read.rows);
      if (last.refused.length < maxRefused) last.refused.push(...read.refused);
      continue;
    }
    if (last) yield written(last);
    last = read;
  }
  if (last) yield written(last);
}

function lineOf(
  { product: collected, skus, rows, last, refused }: Omit<Collected, 'number'>,
  { active, brand: ownBrand, brands }: Mapping,
): TableLine {
  const { brand: named, ...product } = collected;
  const simple = skus.length < 2 && !skus.some(({ variations }) => variations !== undefined);
  const isId = typeof named === 'string' && isBrandId(named);
  const isMissing = named === undefined && ownBrand !== undefined;
  for (const name of [isId ? undefined : named, isMissing ? ownBrand : undefined])
    if (typeof name === 'string') brands.add(nameKey(name));
  return {
    product: {
      ...(!simple && { simple }),
      ...(isId && { brand_id: Number(named) }),
      ...product,
      ...(skus.length > 0 && { skus }),
    },
    fresh: { active, ...(simple && { simple }), ...(isMissing && { brand: ownBrand }) },
    rows,
    last,
    ...(typeof named === 'string' && !isId && { brand: named }),
    ...(refused.length > 0 && {
      refused: refused.slice(0, maxRefused).map(({ row, column, ...cell }) => ({
        line: row,
        field: column === undefined ? 'line' : fieldOf(column, rows.indexOf(row)),
        ...cell,
      })),
    }),
  };
}

const fieldOf = (column: Column, sku: number) =>
  `${column in productColumns ? '' : `skus.${sku}.`}${fieldNames[column] ?? column}`;

/** Whether a column says which product a row is about. */
export const namesProduct = (column: Column | undefined) =>
  column === 'id' || column === 'slug' || column === 'name';

/** Whether a cell names a brand by its id. */
export const isBrandId = (text: string) => /^[1-9]\d*$/.test(text);

/** Reads a row; `undefined` for an empty one. */
function readRow(
  { number, cells }: TableRow,
  { header, columns: mapped, marks, productOf, setsExactly }: Mapping,
): Collected | undefined {
  const product: Fields = {};
  const sku: Fields = {};
  const variations: { name: string; value: string }[] = [];
  const refused: RefusedCell[] = [];
  for (const [at, column] of mapped.entries()) {
    const cell = readCell(cells[at] ?? '');
    if (column === undefined || cell === '') continue;
    const read = readValue(cell, column, marks[at]);
    if (read instanceof Refusal) {
      refused.push({ row: number, column, sent: shown(cell), message: read.message });
      // The row still has its product and its SKU.
      (column in productColumns ? product : sku)[column === 'sku_id' ? 'id' : column] = null;
    } else if (column === 'variation') variations.push({ name: header[at] ?? '', value: cell });
    else if (column === 'variations') variations.push(...readPairs(cell));
    else if (column === 'sku_id') sku['id'] = read;
    else (column in productColumns ? product : sku)[column] = read;
  }
  // A row whose stock is that of the export changes it in no case.
  if (setsExactly && sku['quantity'] !== sku['quantity_before']) delete sku['quantity_before'];
  if (variations.length > 0) sku['variations'] = variations;
  const further = cells.slice(header.length).join(' ').trim();
  if (further !== '') refused.push({ row: number, sent: shown(further), message: wide });
  const hasSku = Object.keys(sku).length > 0;
  if (!hasSku && Object.keys(product).length === 0 && refused.length === 0) return undefined;
  const key = product['id'] ?? product['slug'] ?? product['name'] ?? ownerOf(sku['sku'], productOf);
  const skus = hasSku ? { skus: [sku], rows: [number] } : { skus: [], rows: [] };
  return { number, last: number, key: String(key), product, ...skus, refused };
}

/** The key that rows of one product share where no column names it. */
function ownerOf(sku: unknown, productOf: Mapping['productOf']) {
  if (!productOf || typeof sku !== 'string') return '';
  return productOf.get(nameKey(sku)) ?? `sku ${nameKey(sku)}`;
}

/** A cell as an error shows it. */
const shown = (cell: string) => cell.slice(0, 80).toWellFormed();

/** Why a cell cannot be read. */
class Refusal {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const wide =
  'Must have no more cells than the headers: put a cell that contains the separator in quotes.';

const refusals = {
  number: new Refusal('Must be written with digits only, such as 1234.56 or 1.234,56.'),
  code: new Refusal(
    'Must be the code as text: the spreadsheet wrote it as a number. Format the column as text, and enter it again.',
  ),
  value: new Refusal('Must be a value: the spreadsheet wrote an error.'),
  brandEmpty: new Refusal('Must not be empty.'),
  brandLong: new Refusal(`Must be at most ${maxBrandName} characters.`),
};

/**
 * Errors of formulas as spreadsheets write them in three languages, and the signs of a column that
 * is too narrow.
 */
const failed =
  /^(?:#(?:N\/[AD]|[¡¿]?(?:NULL|NULO|NUM|NÚM|NAME|NOME|NOMBRE|REF|DIV\/0|VALUE|VALOR|ERROR|ERRO|SPILL|CALC)[!?]|#+)|Err:\d{3})$/iu;

/** A code as a number of which a spreadsheet kept a few digits. */
const shortened = /^\d+(?:E\+|[.,]\d+E[+-]?)\d+$/i;

const yes = new Set('1 true yes y x sim s si active ativo activo verdadeiro verdadero'.split(' '));
const no = new Set('0 false no n nao draft archived inativo inactivo falso'.split(' '));

function readValue(cell: string, column: Column, mark: DecimalMark | undefined): unknown {
  if (failed.test(cell)) return refusals.value;
  const kind: Kind = kinds[column];
  switch (kind) {
    case 'number':
      return readNumber(cell, mark) ?? refusals.number;
    case 'flag': {
      const word = cell.length > 20 ? cell : foldHeader(cell);
      return yes.has(word) ? true : no.has(word) ? false : cell;
    }
    case 'images':
      return readImages(cell);
    case 'code':
      return isWrittenAsNumber(cell, column) ? refusals.code : cell;
    case 'text':
      return column === 'brand' ? readBrand(cell) : cell;
  }
}

/** Columns whose codes have no marks as numbers have them. */
const plainCodes = new Set<Column>(['barcode', 'ncm', 'brand']);

/** Whether a code has lost digits, or has the marks of a number. */
const isWrittenAsNumber = (cell: string, column: Column) =>
  shortened.test(cell) ||
  (plainCodes.has(column) &&
    /[.,]/.test(cell) &&
    [readNumber(cell, '.'), readNumber(cell, ',')].some((value) => value !== undefined));

/** Reads the name of a brand, or its id. */
function readBrand(cell: string): string | Refusal {
  if (isWrittenAsNumber(cell, 'brand')) return refusals.code;
  const name = cleanFormLine(cell, maxBrandName);
  return name === '' ? refusals.brandEmpty : (name ?? refusals.brandLong);
}

/** An image with its text for those who do not see it, in quotes behind its address. */
export const formatImage = ({ url, alt }: { url: string; alt: string | null }) =>
  alt === null ? url : `${url} "${alt.replace(/["\\]/g, '\\$&')}"`;

/**
 * Reads addresses between blanks, `|` or a comma, each with its quoted text behind it. A quote
 * without an end ends with the cell.
 */
export function readImages(cell: TableText): { url: string; alt?: string }[] {
  const images: { url: string; alt?: string }[] = [];
  let at = 0;
  while (at < cell.length) {
    const start = at;
    if (cell.charCodeAt(start) === quote) {
      for (at += 1; at < cell.length && cell.charCodeAt(at) !== quote; at += 1)
        if (cell.charCodeAt(at) === backslash) at += 1;
      const alt = cell.slice(start + 1, at).replace(/\\(.)/gs, '$1');
      const last = images.at(-1);
      if (last) last.alt = alt;
      else images.push({ url: alt });
      at += 1;
      continue;
    }
    while (at < cell.length && !endsAddress(cell.charCodeAt(at))) at += 1;
    const urls = cell.slice(start, at).split(/,(?=https?:|$)/);
    images.push(...urls.flatMap((url) => (url ? [{ url }] : [])));
    if (at < cell.length && cell.charCodeAt(at) !== quote) at += 1;
  }
  return images;
}

const [quote, backslash, bar, noBreakSpace] = [34, 92, 124, 160];

/** A blank, `|` or a quote. */
const endsAddress = (code: number) =>
  code <= 32 || code === quote || code === bar || code === noBreakSpace;

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
