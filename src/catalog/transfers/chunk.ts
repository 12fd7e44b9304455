import { nameKey } from '../../base/codecs/fields/normalize-text.ts';
import type { FieldErrors } from '../../base/errors.ts';
import type { Statement } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { assertNotReceived } from '../../webhooks/events/fan-out.ts';
import type { EventSet } from '../../webhooks/events/publish-set.ts';
import { moveQuantitiesStatements } from '../bulk/named-sku-queries.ts';
import { toProductEvent } from '../products/events.ts';
import {
  productStatements,
  type PlannedCreation,
  type PlannedUpdate,
} from '../products/write-products.ts';
import { maxQuantity } from '../skus/requests.ts';
import { toStockEvents, type MovedStock } from '../stock/stock.ts';
import type { FileLine, LineError } from './line-reader.ts';
import { insertBrandsStatements } from './new-brands.ts';
import { parseLine, sharedKeys, type ImportRules, type ParsedLine } from './parse-line.ts';
import { findProduct, planLine } from './plan-line.ts';
import { lineEvents, loadFacts, type LineEvent, type StoreFacts } from './store-facts.ts';

/** Lines of one transaction, and their outcome. */
export interface ChunkPlan {
  lines: readonly Pick<ParsedLine, 'number' | 'end'>[];
  statements: readonly Statement[];
  events: readonly EventSet[];
  errors: readonly LineError[];
  counts: typeof noCounts;
  /** Whether its lines have as many records as fit. */
  isFull: boolean;
}

/** Counts of lines by their outcome, and of the stocks that they name. */
export const noCounts = {
  created: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  failed: 0,
  stocks_set: 0,
  stocks_left: 0,
};

interface ChunkInput {
  db: StoreDb;
  rules: ImportRules;
  reserveIds: (count: number) => Promise<number>;
  attempt: number;
}

/** Lines of the first chunk of a step, before it is known for how long the shard works on them. */
export const firstChunkLines = 16;

/** The most lines of one transaction. */
export const maxChunkLines = 64;

/**
 * The most records that one transaction writes or shows in events: products, SKUs, images and
 * links.
 */
const maxChunkRecords = 256;

/**
 * Plans as many of these lines, at least one, as do not depend on each other. A line that may
 * depend on an earlier one waits for the next chunk, which sees the changes of this one.
 */
export async function planChunk(input: ChunkInput, lines: readonly FileLine[]): Promise<ChunkPlan> {
  const { db, rules } = input;
  const { hasEvents, fromTable, setsStock } = rules;
  const read = independentLines(lines.map((line) => parseLine(line, fromTable)));
  const facts = await loadFacts(db, read, rules);
  const parsed = read.map((line) => withBrand(facts, line));
  const counts = { ...noCounts };
  const errors: LineError[] = [];
  const created: PlannedCreation[] = [];
  const updated: PlannedUpdate[] = [];
  const moved: MovedStock[] = [];
  const named = new Set<number>();
  let end = parsed.length;
  let records = 0;
  for (const [index, line] of parsed.entries()) {
    const product = findProduct(facts, rules, line);
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
    else if (planned.outcome !== 'skipped') {
      if (planned.plan) updated.push(planned.plan);
      moved.push(...planned.moved);
      counts.stocks_left += planned.left;
    }
  }
  counts.stocks_set = moved.length;
  const used = new Set([...created, ...updated].map(({ columns }) => columns.brand_id));
  return {
    lines: parsed.slice(0, end),
    statements: [
      ...lineEvents
        .filter((name) => hasEvents && !facts.received.has(name))
        .filter((name) => setsStock || name !== 'product.inventory.updated')
        .map((name) => assertNotReceived(db, name)),
      ...insertBrandsStatements(
        db,
        facts.newBrands.filter(({ id }) => used.has(id)),
      ),
      ...productStatements(db, { created, updated }),
      ...(moved.length > 0
        ? moveQuantitiesStatements(
            db,
            moved.map(({ move }) => move),
            maxQuantity,
          )
        : []),
    ],
    events: [
      toEventSet(db, facts, 'product.created', created),
      toEventSet(db, facts, 'product.updated', updated),
      toStockEvents(db, facts.received.has('product.inventory.updated') ? moved : []),
    ],
    errors,
    counts,
    isFull: records > maxChunkRecords,
  };
}

/** A line of a table with the ids of the brands that it names. */
function withBrand({ brandByKey }: StoreFacts, line: ParsedLine): ParsedLine {
  const { brand, sent, fresh } = line;
  const idOf = (name: string | undefined) =>
    name === undefined ? {} : { brand_id: brandByKey.get(nameKey(name))?.id };
  return { ...line, sent: { ...sent, ...idOf(brand) }, fresh: { ...fresh, ...idOf(fresh.brand) } };
}

type EventProduct = Parameters<typeof toProductEvent>[2];

/** The events of lines; none if no endpoint receives them, which the transaction asserts. */
const toEventSet = (
  db: StoreDb,
  { received }: StoreFacts,
  name: Exclude<LineEvent, 'product.inventory.updated'>,
  plans: readonly { product: EventProduct & { id: number }; before?: EventProduct }[],
): EventSet => ({
  name,
  events: received.has(name)
    ? plans.map(({ product, before }) => ({
        key: product.id,
        ...toProductEvent(db, name, product, before),
      }))
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

/** The errors of a line: cells that could not be read first. */
export const toLineErrors = (
  { number, last, rows, sent, refused }: ParsedLine,
  errors: FieldErrors,
): LineError[] =>
  [
    ...refused,
    ...Object.entries(errors).flatMap(([field, messages]) =>
      messages.map((message) => ({
        line: rows[Number(/^skus\.(\d+)/.exec(field)?.[1])] ?? number,
        field: field.slice(0, 80),
        sent: sentAs(sent, field),
        message,
      })),
    ),
  ]
    .slice(0, maxErrorsPerLine)
    .map((error) => ({ ...error, from_line: number, to_line: last }));

/** The characters of a value that an error shows. */
const maxSent = 80;

/** The value of a field of a line as a text; null for one without, a list or an object. */
function sentAs(sent: unknown, field: string): string | null {
  let value = sent;
  for (const name of field.split('.')) {
    const holder = new Map(Object.entries(value ?? {}));
    value = holder.get(name);
  }
  return ['string', 'number', 'boolean'].includes(typeof value)
    ? String(value).slice(0, maxSent).toWellFormed()
    : null;
}
