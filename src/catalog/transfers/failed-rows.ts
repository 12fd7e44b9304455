import { formatRow, guardAgain } from './csv.ts';
import type { LineError } from './line-reader.ts';
import type { WaitingTable } from './waiting-table.ts';

/** How the rows of a table that were not imported are sent back. */
interface FailedRowsSpelling {
  /** The headers of the column with the problems, in each language; the first one is written. */
  problem: readonly string[];
  /**
   * The problem of an error as a text, and that of a row whose product has an error in another row.
   */
  textOf: (error: LineError) => string;
  otherRow: (row: number) => string;
}

/**
 * The rows of a table that were not imported, as they were, with a column that says why. Errors
 * come in their order.
 */
export async function* failedRows(
  table: WaitingTable,
  errors: readonly LineError[],
  { problem, textOf, otherRow }: FailedRowsSpelling,
): AsyncGenerator<string> {
  const { delimiter, columns } = table;
  // A table that was mended before has such a column already.
  const isKept = (at: number) => !problem.includes(columns[at]?.header ?? '');
  const write = (cells: readonly string[], text: string) => {
    const own = columns.map((_, at) => cells[at] ?? '').concat(cells.slice(columns.length));
    return formatRow([...own.filter((_, at) => isKept(at)), text], delimiter, guardAgain);
  };
  yield `\uFEFF${write(
    columns.map(({ header }) => header),
    problem[0] ?? '',
  )}`;
  const byRow = Map.groupBy(errors, ({ line }) => line);
  let next = 0;
  for await (const { number, cells } of table.read()) {
    while ((errors[next]?.to_line ?? Infinity) < number) next += 1;
    const { from_line: from = Infinity, line = 0 } = errors[next] ?? {};
    if (number < from || cells.length === 0) continue;
    const own = byRow.get(number)?.map(textOf) ?? [otherRow(line)];
    yield write(cells, own.join(' '));
  }
}
