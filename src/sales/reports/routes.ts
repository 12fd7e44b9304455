import { desc } from 'drizzle-orm';
import * as z from 'zod';
import { addIssue, formatNumber } from '../../base/codecs/field-messages.ts';
import { dateTime } from '../../base/codecs/fields/date-time.ts';
import { daysAfter, parseDayRange, toLocalTime } from '../../base/codecs/fields/local-time.ts';
import { moneyOutput } from '../../base/codecs/fields/scalars.ts';
import { explain } from '../../base/codecs/meaning.ts';
import { HttpError } from '../../base/errors.ts';
import type { Store } from '../../data/core/store.ts';
import { lowStockLimit } from '../../data/schema/store/catalog-tables.ts';
import { orders } from '../../data/schema/store/orders-tables.ts';
import { assertMaySee, restrictedTo } from '../../http/access/restricted-fields.ts';
import { cursorPage } from '../../http/cursor-replies.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import {
  defineQuery,
  limitField,
  limitParameter,
  singleValue,
} from '../../http/query-parameters.ts';
import { data, dataList } from '../../http/replies.ts';
import { orderExtrasWith, serializeOrder } from '../orders/order-queries.ts';
import { OrderSchema } from '../orders/schema.ts';
import { hasNumber, isOfCustomer, isSearchable } from './find-orders.ts';
import { formatStockPlace, listLowStocks, parseStockPlace } from './low-stock-queries.ts';
import { maxSummarized, type SalesPeriod, summarizeSales } from './sold-line-queries.ts';

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

const SalesCustomerSchema = z
  .object({ customer_id: z.int(), ...amounts })
  .meta({ id: 'SalesCustomer' });

/* @__PURE__ */ explain(SalesCustomerSchema, 'What one customer bought.', amountMeanings, {
  customer_id: 'Who bought; GET /{alias}/customers/{id} says their name.',
});

/** The sales of a period: in all, by day, by product and by customer. */
export const SalesSummarySchema = z
  .object({
    from: day,
    to: day,
    ...amounts,
    uncounted_orders: z.int(),
    days: z.array(SalesDaySchema),
    products: z.array(SalesProductSchema),
    customers: z.array(SalesCustomerSchema),
  })
  .meta({ id: 'SalesSummary' });

