import { and, desc, sql } from 'drizzle-orm';
import { products } from '../../db/schema/store.ts';
import type { StoreDb } from '../../db/store.ts';
import { InvalidBody, StaleRevision } from '../../problem.ts';
import { slugify } from '../../wire/slug.ts';

/** What a slug is made of: room is left for a number behind it. */
export const slugBase = (name: string) => slugify(name).slice(0, 240) || 'product';

/** Of `shirt`, `shirt-2`, `shirt-3`, ... the one with the highest number. */
export function slugsLike(db: StoreDb, base: string) {
  const numbered = and(
    sql`${products.slug} > ${`${base}-`} and ${products.slug} < ${`${base}.`}`,
    sql`substr(${products.slug}, ${base.length + 2}) not glob '*[^0-9]*'`,
  );
  return db
    .select(products, { where: sql`(${products.slug} = ${base} or ${numbered})` })
    .orderBy(desc(sql`length(${products.slug})`), desc(products.slug))
    .limit(1);
}

/** The first of them that nobody has. */
export function freeSlug(base: string, highest: string | undefined): string {
  if (highest === undefined) return base;
  return `${base}-${highest === base ? 2 : Number(highest.slice(base.length + 1)) + 1}`;
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
