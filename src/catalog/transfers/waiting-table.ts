import { sql } from 'drizzle-orm';
import { nameKey } from '../../base/codecs/fields/normalize-text.ts';
import { dayMs } from '../../base/durations.ts';
import { rawStatement } from '../../data/core/raw.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { inParameters } from '../../data/queries/json-parameters.ts';
import { products, skus, stocks } from '../../data/schema/store/catalog-tables.ts';
import { tablePrefix } from '../../data/schema/store/transfers-tables.ts';
import { delimiterOf, readCell, readRows, TableFault, type TableRow } from './csv.ts';
import { FileLost } from './line-reader.ts';
import type { Column } from './table-lines.ts';
import {
  SpellingReader,
  type NumberSpelling,
  readNumber,
  type DecimalMark,
} from './table-numbers.ts';

// A table that was uploaded waits until a person has said what its columns are. It was read then:
// its object has what the form shows in its first line, and each row as a line behind it. A store
// has a few places for such tables.

/** Tables of one store that wait. A further one takes the place of the oldest. */
export const places = ['1', '2', '3', '4', '5'] as const;

/** How long a table waits. The bucket deletes it after that. */
const waitingMs = dayMs;

/** Bytes at the beginning of an object that hold its first line. */
const headBytes = 262_144;

/** Characters of a header and of an example that are kept. */
const maxShown = { header: 255, example: 80 };

/** A column before it has a meaning. */
interface WaitingColumn {
  header: string;
  /** The first cell with a text. */
  example?: string;
  numbers: NumberSpelling;
}

/** A table that waits. */
export interface WaitingTable {
  rows: number;
  columns: readonly WaitingColumn[];
  /** The character between its cells. */
  delimiter: string;
  /** The first look at its SKUs, when it arrived, in the columns that its headers propose. */
  look?: TableLook;
  bytes: number;
  /** Its rows below the headers, once. */
  read: () => AsyncGenerator<TableRow>;
}

/** The beginning of the keys of the waiting tables of a store. */
export const tablesOf = (storeId: number) => `${tablePrefix}${storeId}/`;

/** How a table is looked at when it arrives: the meaning of its headers, and the store. */
interface FirstLook {
  guess: (header: readonly string[]) => readonly (Column | undefined)[];
  db: StoreDb;
}

/**
 * Reads and stores a table, and returns its id. Throws a {@link TableFault} for a file that is
 * none.
 */
export async function storeTable(
  files: R2Bucket,
  storeId: number,
  text: string,
  firstLook?: FirstLook,
): Promise<string> {
  const content = await contentOf(text, firstLook);
  const { objects } = await files.list({ prefix: tablesOf(storeId) });
  const taken = new Map(objects.map(({ key, uploaded }) => [key.at(-1), uploaded.getTime()]));
  const free = places.filter((place) => !taken.has(place));
  // A random one, so that two members rarely choose the same at once.
  const place =
    free[Math.floor(Math.random() * free.length)] ??
    places.toSorted((one, other) => (taken.get(one) ?? 0) - (taken.get(other) ?? 0))[0];
  const id = crypto.randomUUID();
  await files.put(tablesOf(storeId) + place, content, { customMetadata: { id } });
  return `${place}-${id}`;
}

/** The content of the object of a table. */
async function contentOf(text: string, firstLook: FirstLook | undefined): Promise<Blob> {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  const columns: { header: string; example?: string; numbers: SpellingReader }[] = [];
  let lines = '';
  let first = 0;
  let rows = 0;
  const layout = delimiterOf(text);
  let looker: TableLooker | undefined;
  for (const { number, cells: read } of readRows(text, layout)) {
    const cells = read.map((cell) => cell.trim());
    const isBlank = cells.every((cell) => cell === '');
    if (first === 0) {
      if (isBlank) continue;
      first = number + 1;
      const numbers = () => new SpellingReader();
      if (firstLook) looker = new TableLooker(firstLook.guess(cells));
      columns.push(
        ...cells.map((name) => ({ header: name.slice(0, maxShown.header), numbers: numbers() })),
      );
      continue;
    }
    if (!isBlank) rows += 1;
    looker?.add(cells);
    for (const [at, cell] of cells.entries()) {
      const column = columns[at];
      if (!column || cell === '') continue;
      column.example ??= cell.slice(0, maxShown.example);
      column.numbers.add(readCell(cell));
    }
    lines += `${JSON.stringify(isBlank ? [] : cells)}\n`;
    if (lines.length < headBytes) continue;
    parts.push(encoder.encode(lines));
    lines = '';
  }
  if (rows === 0) throw new TableFault('empty');
  const marks = columns.map(({ numbers }) => numbers.spelling.mark);
  const head = {
    first,
    rows,
    columns: columns.map(({ numbers, ...column }) => ({ ...column, numbers: numbers.spelling })),
    delimiter: layout.delimiter,
    look: firstLook && (await looker?.look(firstLook.db, marks))?.look,
  };
  return new Blob([encoder.encode(`${JSON.stringify(head)}\n`), ...parts, encoder.encode(lines)]);
}

/**
 * Loads a table that waits; `undefined` if there is none with this id any more. One call of the
 * bucket.
 */
export async function loadTable(
  files: R2Bucket,
  storeId: number,
  id: string,
  now: number,
): Promise<WaitingTable | undefined> {
  const [, place, uuid] = /^([1-5])-([\da-f-]{36})$/.exec(id) ?? [];
  if (place === undefined) return undefined;
  return readTable(async (options) => {
    const object = await files.get(tablesOf(storeId) + place, options);
    if (!object || object.customMetadata?.['id'] !== uuid) return undefined;
    return object.uploaded.getTime() + waitingMs > now ? object : undefined;
  });
}

