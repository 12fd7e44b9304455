import { bulkStatements } from '../../api/products/bulk-statements.ts';
import { toProductEvent } from '../../api/products/events.ts';
import type { PlannedCreation } from '../../api/products/plan-creation.ts';
import type { PlannedUpdate } from '../../api/products/plan-update.ts';
import type { FieldErrors } from '../../base/errors.ts';
import type { Statement } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { assertNotReceived } from '../../webhooks/events/fan-out.ts';
import type { EventSet } from '../../webhooks/events/publish-set.ts';
import type { FileLine } from './line-reader.ts';
import { parseLine, sharedKeys, type ParsedLine } from './parse-line.ts';
import { findProduct, planLine } from './plan-line.ts';
import { lineEvents, loadFacts, type LineEvent, type StoreFacts } from './store-facts.ts';

/** An error of a line. */
export interface LineError {
  line: number;
  field: string;
  message: string;
}

/** Lines of one transaction, and their outcome. */
export interface ChunkPlan {
  lines: readonly Pick<ParsedLine, 'number' | 'end'>[];
  statements: readonly Statement[];
  events: readonly EventSet[];
  errors: readonly LineError[];
  counts: { created: number; updated: number; unchanged: number; failed: number };
  /** Whether its lines have as many records as fit. */
  isFull: boolean;
}

interface ChunkInput {
  db: StoreDb;
  /** Whether its products have events. */
  hasEvents: boolean;
  reserveIds: (count: number) => Promise<number>;
  attempt: number;
}

/** Lines of the first chunk of a step, before it is known for how long the shard works on them. */
export const firstChunkLines = 16;

/** The most lines of one transaction. */
export const maxChunkLines = 64;

/** The most records that one transaction writes or shows in events: products, SKUs, images and links. */
const maxChunkRecords = 256;

/**
 * Plans as many of these lines, at least one, as do not depend on each other. A line that may depend on an earlier
 * one waits for the next chunk, which sees the changes of this one.
 */
export async function planChunk(input: ChunkInput, lines: readonly FileLine[]): Promise<ChunkPlan> {
  const { db, hasEvents } = input;
  const parsed = independentLines(lines.map(parseLine));
  const facts = await loadFacts(db, parsed, hasEvents);
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  const errors: LineError[] = [];
  const created: PlannedCreation[] = [];
  const updated: PlannedUpdate[] = [];
  const named = new Set<number>();
  let end = parsed.length;
  let records = 0;
  for (const [index, line] of parsed.entries()) {
    const product = findProduct(facts, line);
    const planned = await planLine({ ...input, facts }, line);
    // A change before it may free the name.
    const isFreed =
      planned.outcome === 'failed' && planned.isAboutNames === true && counts.updated > 0;
    if (planned.outcome === 'created' || planned.outcome === 'updated') {
      records += Math.max(line.records, 1 + (product?.skus.data.length ?? 0));
    }
    const isTooMuch = records > maxChunkRecords;
    if (index > 0 && (isTooMuch || isFreed || (product && named.has(product.id)))) {
      end = index;
      break;
    }
    if (product) named.add(product.id);
    counts[planned.outcome] += 1;
    if (planned.outcome === 'failed') errors.push(...toLineErrors(line, planned.errors));
    else if (planned.outcome === 'created') created.push(planned.plan);
    else if (planned.outcome === 'updated') updated.push(planned.plan);
  }
  return {
    lines: parsed.slice(0, end),
    statements: [
      ...lineEvents
        .filter((name) => hasEvents && !facts.received.has(name))
        .map((name) => assertNotReceived(db, name)),
      ...bulkStatements(db, created, updated),
    ],
    events: [
      toEventSet(db, facts, 'product.created', created),
      toEventSet(db, facts, 'product.updated', updated),
    ],
    errors,
    counts,
    isFull: records > maxChunkRecords,
  };
}

/** The events of lines; none if no endpoint receives them, which the transaction asserts. */
const toEventSet = (
  db: StoreDb,
  { received }: StoreFacts,
  name: LineEvent,
  plans: readonly { product: Parameters<typeof toProductEvent>[2] & { id: number } }[],
): EventSet => ({
  name,
  events: received.has(name)
    ? plans.map(({ product }) => ({ key: product.id, ...toProductEvent(db, name, product) }))
    : [],
});

/** The lines before the first one that names a record which an earlier line also names. */
function independentLines(lines: readonly ParsedLine[]): readonly ParsedLine[] {
  const named = new Set<string>();
  for (const [index, line] of lines.entries()) {
    const keys = sharedKeys(line);
    if (index > 0 && keys.some((key) => named.has(key))) return lines.slice(0, index);
    for (const key of keys) named.add(key);
  }
  return lines;
}

/** Messages of one line at most, so that no line fills the list. */
const maxErrorsPerLine = 20;

export const toLineErrors = (
  { number }: Pick<ParsedLine, 'number'>,
  errors: FieldErrors,
): LineError[] =>
  Object.entries(errors)
    .flatMap(([field, messages]) =>
      messages.map((message) => ({ line: number, field: field.slice(0, 80), message })),
    )
    .slice(0, maxErrorsPerLine);
