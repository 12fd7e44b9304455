import {
  allowedOrderTransitions,
  allowedTransactionTransitions,
} from '../support/fixtures/state-tables.ts';

const liveStatuses = ['waiting_payment', 'authorized', 'paid'];

interface ModelTransaction {
  status: string;
  /** In cents. */
  amount: number;
}

/**
 * The reference model of a placed order, built from the state tables. Each method returns whether
 * its action is allowed.
 */
export class OrderModel {
  status = 'waiting_payment';
  readonly transactions: ModelTransaction[] = [];
  /** Whether each invoice is cancelled. */
  readonly invoices: boolean[] = [];
  /** How an order of one unit has changed the stock. */
  readonly stock = { quantity: 0, reserved: 1 };
  readonly events: string[] = [];

  readonly total: number;

  constructor(total: number) {
    this.total = total;
  }

  /** The cents of the transactions in these statuses. */
  sumOf(statuses: readonly string[] = liveStatuses): number {
    return this.transactions
      .filter(({ status }) => statuses.includes(status))
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  #cancelAll(statuses: readonly string[]) {
    for (const one of this.transactions)
      if (statuses.includes(one.status)) one.status = 'cancelled';
  }

  /** Whether the order can take a transition. */
  #allows(to: string): boolean {
    if (!allowedOrderTransitions.get(this.status)?.includes(to)) return false;
    return this.status !== 'invoiced' || to !== 'cancelled' || this.invoices.every(Boolean);
  }

  #enter(to: string) {
    const from = this.status;
    this.status = to;
    this.events.push('order.status.updated');
    if (to === 'paid') this.events.push('order.paid');
    const before = { ...this.stock };
    if (from === 'waiting_payment') this.stock.reserved = 0;
    if (to === 'waiting_payment') this.stock.reserved = 1;
    if (to === 'paid') this.stock.quantity = -1;
    if (to === 'cancelled' && from !== 'shipment_exception') this.stock.quantity = 0;
    if (before.quantity !== this.stock.quantity || before.reserved !== this.stock.reserved) {
      this.events.push('product.inventory.updated');
    }
  }

  changeStatus(to: string): boolean {
    if (to === this.status) return true;
    if (!this.#allows(to)) return false;
    this.#enter(to);
    if (to === 'cancelled' || to === 'refused') {
      this.#cancelAll(['waiting_payment', 'authorized']);
    }
    return true;
  }

  addTransaction(status: string, requested: number | undefined): boolean {
    if (this.status !== 'waiting_payment' && this.status !== 'refused') return false;
    const left = this.total - this.sumOf(['authorized', 'paid']);
    const amount = requested ?? left;
    if (left === 0 || amount > left) return false;
    if (amount + this.sumOf() > this.total) this.#cancelAll(['waiting_payment']);
    this.transactions.push({ status, amount });
    if (this.status === 'refused') this.#enter('waiting_payment');
    return true;
  }

  changeTransaction(how: string, index: number, part = Infinity): boolean {
    const transaction = this.transactions[index];
    if (!transaction) return false;
    const { status } = transaction;
    if (how === 'capture' && status !== 'authorized') return false;
    if (part !== Infinity && part > transaction.amount) return false;
    const isDue = status === 'waiting_payment' || status === 'authorized';
    if (how === 'wait' && !isDue) return true;
    const to = {
      wait: status === 'authorized' ? 'paid' : 'cancelled',
      capture: 'paid',
      pay: 'paid',
      refuse: 'refused',
      cancel: status === 'paid' ? 'refunded' : 'cancelled',
    }[how] as string;
    if (!allowedTransactionTransitions.get(status)?.includes(to)) return false;
    transaction.status = to;
    transaction.amount = Math.min(transaction.amount, part);
    if (to === 'refused') this.events.push('transaction.payment.refused');
    const isLast = !this.transactions.some((one) => liveStatuses.includes(one.status));
    const isWaiting = this.status === 'waiting_payment';
    if (to === 'paid' && isWaiting && this.sumOf(['paid']) >= this.total) this.#enter('paid');
    if ((to === 'refused' || to === 'cancelled') && isWaiting && isLast) this.#enter(to);
    if (to === 'refunded' && isLast && this.#allows('cancelled')) this.#enter('cancelled');
    return true;
  }

  issueInvoice(): boolean {
    if (['waiting_payment', 'refused', 'cancelled'].includes(this.status)) return false;
    this.invoices.push(false);
    this.events.push('order.invoice.created');
    if (this.status === 'paid' || this.status === 'handling_products') this.#enter('invoiced');
    return true;
  }

  cancelInvoice(index: number): boolean {
    if (this.invoices[index] !== false) return false;
    this.invoices[index] = true;
    this.events.push('order.invoice.updated');
    return true;
  }
}
