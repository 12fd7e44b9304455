import { desc } from 'drizzle-orm';
import * as z from 'zod';
import { orderExtrasWith, serializeOrder } from '../../commerce/orders/order-queries.ts';
import { hasNumber, isOfCustomer, isSearchable } from '../../data/queries/find-orders.ts';
import { orders } from '../../data/schema/store/orders-tables.ts';
import { assertMaySee } from '../../http/access/restricted-fields.ts';
import { operation } from '../../http/operation.ts';
import { dataList } from '../../http/replies.ts';
import { OrderSchema } from '../orders/schema.ts';
import { defineQuery, singleValue } from '../query-parameters.ts';

/** What to look for: the number of an order, or a part of a customer's name or e-mail address. */
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
    note: 'The newest 20 orders that fit, the newest first, each with its customer; none is an empty list. Digits, also after #, are the number of an order; any other text is looked for in the names and e-mail addresses of customers, whatever the case and accents, and needs customers.read: else 403. Of a text that many customers have, the newest 200 are looked at.',
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
