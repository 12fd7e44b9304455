import { untilFresh } from '../db/fresh.ts';
import { postpone, type DueRecord } from '../db/due-records.ts';
import { carts } from '../db/schema/store.ts';
import { readingIdleMinutes } from '../db/store-settings.ts';
import type { StoreDb } from '../db/store.ts';
import { publish } from '../events/publish.ts';
import { cartReminder } from './cart-event.ts';
import { hasContact, wholeCart } from './cart-reading.ts';
import { cartStep } from './cart-step.ts';
import { cartDueAt, cartDuty } from './cart-timing.ts';

/**
 * What a timer does with a cart whose `due_at` has come (sources 3): one that was left idle is abandoned and reminded of,
 * one that stays abandoned once more, an old one expires. The revision that was read decides, so that of two timers at
 * once one does the work and the other finds nothing left. Two round trips.
 */
export const settleDueCart = (db: StoreDb, due: DueRecord) =>
  untilFresh(async () => {
    const [found, idle] = await db.batch([
      db.selectOne(carts, due.id, wholeCart),
      readingIdleMinutes(db),
    ]);
    const before = found[0];
    if (!before || before.due_at !== due.due_at) return;
    const canRemind = before.total_items > 0 && hasContact(before, before.customer.data);
    const timed = { ...before, hasContact: canRemind };
    const minutes = idle[0]?.minutes;
    const duty = cartDuty(timed, db.now, minutes);
    if (duty === 'expire') {
      await db.batch(cartStep(db, before, { status: 'expired', due_at: null }));
    } else if (duty === 'remind') {
      const changes = {
        status: 'abandoned',
        reminders: before.reminders + 1,
        reminded_at: db.now,
        abandoned_at: before.abandoned_at ?? db.now,
      } as const;
      const due_at = cartDueAt({ ...timed, ...changes }, minutes);
      const after = { ...before, ...changes, due_at, updated_at: db.now };
      await publish(db, cartStep(db, before, { ...changes, due_at }), [cartReminder(db, after)]);
    } else {
      await postpone(db, due, cartDueAt(timed, minutes));
    }
  });
