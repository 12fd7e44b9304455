import type { Database } from '../../data/core/open-database.ts';
import type { Statement } from '../../data/core/statement.ts';
import { keptTables } from '../../data/shards/clean-store.ts';
import { movedTables, type MovedTable } from '../../data/shards/moved-tables.ts';
import { deleteKeptRows, findPlace, writeChunk, type Place } from '../move/copy-store.ts';
import type { MoveName } from '../move/outgoing-move.ts';
import { referenceStatements, restoreStatements } from '../move/write-rows.ts';
import { hashOf, type CopiesBucket } from './copies-bucket.ts';
import { unpackCopyLines, type CopyLine } from './copy-lines.ts';
import { partKey, type Manifest } from './manifest.ts';

/** Rows that one transaction writes at most, but for a line that has more. */
const rowsPerWrite = 1_000;

const tables: ReadonlyMap<string, MovedTable> = new Map(
  movedTables.map((table) => [table.name, table]),
);

const hasOwnReferences = (name: string) => tables.get(name)?.selfReference !== undefined;

interface Written {
  isComplete: boolean;
  /** Parts that are written; each counts twice, since the references within tables come last. */
  done: number;
  /** Why the copy cannot be written. */
  problem?: string;
}

/**
 * Writes the rows of a copy into a shard while time remains: all parts, then once more those that have references within
 * a table. Each write is one transaction with the place behind it.
 */
export async function writeCopy({
  bucket,
  target,
  manifest,
  name,
  hasTime,
}: {
  bucket: CopiesBucket;
  target: Database;
  manifest: Manifest;
  name: MoveName;
  hasTime: () => boolean;
}): Promise<Written> {
  const { parts, store_id: storeId } = manifest;
  let place = await findPlace(target, name);
  if (!place) throw new Error('The new shard has no incoming move.');
  for (;;) {
    const { position } = place;
    if (position >= parts.length * 2) return { isComplete: true, done: position };
    if (!hasTime()) return { isComplete: false, done: position };
    const index = position % parts.length;
    const isSecond = position >= parts.length;
    const part = parts[index];
    if (isSecond && part?.tables.some(hasOwnReferences) !== true) {
      const after: Place = { position: position + 1, cursor: undefined };
      await writeChunk(target, name, { place, after, statements: [] });
      place = after;
      continue;
    }
    const content = await bucket.get(partKey(storeId, manifest.name, index));
    if (!content || !part)
      return broken(position, `The copy is not whole: it has no part ${index}.`);
    if ((await hashOf(content)) !== part.sha256) {
      return broken(position, `Part ${index} of the copy is not what was written.`);
    }
    const lines = await unpackCopyLines(content);
    const unknown = lines.find(({ table }) => !tables.has(table));
    if (unknown) return broken(position, `This release has no table ${unknown.table}.`);
    while (place.position === position) {
      if (!hasTime()) return { isComplete: false, done: position };
      const from: number = Number(place.cursor?.[0] ?? 0);
      const count = countLines(lines, from);
      const written = lines.slice(from, from + count);
      const isLast = from + count >= lines.length;
      const after: Place = isLast
        ? { position: position + 1, cursor: undefined }
        : { position, cursor: [from + count] };
      const isFirst = position === 0 && place.cursor === undefined;
      await writeChunk(target, name, {
        place,
        after,
        statements: [
          ...(isFirst ? [...keptTables].map((one) => deleteKeptRows(target, one, storeId)) : []),
          ...written.flatMap((line) => statementsOf(target, line, isSecond)),
        ],
      });
      place = after;
    }
  }
}

const broken = (done: number, problem: string): Written => ({ isComplete: false, done, problem });

/** The lines from one on that are written together. */
function countLines(lines: readonly CopyLine[], from: number): number {
  let rows = 0;
  const end = lines.findIndex((line, index) => {
    if (index < from) return false;
    rows += line.rows.length;
    return rows > rowsPerWrite && index > from;
  });
  return (end === -1 ? lines.length : end) - from;
}

function statementsOf(
  target: Database,
  { table: name, columns, rows }: CopyLine,
  isSecond: boolean,
) {
  const table = tables.get(name);
  if (!table) return [];
  if (!isSecond) return restoreStatements(target, table, columns, rows);
  const statements: Statement[] = hasOwnReferences(name)
    ? referenceStatements(target, { ...table, columns }, rows)
    : [];
  return statements;
}
