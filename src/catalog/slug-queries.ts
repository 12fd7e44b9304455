import { and, desc, sql } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import { slugify } from '../base/codecs/fields/string-formats.ts';
import { ConflictError, ValidationError } from '../base/errors.ts';
import { rawStatement } from '../data/core/raw.ts';
import type { StoreDb } from '../data/core/store-db.ts';
import type { StoreTable } from '../data/core/store-table.ts';

/** A table whose records have a slug that is unique in the store. */
type SluggedTable = StoreTable & { slug: AnySQLiteColumn<{ data: string }> };

/**
 * Derives a slug from a name, with room for a number at its end; uses `noun` if the name has no
 * usable letters.
 */
export const slugBase = (name: string, noun: string, max = 255) =>
  slugify(name)
    .slice(0, max - 15)
    .replace(/-$/, '') || noun;

/** Selects the record with the highest number among the slugs `shirt`, `shirt-2`, `shirt-3`, ... */
export function selectHighestSlug(db: StoreDb, table: SluggedTable, base: string) {
  const { slug } = table;
  const numbered = and(
    sql`${slug} > ${`${base}-`} and ${slug} < ${`${base}.`}`,
    sql`substr(${slug}, ${base.length + 2}) not glob '*[^0-9]*'`,
  );
  return db
    .select(table, { where: sql`(${slug} = ${base} or ${numbered})` })
    .orderBy(desc(sql`length(${slug})`), desc(sql`${slug}`))
    .limit(1);
}

/** As {@link selectHighestSlug}, for each of these bases, in one statement. */
export const selectHighestSlugs = (db: StoreDb, table: SluggedTable, bases: readonly string[]) =>
  rawStatement<{ base: string; slug: string | null }>(
    db,
    sql`select base.value as base, (select slug from (
        select slug from ${table} where store_id = ${db.store.id} and slug = base.value
        union all
        select slug from ${table} where store_id = ${db.store.id}
          and slug > base.value || '-' and slug < base.value || '.'
          and substr(slug, length(base.value) + 2) not glob '*[^0-9]*')
        order by length(slug) desc, slug desc limit 1) as slug
      from json_each(${JSON.stringify(bases)}) base`,
  );

function incrementSlug(base: string, highest: unknown): string {
  if (typeof highest !== 'string') return base;
  return `${base}-${highest === base ? 2 : Number(highest.slice(base.length + 1)) + 1}`;
}

/**
 * Returns the first free slug after `highest`. From the third attempt on many requests compete for
 * the same name, so the slug ends with `suffix` instead. It is a number that only this record has,
 * or a random one.
 */
export function nextFreeSlug(
  base: string,
  highest: unknown,
  attempt: number,
  suffix: number | string = `${Date.now() % 1e9}${Math.floor(Math.random() * 1e4)}`,
): string {
  return attempt < 3 ? incrementSlug(base, highest) : `${base}-${suffix}`;
}

/**
 * Turns the error of a taken slug into a `ConflictError` if the slug was generated, so that
 * `retryOnConflict` generates another one. A slug that was sent stays an error of its field.
 */
export async function retrySlug<T>(isGenerated: boolean, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isGenerated && error instanceof ValidationError && 'slug' in error.errors) {
      throw new ConflictError();
    }
    throw error;
  }
}
