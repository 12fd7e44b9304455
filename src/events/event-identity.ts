import { sql, type SQL } from 'drizzle-orm';
import { webhookEvents } from '../db/schema/webhooks.ts';
import type { StoreDb } from '../db/store.ts';
import {
  afterEventIds,
  eventPrefix,
  newRandomDigits,
  orderDigits,
  orderedLength,
  randomLength,
} from './event-id.ts';

/** How the statements of one batch name an event whose id only the database can tell. */
export interface EventIdentity {
  /** The id to record the event under: behind all that its store has, and not before its moment. */
  next: SQL;
  /** The id that it was recorded under, in the statements that follow; `null` when it was not. */
  recorded: SQL;
}

/**
 * A new event's id. Its place in the order of its store is the greater of the clock and one more than the last event's,
 * so that ids sort by commit however the clocks of those who publish differ.
 */
export function identityOf({ store, now }: StoreDb): EventIdentity {
  const prefix = eventPrefix(store.id);
  const random = newRandomDigits();
  // A maximum in place of the order would read all of the store's ids as soon as something else is asked of it.
  const newest = sql`(select id from ${webhookEvents}
    where id > ${prefix} and id < ${afterEventIds(store.id)} order by id desc limit 1)`;
  const digits = orderDigits(0).length;
  // JSON5, as SQLite reads JSON, is its one reader of hexadecimal text.
  const last = sql`('0x' || substr(${newest}, ${-orderedLength}, ${digits})) ->> '$'`;
  return {
    next: sql`${prefix} || printf(${`%0${digits}x`}, max(${now}, coalesce(${last} + 1, 0))) || ${random}`,
    recorded: sql`(select id from ${newest} where substr(id, ${-randomLength}) = ${random})`,
  };
}
