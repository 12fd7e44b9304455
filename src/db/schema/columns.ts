import { integer, text } from 'drizzle-orm/sqlite-core';

/** Epoch milliseconds. */
export const epochMs = (name: string) => integer(name);

/** Stored as 0 or 1; `true` or `false` in TypeScript. */
export const booleanColumn = (name: string) => integer(name, { mode: 'boolean' });

/** A JSON text of type `T`. */
export const json = <T>(name: string) => text(name, { mode: 'json' }).$type<T>();

/** The primary key of most records. AUTOINCREMENT, so that an id is never reused after a deletion. */
export const id = () => integer('id').primaryKey({ autoIncrement: true });

/** The primary key of records whose ids are reserved before the insert (`core/reserved-ids.ts`). */
export const reservedId = () => integer('id').primaryKey();

/** When a record was created, and when one of its values last changed; epoch milliseconds. */
export const timestamps = () => ({
  created_at: epochMs('created_at').notNull(),
  updated_at: epochMs('updated_at').notNull(),
});
