import { eq, getTableName, sql, type SQL } from 'drizzle-orm';
import {
  ConflictError,
  conflict,
  DatabaseUnavailable,
  HttpError,
  ValidationError,
} from '../../base/errors.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { products } from '../../data/schema/store/catalog-tables.ts';
import { transferKinds, transfers } from '../../data/schema/store/transfers-tables.ts';
import { decodeBody } from '../../http/content-coding.ts';
import type { ReceivedUpload } from '../../http/request-upload.ts';
import { isSpace } from './line-reader.ts';
import { earlierExtras, type RankedTransfer } from './transfer-forecast.ts';
import {
  actorColumns,
  type TransferCaller,
  hasRoomFor,
  type Transfer,
  type TransferKind,
} from './transfer-job.ts';
import { tablesOf } from './waiting-table.ts';

/** A file of lines that was received, and whether a transfer has it now. */
interface ReceivedFile {
  file: string;
  bytes: number;
  lines: number;
  isKept: boolean;
}

/** Choices about an import beyond its defaults. */
export type ImportChoices = Partial<
  Pick<Transfer, 'product_events' | 'from_table' | 'known_skus' | 'stock' | 'unused_columns'>
>;

/**
 * The beginning of a key, which a random part completes. It names the store, and stays when the
 * store moves.
 */
const keyStart = (kind: TransferKind, storeId: number) => `${kind}s/${storeId}/`;

const newKey = (kind: TransferKind, storeId: number) =>
  keyStart(kind, storeId) + crypto.randomUUID();

/** The beginnings of the keys of all files of a store. */
export const filesOfTransfers = (storeId: number) => [
  ...transferKinds.map((kind) => keyStart(kind, storeId)),
  tablesOf(storeId),
];

/**
 * Throws a 409 while the store has too many unfinished imports, unless the request repeats one that
 * was executed. Runs before its file is received. One round trip.
 */
export const admitImport = (db: StoreDb, isRepeated: SQL): Promise<void> =>
  throwingTooMany(async () => {
    await db.batch([db.assert(sql`${isRepeated} or ${hasRoomFor(db, 'import')}`)]);
  });

/** Stores the lines of an import while they arrive. */
export async function receiveFile(
  request: Pick<Request, 'body' | 'headers'>,
  files: R2Bucket,
  storeId: number,
  max?: FileSize,
): Promise<ReceivedUpload<ReceivedFile>> {
  const key = newKey('import', storeId);
  const { bytes, lines, digest } = await storeUpload(files, key, request, max);
  const body: ReceivedFile = { file: key, bytes, lines, isKept: false };
  const end = async () => {
    // A failure does no harm: the bucket deletes old objects.
    if (!body.isKept) await files.delete(key).catch(() => undefined);
  };
  return { body, digest, end };
}

/**
 * Starts an import of lines that a table became, or that a caller sent. Throws a 409 while the
 * store has too many unfinished ones. One round trip.
 */
export async function startImport(
  db: StoreDb,
  caller: TransferCaller,
  received: ReceivedFile,
  choices: ImportChoices = {},
): Promise<RankedTransfer | undefined> {
  const { file, bytes, lines } = received;
  received.isKept = true;
  try {
    return await start(db, caller, 'import', { ...choices, file, bytes, total: lines });
  } catch (error) {
    // After a lost answer of the database the import may have begun, so its file stays.
    received.isKept = error instanceof DatabaseUnavailable;
    throw error;
  }
}

/**
 * Starts an export of all products; with stock if the caller may see it. Throws a 409 like
 * {@link startImport}. One round trip.
 */
export const startExport = (
  db: StoreDb,
  caller: TransferCaller,
  withStock: boolean,
): Promise<RankedTransfer | undefined> =>
  start(db, caller, 'export', {
    file: newKey('export', db.store.id),
    bytes: 0,
    total: sql`coalesce((select total from totals where store_id = ${db.store.id}
      and kind = ${getTableName(products)}), 0)`,
    with_stock: withStock,
  });

async function start(
  db: StoreDb,
  caller: TransferCaller,
  kind: TransferKind,
  values: Pick<Transfer, 'file' | 'bytes'> & {
    total: Transfer['total'] | ReturnType<typeof sql<number>>;
    with_stock?: boolean;
  } & ImportChoices,
): Promise<RankedTransfer | undefined> {
  return throwingTooMany(async () => {
    const [, , [started]] = await db.batch([
      db.assert(hasRoomFor(db, kind)),
      db.insertStatement(transfers, {
        kind,
        state: 'waiting',
        parts: [],
        due_at: db.now,
        ...actorColumns(caller),
        ...values,
      }),
      db.select(transfers, {
        where: eq(transfers.id, db.lastInsertedId(transfers)),
        extras: earlierExtras,
      }),
    ]);
    return started;
  });
}