/** Loads the table of an import, which is kept with it; `undefined` if there is none. */
export const loadKeptTable = (files: R2Bucket, file: string): Promise<WaitingTable | undefined> =>
  readTable(async (options) => (await files.get(keptTable(file), options)) ?? undefined);

async function readTable(
  open: (options?: R2GetOptions) => Promise<R2ObjectBody | undefined>,
): Promise<WaitingTable | undefined> {
  const object = await open({ range: { offset: 0, length: headBytes } });
  if (!object) return undefined;
  const [line = ''] = (await object.text()).split('\n', 1);
  const { first, ...head } = JSON.parse(line) as Omit<WaitingTable, 'read' | 'bytes'> & {
    first: number;
  };
  return {
    ...head,
    bytes: object.size,
    async *read() {
      const body = (await open())?.body;
      // Another table has taken its place.
      if (!body) throw new FileLost();
      let number = first - 1;
      let rest = '';
      for await (const part of body.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + part).split('\n');
        rest = lines.pop() ?? '';
        for (const text of lines) {
          if (number >= first) yield { number, cells: JSON.parse(text) as string[] };
          number += 1;
        }
      }
    },
  };
}

/** The key of the table of an import, from the key of its file. */
export const keptTable = (file: string) => `${file}/table`;

/**
 * Keeps a table with its import, which has begun: for the file of the rows that fail. Its place is
 * free again.
 */
export async function keepTable(
  files: R2Bucket,
  storeId: number,
  id: string,
  file: string,
): Promise<void> {
  const key = tablesOf(storeId) + id.slice(0, 1);
  const object = await files.get(key);
  // Another table may have taken its place.
  if (!object || object.customMetadata?.['id'] !== id.slice(2)) return;
  const { readable, writable } = new FixedLengthStream(object.size);
  await Promise.all([object.body.pipeTo(writable), files.put(keptTable(file), readable)]);
  await files.delete(key);
}

/** The SKUs of a table as the store has them. */
export interface TableLook {
  /** Rows with a SKU of the store whose product neither an id nor a slug of the row names. */
  known: number;
  /** Rows that would change a stock, their units in the table, and those in the store. */
  stock: { rows: number; inTable: number; inStore: number };
  /**
   * Rows whose stock has changed since the table was exported, and by how many units; absent where
   * that is not known.
   */
  since?: { rows: number; units: number };
}

/** The columns that a look needs. */
const looked = ['id', 'slug', 'sku', 'quantity', 'quantity_before'] as const;

interface StoredSku {
  key: string;
  product_id: number;
  slug: string;
  quantity: number | null;
}

/** Collects the SKUs of a table row by row, and then asks the store about all of them. */
export class TableLooker {
  readonly #places: readonly number[];
  readonly #rows: string[][] = [];

  constructor(columns: readonly (Column | undefined)[]) {
    this.#places = looked.map((column) => columns.indexOf(column));
  }

  add(cells: readonly string[]): void {
    const row = this.#places.map((at) => readCell(cells[at] ?? ''));
    if (row[2] !== '') this.#rows.push(row);
  }

  /**
   * Looks for the SKUs. Also returns the product of each by the key of its name. One round trip.
   */
  async look(
    db: StoreDb,
    marks: readonly (DecimalMark | undefined)[],
  ): Promise<{ look: TableLook; productOf: Map<string, number> }> {
    const stored = await findSkus(
      db,
      this.#rows.map(([, , sku = '']) => nameKey(sku)),
    );
    const [quantityMark, beforeMark] = [3, 4].map((at) => marks[this.#places[at] ?? -1]);
    const look: TableLook = { known: 0, stock: { rows: 0, inTable: 0, inStore: 0 } };
    const since = { rows: 0, units: 0 };
    for (const [id, slug, sku = '', quantityCell = '', beforeCell = ''] of this.#rows) {
      const found = stored.get(nameKey(sku));
      if (!found) continue;
      if (id !== String(found.product_id) && slug !== found.slug) look.known += 1;
      const quantity = readNumber(quantityCell, quantityMark);
      const before = readNumber(beforeCell, beforeMark);
      const inStore = found.quantity ?? 0;
      if (before !== undefined && before !== inStore) {
        since.rows += 1;
        since.units += inStore - before;
      }
      if (quantity === undefined || quantity === inStore || quantity === before) continue;
      look.stock.rows += 1;
      look.stock.inTable += quantity;
      look.stock.inStore += inStore;
    }
    const productOf = new Map([...stored].map(([key, one]) => [key, one.product_id]));
    return { look: { ...look, ...(this.#places[4] !== -1 && { since }) }, productOf };
  }
}

async function findSkus(db: StoreDb, keys: readonly string[]): Promise<Map<string, StoredSku>> {
  if (keys.length === 0) return new Map();
  const parameters = inParameters([...new Set(keys)].map((key) => JSON.stringify(key)));
  const found = await db.batch(
    parameters.map((some) =>
      rawStatement<StoredSku>(
        db,
        sql`select ${skus.sku_key} as key, ${skus.product_id} as product_id, ${products.slug} as slug,
            ${stocks.quantity} as quantity
          from json_each(${some}) named
            cross join ${skus} on ${skus.store_id} = ${db.store.id} and ${skus.sku_key} = named.value
            cross join ${products} on ${products.id} = ${skus.product_id}
            left join ${stocks} on ${stocks.sku_id} = ${skus.id} and ${stocks.stock_id} = 1`,
      ),
    ),
  );
  return new Map(found.flat().map((sku) => [sku.key, sku]));
}
