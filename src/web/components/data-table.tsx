import type { Child } from 'hono/jsx';

/** A column of a table. The first column names the row. */
export interface TableColumn<Row> {
  label: string;
  cell: (row: Row) => Child;
  /** Whether its cells hold links that say what they do. Then a card shows no label beside them. */
  hasActions?: boolean;
  /** Whether its cells need no label. A card has as many of them in a line as fit. */
  isClear?: boolean;
}

interface DataTableProps<Row> {
  caption: Child;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
}

/**
 * A table whose rows are cards on a narrow screen, each cell with the label of its column. Where
 * the first cell is a link, the whole row is (`table` in `layout-styles.ts`).
 */
export function DataTable<Row>({ caption, columns, rows }: DataTableProps<Row>) {
  // A column of links that no row has is left out.
  const [first, ...others] = columns.filter(
    ({ cell, hasActions }) => !hasActions || rows.some((row) => Boolean(cell(row))),
  );
  return (
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {first && <th scope="col">{first.label}</th>}
          {others.map(({ label }) => (
            <th scope="col">{label}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            <th scope="row">{first?.cell(row)}</th>
            {others.map(({ label, cell, hasActions, isClear }) => (
              <td
                class={isClear ? 'clear' : undefined}
                data-label={hasActions || isClear ? undefined : label}
              >
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
