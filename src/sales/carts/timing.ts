import { dayMs, minuteMs } from '../../base/durations.ts';
import type { CartStatus } from '../../data/schema/store/carts-tables.ts';
import { defaultCartIdleMinutes } from './cart-settings-queries.ts';

/** Time from the abandonment to the second reminder. */
const secondReminderMs = dayMs;

/** Time from the last edit to the expiry. */
const cartExpiryMs = 30 * dayMs;

/** The most reminders that timers send between two edits. */
const maxCartReminders = 2;

/** The state of a cart that decides its next action. Times in epoch milliseconds. */
export interface CartTimerState {
  status: CartStatus;
  /** Whether a reminder can reach the guest or customer. */
  hasContact: boolean;
  reminders: number;
  edited_at: number;
  abandoned_at: number | null;
}

/** Returns the time of the next reminder, or `undefined` if there is none. */
function nextReminderAt(cart: CartTimerState, idleMinutes: number): number | undefined {
  if (!cart.hasContact || cart.reminders >= maxCartReminders) return undefined;
  return cart.status === 'open'
    ? cart.edited_at + idleMinutes * minuteMs
    : (cart.abandoned_at ?? cart.edited_at) + secondReminderMs;
}

/**
 * Returns when a timer must process the cart next, in epoch milliseconds, or `null` for never (see
 * README, Carts).
 */
export function cartDueAt(
  cart: CartTimerState,
  idleMinutes = defaultCartIdleMinutes,
): number | null {
  if (cart.status === 'converted' || cart.status === 'expired') return null;
  return Math.min(nextReminderAt(cart, idleMinutes) ?? Infinity, cart.edited_at + cartExpiryMs);
}

/** Returns what a timer must do with the cart now, or `undefined` for nothing. */
export function nextCartAction(
  cart: CartTimerState,
  now: number,
  idleMinutes = defaultCartIdleMinutes,
): 'expire' | 'remind' | undefined {
  if (cart.status === 'converted' || cart.status === 'expired') return undefined;
  if (now >= cart.edited_at + cartExpiryMs) return 'expire';
  const at = nextReminderAt(cart, idleMinutes);
  return at !== undefined && now >= at ? 'remind' : undefined;
}
