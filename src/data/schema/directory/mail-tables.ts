import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { languages } from '../../../base/languages.ts';
import { epochMs, id } from '../columns.ts';

/**
 * Mails to send, written in the batch of their cause. They are sent at least once, with `key` as
 * their id.
 */
export const mails = sqliteTable(
  'mails',
  {
    id: id(),
    /**
     * Unique: a cause that is applied twice sends one mail. Also its id in the header
     * `X-Entity-Ref-ID`.
     */
    key: text('key').notNull().unique(),
    kind: text('kind').notNull(),
    language: text('language', { enum: languages }).notNull(),
    /** Null for an address without a user. */
    user_id: integer('user_id'),
    to_address: text('to_address').notNull(),
    to_name: text('to_name'),
    /**
     * The values for the template, as JSON, sealed: they may hold a one-use link. Empty once a
     * deployment has sent it.
     */
    data: text('data').notNull(),
    created_at: epochMs('created_at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** When to send it next; null once it is sent or given up. */
    due_at: epochMs('due_at'),
    leased_until: epochMs('leased_until').notNull().default(0),
    sent_at: epochMs('sent_at'),
    /** Why it was given up: a bounce, a blocked or muted address, or too many attempts. */
    dropped: text('dropped'),
  },
  (table) => [
    index('mails_due')
      .on(table.due_at)
      .where(sql`${table.due_at} is not null`),
    // For the mails that runs are sending at this moment.
    index('mails_leased')
      .on(table.leased_until)
      .where(sql`${table.leased_until} > 0`),
    index('mails_created').on(table.created_at),
    // For the limit on the mails of one address.
    index('mails_sent')
      .on(sql`lower(${table.to_address})`, table.kind, table.sent_at)
      .where(sql`${table.sent_at} is not null`),
  ],
);

/** Addresses that get no mail but resets of passwords: mails bounced, or the reader complained. */
export const blockedAddresses = sqliteTable('blocked_addresses', {
  /** In lower case. */
  address: text('address').primaryKey(),
  reason: text('reason', { enum: ['bounce', 'complaint'] }).notNull(),
  at: epochMs('at').notNull(),
});
