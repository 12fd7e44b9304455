import { conflict } from '../../base/errors.ts';
import { takeTurns } from '../../data/core/retry-contention.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { postponeDueRecord, type DueRecord } from '../../data/queries/due-records.ts';
import { carts } from '../../data/schema/store/carts-tables.ts';
import { publish } from '../../webhooks/events/publish.ts';
import {
  toCartReminderEvent,
  hasCartContact,
  serializeCart,
  fullCartExtras,
} from './cart-queries.ts';
import { selectCartIdleMinutes } from './cart-settings-queries.ts';
import { updateCartStatements, assertCartNotClosed, assertCartNotEmpty } from './change-cart.ts';
import { cartDueAt, nextCartAction } from './timing.ts';

/**
 * Publishes `cart.reminder` on request, independently of the timers; the status stays. Two round
 * trips. Throws 409 for a cart that is closed, empty or without contact details. Returns
 * `undefined` if the store has no such cart.
 */
export const sendCartReminder = (db: StoreDb, id: number) =>
  takeTurns(db, [carts, id], async () => {
    const cart = await db.find(carts, id, fullCartExtras);
    if (!cart) return undefined;
    assertCartNotClosed(cart);
    assertCartNotEmpty(cart);
    if (!hasCartContact(cart, cart.customer.data)) {
      throw conflict('cart_without_contact', {
        tracking_data: [
          'A reminder needs a customer or guest with an e-mail address or a phone number.',
        ],
      });
    }
    const after = { ...cart, reminded_at: db.now, updated_at: db.now };
    await publish(db, updateCartStatements(db, cart, { reminded_at: db.now }), [
      toCartReminderEvent(db, after),
    ]);
    return serializeCart(db.store, after);
  });

/**
 * Processes a cart whose `due_at` has passed. An idle cart becomes abandoned and gets a reminder, a
 * cart that stays abandoned gets a second one, and an old cart expires. Two timers at the same time
 * act once, because the update applies only to the revision that was read. Two round trips.
 */
export const processDueCart = (db: StoreDb, due: DueRecord) =>
  takeTurns(db, [carts, due.id], async () => {
    const [cartRows, settings] = await db.batch([
      db.selectOne(carts, due.id, fullCartExtras),
      selectCartIdleMinutes(db),
    ]);
    const before = cartRows[0];
    if (!before || before.due_at !== due.due_at) return;
    const canRemind = before.total_items > 0 && hasCartContact(before, before.customer.data);
    const timerState = { ...before, hasContact: canRemind };
    const idleMinutes = settings[0]?.minutes;
    const action = nextCartAction(timerState, db.now, idleMinutes);
    if (action === 'expire') {
      await db.batch(updateCartStatements(db, before, { status: 'expired', due_at: null }));
    } else if (action === 'remind') {
      const changes = {
        status: 'abandoned',
        reminders: before.reminders + 1,
        reminded_at: db.now,
        abandoned_at: before.abandoned_at ?? db.now,
      } as const;
      const due_at = cartDueAt({ ...timerState, ...changes }, idleMinutes);
      const after = { ...before, ...changes, due_at, updated_at: db.now };
      await publish(db, updateCartStatements(db, before, { ...changes, due_at }), [
        toCartReminderEvent(db, after),
      ]);
    } else {
      await postponeDueRecord(db, due, cartDueAt(timerState, idleMinutes));
    }
  });
