import { getTableColumns } from 'drizzle-orm';
import { decoderOfColumn } from '../core/drizzle-adapter.ts';
import { movedTables, schemaTables, type MovedTable } from '../shards/moved-tables.ts';
import type { Cell } from '../shards/read-rows.ts';

/**
 * Tables without data of the store that another one does not have: counters, locks, and copies of
 * answers.
 */
const leftOutTables: ReadonlySet<string> = new Set([
  'event_budgets',
  'idempotency_keys',
  'order_numbers',
  'store_notices',
  'test_clocks',
  'transfer_errors',
  'webhook_archives',
  'webhook_pings',
  'webhook_trials',
]);

/** Secrets, and columns that only the program needs. No export has them. */
const leftOutColumns: Readonly<Record<string, readonly string[]>> = {
  email_configurations: ['password_sealed'],
  oauth_grants: [
    'challenge',
    'redirect_hash',
    'code_expires_at',
    'current_hash',
    'previous_hash',
    'encrypted_successor',
    'fast_forward_until',
    'late_retries_left',
  ],
  transfers: ['actor', 'file', 'parts', 'position', 'line', 'due_at'],
  webhook_attempts: ['key_id'],
  webhook_endpoints: ['secret_current', 'secret_previous', 'secret_mode', 'epoch'],
  webhook_events: ['archive_offset', 'archive_bytes'],
};

/** Columns that follow from others, that locks need, or that name the store in every line. */
const isInternal = (column: string, all: readonly string[]) =>
  column === 'store_id' ||
  column === 'revision' ||
  column.startsWith('lease_') ||
  column.endsWith('_folded') ||
  (column.endsWith('_key') && all.includes(column.slice(0, -'_key'.length)));

/** A table as an export has it. */
interface ExportedTable {
  table: MovedTable;
  /** Converts the cells of a row to the object of a line. */
  toRecord: (row: readonly Cell[]) => Record<string, unknown>;
}

/** The exported columns of a table, by name, with the conversion of a cell to a value. */
function fieldsOf({ name, columns }: MovedTable): Map<string, (cell: Cell) => unknown> {
  const source = schemaTables.get(name);
  const known = Object.values(source ? getTableColumns(source) : {});
  const decoders = new Map(known.map((column) => [column.name, decoderOfColumn(column)]));
  const toValue = (column: string) => (cell: Cell) => {
    if (cell === null) return null;
    if (typeof cell === 'number' && /(?:^|_)(?:at|until)$/.test(column)) return toIso(cell);
    return decoders.get(column)?.(cell) ?? cell;
  };
  const shown = columns.filter(
    (column) => !isInternal(column, columns) && !leftOutColumns[name]?.includes(column),
  );
  return new Map(shown.map((column) => [column, toValue(column)]));
}

/**
 * Returns a time as text; the number itself outside the range of dates, such as a time that never
 * ends.
 */
export function toIso(ms: number): string | number {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? ms : date.toISOString();
}

function describe(table: MovedTable): ExportedTable {
  const fields = [...fieldsOf(table)].map(([name, toValue]) => {
    const index = table.columns.indexOf(name);
    return { name, toValue, index };
  });
  return {
    table,
    toRecord: (row) =>
      Object.fromEntries(
        fields.map(({ name, toValue, index }) => [name, toValue(row[index] ?? null)]),
      ),
  };
}

/** The tables of an export of a store, in the order of their references. */
export const exportedTables: readonly ExportedTable[] = movedTables
  .filter(({ name }) => !leftOutTables.has(name))
  .map(describe);

/** Converts a row that was read by the names of its columns to an object. */
export function recordOfTable(
  name: string,
  row: Readonly<Record<string, Cell>>,
): Record<string, unknown> {
  const exported = exportedTables.find(({ table }) => table.name === name);
  if (!exported) throw new Error(`no export has ${name}`);
  return exported.toRecord(exported.table.columns.map((column) => row[column] ?? null));
}
