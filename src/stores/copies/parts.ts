import * as z from 'zod';
import { keptTables } from '../../data/shards/clean-store.ts';
import type { Line } from '../../data/shards/read-rows.ts';
import { hasOwnReferences, isMoved, type Feed, type LoadedChunk } from '../pump/load.ts';
import { hashOf, type CopiesBucket } from './copies-bucket.ts';
import { BrokenCopy, partKey, type Manifest } from './manifest.ts';

/** Some rows of a table, as a line of a copy. */
const CopyLine = z.object({
  table: z.string(),
  columns: z.array(z.string()),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
});

const through = (bytes: Uint8Array, transform: CompressionStream | DecompressionStream) =>
  new Response(new Blob([bytes]).stream().pipeThrough(transform)).arrayBuffer();

/** The content of a part with these lines, each with its line feed. */
export const packLines = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await through(new TextEncoder().encode(text), new CompressionStream('gzip')));

/** The lines of a part. */
export async function unpackLines(content: Uint8Array): Promise<Line[]> {
  const bytes = await through(content, new DecompressionStream('gzip'));
  const lines = new TextDecoder().decode(bytes).split('\n').filter(Boolean);
  return lines.map((line) => CopyLine.parse(JSON.parse(line)));
}

/**
 * The rows of a copy, part by part; then once more the parts that have references within tables.
 */
export function feedOfCopy(bucket: CopiesBucket, manifest: Manifest): Feed {
  const { parts } = manifest;
  let [read, lines]: [number, Line[]] = [-1, []];
  return async ({ position, cursor }): Promise<LoadedChunk | undefined> => {
    if (position >= parts.length * 2) return undefined;
    const index = position % parts.length;
    const isReference = position >= parts.length;
    const from = Number(cursor?.[0] ?? 0);
    const isNeeded = !isReference || parts[index]?.tables.some(hasOwnReferences) === true;
    if (isNeeded && read !== index) {
      lines = await readPart(bucket, manifest, index);
      read = index;
    }
    const line = (isNeeded && lines[from]) || { table: '', columns: [], rows: [] };
    const isLast = !isNeeded || from + 1 >= lines.length;
    return {
      line: isReference && !hasOwnReferences(line.table) ? { ...line, rows: [] } : line,
      characters: 0,
      after: isLast ? { position: position + 1 } : { position, cursor: [from + 1] },
      isReference,
      replaces: position === 0 && from === 0 ? [...keptTables] : [],
    };
  };
}

async function readPart(bucket: CopiesBucket, manifest: Manifest, index: number): Promise<Line[]> {
  const content = await bucket.get(partKey(manifest.store_id, manifest.name, index));
  if (!content) throw new BrokenCopy(`The copy is not whole: it has no part ${index}.`);
  if ((await hashOf(content)) !== manifest.parts[index]?.sha256) {
    throw new BrokenCopy(`Part ${index} of the copy is not what was written.`);
  }
  const lines = await unpackLines(content);
  const unknown = lines.find(({ table }) => !isMoved(table));
  if (unknown) throw new BrokenCopy(`This release has no table ${unknown.table}.`);
  return lines;
}
