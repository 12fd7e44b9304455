import { takeTurns } from '../../data/core/retry-contention.ts';
import { lastResult } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { hasChanges } from '../../data/queries/revision.ts';
import { orders } from '../../data/schema/store/orders-tables.ts';
import type { OrderStatus } from '../../data/schema/store/orders-tables.ts';
import { publish } from '../../webhooks/events/publish.ts';
import { planUnpaidCancellation } from '../transactions/status-columns.ts';
import { toLoadedOrder, orderQueries } from './load-order.ts';
import { serializeOrder, fullOrderExtras } from './order-queries.ts';
import { invalidOrderTransition, allowedNextStatuses } from './order-states.ts';
import { planOrderChange, type OrderChange } from './plan-change.ts';

/**
 * Changes an order. If `to` names another status, also takes that transition and publishes its
 * events. An order that becomes cancelled or refused cancels its unpaid transactions. Two round
 * trips.
 *
 * Throws a `ValidationError` with the allowed statuses if the transition is invalid. After a lost
 * race the transition is validated again, against the order as the other writer left it. Returns
 * `undefined` if the store has no such order.
 */
export const changeOrder = (
  db: StoreDb,
  id: number,
  { to, columns = {} }: { to?: OrderStatus | undefined; columns?: OrderChange['columns'] },
) =>
  takeTurns(db, [orders, id], async () => {
    const loaded = toLoadedOrder(...(await db.batch(orderQueries(db, id))));
    if (!loaded) return undefined;
    const { order } = loaded;
    const next = to === order.status ? undefined : to;
    if (next && !allowedNextStatuses(order).includes(next)) throw invalidOrderTransition(order);
    if (!next && !hasChanges(order, columns)) return serializeOrder(db.store, order);
    const cancellation =
      next === 'cancelled' || next === 'refused' ? planUnpaidCancellation(db, order) : undefined;
    const relations = cancellation ? { transactions: cancellation.transactions } : {};
    const plan = planOrderChange(db, loaded, { to: next, columns, relations });
    const results = await publish(
      db,
      [
        ...plan.statements,
        ...(cancellation ? [cancellation.statement] : []),
        db.selectOne(orders, id, fullOrderExtras),
      ],
      plan.events,
    );
    return lastResult(results).map((row) => serializeOrder(db.store, row))[0];
  });
