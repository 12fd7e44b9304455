import { sql } from 'drizzle-orm';
import { foldText, nameKey } from '../../base/codecs/fields/normalize-text.ts';
import { rawStatement } from '../../data/core/raw.ts';
import { baseColumns } from '../../data/core/reserved-ids.ts';
import type { Statement } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import { insertRowsStatements } from '../../data/queries/bulk-rows.ts';
import { inParameters } from '../../data/queries/json-parameters.ts';
import { brands } from '../../data/schema/store/catalog-tables.ts';

// Brands that a table names and the store does not have. The transaction of the products creates
// them, so nothing is left of an import that is refused or cancelled.

/** The last id that the shard gave a brand. */
const lastId = sql`coalesce((select seq from sqlite_sequence where name = 'brands'), 0)`;

/**
 * The number of brands, by the keys of their names, that the store does not have. One round trip.
 */
export async function countMissing(db: StoreDb, names: ReadonlySet<string>): Promise<number> {
  const keys = inParameters([...names].map((key) => JSON.stringify(key)));
  const found = await db.batch(
    keys.map((some) =>
      rawStatement<{ count: number }>(
        db,
        sql`select count(*) as count from ${brands} where ${isNamed(db, some)}`,
      ),
    ),
  );
  return names.size - found.flat().reduce((sum, { count }) => sum + count, 0);
}

const isNamed = (db: StoreDb, keys: string) =>
  sql`${brands.store_id} = ${db.store.id}
    and ${brands.name_key} in (select value from json_each(${keys}))`;

/** Prepares brands with these names, under the next ids of the shard. One round trip. */
export async function prepareBrands(
  db: StoreDb,
  names: readonly string[],
): Promise<Row<typeof brands>[]> {
  const [[found]] = await db.batch([
    rawStatement<{ last: number }>(db, sql`select ${lastId} as last`),
  ]);
  const last = found?.last ?? 0;
  return names.map((name, at) => ({
    ...baseColumns(db, last + at + 1),
    name,
    name_key: nameKey(name),
    name_folded: foldText(name),
    active: true,
    featured: false,
    description: null,
    logo_url: null,
  }));
}

/**
 * Inserts prepared brands. Aborts the batch with a `ConflictError` after another brand was created,
 * or has one of the names.
 */
export function insertBrandsStatements(
  db: StoreDb,
  prepared: readonly Row<typeof brands>[],
): Statement[] {
  const [first] = prepared;
  if (!first) return [];
  const keys = JSON.stringify(prepared.map(({ name }) => nameKey(name)));
  return [
    db.assert(sql`${lastId} < ${first.id}
      and not exists (select 1 from ${brands} where ${isNamed(db, keys)})`),
    ...insertRowsStatements(
      db,
      brands,
      prepared.map(({ id, name, active, featured }) => ({
        id,
        values: { name, active, featured },
      })),
    ),
  ];
}
