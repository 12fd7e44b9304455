import { eq, sql } from 'drizzle-orm';
import * as z from 'zod';
import { recordTimes } from '../../base/codecs/fields/date-time.ts';
import { idOutput, merchantId } from '../../base/codecs/fields/ids.ts';
import { boolOutput } from '../../base/codecs/fields/scalars.ts';
import { explain } from '../../base/codecs/meaning.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import type { Store } from '../../data/core/store.ts';
import { idsSubquery, linkedIds, isLinkedTo } from '../../data/queries/links.ts';
import {
  aliasTable,
  pickRelations,
  computedColumn,
  computedNumber,
  toMany,
  toOne,
} from '../../data/queries/relations.ts';
import { banners } from '../../data/schema/store/banners-tables.ts';
import { categories } from '../../data/schema/store/categories-tables.ts';
import { BannerRowSchema, serializeBannerRow } from '../banners/row.ts';
import { bannersOfCategory, filterValuesOfCategory } from '../catalog-links.ts';
import { SeoSchema, seoFields, seoMeanings } from '../seo-schema.ts';

const line = z.string();
const ids = z.array(z.int());

/** The response of POST. */
export const CategorySchema = z
  .object({
    id: idOutput,
    merchant_id: merchantId,
    parent_id: z.int().nullable(),
    active: boolOutput,
    featured: boolOutput,
    home: boolOutput,
    name: line,
    slug: line,
    description: line.nullable(),
    price_factor: z.number(),
    order: z.int(),
    sort_by: line,
    external_url: line.nullable(),
    canonical_url: line.nullable(),
    ...seoFields,
    banners_ids: ids,
    total_banners: z.int(),
    ml_category: line.nullable(),
    url: line,
  })
  .meta({ id: 'Category' });

const categoryMeanings = {
  parent_id:
    'Category above this one; null at the root. A deleted parent hands its children to its own parent.',
  active: 'Whether the shop shows the category. Lists of this API contain inactive ones too.',
  featured: 'Whether the shop may highlight the category.',
  home: 'Whether the shop shows the category on its home page.',
  name: 'What buyers read.',
  slug: 'Last part of the address in the shop; unique in the store. Made from the name unless you send one.',
  description: 'Introduction for buyers, as plain text.',
  price_factor:
    'Factor by which the shop multiplies prices in this category; the prices of this API do not contain it.',
  order: 'Place among its siblings in the menu; lower comes first.',
  sort_by:
    'How the shop orders the products of the category; any word that your shop knows, such as relevance.',
  external_url: 'Address that the menu leads to instead of the page of the category.',
  canonical_url: 'Address that search engines count as the original of this page.',
  banners_ids: 'Banners that the category shows, as ids; sent as a whole.',
  total_banners: 'How many banners the category shows.',
  ml_category: 'Id of the matching category in an external marketplace.',
  url: 'Full address of the category in the shop.',
};

/* @__PURE__ */ explain(
  CategorySchema,
  'A shelf of the shop. Categories form trees of up to ten levels.',
  seoMeanings,
  categoryMeanings,
);

const full = {
  ...CategorySchema.shape,
  is_parent: boolOutput,
  slug_path: line,
  url_path: line,
  filters_values_ids: ids,
  category_cover: line.nullable(),
  ...recordTimes,
};

const fullCategoryMeanings = {
  is_parent: 'Whether any category lies directly below this one.',
  slug_path: 'Slugs from the root down to this category, joined by slashes.',
  url_path: 'Path of the category in the shop: slug_path after a slash.',
  filters_values_ids:
    'Filter values that the shop offers in this category, as ids; sent as a whole.',
  category_cover: 'Address of the cover picture, which you host.',
};

/** `Category` merged with `CategoryAdditionalResponse` of the specification. */
export const CategoryRowSchema = z.object(full).meta({ id: 'CategoryRow' });

/* @__PURE__ */ explain(
  CategoryRowSchema,
  'A category with everything but its relations.',
  seoMeanings,
  categoryMeanings,
  fullCategoryMeanings,
);

/**
 * A category inside an event of a product: without long texts, addresses and lists. A product has
 * up to 100 categories, and its events must fit into one row whatever the size of these.
 */
export const CategoryEventSchema = CategoryRowSchema.omit({
  description: true,
  seo_title: true,
  seo_keywords: true,
  seo_description: true,
  external_url: true,
  canonical_url: true,
  category_cover: true,
  banners_ids: true,
  total_banners: true,
  filters_values_ids: true,
  slug_path: true,
  url_path: true,
  url: true,
}).meta({ id: 'CategoryEvent' });

