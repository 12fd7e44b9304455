import { dayMs } from '../../base/durations.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { tablePrefix } from '../../data/schema/store/transfers-tables.ts';
import { delimiterOf, readCell, readRows, TableFault, type TableRow } from './csv.ts';
import { FileLost } from './line-reader.ts';
import { TableLooker, type TableLook } from './look-at-table.ts';
import type { Column } from './table-lines.ts';
import { SpellingReader, type NumberSpelling } from './table-numbers.ts';

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
export interface WaitingColumn {
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
