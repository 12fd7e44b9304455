import { Malformed, valueOf } from './column-kind.ts';
import type { Kind } from './column-kind.ts';
import type { Condition, Value } from './condition.ts';

/** The columns that `search` knows. */
export type Searchable = Readonly<Record<string, Kind>>;

/** How `searchFields` says a column is compared. */
export type Comparison = 'like' | '=' | 'in';

const MAX_PAIRS = 20;
const MAX_VALUES = 100;

/** `searchFields`: `field:condition`, several with `;`. */
export function readSearchFields(
  columns: Searchable,
  text: string,
): Map<string, Comparison> | Malformed {
  const chosen = new Map<string, Comparison>();
  for (const pair of text.split(';')) {
    const [column, comparison] = split(pair);
    const kind = kindOf(columns, column);
    if (!kind) return unknownColumn(columns);
    const known = comparison?.toLowerCase();
    if (known !== 'like' && known !== '=' && known !== 'in') {
      return new Malformed('Must be field:condition, where the condition is like, = or in.');
    }
    if (known === 'like' && kind !== 'text') {
      return new Malformed('Must use like with text columns alone.');
    }
    chosen.set(column, known);
  }
  return chosen;
}

/** `search`: `field:value` or a value for all text columns, several with `;`. */
export function readSearch(
  columns: Searchable,
  comparisons: ReadonlyMap<string, Comparison>,
  join: 'and' | 'or',
  text: string,
): Condition | Malformed {
  const pairs = text.split(';');
  if (pairs.length > MAX_PAIRS) return new Malformed(`Must hold at most ${MAX_PAIRS} values.`);
  const conditions: Condition[] = [];
  for (const pair of pairs) {
    const [column, value] = split(pair);
    const condition =
      value === undefined
        ? anywhere(columns, comparisons, pair)
        : compare(columns, comparisons, column, value);
    if (condition instanceof Malformed) return condition;
    conditions.push(condition);
  }
  return join === 'or' ? { any: conditions } : { all: conditions };
}

function anywhere(
  columns: Searchable,
  comparisons: ReadonlyMap<string, Comparison>,
  value: string,
): Condition | Malformed {
  const any: Condition[] = [];
  for (const [column, kind] of Object.entries(columns)) {
    if (kind !== 'text') continue;
    const condition = compare(columns, comparisons, column, value);
    if (condition instanceof Malformed) return condition;
    any.push(condition);
  }
  return any.length > 0 ? { any } : new Malformed('Must be field:value.');
}

function compare(
  columns: Searchable,
  comparisons: ReadonlyMap<string, Comparison>,
  column: string,
  text: string,
): Condition | Malformed {
  const kind = kindOf(columns, column);
  if (!kind) return unknownColumn(columns);
  const comparison = comparisons.get(column) ?? (kind === 'text' ? 'like' : '=');
  if (comparison === 'in') return oneOf(column, kind, text.split(','));
  const value = valueOf(kind, text);
  if (value instanceof Malformed) return value;
  return comparison === 'like'
    ? { column, is: 'contains', text: String(value) }
    : { column, is: 'equals', value };
}

/** The condition that a column has one of several values. */
export function oneOf(column: string, kind: Kind, texts: readonly string[]): Condition | Malformed {
  if (texts.length > MAX_VALUES) return new Malformed(`Must hold at most ${MAX_VALUES} values.`);
  const values = new Set<Value>();
  for (const text of texts) {
    const value = valueOf(kind, text);
    if (value instanceof Malformed) return value;
    values.add(value);
  }
  return { column, is: 'in', values: [...values] };
}

function split(pair: string): [string, string | undefined] {
  const colon = pair.indexOf(':');
  return colon < 0 ? [pair, undefined] : [pair.slice(0, colon).trim(), pair.slice(colon + 1)];
}

function kindOf(columns: Searchable, column: string): Kind | undefined {
  return Object.hasOwn(columns, column) ? columns[column] : undefined;
}

function unknownColumn(columns: Searchable): Malformed {
  return new Malformed(`Must name one of ${Object.keys(columns).join(', ')}.`);
}