/* @__PURE__ */ explain(
  CategoryEventSchema,
  'A category inside an event of a product, without long texts, addresses and lists.',
  categoryMeanings,
  fullCategoryMeanings,
);

/** {@link CategoryRowSchema} with the relations that `include` names. */
export const FullCategorySchema = z
  .object({
    ...full,
    seo: z.object({ data: SeoSchema }).optional(),
    parent: z.object({ data: CategoryRowSchema.nullable() }).optional(),
    children: z.object({ data: z.array(CategoryRowSchema) }).optional(),
    banners: z.object({ data: z.array(BannerRowSchema) }).optional(),
  })
  .meta({ id: 'FullCategory' });

/* @__PURE__ */ explain(
  FullCategorySchema,
  'A category with the relations that include names.',
  seoMeanings,
  categoryMeanings,
  fullCategoryMeanings,
  {
    seo: 'The three seo_ fields once more; with include=seo.',
    parent: 'The category above, null at the root; with include=parent.',
    children: 'Up to 100 categories directly below; with include=children.',
    banners: 'Up to 100 banners of the category; with include=banners.',
  },
);

type Categories = typeof categories;

/**
 * Computed columns of a category. `slug_path` joins the slugs from the root down to the category.
 */
export const categoryExtras = (table: Categories) => ({
  banners_ids: linkedIds(bannersOfCategory, table),
  filters_values_ids: linkedIds(filterValuesOfCategory, table),
  is_parent: computedNumber(
    sql`exists (select 1 from ${categories} child where child.parent_id = ${table.id})`,
  ),
  slug_path: computedColumn(
    sql`(with recursive above(parent_id, path) as (select ${table.parent_id}, ${table.slug}
      union all select upper.parent_id, upper.slug || '/' || above.path
      from ${categories} upper join above on upper.id = above.parent_id)
      select path from above where parent_id is null)`,
    (path: string) => path,
  ),
});

const parents = aliasTable(categories, 'parents');
const children = aliasTable(categories, 'children');

const relations = {
  parent: toOne(parents, eq(parents.id, categories.parent_id), categoryExtras(parents)),
  children: toMany(children, eq(children.parent_id, categories.id), categoryExtras(children)),
  banners: toMany(banners, isLinkedTo(bannersOfCategory, categories.id)),
};

export const categoryIncludes = ['seo', 'parent', 'children', 'banners'] as const;

/** The computed columns, and the relations that `include` names. */
export const selectCategoryExtras = (
  includes: readonly string[],
): ReturnType<typeof categoryExtras> & Partial<typeof relations> => ({
  ...categoryExtras(categories),
  ...pickRelations(relations, includes),
});

/** A category with its computed columns. */
export type CategoryRecord = Row<Categories> & {
  banners_ids: number[];
  filters_values_ids: number[];
  is_parent: number;
  slug_path: string;
};

/** Selects categories without relations. */
export const selectCategoriesByIds = (db: StoreDb, ids: readonly number[]) =>
  db.select(categories, { ids: idsSubquery(ids), extras: categoryExtras(categories) });

export const serializeCategoryRow = (store: Store, category: CategoryRecord) => ({
  ...category,
  is_parent: category.is_parent === 1,
  merchant_id: store.id,
  total_banners: category.banners_ids.length,
  url_path: `/${category.slug_path}`,
  url: `${store.base_url}/${category.slug_path}`,
});

type CategoryWithRelations = CategoryRecord & {
  parent?: { data: CategoryRecord | null };
  children?: { data: CategoryRecord[] };
  banners?: { data: Row<typeof banners>[] };
};

export function serializeCategory(
  db: StoreDb,
  record: CategoryWithRelations,
  includes: readonly string[] = [],
) {
  const { parent, children, banners, ...category } = record;
  const { seo_title, seo_keywords, seo_description } = category;
  const serializeRow = (row: CategoryRecord) => serializeCategoryRow(db.store, row);
  return {
    ...serializeRow(category),
    ...(includes.includes('seo') && {
      seo: { data: { seo_title, seo_keywords, seo_description } },
    }),
    ...(parent && { parent: { data: parent.data && serializeRow(parent.data) } }),
    ...(children && { children: { data: children.data.map(serializeRow) } }),
    ...(banners && {
      banners: { data: banners.data.map((banner) => serializeBannerRow(db, banner)) },
    }),
  };
}
