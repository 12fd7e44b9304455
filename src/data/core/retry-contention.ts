import { getTableName } from 'drizzle-orm';
import { pause } from '../../base/durations.ts';
import { ConflictError, DatabaseUnavailable } from '../../base/errors.ts';
import type { StoreTable } from './store-table.ts';
import type { StoreScope } from './store.ts';

/**
 * Waits for a random part of a time. Jitter: requests that failed together must not return
 * together.
 */
const pauseUpTo = (ms: number) => pause(Math.random() * ms);

const maxTransientAttempts = 3;
const maxPauseMs = 60;

/**
 * Runs `work` up to three times while the database cannot be reached. `work` must be safe to
 * repeat, because a failed attempt may have been committed. Throws the last 503, and at once one
 * that a repetition would make worse.
 */
export async function retryTransient<T>(work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      const isTransient = error instanceof DatabaseUnavailable && error.mayRepeat(true);
      if (!isTransient || attempt === maxTransientAttempts) throw error;
    }
    await pauseUpTo(maxPauseMs * attempt);
  }
}

/** After this time, a writer that still loses gives up. */
const conflictDeadlineMs = 10_000;

const firstConflictPauseMs = 8;
const maxConflictPauseMs = 500;

/** Names the record for which `work` competes, if it is not the first one. */
type Contest = (table: StoreTable, id: number) => void;

/** Reads, decides and writes. `attempt` counts from 1. */
type Work<T> = (attempt: number, contest: Contest) => Promise<T>;

type RecordOf = readonly [table: StoreTable, id: number];

/**
 * Runs `work` again when another writer was faster, for ten seconds, with growing random pauses.
 * Then throws the last `ConflictError`; HTTP returns it as a 503. For new records, which have few
 * writers.
 */
export const retryOnConflict = <T>(work: (attempt: number) => Promise<T>): Promise<T> =>
  retry(work);

/**
 * {@link retryOnConflict} for changes of a record that are seldom in conflict: writers that lost a
 * race take turns, as in {@link takeTurns}.
 */
export const retryInTurns = <T>(db: StoreScope, record: RecordOf, work: Work<T>): Promise<T> =>
  retry(work, { db, record, firstStep: 2 });

/**
 * {@link retryOnConflict} for changes that conflict with every other change of the record, as those
 * that count its revision do. In an isolate such writers take turns from the start, so that each of
 * fifty reads and writes once.
 */
export const takeTurns = <T>(db: StoreScope, record: RecordOf, work: Work<T>): Promise<T> =>
  retry(work, { db, record, firstStep: 1 });

/** Where writers wait, and the first attempt for which they do. */
interface Contested {
  db: StoreScope;
  record: RecordOf;
  firstStep: number;
}

async function retry<T>(work: Work<T>, contested?: Contested): Promise<T> {
  const deadline = Date.now() + conflictDeadlineMs;
  let record = contested?.record;
  let joined: string | undefined;
  let leave: (() => void) | undefined;
  const contest: Contest = (table, id) => {
    record = [table, id];
  };
  try {
    for (let attempt = 1; ; attempt += 1) {
      const line =
        contested && record && attempt >= contested.firstStep
          ? contestedRecord(contested.db, ...record)
          : undefined;
      if (line !== undefined && line !== joined) {
        leave?.();
        leave = await waitForTurn((joined = line), deadline);
      } else if (attempt > 1) {
        await pauseUpTo(Math.min(firstConflictPauseMs * 2 ** (attempt - 2), maxConflictPauseMs));
      }
      try {
        return await work(attempt, contest);
      } catch (error) {
        if (!(error instanceof ConflictError) || Date.now() >= deadline) throw error;
      }
    }
  } finally {
    leave?.();
  }
}

/** Names a record for which writers compete. */
const contestedRecord = ({ store }: StoreScope, table: StoreTable, id: number) =>
  `${store.id}/${getTableName(table)}/${id}`;

interface Writer {
  /** Epoch milliseconds of its last sign of life. */
  seenAt: number;
}

/** The lines of this isolate by record; the first writer of a line has its turn. */
const lines = new Map<string, Writer[]>();

/**
 * A writer without a sign of life for this long has ended with its request, or takes too long: the
 * line passes it.
 */
const abandonedMs = 2_000;

/** Beyond this number of lines, abandoned ones are removed. */
const maxLines = 1_000;

const pollMs = 2;
const maxPollMs = 100;

/**
 * Joins the line of a record and waits for its turn, at most until `deadline`. Returns a function
 * that ends the turn. Turns only spare retries: they do not lock the record, and writers in other
 * isolates do not wait.
 *
 * Each writer waits with timers of its own. The runtime may cancel a request that waits only for
 * another request, and it drops the `finally` of a request whose client is gone.
 */
export async function waitForTurn(record: string, deadline: number): Promise<() => void> {
  if (lines.size > maxLines) removeAbandonedLines();
  const line = lines.get(record) ?? [];
  lines.set(record, line);
  const self: Writer = { seenAt: Date.now() };
  line.push(self);
  for (;;) {
    const now = (self.seenAt = Date.now());
    while (line[0] !== self && line[0] && isAbandoned(line[0], now)) line.shift();
    const place = line.indexOf(self);
    if (place <= 0 || now >= deadline) return () => leave(record, line, self);
    await pause(Math.min(place * pollMs, maxPollMs));
  }
}

const isAbandoned = ({ seenAt }: Writer, now: number) => now - seenAt > abandonedMs;

function leave(record: string, line: Writer[], self: Writer) {
  const place = line.indexOf(self);
  if (place !== -1) line.splice(place, 1);
  if (line.length === 0 && lines.get(record) === line) lines.delete(record);
}

function removeAbandonedLines() {
  const now = Date.now();
  for (const [record, line] of lines) {
    if (line.every((writer) => isAbandoned(writer, now))) lines.delete(record);
  }
}
