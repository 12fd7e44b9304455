import { describe, expect, it } from 'vitest';
import {
  allowedFrom,
  cellsOf,
  orderNumbers,
  transactionAllowedFrom,
  transactionTable,
} from '../support/arrows.ts';
import { nextStatuses, orderArrows, orderStatuses } from '../../src/commerce/order-arrows.ts';
import { orderStatusIds, type OrderStatus } from '../../src/db/schema/orders.ts';
import { transactionArrows, transactionFlags } from '../../src/commerce/transaction-arrows.ts';
import type { TransactionStatus } from '../../src/db/schema/transactions.ts';

describe('the arrows of an order', () => {
  const rows = [...allowedFrom];

  it('are told of every state', () => {
    expect(rows.map(([from]) => from).toSorted()).toEqual([...orderStatuses].toSorted());
  });

  it.each(rows)('%s goes to %j', (from, to) => {
    expect([...orderArrows[from as OrderStatus]].toSorted()).toEqual(to.toSorted());
  });

  it('leave an invoiced order uncancelled until every invoice is cancelled', () => {
    expect(nextStatuses({ status: 'invoiced', open_invoices: 1 })).not.toContain('cancelled');
    expect(nextStatuses({ status: 'invoiced', open_invoices: 0 })).toContain('cancelled');
  });

  it('are between states with the numbers of the table', () => {
    const numbers = orderNumbers.split(', ').map((pair) => pair.split(' '));
    expect(Object.fromEntries(numbers.map(([id, word]) => [word, Number(id)]))).toEqual(
      orderStatusIds,
    );
  });
});

describe('the arrows of a transaction', () => {
  it('are those of the table', () => {
    for (const [from, to] of Object.entries(transactionArrows)) {
      expect(to.toSorted(), from).toEqual((transactionAllowedFrom.get(from) ?? []).toSorted());
    }
  });

  it.each(cellsOf(transactionTable))('%s means the booleans of the table', (status, ...cells) => {
    const names = ['authorized', 'captured', 'cancelled', 'can_be_captured', 'can_be_cancelled'];
    const wasAuthorized = ['authorized', 'paid', 'refunded'].includes(status ?? '');
    const flags: Record<string, boolean> = transactionFlags({
      status: status as TransactionStatus,
      authorized_at: wasAuthorized ? 1 : null,
    });
    for (const [place, name] of names.entries()) {
      if (cells[place] !== 'as before') expect(String(flags[name]), name).toBe(cells[place]);
    }
  });

  it.each([1, null])('a cancelled one stays as authorized as it was (%s)', (authorized_at) => {
    const { authorized } = transactionFlags({ status: 'cancelled', authorized_at });
    expect(authorized).toBe(authorized_at !== null);
  });
});
