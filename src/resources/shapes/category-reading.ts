import { eq, sql } from 'drizzle-orm';
import { bannersOfCategory, filterValuesOfCategory, linkedIds, linkedTo } from '../../db/links.ts';
import { calling, chosen, computed, computedNumber, many, one } from '../../db/relations.ts';
import { banners, categories } from '../../db/schema/store.ts';
import type { Store, StoreDb } from '../../db/store.ts';
import type { Row } from '../../db/table.ts';
import { presentBanner } from './banner-row.ts';

type Categories = typeof categories;

/** What is computed with each category: its banners, its filter values, its children, its place in the tree. */
export const categoryExtras = (table: Categories) => ({
  banners_ids: linkedIds(bannersOfCategory, table),
  filters_values_ids: linkedIds(filterValuesOfCategory, table),
  is_parent: computedNumber(
    sql`exists (select 1 from ${categories} child where child.parent_id = ${table.id})`,
  ),
  slug_path: computed(
    sql`(with recursive above(parent_id, path) as (select ${table.parent_id}, ${table.slug}
      union all select upper.parent_id, upper.slug || '/' || above.path
      from ${categories} upper join above on upper.id = above.parent_id)
      select path from above where parent_id is null)`,
    (path: string) => path,
  ),
});

const parents = calling(categories, 'parents');
const children = calling(categories, 'children');

const relations = {
  parent: one(parents, eq(parents.id, categories.parent_id), categoryExtras(parents)),
  children: many(children, eq(children.parent_id, categories.id), categoryExtras(children)),
  banners: many(banners, linkedTo(bannersOfCategory, categories.id)),
};

/** The names that `include` knows. */
export const categoryIncludes = ['seo', 'parent', 'children', 'banners'] as const;

/** What is read with a category for a query's `include`. */
export const readWithCategory = (
  names: readonly string[],
): ReturnType<typeof categoryExtras> & Partial<typeof relations> => ({
  ...categoryExtras(categories),
  ...chosen(relations, names),
});

/** A category as it is read for others. */
export type ReadCategory = Row<Categories> & {
  banners_ids: number[];
  filters_values_ids: number[];
  is_parent: number;
  slug_path: string;
};

/** Adds what follows from the store and the category: owner, addresses and counts. */
export const presentCategory = (store: Store, category: ReadCategory) => ({
  ...category,
  is_parent: category.is_parent === 1,
  merchant_id: store.id,
  total_banners: category.banners_ids.length,
  url_path: `/${category.slug_path}`,
  url: `${store.base_url}/${category.slug_path}`,
});

type Read = ReadCategory & {
  parent?: { data: ReadCategory | null };
  children?: { data: ReadCategory[] };
  banners?: { data: Row<typeof banners>[] };
};

/** A category as it was read, with the relations that were read along. */
export function shownCategory(db: StoreDb, read: Read, includes: readonly string[] = []) {
  const { parent, children, banners, ...category } = read;
  const { seo_title, seo_keywords, seo_description } = category;
  const present = (one: ReadCategory) => presentCategory(db.store, one);
  return {
    ...present(category),
    ...(includes.includes('seo') && {
      seo: { data: { seo_title, seo_keywords, seo_description } },
    }),
    ...(parent && { parent: { data: parent.data && present(parent.data) } }),
    ...(children && { children: { data: children.data.map(present) } }),
    ...(banners && { banners: { data: banners.data.map((one) => presentBanner(db, one)) } }),
  };
}
