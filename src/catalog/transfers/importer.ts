import { msLeftOfTurn } from '../../base/durations.ts';
import {
  ConflictError,
  HttpError,
  isEventBudgetError,
  ValidationError,
  type FieldErrors,
} from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { reserveIds } from '../../data/core/reserved-ids.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { publishSets } from '../../webhooks/events/publish-set.ts';
import {
  firstChunkLines,
  maxChunkLines,
  noCounts,
  planChunk,
  toLineErrors,
  type ChunkPlan,
} from './chunk.ts';
import { LineReader, type FileLine } from './line-reader.ts';
import { parseLine, rulesOf } from './parse-line.ts';
import {
  assertUnmoved,
  ending,
  insertErrorsStatement,
  isFinished,
  progressStatement,
  selectTransfer,
  type Transfer,
} from './transfer-job.ts';
import { toImportEventSet } from './transfer-queries.ts';

/** New ids are reserved in blocks, so that not each chunk needs a round trip for them. */
const idBlock = 2_000;

/** Attempts at a line whose records concurrent requests change. */
const maxAttempts = 5;

/** Messages that are kept for one import. */
const maxErrors = 10_000;

/** Imports chunks, for one step. Opens a handle of its own for each chunk. */
export class Importer {
  readonly #reader: LineReader;
  readonly #longChunkMs: number;
  #ids = { next: 1, last: 0 };
  /** Lines to read for the next chunk: as many as fit, and as the shard writes in a short time. */
  #size = firstChunkLines;
  /** Sizes of the next chunks, the last one first: the halves of one that failed. */
  readonly #parts: number[] = [];
  #attempt = 1;

  constructor(
    { files, longChunkMs }: { files: Pick<R2Bucket, 'get'>; longChunkMs: number },
    { file, bytes }: Transfer,
  ) {
    this.#reader = new LineReader(files, file, bytes);
    this.#longChunkMs = longChunkMs;
  }

  /**
   * Imports the next lines, and commits them with how far the import is then. Returns the import;
   * the same one if it must be tried again. Three round trips, two without new records.
   */
  async nextChunk(db: StoreDb, read: Transfer): Promise<Transfer | undefined> {
    const limit = this.#parts.at(-1) ?? this.#size;
    const lines = await this.#reader.read(read.position, read.line + 1, limit);
    const reserve = (count: number) => this.#reserve(db, count);
    try {
      const input = { db, rules: rulesOf(read), reserveIds: reserve, attempt: this.#attempt };
      const plan = lines.length > 0 ? await planChunk(input, lines) : planWithout([]);
      const moved = await this.#commit(db, read, plan);
      this.#settle(plan.lines.length);
      this.#size = this.#nextSize(plan, db.times?.sqlMs ?? 0);
      return moved;
    } catch (error) {
      return this.#recover(db, read, lines, error);
    }
  }

  /**
   * Commits a chunk with how far the import is then. The last one records the event of the import
   * as well.
   */
  async #commit(db: StoreDb, read: Transfer, plan: ChunkPlan): Promise<Transfer | undefined> {
    const last = plan.lines.at(-1);
    const position = last?.end ?? read.bytes;
    const room = Math.max(0, maxErrors - read.errors_listed);
    // The first one of each record of a table says which rows were not imported.
    const listed = plan.errors.filter(
      ({ from_line }, at) =>
        at < room || (read.from_table && plan.errors[at - 1]?.from_line !== from_line),
    );
    const isLast = position >= read.bytes;
    const progress = {
      state: 'running' as const,
      reason: null,
      position,
      line: last?.number ?? read.line,
      done: read.done + plan.lines.length,
      ...added(read, plan.counts),
      errors_listed: read.errors_listed + listed.length,
      errors_left_out: read.errors_left_out + plan.errors.length - listed.length,
      started_at: read.started_at ?? db.now,
      due_at: db.now,
      ...(isLast && ending(db, 'done')),
    };
    const ended = isLast ? [toImportEventSet(db, { ...read, ...progress })] : [];
    const [, [moved]] = await publishSets(
      db,
      [
        assertUnmoved(db, read),
        progressStatement(db, read, progress),
        ...(listed.length > 0 ? [insertErrorsStatement(db, read, listed)] : []),
        ...plan.statements,
      ],
      [...plan.events, ...ended],
      plan.events.every(({ events }) => events.length === 0) ? { eventPace: 'free' } : {},
    );
    return moved;
  }

