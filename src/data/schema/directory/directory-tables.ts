import { sql } from 'drizzle-orm';
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { languages } from '../../../base/languages.ts';
import { memberRoles } from '../../../base/roles.ts';
import { booleanColumn, id, json, epochMs, timestamps } from '../columns.ts';

export { schemaVersions } from '../schema-version.ts';

/**
 * Users who sign in. A user may own or manage several stores. Addresses are unique without regard
 * to letter case.
 */
export const users = sqliteTable(
  'users',
  {
    id: id(),
    email: text('email').notNull(),
    name: text('name').notNull(),
    active: booleanColumn('active').notNull().default(true),
    agree: booleanColumn('agree').notNull().default(false),
    allow_notifications: booleanColumn('allow_notifications').notNull().default(true),
    /** True while a second factor is set up (`second_factors`, `passkeys`). */
    mfa_enabled: booleanColumn('mfa_enabled').notNull().default(false),
    /** An operator of the service. */
    super_user: booleanColumn('super_user').notNull().default(false),
    /**
     * That of the last page the user read: of mails, and of pages of a browser that has chosen
     * none.
     */
    language: text('language', { enum: languages }),
    /** Kinds of mails that the user switched off. */
    muted_mails: json<string[]>('muted_mails').notNull().default([]),
    social_name: text('social_name'),
    cpf: text('cpf'),
    phone: text('phone'),
    address_street: text('address_street'),
    address_number: text('address_number'),
    address_neighborhood: text('address_neighborhood'),
    address_complement: text('address_complement'),
    address_city: text('address_city'),
    address_state: text('address_state'),
    address_zipcode: text('address_zipcode'),
    temporary_email: text('temporary_email'),
    birthday: text('birthday'),
    avatar_url: text('avatar_url'),
    last_login_at: epochMs('last_login_at'),
    confirmed_at: epochMs('confirmed_at'),
    ...timestamps(),
  },
  (table) => [
    uniqueIndex('users_email_key').on(sql`${table.email} collate nocase`),
    index('users_operators')
      .on(table.id)
      .where(sql`${table.super_user} = 1`),
  ],
);

/** `stores.closed_by`. A store that an operator closed, only an operator opens again. */
export const closers = ['owner', 'operator'] as const;

export type Closer = (typeof closers)[number];

/** Stores, and the shard that holds the data of each. */
export const stores = sqliteTable(
  'stores',
  {
    id: id(),
    alias: text('alias').notNull().unique(),
    name: text('name').notNull(),
    owner_id: integer('owner_id')
      .notNull()
      .references(() => users.id),
    /**
     * The user who made it for themselves, who may make few a day; null for one of an operator, and
     * for a test store.
     */
    made_by: integer('made_by'),
    shard: integer('shard').notNull(),
    /**
     * The epoch of the store in this shard (`placements`). It only grows, so that a late step of a
     * move changes nothing.
     */
    epoch: integer('epoch').notNull().default(0),
    zone: text('zone').notNull().default('America/Sao_Paulo'),
    /**
     * False while the store is closed or locked: each of them ends by itself, and the store works
     * once neither is left.
     */
    active: booleanColumn('active').notNull().default(true),
    /** Since when the store is closed, by whom, and why; null while it is not. */
    closed_at: epochMs('closed_at'),
    closed_by: text('closed_by', { enum: closers }),
    close_reason: text('close_reason'),
    /** Since when an operator locks the store, and why; null while none does. */
    locked_at: epochMs('locked_at'),
    lock_reason: text('lock_reason'),
    /** When the data of a closed store are erased; null if its erasure was cancelled. */
    erase_at: epochMs('erase_at'),
    /**
     * When they were erased. The row stays, without a name, for records that refer to it; that of a
     * test store for 35 days.
     */
    erased_at: epochMs('erased_at'),
    /** Whether every member must have a second factor. */
    mfa_required: booleanColumn('mfa_required').notNull().default(false),
    /**
     * Bytes of events that it may record on a day; null for that of the service. Its shard has a
     * copy (`event_budgets`).
     */
    event_budget: integer('event_budget'),
    /**
     * Requests that all its callers may send in a minute; null for the limit of the service. One of
     * its facts (`factsOf`).
     */
    requests_per_minute: integer('requests_per_minute'),
    // Payments of a test store may be simulated.
    test: booleanColumn('test').notNull().default(false),
    base_url: text('base_url').notNull(),
    domain: text('domain'),
    icon_url: text('icon_url'),
    logo_url: text('logo_url'),
    domains_list: json<string[]>('domains_list').notNull().default([]),
    tags: json<string[]>('tags').notNull().default([]),
    has_affiliations: booleanColumn('has_affiliations').notNull().default(true),
    has_credit_card: booleanColumn('has_credit_card').notNull().default(false),
    /**
     * Rises with each change of the store's data that a request needs (triggers), so that no copy
     * becomes older.
     */
    version: integer('version').notNull().default(0),
    ...timestamps(),
  },
  (table) => [
    index('stores_owner').on(table.owner_id),
    index('stores_made_by')
      .on(table.made_by, table.created_at)
      .where(sql`${table.made_by} is not null`),
    index('stores_tombstones')
      .on(table.erased_at)
      .where(sql`${table.erased_at} is not null and ${table.test} = 1`),
  ],
);

