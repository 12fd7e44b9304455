import * as z from 'zod';
import { shownBool } from '../../wire/bool.ts';
import { dateTime } from '../../wire/datetime.ts';
import { shownMoney } from '../../wire/money.ts';
import { Brand } from './brand.ts';
import { CategoryRow } from './category.ts';

const line = z.string();

/** A sellable variant of a product (sources 1). Prices are in the store's currency. */
export const Sku = z
  .object({
    id: z.int(),
    product_id: z.int(),
    sku: line,
    title: line.nullable(),
    barcode: line.nullable(),
    erp_id: line.nullable(),
    blocked_sale: shownBool,
    quantity_managed: shownBool,
    price_cost: shownMoney,
    price_sale: shownMoney,
    price_discount: shownMoney.nullable(),
    weight: z.number(),
    height: z.number(),
    width: z.number(),
    length: z.number(),
    availability: z.int(),
    variations: z.array(z.object({ name: line, value: line })),
    total_in_stock: z.int(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Sku' });

/** What a store has of a SKU at one place. */
export const Stock = z
  .object({
    id: z.int(),
    sku_id: z.int(),
    product_id: z.int(),
    stock_id: z.int(),
    quantity: z.int(),
    reserved: z.int(),
    min_quantity: z.int(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Stock' });

/** The row of the product list (contract 3.15). */
const productRow = {
  id: z.int(),
  merchant_id: z.int(),
  active: shownBool,
  searchable: shownBool,
  simple: shownBool,
  has_variations: z.boolean(),
  is_digital: shownBool,
  custom_shipping: shownBool,
  name: line,
  slug: line,
  sku: line.nullable(),
  erp_id: line.nullable(),
  ncm: line.nullable(),
  description: line.nullable(),
  brand_id: z.int().nullable(),
  seller_id: z.int().nullable(),
  affiliation_id: z.int().nullable(),
  priority: z.int(),
  warranty: z.int().meta({ description: 'Days.' }),
  rating: z.number(),
  relevance: z.number().nullable(),
  gift_value: shownMoney,
  shipping_price: shownMoney,
  url: line,
  preview_url: line,
  redirect_url_card: line.nullable(),
  redirect_url_billet: line.nullable(),
  created_at: dateTime,
  updated_at: dateTime,
};

/** One image of a product. */
const ProductImage = z
  .object({
    id: z.int(),
    url: line,
    alt: line.nullable(),
    position: z.int().meta({ description: 'Counts from 1.' }),
  })
  .meta({ id: 'ProductImage' });

const skus = z.object({ data: z.array(Sku) });
const brand = z.object({ data: Brand.nullable() });
const categories = z.object({ data: z.array(CategoryRow) });
const images = z.object({ data: z.array(ProductImage) });

/** A product; its relations are there when they were asked for. */
export const Product = z
  .object({
    ...productRow,
    skus: skus.optional(),
    brand: brand.optional(),
    categories: categories.optional(),
    images: images.optional(),
  })
  .meta({ id: 'Product' });

/** `resource` of the product events: all includes. */
export const ProductEvent = z
  .object({ ...productRow, skus, brand, categories, images })
  .meta({ id: 'ProductEvent' });

/** `resource` of product.inventory.updated. */
export const StockEvent = Stock.extend({ sku: z.object({ data: Sku }) }).meta({ id: 'StockEvent' });
