import { sql } from 'drizzle-orm';
import { InvalidBody } from '../problem.ts';
import type { FieldErrors } from '../problem.ts';
import { rawStatement } from './raw.ts';
import type { StoreDb } from './store.ts';
import type { StoreTable } from './table.ts';

/** Reads which of these ids this store has no record of, by their place in the list. */
export const missing = (db: StoreDb, table: StoreTable, ids: readonly unknown[]) =>
  rawStatement<{ place: number }>(
    db,
    sql`select key as place from json_each(${JSON.stringify(ids.filter(Boolean))})
      where not exists (select 1 from ${table} where ${table.id} = value and ${table.store_id} = ${db.store.id})`,
  );

/** The error of a field that holds one id. */
export const unknownId = (
  field: string,
  noun: string,
  missed: readonly { place: number }[],
): FieldErrors => (missed.length > 0 ? { [field]: [`No such ${noun} in this store.`] } : {});

/** The errors of a list of ids. */
export const unknownIds = (
  field: string,
  noun: string,
  missed: readonly { place: number }[],
): FieldErrors =>
  Object.fromEntries(
    missed.map(({ place }) => [`${field}.${place}`, [`No such ${noun} in this store.`]]),
  );

/** Refuses a body if anything is wrong with it. */
export function refuseIf(...errors: readonly FieldErrors[]) {
  const all = Object.assign({}, ...errors) as FieldErrors;
  if (Object.keys(all).length > 0) throw new InvalidBody(all);
}
