import * as z from 'zod';
import { shownBool } from '../../wire/bool.ts';
import { dateTime } from '../../wire/datetime.ts';
import { BannerRow } from './banner-row.ts';

const line = z.string();
const ids = z.array(z.int());

const seo = {
  seo_title: line.nullable(),
  seo_keywords: line.nullable(),
  seo_description: line.nullable(),
};

/** A category as POST answers it (contract 3.4). */
export const Category = z
  .object({
    id: z.int(),
    merchant_id: z.int(),
    parent_id: z.int().nullable(),
    active: shownBool,
    featured: shownBool,
    home: shownBool,
    name: line,
    slug: line,
    description: line.nullable(),
    price_factor: z.number(),
    order: z.int(),
    sort_by: line,
    external_url: line.nullable(),
    canonical_url: line.nullable(),
    ...seo,
    banners_ids: ids,
    total_banners: z.int(),
    ml_category: line.nullable(),
    url: line,
  })
  .meta({ id: 'Category' });

const full = {
  ...Category.shape,
  is_parent: shownBool,
  slug_path: line,
  url_path: line,
  filters_values_ids: ids,
  category_cover: line.nullable(),
  created_at: dateTime,
  updated_at: dateTime,
};

/** Category merged with CategoryAdditionalResponse. */
export const CategoryRow = z.object(full).meta({ id: 'CategoryRow' });

/** The same with the relations that were asked for. */
export const FullCategory = z
  .object({
    ...full,
    seo: z.object({ data: z.object(seo) }).optional(),
    parent: z.object({ data: CategoryRow.nullable() }).optional(),
    children: z.object({ data: z.array(CategoryRow) }).optional(),
    banners: z.object({ data: z.array(BannerRow) }).optional(),
  })
  .meta({ id: 'FullCategory' });
