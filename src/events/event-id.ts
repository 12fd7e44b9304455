import { randomBytes } from '../crypto/random.ts';

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');

/** What the ids of a store's events begin with; they end before {@link afterEventIds}. */
export const eventPrefix = (storeId: number) => `evt_${hex(storeId, 14)}`;

/** What sorts behind all ids of a store's events, and before those of any later store. */
export const afterEventIds = (storeId: number) => `${eventPrefix(storeId)}g`;

/** A place in the order of a store's events as their ids have it: epoch milliseconds, or a little more. */
export const orderDigits = (order: number) => hex(order, 12);

/** What sorts before the ids of a store's events of that place and all later ones. */
export const eventIdAt = (storeId: number, order: number) =>
  eventPrefix(storeId) + orderDigits(order);

/** The place of an event in the order of its store, read from its id: about its moment, in epoch milliseconds. */
export const orderOf = (id: string) => Number.parseInt(id.slice(-orderedLength, -randomLength), 16);

/** How many digits the end of an id has that makes it one of a kind; they are hexadecimal. */
export const randomLength = 20;

/** The end of a new event's id: 80 random bits. */
export const newRandomDigits = () =>
  Array.from(randomBytes(randomLength / 2), (byte) => hex(byte, 2)).join('');

/** How many digits follow the store in an id: its place in the order and its random end. */
export const orderedLength = orderDigits(0).length + randomLength;

/** The id of an event that happened then (epoch milliseconds), whatever its store has recorded since. */
export const newEventId = (storeId: number, moment: number) =>
  eventIdAt(storeId, moment) + newRandomDigits();
