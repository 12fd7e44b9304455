import type { CartStatus } from '../db/schema/carts.ts';
import { usualIdleMinutes } from '../db/store-settings.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** When timers remind once more of a cart that stays abandoned, and when a cart expires; in milliseconds. */
export const remindAgainMs = day;
export const expireMs = 30 * day;

/** How often timers remind of a cart between two edits. */
export const mostReminders = 2;

/** What a timer goes by. */
export interface TimedCart {
  status: CartStatus;
  /** Whether there is anybody to remind: an address or a number. */
  hasContact: boolean;
  reminders: number;
  edited_at: number;
  abandoned_at: number | null;
}

/** When a cart is to be reminded of next; `undefined` for never. */
function remindAt(cart: TimedCart, idleMinutes: number): number | undefined {
  if (!cart.hasContact || cart.reminders >= mostReminders) return undefined;
  return cart.status === 'open'
    ? cart.edited_at + idleMinutes * minute
    : (cart.abandoned_at ?? cart.edited_at) + remindAgainMs;
}

/** When a timer has to look at a cart next, in epoch milliseconds; `null` for never (sources 3). */
export function cartDueAt(cart: TimedCart, idleMinutes = usualIdleMinutes): number | null {
  if (cart.status === 'converted' || cart.status === 'expired') return null;
  return Math.min(remindAt(cart, idleMinutes) ?? Infinity, cart.edited_at + expireMs);
}

/** What a timer has to do with a cart now, if anything. */
export function cartDuty(
  cart: TimedCart,
  now: number,
  idleMinutes = usualIdleMinutes,
): 'expire' | 'remind' | undefined {
  if (cart.status === 'converted' || cart.status === 'expired') return undefined;
  if (now >= cart.edited_at + expireMs) return 'expire';
  const at = remindAt(cart, idleMinutes);
  return at !== undefined && now >= at ? 'remind' : undefined;
}
