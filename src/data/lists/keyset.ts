import { sql, type SQL } from 'drizzle-orm';
import type { ListPosition, SortValue } from '../../base/codecs/listing/options.ts';

/** A key of an order. The id, which is never null, is the last key of every order. */
export interface SortKey {
  column: SQL;
  descending: boolean;
  isNullable: boolean;
}

/**
 * Records that follow a position and are next to each other in the order, which `order` gives them.
 */
interface Range {
  where: SQL | undefined;
  order: SQL;
}

export const orderOf = (keys: readonly SortKey[]): SQL =>
  sql.join(
    keys.map(({ column, descending }) => (descending ? sql`${column} desc` : sql`${column}`)),
    sql`, `,
  );

/** The opposite order. */
export const reversed = (keys: readonly SortKey[]): SortKey[] =>
  keys.map((key) => ({ ...key, descending: !key.descending }));

/**
 * Returns the ranges of records behind a position, the nearest first. An index on the keys can read
 * each of them. SQLite sorts null before every value. `bound` is the SQL of a value of the
 * position.
 */
export function rangesBehind(
  keys: readonly SortKey[],
  position: ListPosition | undefined,
  bound: (depth: number) => SQL = (depth) => sql`${position?.values[depth] ?? null}`,
): readonly Range[] {
  if (!position) return [{ where: undefined, order: orderOf(keys) }];
  const { values } = position;
  // The nearest records differ only in the last key.
  return keys.toReversed().flatMap((key, distance) => {
    const depth = keys.length - 1 - distance;
    const same = keys
      .slice(0, depth)
      .map(({ column }, index) => isEqual(column, values[index] ?? null, bound(index)));
    return conditionsBehind(key, values[depth] ?? null, bound(depth)).map(
      ({ condition, isOneValue }) => ({
        where: sql.join([...same, condition], sql` and `),
        order: orderOf(keys.slice(isOneValue ? depth + 1 : depth)),
      }),
    );
  });
}

/** The condition that a record is behind a position, in one expression. */
export const isBehind = (
  keys: readonly SortKey[],
  position: ListPosition,
  bound?: (depth: number) => SQL,
): SQL =>
  sql`(${sql.join(
    rangesBehind(keys, position, bound).map(({ where }) => sql`(${where})`),
    sql` or `,
  )})`;

function conditionsBehind(
  { column, descending, isNullable }: SortKey,
  value: SortValue,
  bound: SQL,
) {
  const range = (condition: SQL, isOneValue = false) => ({ condition, isOneValue });
  if (value === null) return descending ? [] : [range(sql`${column} is not null`)];
  if (!descending) return [range(sql`${column} > ${bound}`)];
  const below = range(sql`${column} < ${bound}`);
  return isNullable ? [below, range(sql`${column} is null`, true)] : [below];
}

const isEqual = (column: SQL, value: SortValue, bound: SQL) =>
  value === null ? sql`${column} is null` : sql`${column} = ${bound}`;
