import { captureTransaction } from '../commerce/capture-transaction.ts';
import { issueInvoice } from '../commerce/issue-invoice.ts';
import { moveOrder } from '../commerce/move-order.ts';
import type { WholeOrder } from '../commerce/order-reading.ts';
import { payTransaction } from '../commerce/pay-transaction.ts';
import { refuseTransaction } from '../commerce/refuse-transaction.ts';
import type { OrderStatus } from '../db/schema/orders.ts';
import type { StoreDb } from '../db/store.ts';

/** Takes an order of the demo along one arrow, as it comes about in a shop. */
export async function advance(db: StoreDb, order: WholeOrder, to: OrderStatus, trackCode: string) {
  const [transaction] = order.transactions.data;
  if (!transaction) throw new Error('a demo order has a transaction');
  switch (to) {
    case 'paid':
      return transaction.status === 'authorized'
        ? captureTransaction(db, transaction.id)
        : payTransaction(db, transaction.id);
    case 'refused':
      return refuseTransaction(db, transaction.id, {
        error_code: 51,
        error_message: 'Saldo insuficiente.',
      });
    case 'invoiced':
      return issueInvoice(db, order.id, {
        number: order.number,
        series: 1,
        access_key: String(order.number).padStart(44, '3526'),
        value: order.value_total,
        issued_at: db.now,
        url: null,
      });
    default:
      return moveOrder(db, order.id, {
        to,
        columns: to === 'on_carriage' ? { track_code: trackCode } : {},
      });
  }
}