/* @__PURE__ */ explain(
  SalesSummarySchema,
  'What a store sold in a period: in all, day by day, and of its best products and customers.',
  amountMeanings,
  {
    from: 'First day of the period, in the time zone of the store.',
    to: 'Last day of the period; it is part of it.',
    uncounted_orders: 'Orders of the period that wait for payment, were refused or cancelled.',
    days: 'Every day of the period, the first one first, also those without a sale.',
    products: 'Those with the largest revenue first, up to limit.',
    customers: 'Those with the largest revenue first, up to limit.',
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
    product_id: 'The product that the SKU is a variant of.',
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

/** The searched text: the number of an order, or a part of a customer's name or e-mail address. */
const sought = singleValue.transform((text, context): { number: number } | { text: string } => {
  const trimmed = text.trim();
  const number = /^#?\s*(\d{1,15})$/.exec(trimmed)?.[1];
  if (number !== undefined) return { number: Number(number) };
  if (isSearchable(trimmed) && trimmed.length <= 255) return { text: trimmed };
  context.addIssue({
    code: 'custom',
    message: 'Must be the number of an order, or 3 to 255 characters of a name or e-mail address.',
  });
  return z.NEVER;
});

const findQuery = defineQuery(z.object({ q: sought.optional() }), [
  {
    name: 'q',
    description:
      'Number of the order, such as 1042 or #1042, or a part of the name or e-mail address of its customer; without it, the newest orders.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
]);

/** At most so many orders are found. */
const maxFound = 20;

export const findOrderOperations = [
  operation({
    id: 'findOrders',
    route: 'GET /{alias}/reports/orders',
    access: 'orders.read',
    query: findQuery,
    reply: dataList(OrderSchema),
    errors: [400],
    run: async ({ db, query: { q }, principal }) => {
      if (q && 'text' in q) assertMaySee(principal, ['customers.read']);
      const where = q && ('text' in q ? isOfCustomer(db, q.text) : hasNumber(q.number));
      const [found] = await db.batch([
        db
          .select(orders, { where, extras: orderExtrasWith(['customer']) })
          .orderBy(desc(orders.id))
          .limit(maxFound),
      ]);
      return found.map((row) => serializeOrder(db.store, row));
    },
  }),
];

/** The longest period of a summary in days. */
const maxDays = 92;

const usualDays = 30;

const dayParameter = singleValue.transform((text, context) =>
  // Whether a day exists does not depend on the zone.
  parseDayRange(text, text, 'UTC') ? text : addIssue(context, 'Must be a day, YYYY-MM-DD.'),
);

const salesQuery = defineQuery(
  z.object({ from: dayParameter.optional(), to: dayParameter.optional(), limit: limitField }),
  [
    {
      name: 'from',
      description: `First day, YYYY-MM-DD in the time zone of the store; without it ${usualDays} days end with to.`,
      schema: { type: 'string', format: 'date' },
    },
    {
      name: 'to',
      description: 'Last day, which is part of the period; today if it is left out.',
      schema: { type: 'string', format: 'date' },
    },
    { ...limitParameter('Products'), description: 'Products at most, up to 100; days are all.' },
  ],
);

const { orders: maxOrders, lines: maxLines } = maxSummarized;
const tooMany = `The period has more than ${formatNumber(maxOrders)} orders or ${formatNumber(maxLines)} items.`;

/** The period that a query asks for. Throws a 400 for one that is reversed or too long. */
function periodOf(
  { zone }: Store,
  now: number,
  query: { from?: string | undefined; to?: string | undefined },
): SalesPeriod {
  const to = query.to ?? toLocalTime(now, zone).day;
  const from = query.from ?? daysAfter(to, 1 - usualDays);
  const range = parseDayRange(from, to, zone);
  if (!range) throw invalidFrom('Must not be after to.');
  if (daysAfter(from, maxDays) <= to) throw invalidFrom(`A period has at most ${maxDays} days.`);
  return { from, to, range };
}

const invalidFrom = (message: string) =>
  new HttpError('invalid_query', { errors: { from: [message] } });

/** The first instant of a day. The same all day long, so that an answer keeps its tag. */
const startOfDay = (day: string, { zone }: Store): number =>
  parseDayRange(day, day, zone)?.[0] ?? 0;

const belowMessage = `Must be a whole number from 1 to ${lowStockLimit}.`;

const lowStockQuery = defineQuery(
  z.object({
    below: singleValue
      .transform((text, context) => {
        const value = /^\d{1,3}$/.test(text) ? Number(text) : 0;
        return value >= 1 && value <= lowStockLimit ? value : addIssue(context, belowMessage);
      })
      .default(10),
    limit: limitField,
    cursor: singleValue
      .transform(
        (text, context) =>
          parseStockPlace(text) ??
          addIssue(context, 'Must be meta.cursor.next of the previous page.'),
      )
      .optional(),
  }),
  [
    {
      name: 'below',
      description: 'SKUs with fewer units to sell than this; 10 if left out.',
      schema: { type: 'integer', minimum: 1, maximum: lowStockLimit, default: 10 },
    },
    limitParameter('SKUs'),
    {
      name: 'cursor',
      description: 'meta.cursor.next of the page before; without it the fewest units come first.',
      schema: { type: 'string' },
    },
  ],
);

export const reportOperations = [
  ...findOrderOperations,
  operation({
    id: 'showSalesSummary',
    route: 'GET /{alias}/reports/sales',
    access: 'orders.read',
    query: salesQuery,
    reply: data(200, SalesSummarySchema),
    errors: [400],
    note: `Counts the orders that were placed in the period and are paid now, whenever they were paid: refunds that do not cancel the order are not taken off. Days are those of the store's time zone, and a period has at most ${maxDays}. One with more than 4,000 orders or 8,000 items is 400: ask for fewer days. Without from and to it is the last ${usualDays} days, today included.`,
    run: async ({ db, query: { limit, ...days } }) => {
      const period = periodOf(db.store, db.now, days);
      const summary = await summarizeSales(db, period);
      if (!summary) throw invalidFrom(`${tooMany} Ask for fewer days.`);
      const { from, to } = period;
      return {
        from,
        to,
        ...summary,
        products: summary.products.slice(0, limit),
        customers: summary.customers.slice(0, limit),
      };
    },
  }),
  operation({
    id: 'listLowStock',
    route: 'GET /{alias}/reports/low-stock',
    access: 'inventory.read',
    query: lowStockQuery,
    reply: cursorPage(LowStockSchema),
    errors: [400],
    run: async ({ db, query: { below, cursor, limit } }) => {
      const since = startOfDay(
        daysAfter(toLocalTime(db.now, db.store.zone).day, -usualDays),
        db.store,
      );
      const { rows, next } = await listLowStocks(db, { below, after: cursor, limit, since });
      return { rows, next: next && formatStockPlace(next) };
    },
  }),
];

/* @__PURE__ */ explainOperations({
  findOrders:
    'The newest 20 orders that fit, the newest first, each with its customer; none is an empty list. Digits, also after #, are the number of an order; any other text is looked for in the names and e-mail addresses of customers, whatever the case and accents, and needs customers.read: else 403. Of a text that many customers have, the newest 200 are looked at.',
  listLowStock:
    'SKUs whose quantity is managed and of which fewer than below units can be sold, the fewest first; below is at most 100. A page looks at up to 1,000 stocks, so it may hold fewer than limit SKUs although meta.cursor.next continues. sku, title and name need catalog.read, sold and sold_since orders.read: else they are null. sold looks at the newest 2,000 orders of the last 30 days, paid or not, and counts at most 5,000 items; sold_since says since when.',
});
