import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { languages } from '../../../base/languages.ts';
import { memberRoles } from '../../../base/roles.ts';
import { auditColumns, booleanColumn, epochMs, id } from '../columns.ts';
import { stores, users } from './directory-tables.ts';

/** `invitations.kind`: to the service, to a store, or to the team of a partner. */
export const invitationKinds = ['user', 'store', 'partner'] as const;

/** Invitations by mail. Only the SHA-256 digest (base64url) of the token is stored. */
export const invitations = sqliteTable(
  'invitations',
  {
    id: id(),
    kind: text('kind', { enum: invitationKinds }).notNull(),
    email: text('email').notNull(),
    /** For a user who does not exist yet. */
    name: text('name'),
    language: text('language', { enum: languages }).notNull(),
    /** The store and the role there; null for other kinds. */
    store_id: integer('store_id').references(() => stores.id),
    role: text('role', { enum: memberRoles }),
    /** The partner whose team it is; null for other kinds. */
    partner_id: integer('partner_id').references(() => users.id),
    invited_by: integer('invited_by')
      .notNull()
      .references(() => users.id),
    /** Whether they invited as an operator, so without a role in the store or team. */
    by_operator: booleanColumn('by_operator').notNull().default(false),
    token_hash: text('token_hash').notNull().unique(),
    created_at: epochMs('created_at').notNull(),
    expires_at: epochMs('expires_at').notNull(),
    accepted_at: epochMs('accepted_at'),
    revoked_at: epochMs('revoked_at'),
  },
  (table) => [
    index('invitations_store').on(table.store_id),
    index('invitations_partner').on(table.partner_id),
    index('invitations_email').on(sql`${table.email} collate nocase`),
    index('invitations_sender')
      .on(table.invited_by)
      .where(sql`${table.accepted_at} is null and ${table.revoked_at} is null`),
    index('invitations_expires').on(table.expires_at),
  ],
);

/** The team of a partner: users who manage the apps of another user. */
export const partnerMembers = sqliteTable(
  'partner_members',
  {
    partner_id: integer('partner_id')
      .notNull()
      .references(() => users.id),
    user_id: integer('user_id')
      .notNull()
      .references(() => users.id),
    created_at: epochMs('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.partner_id, table.user_id] }),
    index('partner_members_user').on(table.user_id),
  ],
);

/**
 * SQL text of the address before and after a change, in small letters; null for a line without one.
 * Both have an index.
 */
export const auditAddresses = {
  old: `lower(changes ->> '$.email[0]')`,
  // Without a comma, which the generator of migrations takes for the end of a column.
  new: `lower(case when changes ->> '$.email[1]' is null then changes ->> '$.temporary_email[1]' else changes ->> '$.email[1]' end)`,
} as const;

/**
 * The audit: actions on stores, users and apps of the directory, written in the batch of the
 * action. A line with a `store_id` is shown to that store; one with `by_operator` to operators.
 * Actions within the data of a store are in `store_audit`.
 */
export const audit = sqliteTable(
  'audit',
  {
    id: id(),
    ...auditColumns(),
    store_id: integer('store_id'),
    by_operator: booleanColumn('by_operator').notNull().default(false),
    /** The partner whose team may see the line: it is about the team or an app. */
    partner_id: integer('partner_id'),
  },
  (table) => [
    index('audit_partner')
      .on(table.partner_id, table.at)
      .where(sql`${table.partner_id} is not null`),
    index('audit_store')
      .on(table.store_id, table.at)
      .where(sql`${table.store_id} is not null`),
    index('audit_operator')
      .on(table.at)
      .where(sql`${table.by_operator} = 1`),
    index('audit_at').on(table.at),
    // Find what the erasure of a user blanks.
    index('audit_actor')
      .on(table.actor_id)
      .where(sql`${table.actor_kind} in ('user', 'operator')`),
    index('audit_user')
      .on(table.target_id)
      .where(sql`${table.target_kind} = 'user'`),
    index('audit_old_address')
      .on(sql.raw(auditAddresses.old))
      .where(sql`${sql.raw(auditAddresses.old)} is not null`),
    index('audit_new_address')
      .on(sql.raw(auditAddresses.new))
      .where(sql`${sql.raw(auditAddresses.new)} is not null`),
  ],
);
