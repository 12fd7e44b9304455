import * as z from 'zod';
import { addIssue, formatNumber } from '../../base/codecs/field-messages.ts';
import { daysAfter, parseDayRange, toLocalTime } from '../../base/codecs/fields/local-time.ts';
import { HttpError } from '../../base/errors.ts';
import type { Store } from '../../data/core/store.ts';
import { formatStockPlace, listLowStocks, parseStockPlace } from '../../data/queries/low-stock.ts';
import { maxSummarized, type SalesPeriod, summarizeSales } from '../../data/queries/sales.ts';
import { lowStockLimit } from '../../data/schema/store/catalog-tables.ts';
import { cursorPage } from '../../http/cursor-replies.ts';
import { operation } from '../../http/operation.ts';
import { data } from '../../http/replies.ts';
import { defineQuery, limitField, limitParameter, singleValue } from '../query-parameters.ts';
import { findOrderOperations } from './find-orders.ts';
import { LowStockSchema, SalesSummarySchema } from './schema.ts';

/** The longest period of a summary in days. */
const maxDays = 92;

const usualDays = 30;

const day = singleValue.transform((text, context) =>
  // Whether a day exists does not depend on the zone.
  parseDayRange(text, text, 'UTC') ? text : addIssue(context, 'Must be a day, YYYY-MM-DD.'),
);

const salesQuery = defineQuery(
  z.object({ from: day.optional(), to: day.optional(), limit: limitField }),
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
      description: 'SKUs with fewer units to sell than this.',
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
      return { from, to, ...summary, products: summary.products.slice(0, limit) };
    },
  }),
  operation({
    id: 'listLowStock',
    route: 'GET /{alias}/reports/low-stock',
    access: 'inventory.read',
    query: lowStockQuery,
    reply: cursorPage(LowStockSchema),
    errors: [400],
    note: 'SKUs whose quantity is managed and of which fewer than below units can be sold, the fewest first; below is at most 100. A page looks at up to 1,000 stocks, so it may hold fewer than limit SKUs although meta.cursor.next continues. sku, title and name need catalog.read, sold and sold_since orders.read: else they are null. sold looks at the newest 2,000 orders of the last 30 days, paid or not, and counts at most 5,000 items; sold_since says since when.',
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
