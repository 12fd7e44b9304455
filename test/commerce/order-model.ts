import {
  allowedOrderTransitions,
  allowedTransactionTransitions,
} from '../support/fixtures/state-tables.ts';

const liveStatuses = new Set(['waiting_payment', 'authorized', 'paid']);

/** The reference model of a placed order, built from the state tables. Each method returns whether its action is allowed. */
export class OrderModel {
  status = 'waiting_payment';
  readonly transactions: string[] = [];
  /** Whether each invoice is cancelled. */
  readonly invoices: boolean[] = [];
  /** How an order of one unit has changed the stock. */
  readonly stock = { quantity: 0, reserved: 1 };
  readonly events: string[] = [];

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
      for (const [index, status] of this.transactions.entries()) {
        if (status === 'waiting_payment' || status === 'authorized') {
          this.transactions[index] = 'cancelled';
        }
      }
    }
    return true;
  }

  addTransaction(status: string): boolean {
    if (this.status !== 'waiting_payment' && this.status !== 'refused') return false;
    this.transactions.push(status);
    if (this.status === 'refused') this.#enter('waiting_payment');
    return true;
  }

  changeTransaction(how: string, index: number): boolean {
    const status = this.transactions[index];
    if (status === undefined || (how === 'capture' && status !== 'authorized')) return false;
    const to = {
      capture: 'paid',
      pay: 'paid',
      refuse: 'refused',
      cancel: status === 'paid' ? 'refunded' : 'cancelled',
    }[how] as string;
    if (!allowedTransactionTransitions.get(status)?.includes(to)) return false;
    this.transactions[index] = to;
    if (to === 'refused') this.events.push('transaction.payment.refused');
    const isLast = !this.transactions.some((one) => liveStatuses.has(one));
    const isWaiting = this.status === 'waiting_payment';
    if (to === 'paid' && isWaiting) this.#enter('paid');
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
