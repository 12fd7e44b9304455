import { describe, expect, it } from 'vitest';
import { nextStatuses, orderArrows, orderStatuses } from '../../src/commerce/order-arrows.ts';
import { orderStatusIds, type OrderStatus } from '../../src/db/schema/orders.ts';
import { transactionArrows, transactionFlags } from '../../src/commerce/transaction-arrows.ts';
import type { TransactionStatus } from '../../src/db/schema/transactions.ts';

/** The tables of the sources document, transcribed as they stand there. */
const orderTable = `
| waiting_payment | paid, refused, cancelled |
| refused | waiting_payment (a new transaction), cancelled |
| paid | handling_products, invoiced, cancelled |
| handling_products | invoiced, ready_for_shipping, cancelled |
| invoiced | ready_for_shipping, on_carriage; cancelled only after every invoice is cancelled |
| ready_for_shipping | on_carriage, cancelled |
| on_carriage | delivered, shipment_exception |
| shipment_exception | on_carriage, delivered, cancelled |
| delivered, cancelled | terminal |`;

const orderNumbers =
  '3 waiting_payment, 4 paid, 8 cancelled, 9 refused, 5 handling_products, 6 on_carriage, 7 delivered, 10 invoiced, 11 shipment_exception, 12 ready_for_shipping';

const transactionTable = `
| waiting_payment | false | false | false | false | true |
| authorized | true | false | false | true | true |
| paid | true | true | false | false | true |
| refused | false | false | false | false | false |
| cancelled | as before | false | true | false | false |
| refunded | true | true | true | false | false |`;

const transactionArrowLine =
  'waiting_payment → paid / refused / cancelled; authorized → paid / cancelled / refused; paid → refunded';

const cellsOf = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

const known = new Set<string>(orderStatuses);
const wordsIn = (text: string) => (text.match(/[a-z_]+/g) ?? []).filter((word) => known.has(word));

describe('the arrows of an order', () => {
  const rows = cellsOf(orderTable).flatMap(([from = '', to = '']) =>
    wordsIn(from).map((word) => [word, [...new Set(wordsIn(to))]] as const),
  );

  it('are told of every state', () => {
    expect(rows.map(([from]) => from).toSorted()).toEqual([...known].toSorted());
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
    const named = Object.fromEntries(
      transactionArrowLine.split('; ').map((arrow) => {
        const [from = '', to = ''] = arrow.split(' → ');
        return [from, to.split(' / ').toSorted()];
      }),
    );
    for (const [from, to] of Object.entries(transactionArrows)) {
      expect(to.toSorted(), from).toEqual(named[from] ?? []);
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
