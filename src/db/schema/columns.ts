import { integer, text } from 'drizzle-orm/sqlite-core';

/** Epoch milliseconds. */
export const moment = (name: string) => integer(name);

/** 0 or 1 in the database, `true` or `false` in the program. */
export const flag = (name: string) => integer(name, { mode: 'boolean' });

/** A JSON text of the given shape. */
export const json = <T>(name: string) => text(name, { mode: 'json' }).$type<T>();

/** The key of every record: never reused after a deletion (hence AUTOINCREMENT). */
export const id = () => integer('id').primaryKey({ autoIncrement: true });

/** The same for records whose ids are taken from `sequences` before they are written. */
export const reservedId = () => integer('id').primaryKey();

/** When a record was made, and when a stored value last changed; both epoch milliseconds. */
export const timestamps = () => ({
  created_at: moment('created_at').notNull(),
  updated_at: moment('updated_at').notNull(),
});
