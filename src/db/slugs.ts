import { and, desc, sql } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import { InvalidBody, StaleRevision } from '../problem.ts';
import { slugify } from '../wire/slug.ts';
import type { StoreDb } from './store.ts';
import type { StoreTable } from './table.ts';

/** A table whose records have a slug that is unique in the store. */
export type SluggedTable = StoreTable & { slug: AnySQLiteColumn<{ data: string }> };

/** What a slug is made of (room is left for a number behind it); `noun` where the name has no usable letters. */
export const slugBase = (name: string, noun: string, max = 255) =>
  slugify(name)
    .slice(0, max - 15)
    .replace(/-$/, '') || noun;

/** Of `shirt`, `shirt-2`, `shirt-3`, ... the one with the highest number. */
export function slugsLike(db: StoreDb, table: SluggedTable, base: string) {
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

/** The first of them that nobody has. */
function freeSlug(base: string, highest: unknown): string {
  if (typeof highest !== 'string') return base;
  return `${base}-${highest === base ? 2 : Number(highest.slice(base.length + 1)) + 1}`;
}

/**
 * As {@link freeSlug}; where many want the same name at once, a number far off ends the race: one that only this
 * record has, or any.
 */
export function freeSlugOf(
  base: string,
  highest: unknown,
  tried: number,
  own: number | string = `${Date.now() % 1e9}${Math.floor(Math.random() * 1e4)}`,
): string {
  return tried < 3 ? freeSlug(base, highest) : `${base}-${own}`;
}

/** A made slug that another writer took meanwhile is made again; a sent one is the caller's to change. */
export async function renamed<T>(isMade: boolean, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isMade && error instanceof InvalidBody && 'slug' in error.errors) throw new StaleRevision();
    throw error;
  }
}