/** Runs a change whose conflict is that the store has no room for another transfer. */
async function throwingTooMany<Result>(change: () => Promise<Result>): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    throw error instanceof ConflictError ? conflict('too_many_transfers') : error;
  }
}

/** How large a file is or may be; blank lines do not count. */
interface FileSize {
  bytes: number;
  lines: number;
}

/** The largest file that is imported. */
export const maxFile: FileSize = { bytes: 2_147_483_648, lines: 1_000_000 };

/** The size of all parts but the last of an upload to R2, which demands at least that. */
const partBytes = 5_242_880;

const lineFeed = 10;

/** A file of lines that is stored. */
interface UploadedFile extends FileSize {
  key: string;
}

/** Counts lines that are not blank, in bytes as they come. */
class LineCounter {
  #lines = 0;
  #isBlank = true;

  add(bytes: Uint8Array): void {
    let start = 0;
    while (start < bytes.length) {
      const found = bytes.indexOf(lineFeed, start);
      const end = found === -1 ? bytes.length : found;
      while (this.#isBlank && start < end) this.#isBlank = isSpace(bytes[start++]);
      if (found !== -1) this.#endLine();
      start = end + 1;
    }
  }

  get lines(): number {
    return this.#lines + (this.#isBlank ? 0 : 1);
  }

  #endLine(): void {
    if (!this.#isBlank) this.#lines += 1;
    this.#isBlank = true;
  }
}

/**
 * Stores a body as an object while it arrives, with one part of it in memory, and digests it.
 * Throws a 413 for too many bytes and a `ValidationError` for too many lines or none; then nothing
 * is stored.
 */
export async function storeUpload(
  bucket: Pick<R2Bucket, 'put' | 'createMultipartUpload'>,
  key: string,
  request: Pick<Request, 'body' | 'headers'>,
  max = maxFile,
): Promise<UploadedFile & { digest: Uint8Array }> {
  if (Number(request.headers.get('Content-Length') ?? 0) > max.bytes) throw tooLarge();
  const parts = new PartWriter(bucket, key);
  const counter = new LineCounter();
  const digest = new crypto.DigestStream('SHA-256');
  const hash = digest.getWriter();
  let bytes = 0;
  try {
    const body = decodeBody(request, max.bytes);
    const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = body?.getReader();
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done || !value) break;
      bytes += value.length;
      counter.add(value);
      if (bytes > max.bytes || counter.lines > max.lines) await reader?.cancel();
      if (bytes > max.bytes) throw tooLarge();
      if (counter.lines > max.lines)
        throw invalid(`Must have at most ${max.lines.toLocaleString('en')} lines.`);
      await hash.write(value);
      await parts.write(value);
    }
    if (counter.lines === 0) throw invalid('Must have at least one line.');
    await hash.close();
    await parts.close();
    return { key, bytes, lines: counter.lines, digest: new Uint8Array(await digest.digest) };
  } catch (error) {
    await parts.abort();
    throw error;
  }
}

const tooLarge = () => new HttpError('body_too_large', { hint: 'Send at most 2 GiB at once.' });

const invalid = (message: string) => new ValidationError({ body: [message] });

/** Writes an object: a small one at once, a larger one in parts. */
class PartWriter {
  readonly #bucket: Pick<R2Bucket, 'put' | 'createMultipartUpload'>;
  readonly #key: string;
  readonly #buffer = new ArrayBuffer(0, { maxByteLength: partBytes });
  readonly #uploaded: R2UploadedPart[] = [];
  #upload: R2MultipartUpload | undefined;

  constructor(bucket: Pick<R2Bucket, 'put' | 'createMultipartUpload'>, key: string) {
    this.#bucket = bucket;
    this.#key = key;
  }

  async write(bytes: Uint8Array): Promise<void> {
    let left = bytes;
    while (left.length > 0) {
      if (this.#buffer.byteLength === partBytes) await this.#flush();
      const length = this.#buffer.byteLength;
      const taken = left.subarray(0, partBytes - length);
      this.#buffer.resize(length + taken.length);
      new Uint8Array(this.#buffer, length).set(taken);
      left = left.subarray(taken.length);
    }
  }

  async close(): Promise<void> {
    if (!this.#upload) {
      await this.#bucket.put(this.#key, this.#buffer.slice());
      return;
    }
    await this.#flush();
    await this.#upload.complete(this.#uploaded);
  }

  /**
   * Deletes the parts. A failure does no harm: the bucket deletes uploads that are not completed.
   */
  async abort(): Promise<void> {
    await this.#upload?.abort().catch(() => undefined);
  }

  async #flush(): Promise<void> {
    this.#upload ??= await this.#bucket.createMultipartUpload(this.#key);
    const part = this.#buffer.slice();
    this.#uploaded.push(await this.#upload.uploadPart(this.#uploaded.length + 1, part));
    this.#buffer.resize(0);
  }
}
