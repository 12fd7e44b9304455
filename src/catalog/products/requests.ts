import type * as z from 'zod';
import { arrayOf, uniqueBy } from '../../base/codecs/fields/arrays-and-objects.ts';
import { recordId, ids } from '../../base/codecs/fields/ids.ts';
import { nameKey } from '../../base/codecs/fields/normalize-text.ts';
import { orNull } from '../../base/codecs/fields/nullable.ts';
import { bool, money, int } from '../../base/codecs/fields/scalars.ts';
import { slug, url } from '../../base/codecs/fields/string-formats.ts';
import { code, line, text } from '../../base/codecs/fields/text.ts';
import {
  anyOf,
  contains,
  containsAny,
  equals,
  listing,
} from '../../base/codecs/listing/listing.ts';
import { explainBody, explainChanges } from '../../base/codecs/meaning.ts';
import { requestBodies } from '../../base/codecs/request-bodies.ts';
import { NewSku } from '../skus/requests.ts';
import { ProductImageSchema } from './parts-schema.ts';
import { productListOptions, ProductSchema } from './schema.ts';

const image = requestBodies({
  required: { url: url() },
  optional: { alt: [orNull(line(255)), null] },
}).post;

/* @__PURE__ */ explainBody(image, ProductImageSchema, {
  ProductImageInput: 'A picture of a product.',
});

const images = arrayOf(image, { max: 20 }).superRefine(uniqueBy((item) => item.url, 'url'));

export const productFields = {
  slug: [slug(255), undefined],
  categories_ids: [ids().describe('Categories of the product, as ids; replaces all of them.'), []],
  images: [
    images.describe(
      'Pictures in their order, each url once; replaces all of them. The first is the main one.',
    ),
    [],
  ],
  description: [orNull(text(10_000)), null],
  erp_id: [orNull(code(100)), null],
  sku: [orNull(code(100)), null],
  ncm: [orNull(code(20)), null],
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

/** The required fields of a new product. */
export const requiredFields = {
  name: line(255),
  simple: bool,
  brand_id: recordId().describe(
    'Brand of the product. Every product begins with one; PUT can remove it.',
  ),
  active: bool,
} as const;

export const NewProduct = requestBodies({
  required: requiredFields,
  optional: {
    ...productFields,
    skus: [
      skus.describe('Variants to create with the product; more are added later, up to 100.'),
      [],
    ],
  },
}).post;

/* @__PURE__ */ explainBody(NewProduct, ProductSchema, {
  ProductInput: 'A new product, with its SKUs if you send them: without one it cannot be bought.',
});

/** The fields of a change: none is required. */
export const productChangeFields = {
  ...productFields,
  name: [line(255), ''],
  simple: [bool, true],
  brand_id: [orNull(recordId()), null],
  active: [bool, true],
} as const;

/** Any subset of a product. */
export const ProductChanges = requestBodies({ optional: productChangeFields }).put;

/* @__PURE__ */ explainChanges(ProductChanges, ProductSchema, {
  ProductPatch:
    'The fields of a product to change; lists of ids and images replace all that it has.',
});

export type NewProduct = z.output<typeof NewProduct>;
export type ProductChanges = z.output<typeof ProductChanges>;

/** The query of a list of products. */
export const productList = listing({
  ...productListOptions,
  filters: {
    name: contains(
      'name',
      'Products whose name contains this text, whatever the case and accents.',
    ),
    q: containsAny(
      { name: 'text', slug: 'text', sku: 'code' },
      'Products whose name, slug or own code contains this text. Codes of SKUs are not searched.',
    ),
    active: equals(
      'active',
      'bool',
      'true for products on sale, false for hidden ones. Without it, both.',
    ),
    brand_id: anyOf(
      'brand_id',
      'id',
      'Products of any of these brands, separated by commas or as several brand_id[].',
    ),
    category_id: anyOf(
      'categories_ids',
      'id',
      'Products that are linked to any of these categories, not only below them, separated by commas or as several category_id[].',
    ),
    collection_id: anyOf(
      'collections_ids',
      'id',
      'Products that are linked to any of these collections, separated by commas or as several collection_id[].',
    ),
    flag_id: anyOf(
      'flags_ids',
      'id',
      'Products that have any of these seals now by their rules, separated by commas or as several flag_id[].',
    ),
  },
});
