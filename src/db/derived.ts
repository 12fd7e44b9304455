import { getTableColumns, type Table } from 'drizzle-orm';
import { fold, nameKey } from '../wire/fold.ts';

const makers = { folded: fold, key: nameKey } as const;

const derivations = new WeakMap<Table, { column: string; source: string; make: typeof fold }[]>();

function derivationsOf(table: Table) {
  let found = derivations.get(table);
  if (!found) {
    found = Object.keys(getTableColumns(table)).flatMap((column) => {
      const match = /^(.+)_(folded|key)$/.exec(column);
      const source = match?.[1];
      return source && source in getTableColumns(table)
        ? [{ column, source, make: makers[match[2] as keyof typeof makers] }]
        : [];
    });
    derivations.set(table, found);
  }
  return found;
}

/**
 * Adds the columns that follow from another: `name_folded` is what searching and sorting see of `name`
 * (no accents, no letter case), `name_key` what uniqueness compares.
 */
export function withDerived(table: Table, values: Record<string, unknown>) {
  const complete = { ...values };
  for (const { column, source, make } of derivationsOf(table)) {
    const value = values[source];
    if (value !== undefined) complete[column] = typeof value === 'string' ? make(value) : value;
  }
  return complete;
}