  /**
   * Decides what follows a chunk that was not committed. Throws an error if only another step can
   * repair it.
   */
  async #recover(
    db: StoreDb,
    read: Transfer,
    lines: readonly FileLine[],
    error: unknown,
  ): Promise<Transfer | undefined> {
    const isTooMuch = isEventBudgetError(error);
    const isRefused = error instanceof ValidationError;
    if (error instanceof HttpError && !isTooMuch) throw error;
    if (error instanceof ConflictError) {
      // It may have been cancelled, or another worker is further.
      const [[found]] = await db.batch([selectTransfer(db, read.kind, read.id)]);
      if (!found || isFinished(found) || found.position !== read.position) return found;
    }
    const [line, ...others] = lines;
    if (isTooMuch) return this.#pause(db, read);
    if (!line) throw error;
    if (others.length > 0) {
      const size = this.#parts.pop() ?? lines.length;
      const half = Math.ceil(lines.length / 2);
      this.#parts.push(size - half, half);
      return read;
    }
    if (isRefused) return this.#refuse(db, read, line, error.errors);
    this.#attempt += 1;
    if (this.#attempt <= maxAttempts) return read;
    if (error instanceof ConflictError) throw error;
    // A fault of the service must not stop the other lines.
    log('error', 'import_line_failed', { alert: true, store: db.store.id, transfer: read.id });
    return this.#refuse(db, read, line, { line: ['Cannot be imported: the service has a fault.'] });
  }

  /** Commits a line as one that cannot be imported. */
  #refuse(db: StoreDb, read: Transfer, line: FileLine, errors: FieldErrors) {
    this.#settle(1);
    const parsed = parseLine(line, read.from_table);
    return this.#commit(db, read, planWithout([line], toLineErrors(parsed, errors)));
  }

  /** Takes so many lines from the part that is worked on. */
  #settle(count: number): void {
    this.#attempt = 1;
    const size = this.#parts.pop() ?? 0;
    if (size > count) this.#parts.push(size - count);
  }

  /** The lines to read after a chunk on which the shard worked for `sqlMs`. */
  #nextSize({ lines, isFull }: ChunkPlan, sqlMs: number): number {
    if (sqlMs > this.#longChunkMs) return Math.max(1, Math.floor(lines.length / 2));
    if (isFull) return lines.length;
    return sqlMs > this.#longChunkMs / 2 ? this.#size : Math.min(this.#size * 2, maxChunkLines);
  }

  /** The budget of events is used up: the import goes on with the next turn. */
  async #pause(db: StoreDb, read: Transfer): Promise<Transfer | undefined> {
    const due_at = db.now + msLeftOfTurn(db.now);
    const paused = { state: 'paused', reason: 'event_budget', due_at } as const;
    const [[moved]] = await db.batch([progressStatement(db, read, paused)]);
    return moved;
  }

  /** Returns the last of so many new ids. */
  async #reserve(db: StoreDb, count: number): Promise<number> {
    if (this.#ids.next + count - 1 > this.#ids.last) {
      const size = Math.max(count, idBlock);
      const [[reserved]] = await db.batch([reserveIds(db, size)]);
      const last = reserved?.last ?? 0;
      this.#ids = { next: last - size + 1, last };
    }
    this.#ids.next += count;
    return this.#ids.next - 1;
  }
}

/** The counts of an import with those of a chunk. */
const added = (read: Transfer, counts: ChunkPlan['counts']) =>
  Object.fromEntries(
    (Object.keys(counts) as (keyof typeof counts)[]).map((name) => [
      name,
      read[name] + counts[name],
    ]),
  ) as typeof counts;

/** The plan of a chunk whose lines cannot be imported, or that has none. */
const planWithout = (lines: readonly FileLine[], errors: ChunkPlan['errors'] = []): ChunkPlan => ({
  lines,
  statements: [],
  events: [],
  errors,
  counts: { ...noCounts, failed: lines.length },
  isFull: false,
});
