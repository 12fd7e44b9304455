import * as z from 'zod';
import { shownBool } from '../../wire/bool.ts';
import { dateTime, local } from '../../wire/datetime.ts';
import { BannerRow } from './banner-row.ts';
import { Product } from './product.ts';

const line = z.string();
const ids = z.array(z.int());
const named = z.object({ products_ids: ids, brands_ids: ids, categories_ids: ids });

const row = {
  id: z.int(),
  parent_id: z.int().nullable(),
  active: shownBool,
  show_banners: shownBool,
  featured: shownBool,
  home: shownBool,
  is_promotional: shownBool,
  expired: z.boolean(),
  restriced: z.boolean().meta({ description: 'Whether restrictions names anything; spelled so.' }),
  name: line,
  slug: line,
  path: line,
  url: line,
  description: line.nullable(),
  seo_title: line.nullable(),
  seo_keywords: line.nullable(),
  seo_description: line.nullable(),
  visible_products: z.int(),
  total_products: z.int(),
  stopwatch: line.nullable(),
  expire_in: local.nullable(),
  stopwatch_expires_in: local.nullable(),
  restrictions: z.object({ include: named, exclude: named }).nullable(),
  start_at: dateTime.nullable(),
  end_at: dateTime.nullable(),
  created_at: dateTime,
  updated_at: dateTime,
};

/** The collection without its relations. */
export const CollectionRow = z.object(row).meta({ id: 'CollectionRow' });

/** A collection as it is shown (contract 3.5), with the relations that were asked for. */
export const Collection = z
  .object({
    ...row,
    parent: z.object({ data: CollectionRow.nullable() }).optional(),
    children: z.object({ data: z.array(CollectionRow) }).optional(),
    products: z.object({ data: z.array(Product) }).optional(),
    banners: z.object({ data: z.array(BannerRow) }).optional(),
  })
  .meta({ id: 'Collection' });
