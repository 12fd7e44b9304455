import { sql } from 'drizzle-orm';
import { ValidationError, type FieldErrors } from '../../base/errors.ts';
import { rawStatement } from '../core/raw.ts';
import type { StoreDb } from '../core/store-db.ts';
import type { StoreTable } from '../core/store-table.ts';

/** An id that the store has no record of, by its index in the list that was sent. */
export interface MissingId {
  index: number;
}

/** Selects which of these ids the store has no record of. */
export const findMissing = (db: StoreDb, table: StoreTable, ids: readonly unknown[]) =>
  rawStatement<MissingId>(
    db,
    sql`select key as "index" from json_each(${JSON.stringify(ids.filter(Boolean))})
      where not exists (select 1 from ${table} where ${table.id} = value and ${table.store_id} = ${db.store.id})`,
  );

/** The error of a field that holds one id. */
export const unknownIdError = (
  field: string,
  noun: string,
  missing: readonly MissingId[],
): FieldErrors => (missing.length > 0 ? { [field]: [`No such ${noun} in this store.`] } : {});

/** The errors of a field that holds a list of ids. */
export const unknownIdErrors = (
  field: string,
  noun: string,
  missing: readonly MissingId[],
): FieldErrors =>
  Object.fromEntries(
    missing.map(({ index }) => [`${field}.${index}`, [`No such ${noun} in this store.`]]),
  );

/** Throws a `ValidationError` if there are any errors. */
export function throwIfInvalid(...errors: readonly FieldErrors[]) {
  const all = Object.assign({}, ...errors) as FieldErrors;
  if (Object.keys(all).length > 0) throw new ValidationError(all);
}
