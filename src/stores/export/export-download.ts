import { streamObjects, type FilePart } from '../../catalog/transfers/stream-objects.ts';
import type { Job } from '../../data/directory/job.ts';
import { sources } from './export-sources.ts';
import { exportPrefix, isExportKept } from './kept-exports.ts';
import { readExport } from './run-export.ts';

/** A file as it is sent. */
interface ExportFile {
  name: string;
  bytes: number;
  stream: ReadableStream<Uint8Array>;
}

/**
 * The file of an export: a tar archive with a manifest, and one file of NDJSON for each kind of
 * record. It is assembled while it is sent. `undefined` if there is none, or none any more.
 */
export function exportFile(
  files: Pick<R2Bucket, 'get'>,
  job: Job,
  now: number,
): ExportFile | undefined {
  const progress = readExport(job);
  const prefix = exportPrefix(job);
  if (!isExportKept(job, now) || !progress || prefix === undefined) return undefined;
  const at = job.finished_at ?? now;
  const kinds = sources.flatMap((name, index) => {
    const parts = progress.parts.filter(([source]) => source === index);
    const bytes = parts.reduce((sum, [, , size]) => sum + size, 0);
    const keys = parts.map(([, end]) => `${prefix}${end}`);
    return parts.length === 0
      ? []
      : [{ file: `${name}.ndjson`, records: progress.counts[name] ?? 0, bytes, keys }];
  });
  const manifest = new TextEncoder().encode(
    `${JSON.stringify(
      {
        exported_at: new Date(at).toISOString(),
        notes: 'One JSON object a line. Amounts are in cents, times in UTC.',
        files: kinds.map(({ keys: _keys, ...kind }) => kind),
      },
      undefined,
      2,
    )}\n`,
  );
  const entries = [
    { file: 'manifest.json', bytes: manifest.length, content: [manifest] as readonly FilePart[] },
    ...kinds.map(({ file, bytes, keys }) => ({
      file,
      bytes,
      content: keys as readonly FilePart[],
    })),
  ];
  const all = entries.flatMap(({ file, bytes, content }): FilePart[] => [
    tarHeader(file, bytes, at),
    ...content,
    tarPadding(bytes),
  ]);
  const parts = [...all, tarEnd()].filter((part) => part.length > 0);
  const size = entries.reduce(
    (sum, { bytes }) => sum + tarHeader('', 0, 0).length + bytes + tarPadding(bytes).length,
    tarEnd().length,
  );
  return { name: `export-${job.id}.tar`, bytes: size, stream: streamObjects(files, parts) };
}

/** The response that saves the file of an export. */
export const exportResponse = ({ name, stream }: ExportFile, alias: string) =>
  new Response(stream, {
    headers: {
      'Content-Type': 'application/x-tar',
      'Content-Disposition': `attachment; filename="${alias}-${name}"`,
      'Cache-Control': 'no-store',
    },
  });

/** The size of a block: a header has it, and files are padded to a multiple of it. */
const blockBytes = 512;

const encoder = new TextEncoder();

/**
 * The header of a file in a tar archive (POSIX ustar). `name` has at most 100 ASCII characters;
 * `at` is in epoch milliseconds.
 */
function tarHeader(name: string, bytes: number, at: number): Uint8Array {
  const header = new Uint8Array(blockBytes);
  const write = (offset: number, text: string) => header.set(encoder.encode(text), offset);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  write(0, name);
  write(100, `${octal(0o644, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`);
  write(124, `${octal(bytes, 11)}\0${octal(Math.floor(at / 1000), 11)}\0`);
  // The checksum is computed with blanks in its place.
  write(148, ' '.repeat(8));
  write(156, '0');
  write(257, 'ustar');
  write(263, '00');
  const sum = header.reduce((total, byte) => total + byte, 0);
  write(148, `${octal(sum, 6)}\0 `);
  return header;
}

/** The padding of a file up to the next block. */
const tarPadding = (bytes: number) =>
  new Uint8Array((blockBytes - (bytes % blockBytes)) % blockBytes);

/** The end of an archive. */
const tarEnd = () => new Uint8Array(2 * blockBytes);
