import type * as z from 'zod';
import { requestBodies } from '../../codecs/body/request-bodies.ts';
import { arrayOf, uniqueBy } from '../../codecs/fields/arrays-and-objects.ts';
import { recordId, ids } from '../../codecs/fields/ids.ts';
import { nameKey } from '../../codecs/fields/normalize-text.ts';
import { orNull } from '../../codecs/fields/nullable.ts';
import { bool, money, int } from '../../codecs/fields/scalars.ts';
import { slug, url } from '../../codecs/fields/string-formats.ts';
import { line, text } from '../../codecs/fields/text.ts';
import { NewSku } from './skus/requests.ts';

const image = requestBodies({
  required: { url: url() },
  optional: { alt: [orNull(line(255)), null] },
}).post;

const images = arrayOf(image, { max: 20 }).superRefine(uniqueBy((item) => item.url, 'url'));

const productFields = {
  slug: [slug(255), undefined],
  categories_ids: [ids(), []],
  images: [images, []],
  description: [orNull(text(10_000)), null],
  erp_id: [orNull(line(100)), null],
  sku: [orNull(line(100)), null],
  ncm: [orNull(line(20)), null],
  searchable: [bool, true],
  is_digital: [bool, false],
  custom_shipping: [bool, false],
  priority: [int(0, 1_000_000), 0],
  warranty: [int(0, 36_500), 0],
  gift_value: [money, 0],
  shipping_price: [money, 0],
  redirect_url_card: [orNull(url()), null],
  redirect_url_billet: [orNull(url()), null],
} as const;

const skus = arrayOf(NewSku, { max: 50 }).superRefine(uniqueBy(({ sku }) => nameKey(sku), 'sku'));

export const NewProduct = requestBodies({
  required: { name: line(255), simple: bool, brand_id: recordId(), active: bool },
  optional: { ...productFields, skus: [skus, []] },
}).post;

/** Any subset of a product. */
export const ProductChanges = requestBodies({
  optional: {
    ...productFields,
    name: [line(255), ''],
    simple: [bool, true],
    brand_id: [orNull(recordId()), null],
    active: [bool, true],
  },
}).put;

export type NewProduct = z.output<typeof NewProduct>;
export type ProductChanges = z.output<typeof ProductChanges>;
