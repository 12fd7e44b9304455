import type { SQL } from 'drizzle-orm';
import { budgetDay, budgetTurn } from '../../base/durations.ts';
import { afterEventIds, eventPrefix } from './event-id.ts';
import { parameter } from './raw.ts';
import type { StoreScope } from './store.ts';

/** A store and a moment, as the SQL of events names them: as values, or as the parameters of a text that is built once. */
export interface EventScope<Text = string | SQL, Value = number | SQL> {
  storeId: Value;
  /** Epoch milliseconds. */
  now: Value;
  /** The day and the turn of the budget ({@link budgetDay}). */
  day: Value;
  turn: Value;
  /** The ids of the store's events lie between these. */
  prefix: Text;
  end: Text;
}

export const eventScope = ({ store, now }: StoreScope) =>
  ({
    storeId: store.id,
    now,
    day: budgetDay(now),
    turn: budgetTurn(now),
    prefix: eventPrefix(store.id),
    end: afterEventIds(store.id),
  }) satisfies EventScope;

/** The names of {@link eventScope} as parameters. */
export const eventParameters: EventScope<SQL, SQL> = {
  storeId: parameter('storeId'),
  now: parameter('now'),
  day: parameter('day'),
  turn: parameter('turn'),
  prefix: parameter('prefix'),
  end: parameter('end'),
};
