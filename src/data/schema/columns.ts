import { integer, text } from 'drizzle-orm/sqlite-core';

/** Epoch milliseconds. */
export const epochMs = (name: string) => integer(name);

/** Stored as 0 or 1; `true` or `false` in TypeScript. */
export const booleanColumn = (name: string) => integer(name, { mode: 'boolean' });

/** A JSON text of type `T`. */
export const json = <T>(name: string) => text(name, { mode: 'json' }).$type<T>();

/**
 * The primary key of most records. AUTOINCREMENT, so that an id is never reused after a deletion.
 */
export const id = () => integer('id').primaryKey({ autoIncrement: true });

/** The primary key of records whose ids are reserved before the insert (`core/reserved-ids.ts`). */
export const reservedId = () => integer('id').primaryKey();

/**
 * A reserved id that is not the primary key, in a table whose rows are only looked for below their
 * parent. The key begins with the parent, so a new row writes no index.
 */
export const reservedIdOfPart = () => integer('id').notNull();

/** When a record was created, and when one of its values last changed; epoch milliseconds. */
export const timestamps = () => ({
  created_at: epochMs('created_at').notNull(),
  updated_at: epochMs('updated_at').notNull(),
});

/** The changes, by field: before and after. Never a secret. */
export type AuditChanges = Readonly<Record<string, readonly [before: unknown, after: unknown]>>;

/** The columns of an audit: who did what to which target, when and from where. */
export const auditColumns = () => ({
  at: epochMs('at').notNull(),
  actor_kind: text('actor_kind', {
    enum: ['user', 'operator', 'api_key', 'app', 'system'],
  }).notNull(),
  /** Id of the user, API key or app; no foreign key, since the entry outlives it. */
  actor_id: text('actor_id').notNull(),
  actor_name: text('actor_name').notNull(),
  action: text('action').notNull(),
  target_kind: text('target_kind').notNull(),
  target_id: text('target_id').notNull(),
  reason: text('reason'),
  changes: json<AuditChanges>('changes').notNull().default({}),
  /** ISO 3166-1 alpha-2; null if unknown. */
  country: text('country'),
  /** The network of the client, without the part that names one device. */
  network: text('network'),
});
