import { sql, type SQL } from 'drizzle-orm';
import { randomBytes } from '../../base/crypto/random.ts';
import { budgetDay, budgetTurn } from '../../base/durations.ts';
import { webhookEvents } from '../schema/store/webhooks-tables.ts';
import { parameter } from './raw.ts';
import type { StoreScope } from './store.ts';

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');

/** The prefix of the ids of all events of a store; they sort before {@link afterEventIds}. */
export const eventPrefix = (storeId: number) => `evt_${hex(storeId, 14)}`;

/** {@link eventPrefix} in SQL, for an expression of the id of a store. */
export const eventPrefixSql = (storeId: string) => sql.raw(`'evt_' || printf('%014x', ${storeId})`);

/** An upper bound of the ids of a store, below the ids of all later stores. */
export const afterEventIds = (storeId: number) => `${eventPrefix(storeId)}g`;

/** The digits of an id that order the events of a store: epoch milliseconds, or a little more. */
export const orderDigits = (order: number) => hex(order, 12);

/** A lower bound of the ids of a store with this order or a later one. */
export const eventIdFrom = (storeId: number, order: number) =>
  eventPrefix(storeId) + orderDigits(order);

/** The order of an event in its store, read from its id: about its time in epoch milliseconds. */
export const eventOrder = (id: string) =>
  Number.parseInt(id.slice(-orderedLength, -randomLength), 16);

/** Number of random hexadecimal digits at the end of an id. */
export const randomLength = 20;

/** Creates the end of an id: 80 random bits. */
export const createRandomDigits = () =>
  Array.from(randomBytes(randomLength / 2), (byte) => hex(byte, 2)).join('');

/** Number of digits after the store in an id: its order and its random end. */
export const orderedLength = orderDigits(0).length + randomLength;

/**
 * Creates the id of an event at `moment` (epoch milliseconds), regardless of later events of the
 * store.
 */
export const createEventId = (storeId: number, moment: number) =>
  eventIdFrom(storeId, moment) + createRandomDigits();

/**
 * A store and a moment, as the SQL of events names them: as values, or as the parameters of a text
 * that is built once.
 */
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

/** The newest ids of a store, up to `count`, as a subquery with the column `id`. */
export const newestIds = (
  { prefix, end }: Pick<EventScope, 'prefix' | 'end'>,
  count: number | SQL,
  columns = sql`id`,
) =>
  // `max(id)` would read all ids of the store as soon as the query has another expression.
  sql`(select ${columns} from ${webhookEvents} where id > ${prefix} and id < ${end} order by id desc limit ${count})`;

/**
 * The id of a new event, which the database assigns within a batch, given its random end. Its order
 * is the clock, or one more than the last event of the store if that is greater. So ids sort by
 * commit, however the clocks of publishers differ.
 */
export function eventIdentity(scope: EventScope, random: SQL | string) {
  const { orderAfter, newest } = storeIds(scope);
  return {
    newId: sql`${scope.prefix} || ${orderAfter(sql`0`)} || ${random}`,
    /** In later statements: the id that was recorded, or null when none was. */
    recordedId: sql`(select id from ${newest(1)} where substr(id, ${-randomLength}) = ${random})`,
  };
}

/**
 * The ids of a store in SQL. `orderAfter` is the order of the event at this place of those that a
 * statement inserts.
 */
function storeIds(scope: EventScope) {
  const { prefix, now } = scope;
  const newest = (count: number) => newestIds(scope, count);
  const digits = orderDigits(0).length;
  // JSON5 is the only way for SQLite to parse hexadecimal text.
  const last = sql`('0x' || substr(${newest(1)}, ${-orderedLength}, ${digits})) ->> '$'`;
  const orderAfter = (place: SQL) =>
    sql`printf(${`%0${digits}x`}, max(${now}, coalesce(${last} + 1, 0)) + ${place})`;
  return { prefix, newest, orderAfter };
}

/**
 * As {@link eventIdentity}, for many events that consecutive statements insert and no other
 * statement names.
 */
interface EventIdentities {
  randomEnds: readonly string[];
  /** The id of the event at this place of its statement, given its random end. */
  newId: (place: SQL, randomEnd: SQL) => SQL;
  /** In later statements: whether the events were recorded. Either all of them are or none. */
  areRecorded: SQL;
  /** In later statements: the recorded ids, as a subquery with the column `id`. */
  recordedIds: SQL;
}

/** Returns the ids of `count` new events, at least one. */
export function eventIdentities(scope: EventScope, count: number): EventIdentities {
  const { prefix, newest, orderAfter } = storeIds(scope);
  const randomEnds = Array.from({ length: count }, createRandomDigits);
  return {
    randomEnds,
    newId: (place, randomEnd) => sql`${prefix} || ${orderAfter(place)} || ${randomEnd}`,
    areRecorded: sql`(select substr(id, ${-randomLength}) from ${newest(1)}) is ${randomEnds.at(-1)}`,
    recordedIds: newest(count),
  };
}
