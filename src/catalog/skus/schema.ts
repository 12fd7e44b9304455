import { sql } from 'drizzle-orm';
import * as z from 'zod';
import { recordTimes } from '../../base/codecs/fields/date-time.ts';
import { idOutput } from '../../base/codecs/fields/ids.ts';
import { boolOutput, moneyOutput } from '../../base/codecs/fields/scalars.ts';
import { explain } from '../../base/codecs/meaning.ts';
import { computedNumber } from '../../data/queries/relations.ts';
import { skus, stocks } from '../../data/schema/store/catalog-tables.ts';
import { restrictedTo } from '../../http/access/restricted-fields.ts';
import { VariationSchema } from '../products/parts-schema.ts';

const line = z.string();

/** A sellable variant of a product. Prices are in the currency of the store. */
export const SkuSchema = z
  .object({
    id: idOutput,
    product_id: z.int(),
    sku: line,
    title: line.nullable(),
    barcode: line.nullable(),
    erp_id: line.nullable(),
    blocked_sale: boolOutput,
    quantity_managed: boolOutput,
    price_cost: moneyOutput,
    price_sale: moneyOutput,
    price_discount: moneyOutput.nullable(),
    weight: z.number(),
    height: z.number(),
    width: z.number(),
    length: z.number(),
    availability: z.int(),
    variations: z.array(VariationSchema),
    total_in_stock: restrictedTo('inventory.read', z.int().nullable()),
    ...recordTimes,
  })
  .meta({ id: 'Sku' });

export const skuMeanings = {
  product_id: 'Product that this is a variant of.',
  sku: 'Your code of the variant; unique in the store, ignoring letter case.',
  title: 'What tells it from other variants, such as Blue, M; null for the only one.',
  barcode: 'GTIN or EAN as printed on the goods; not checked, need not be unique.',
  erp_id: 'Id of the variant in your ERP; stored and returned as sent.',
  blocked_sale: 'Whether carts and orders refuse the SKU.',
  quantity_managed: 'Whether orders take stock; false sells without limit.',
  price_cost: 'What one unit costs you; buyers never see it.',
  price_sale: 'Regular price of one unit.',
  price_discount: 'Price of one unit while set, instead of price_sale; null ends the discount.',
  weight: 'In kilograms with packaging, for shipping.',
  height: 'In centimetres with packaging, for shipping.',
  width: 'In centimetres with packaging, for shipping.',
  length: 'In centimetres with packaging, for shipping.',
  availability: 'Days until a sold unit can ship; 0 ships at once.',
  variations: 'Properties of this variant, up to 5, such as Colour: Blue.',
  total_in_stock:
    'Units that can be sold now: stored less reserved, over all locations. With quantity_managed false it limits nothing.',
};

/* @__PURE__ */ explain(
  SkuSchema,
  'A variant of a product that can be bought: its price, size, code and stock. Amounts are in the currency of the store.',
  skuMeanings,
);

/** The quantity of a SKU at one location. */
export const StockSchema = z
  .object({
    id: idOutput,
    sku_id: z.int(),
    product_id: z.int(),
    stock_id: z.int(),
    quantity: z.int(),
    reserved: z.int(),
    min_quantity: z.int(),
    ...recordTimes,
  })
  .meta({ id: 'Stock' });

const stockMeanings = {
  id: 'Id of this record; paths use stock_id instead.',
  sku_id: 'SKU whose units are counted.',
  product_id: 'The product that the SKU is a variant of.',
  stock_id: 'Location of the units, as paths use it; every SKU has location 1.',
  quantity: 'Units on hand, those of unpaid orders included. Falls when an order is paid.',
  reserved: 'Units promised to unpaid orders; the rest of quantity can be sold.',
  min_quantity: 'Level below which you want to reorder; the service only keeps it.',
};

/* @__PURE__ */ explain(StockSchema, 'The units of one SKU at one location.', stockMeanings);

/** `resource` of product.inventory.updated. */
export const StockEventSchema = StockSchema.extend({
  sku: z.object({ data: SkuSchema }),
}).meta({ id: 'StockEvent' });

/* @__PURE__ */ explain(
  StockEventSchema,
  'The stock after a change, with its SKU.',
  stockMeanings,
  { sku: 'The SKU after the change.' },
);

/** The quantity of a SKU that can be sold now: stored minus reserved, over all locations. */
export const skuExtras = {
  total_in_stock: computedNumber(
    sql`coalesce((select sum(${stocks.quantity} - ${stocks.reserved})
      from ${stocks} where ${stocks.sku_id} = ${skus.id}), 0)`,
  ),
};
