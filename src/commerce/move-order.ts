import { untilFresh } from '../db/fresh.ts';
import { differ } from '../db/revision.ts';
import type { OrderStatus } from '../db/schema/orders.ts';
import { orders } from '../db/schema/store.ts';
import { lastOf } from '../db/statement.ts';
import type { StoreDb } from '../db/store.ts';
import { publish } from '../events/publish.ts';
import { cancelUnpaidOf } from './cancel-unpaid-of-order.ts';
import { forbiddenOrderArrow } from './forbidden-order-arrow.ts';
import { opened, readingOrder } from './open-order.ts';
import { nextStatuses } from './order-arrows.ts';
import { presentOrder, wholeOrder } from './order-reading.ts';
import { orderStep, type OrderChange } from './order-step.ts';

/**
 * Changes an order, along an arrow if another state is named, and tells of the arrow. An order that ends as cancelled or
 * refused takes its unpaid transactions with it. Two round trips. Of two writers at once the later one finds the order as
 * the other left it: where its arrow is no longer allowed it ends as an `InvalidBody` that lists the allowed ones.
 */
export const moveOrder = (
  db: StoreDb,
  id: number,
  { to, columns = {} }: { to?: OrderStatus | undefined; columns?: OrderChange['columns'] },
) =>
  untilFresh(async () => {
    const open = opened(...(await db.batch(readingOrder(db, id))));
    if (!open) return undefined;
    const { order } = open;
    const arrow = to === order.status ? undefined : to;
    if (arrow && !nextStatuses(order).includes(arrow)) throw forbiddenOrderArrow(order);
    if (!arrow && !differ(order, columns)) return presentOrder(db.store, order);
    const closed =
      arrow === 'cancelled' || arrow === 'refused' ? cancelUnpaidOf(db, order) : undefined;
    const relations = closed ? { transactions: closed.transactions } : {};
    const step = orderStep(db, open, { to: arrow, columns, relations });
    const results = await publish(
      db,
      [
        ...step.statements,
        ...(closed ? [closed.statement] : []),
        db.selectOne(orders, id, wholeOrder),
      ],
      step.events,
    );
    return lastOf(results).map((row) => presentOrder(db.store, row))[0];
  });
