import { describe, expect, it } from 'vitest';
import { orderStatusIds, type OrderStatus } from '../../src/data/schema/store/orders-tables.ts';
import type { TransactionStatus } from '../../src/data/schema/store/transactions-tables.ts';
import {
  allowedNextStatuses,
  orderTransitions,
  allOrderStatuses,
} from '../../src/sales/orders/order-states.ts';
import {
  transactionTransitions,
  transactionFlags,
} from '../../src/sales/transactions/transaction-states.ts';
import {
  allowedOrderTransitions,
  tableCells,
  orderStatusIdLine,
  allowedTransactionTransitions,
  transactionFlagTable,
} from '../support/fixtures/state-tables.ts';

describe('the transitions of an order', () => {
  const rows = [...allowedOrderTransitions];

  it('are defined for every status', () => {
    expect(rows.map(([from]) => from).toSorted()).toEqual([...allOrderStatuses].toSorted());
  });

  it.each(rows)('lead from %s to %j', (from, to) => {
    expect([...orderTransitions[from as OrderStatus]].toSorted()).toEqual(to.toSorted());
  });

  it('do not cancel an invoiced order until all its invoices are cancelled', () => {
    expect(allowedNextStatuses({ status: 'invoiced', open_invoices: 1 })).not.toContain(
      'cancelled',
    );
    expect(allowedNextStatuses({ status: 'invoiced', open_invoices: 0 })).toContain('cancelled');
  });

  it('are between statuses with the designed ids', () => {
    const pairs = orderStatusIdLine.split(', ').map((pair) => pair.split(' '));
    expect(Object.fromEntries(pairs.map(([id, word]) => [word, Number(id)]))).toEqual(
      orderStatusIds,
    );
  });
});

describe('the transitions of a transaction', () => {
  it('match the designed table', () => {
    for (const [from, to] of Object.entries(transactionTransitions)) {
      expect(to.toSorted(), from).toEqual(
        (allowedTransactionTransitions.get(from) ?? []).toSorted(),
      );
    }
  });

  it.each(tableCells(transactionFlagTable))(
    'give a transaction that is %s the designed booleans',
    (status, ...cells) => {
      const names = ['authorized', 'captured', 'cancelled', 'can_be_captured', 'can_be_cancelled'];
      const wasAuthorized = ['authorized', 'paid', 'refunded'].includes(status ?? '');
      const flags: Record<string, boolean> = transactionFlags({
        status: status as TransactionStatus,
        authorized_at: wasAuthorized ? 1 : null,
      });
      const designed = names
        .map((name, index) => [name, cells[index]] as const)
        .filter(([, cell]) => cell !== 'as before');
      const actual = designed.map(([name]) => [name, String(flags[name])]);
      expect(actual).toEqual(designed);
    },
  );

  it.each([1, null])('keep authorized_at %s of a cancelled transaction', (authorized_at) => {
    const { authorized } = transactionFlags({ status: 'cancelled', authorized_at });
    expect(authorized).toBe(authorized_at !== null);
  });
});
