import { allowedFrom, transactionAllowedFrom } from '../support/arrows.ts';

const live = new Set(['waiting_payment', 'authorized', 'paid']);

/** An order that was placed, as the tables describe it: a few words and two numbers; every method tells whether it may be done. */
export class Model {
  status = 'waiting_payment';
  readonly transactions: string[] = [];
  /** Whether each invoice is cancelled. */
  readonly invoices: boolean[] = [];
  /** What one order of one unit has made of the stock. */
  readonly stock = { quantity: 0, reserved: 1 };
  readonly events: string[] = [];

  /** Whether the table allows the arrow. */
  #allows(to: string): boolean {
    if (!allowedFrom.get(this.status)?.includes(to)) return false;
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

  move(to: string): boolean {
    if (to === this.status) return true;
    if (!this.#allows(to)) return false;
    this.#enter(to);
    if (to === 'cancelled' || to === 'refused') {
      for (const [place, status] of this.transactions.entries()) {
        if (status === 'waiting_payment' || status === 'authorized') {
          this.transactions[place] = 'cancelled';
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

  settle(how: string, place: number): boolean {
    const status = this.transactions[place];
    if (status === undefined || (how === 'capture' && status !== 'authorized')) return false;
    const to = {
      capture: 'paid',
      pay: 'paid',
      refuse: 'refused',
      cancel: status === 'paid' ? 'refunded' : 'cancelled',
    }[how] as string;
    if (!transactionAllowedFrom.get(status)?.includes(to)) return false;
    this.transactions[place] = to;
    if (to === 'refused') this.events.push('transaction.payment.refused');
    const isLast = !this.transactions.some((one) => live.has(one));
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

  cancelInvoice(place: number): boolean {
    if (this.invoices[place] !== false) return false;
    this.invoices[place] = true;
    this.events.push('order.invoice.updated');
    return true;
  }
}
