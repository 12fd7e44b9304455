import { getTableName } from 'drizzle-orm';
import type { StoreTable } from './define-table.ts';
import { pause } from './pause.ts';
import type { StoreScope } from './store.ts';

/** Names a record for which writers compete. */
export const contestedRecord = ({ store }: StoreScope, table: StoreTable, id: number) =>
  `${store.id}/${getTableName(table)}/${id}`;

interface Writer {
  /** Epoch milliseconds of its last sign of life. */
  seenAt: number;
}

/** The lines of this isolate by record; the first writer of a line has its turn. */
const lines = new Map<string, Writer[]>();

/** A writer without a sign of life for this long has ended with its request, or takes too long: the line passes it. */
const abandonedMs = 2_000;

/** Beyond this number of lines, abandoned ones are removed. */
const maxLines = 1_000;

const pollMs = 2;
const maxPollMs = 100;

/**
 * Joins the line of a record and waits for its turn, at most until `deadline`. Returns a function that ends the turn.
 * Turns only spare retries: they do not lock the record, and writers in other isolates do not wait.
 *
 * Each writer waits with timers of its own. The runtime may cancel a request that waits only for another request, and it
 * drops the `finally` of a request whose client is gone.
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