/**
 * The aliases that stores have left. Each is reserved for its store for ever, and leads to it for a
 * while (`formerAliasMs`). No foreign key: the row outlives that of an erased store.
 */
export const formerAliases = sqliteTable(
  'former_aliases',
  {
    /**
     * SHA-256 of the alias (base64url): it keeps the alias reserved when the alias itself is
     * erased.
     */
    digest: text('digest').primaryKey(),
    /** Null once the data of the store are erased, since it may be a name. */
    alias: text('alias').unique(),
    store_id: integer('store_id').notNull(),
    left_at: epochMs('left_at').notNull(),
  },
  (table) => [index('former_aliases_store').on(table.store_id)],
);

/**
 * `shards.state`. Closed shards get no more stores, dedicated ones only those that an operator
 * moves there.
 */
export const ShardState = { open: 0, closed: 1, dedicated: 2 } as const;

/**
 * The shards. The deployment adds them, the sweep of each keeps its size. A row is never deleted:
 * `block` must not come again.
 */
export const shards = sqliteTable('shards', {
  number: integer('number').primaryKey(),
  state: integer('state').notNull().default(ShardState.open),
  bytes: integer('bytes').notNull().default(0),
  /**
   * Bytes that it grows by in a day: a mean of the last days, in which each day counts less than
   * the next.
   */
  growth: integer('growth').notNull().default(0),
  /**
   * Thousandths of the last hour in which requests kept the database at work, estimated from a
   * sample.
   */
  load: integer('load').notNull().default(0),
  /** Stores that are here. */
  stores: integer('stores').notNull().default(0),
  /**
   * The block of ids that the shard took last (`data/shards/id-blocks.ts`), unless it still counts
   * from its number.
   */
  block: integer('block'),
  /** When the sweep last wrote this row. */
  seen_at: epochMs('seen_at').notNull().default(0),
});

/** One row (`id` 1): which run of `npm run deploy` has the lock, and until when (`deploy`). */
export const deployLocks = sqliteTable('deploy_locks', {
  id: integer('id').primaryKey(),
  until: epochMs('until').notNull(),
  holder: text('holder').notNull(),
});

/**
 * Changes in the directory that a shard must receive: a store has a new version, or `user_id` may
 * no longer connect apps to it. Triggers write it, and the sweep of the shard applies and deletes
 * it.
 */
export const storeChanges = sqliteTable(
  'store_changes',
  {
    id: id(),
    shard: integer('shard').notNull(),
    store_id: integer('store_id').notNull(),
    user_id: integer('user_id'),
    /**
     * The grants that the user gave since then end, whether or not they are a member; null to end
     * those of former members.
     */
    given_since: epochMs('given_since'),
    /** The store was created and may not be in its shard yet. */
    is_new: booleanColumn('is_new').notNull().default(false),
    /** The store was closed, and its data are erased then. */
    erase_at: epochMs('erase_at'),
    /** The alias that the store left, and when; null unless it was renamed. */
    former_alias: text('former_alias'),
    left_at: epochMs('left_at'),
  },
  (table) => [index('store_changes_shard').on(table.shard)],
);

/** The members of each store. */
export const memberships = sqliteTable(
  'memberships',
  {
    user_id: integer('user_id')
      .notNull()
      .references(() => users.id),
    store_id: integer('store_id')
      .notNull()
      .references(() => stores.id),
    role: text('role', { enum: memberRoles }).notNull(),
    created_at: epochMs('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.user_id, table.store_id] }),
    index('memberships_store').on(table.store_id),
  ],
);
