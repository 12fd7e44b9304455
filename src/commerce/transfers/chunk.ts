import type { FieldErrors } from '../../base/errors.ts';
import type { Statement } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { StoreEvent } from '../../webhooks/events/publish.ts';
import type { FileLine } from './line-reader.ts';
import { parseLine, sharedKeys, type ParsedLine } from './parse-line.ts';
import { findProduct, planLine } from './plan-line.ts';
import { loadFacts } from './store-facts.ts';

/** An error of a line. */
export interface LineError {
  line: number;
  field: string;
  message: string;
}

/** Lines of one transaction, and their outcome. */
export interface ChunkPlan {
  lines: readonly Pick<ParsedLine, 'number' | 'end'>[];
  statements: Statement[];
  events: StoreEvent[];
  errors: LineError[];
  counts: { created: number; updated: number; unchanged: number; failed: number };
}

interface ChunkInput {
  db: StoreDb;
  reserveIds: (count: number) => Promise<number>;
  attempt: number;
}

/** Lines of one transaction that write: changed or wrong ones. More would keep others waiting for longer. */
export const writingLines = 4;

/**
 * Plans as many of these lines, at least one, as do not depend on each other. A line that may depend on an earlier
 * one waits for the next chunk, which sees the changes of this one. So do those after the fourth one that writes.
 */
export async function planChunk(input: ChunkInput, lines: readonly FileLine[]): Promise<ChunkPlan> {
  const parsed = independentLines(lines.map(parseLine));
  const facts = await loadFacts(input.db, parsed);
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  const plan: ChunkPlan = { lines: parsed, statements: [], events: [], errors: [], counts };
  const changed = new Set<number>();
  for (const [index, line] of parsed.entries()) {
    if (index - counts.unchanged === writingLines)
      return { ...plan, lines: parsed.slice(0, index) };
    const product = findProduct(facts, line);
    const planned = await planLine({ ...input, facts }, line);
    const mayDepend =
      (product && changed.has(product.id)) ||
      (planned.outcome === 'failed' && planned.isAboutNames === true);
    if (index > 0 && mayDepend) return { ...plan, lines: parsed.slice(0, index) };
    if (product) changed.add(product.id);
    counts[planned.outcome] += 1;
    if (planned.outcome === 'failed') plan.errors.push(...toLineErrors(line, planned.errors));
    if ('event' in planned) {
      plan.statements.push(...planned.statements);
      plan.events.push(planned.event);
    }
  }
  return plan;
}

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
