import * as z from 'zod';
import { dateTime } from '../../base/codecs/fields/date-time.ts';
import { moneyOutput } from '../../base/codecs/fields/scalars.ts';
import { explain } from '../../base/codecs/meaning.ts';
import { restrictedTo } from '../../http/access/restricted-fields.ts';

const day = z.string().meta({ format: 'date', examples: ['2031-03-05'] });

const amounts = { orders: z.int(), units: z.int(), revenue: moneyOutput };

const amountMeanings = {
  orders: 'How many orders were placed that are paid by now and stand.',
  units: 'How many units they sold, of all SKUs together.',
  revenue: 'Sum of value_total of these orders: with shipping and tax, less discounts.',
};

const SalesDaySchema = z.object({ date: day, ...amounts }).meta({ id: 'SalesDay' });

/* @__PURE__ */ explain(SalesDaySchema, 'What a store sold on one day.', amountMeanings, {
  date: 'Day in the time zone of the store, YYYY-MM-DD.',
});

const SalesProductSchema = z
  .object({ product_id: z.int(), name: z.string(), ...amounts })
  .meta({ id: 'SalesProduct' });

/* @__PURE__ */ explain(SalesProductSchema, 'What a store sold of one product.', {
  product_id: 'Product that was sold; it may be deleted by now.',
  name: 'What the product was called in its newest order.',
  orders: 'In how many orders it was.',
  units: 'How many units were sold, of all SKUs of the product.',
  revenue: 'Units times their prices, before shipping, tax and discounts of the order.',
});

/** The sales of a period: in all, by day and by product. */
export const SalesSummarySchema = z
  .object({
    from: day,
    to: day,
    ...amounts,
    uncounted_orders: z.int(),
    days: z.array(SalesDaySchema),
    products: z.array(SalesProductSchema),
  })
  .meta({ id: 'SalesSummary' });

/* @__PURE__ */ explain(
  SalesSummarySchema,
  'What a store sold in a period: in all, day by day, and of its best products.',
  amountMeanings,
  {
    from: 'First day of the period, in the time zone of the store.',
    to: 'Last day of the period; it is part of it.',
    uncounted_orders: 'Orders of the period that wait for payment, were refused or cancelled.',
    days: 'Every day of the period, the first one first, also those without a sale.',
    products: 'Those with the largest revenue first, up to limit.',
  },
);

/** A SKU of which few units are left. */
export const LowStockSchema = z
  .object({
    sku_id: z.int(),
    product_id: z.int(),
    sku: restrictedTo('catalog.read', z.string().nullable()),
    title: restrictedTo('catalog.read', z.string().nullable()),
    name: restrictedTo('catalog.read', z.string().nullable()),
    quantity: z.int(),
    reserved: z.int(),
    available: z.int(),
    min_quantity: z.int(),
    sold: restrictedTo('orders.read', z.int().nullable()),
    sold_since: restrictedTo('orders.read', dateTime.nullable()),
  })
  .meta({ id: 'LowStock' });

/* @__PURE__ */ explain(
  LowStockSchema,
  'A SKU of which few units are left, and how fast it sells.',
  {
    sku_id: 'SKU that runs out.',
    product_id: 'Product of the SKU.',
    sku: 'Your code of the SKU.',
    title: 'What tells it from other variants of the product; null for the only one.',
    name: 'What buyers read as name of the product.',
    quantity: 'Units on hand, those of unpaid orders included.',
    reserved: 'Units promised to unpaid orders.',
    available: 'Units that can be sold now: quantity less reserved.',
    min_quantity: 'Level below which you want to reorder, as stored with the stock.',
    sold: 'Units in paid orders since sold_since.',
    sold_since:
      'From when sales are counted: the beginning of the day 30 days ago, or later in a store with very many orders since.',
  },
);
