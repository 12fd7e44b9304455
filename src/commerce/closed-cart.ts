import type { CartStatus } from '../db/schema/carts.ts';
import { conflict } from '../problem.ts';

/** Throws a 409 for a cart in a final state. */
export function refuseClosed({ status }: { status: CartStatus }) {
  if (status !== 'converted' && status !== 'expired') return;
  throw conflict(`cart_${status}`, {
    status: [status === 'converted' ? 'The cart is an order already.' : 'The cart has expired.'],
  });
}

/** Throws a 409 for a cart of which nothing is left. */
export function refuseEmpty({ total_items }: { total_items: number }) {
  if (total_items === 0) throw conflict('cart_empty', { items: ['Must hold something.'] });
}
