import type * as z from 'zod';
import { bool } from '../../wire/bool.ts';
import { nameKey } from '../../wire/fold.ts';
import { id, ids } from '../../wire/id.ts';
import { list, onlyOnce } from '../../wire/list.ts';
import { money } from '../../wire/money.ts';
import { int, number } from '../../wire/number.ts';
import { object } from '../../wire/object.ts';
import { orNull } from '../../wire/or-null.ts';
import { request } from '../../wire/request.ts';
import { slug } from '../../wire/slug.ts';
import { line, text } from '../../wire/text.ts';
import { url } from '../../wire/url.ts';

/** More SKUs than an include can show would make an event that does not tell all. */
export const maxSkus = 100;

const variation = object({ name: line(100), value: line(100) });

/** Kilograms for the weight, centimetres for the others. */
const size = number({ min: 0, max: 1_000_000, decimals: 4 });

const skuFields = {
  title: [orNull(line(255)), null],
  barcode: [orNull(line(100)), null],
  erp_id: [orNull(line(100)), null],
  blocked_sale: [bool, false],
  quantity_managed: [bool, true],
  price_cost: [money, 0],
  price_discount: [orNull(money), null],
  weight: [size, 0],
  height: [size, 0],
  width: [size, 0],
  length: [size, 0],
  availability: [int(0, 365), 0],
  variations: [list(variation, { max: 10 }), []],
} as const;

/** A new SKU; `quantity` is what is in stock at first. */
export const NewSku = request({
  required: { sku: line(100), price_sale: money },
  optional: { ...skuFields, quantity: [int(0, 1_000_000_000), 0] },
}).post;

/** Any subset of a SKU. */
export const SkuChanges = request({
  optional: { ...skuFields, sku: [line(100), ''], price_sale: [money, 0] },
}).put;

const image = request({
  required: { url: url() },
  optional: { alt: [orNull(line(255)), null] },
}).post;

const images = list(image, { max: 20 }).superRefine(onlyOnce(({ url: address }) => address, 'url'));

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

const distinctSkus = list(NewSku, { max: 50 }).superRefine(
  onlyOnce(({ sku }) => nameKey(sku), 'sku'),
);

/** The body of POST products. */
export const NewProduct = request({
  required: { name: line(255), simple: bool, brand_id: id(), active: bool },
  optional: { ...productFields, skus: [distinctSkus, []] },
}).post;

/** Any subset of a product. */
export const ProductChanges = request({
  optional: {
    ...productFields,
    name: [line(255), ''],
    simple: [bool, true],
    brand_id: [orNull(id()), null],
    active: [bool, true],
  },
}).put;

export type NewProduct = z.output<typeof NewProduct>;
export type ProductChanges = z.output<typeof ProductChanges>;
export type NewSku = z.output<typeof NewSku>;
export type SkuChanges = z.output<typeof SkuChanges>;
