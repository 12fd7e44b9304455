import { randomBase64url } from '../../base/crypto/random.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { selectExported, toExportLine } from './export-line.ts';
import { ending, progressStatement, type Transfer } from './transfer-job.ts';

/** Products that one statement reads. */
const pageProducts = 25;

/** Size of an object of the file, in bytes; the last page may exceed it. */
const partBytes = 4_194_304;

const encoder = new TextEncoder();

/** The keys of the objects of an export, in their order. */
export const partKeys = ({ file, parts }: Pick<Transfer, 'file' | 'parts'>) =>
  parts.map((part) => `${file}/${part}`);

/**
 * Exports pages, for one step. It reads page by page and stores an object when it is large
 * enough or `flush` is called. Then it commits how far the export is. The next step reads again
 * what was read but not stored.
 */
export class Exporter {
  readonly #files: Pick<R2Bucket, 'put'>;
  #lines: string[] = [];
  #products = 0;
  #bytes = 0;
  #last: number | undefined;

  constructor(files: Pick<R2Bucket, 'put'>) {
    this.#files = files;
  }

  /**
   * Reads a page. Returns the export as it is then. One round trip, and one more with each object.
   */
  async nextChunk(db: StoreDb, read: Transfer): Promise<Transfer | undefined> {
    const [page] = await db.batch([selectExported(db, this.#last ?? read.position, pageProducts)]);
    for (const product of page) {
      const line = toExportLine(product, read.with_stock);
      this.#lines.push(line);
      this.#bytes += encoder.encode(line).length;
    }
    this.#products += page.length;
    this.#last = page.at(-1)?.id ?? this.#last;
    const isLast = page.length < pageProducts;
    return isLast || this.#bytes >= partBytes ? this.#store(db, read, isLast) : read;
  }

  /** Stores what was read, so that the next step need not read it again. */
  async flush(db: StoreDb, read: Transfer): Promise<Transfer | undefined> {
    return this.#products > 0 ? this.#store(db, read, false) : read;
  }

  async #store(db: StoreDb, read: Transfer, isLast: boolean): Promise<Transfer | undefined> {
    // A name of its own: a worker that comes too late must not replace what another one has stored.
    const part = `${read.parts.length}-${randomBase64url(9)}`;
    if (this.#products > 0) {
      await this.#files.put(`${read.file}/${part}`, encoder.encode(this.#lines.join('')));
    }
    const done = read.done + this.#products;
    const progress = {
      state: 'running' as const,
      position: this.#last ?? read.position,
      parts: this.#products > 0 ? [...read.parts, part] : read.parts,
      bytes: read.bytes + this.#bytes,
      done,
      started_at: read.started_at ?? db.now,
      due_at: db.now,
      ...(isLast && { ...ending(db, 'done'), total: done }),
    };
    const [[moved]] = await db.batch([progressStatement(db, read, progress)]);
    this.#lines = [];
    this.#products = 0;
    this.#bytes = 0;
    this.#last = undefined;
    return moved;
  }
}
