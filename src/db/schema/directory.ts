import { sql } from 'drizzle-orm';
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { booleanColumn, id, json, epochMs, timestamps } from './columns.ts';

export { pulse } from './pulse.ts';
export { schemaVersions } from './schema-version.ts';

/** Users who sign in. A user may own or manage several stores. Addresses are unique without regard to letter case. */
export const users = sqliteTable(
  'users',
  {
    id: id(),
    email: text('email').notNull(),
    name: text('name').notNull(),
    active: booleanColumn('active').notNull().default(true),
    agree: booleanColumn('agree').notNull().default(false),
    allow_notifications: booleanColumn('allow_notifications').notNull().default(false),
    mfa_enabled: booleanColumn('mfa_enabled').notNull().default(false),
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
  (table) => [uniqueIndex('users_email_key').on(sql`${table.email} collate nocase`)],
);

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
    shard: integer('shard').notNull(),
    /** The epoch of the store in this shard (`residents`). It only grows, so that a late step of a move changes nothing. */
    epoch: integer('epoch').notNull().default(0),
    zone: text('zone').notNull().default('America/Sao_Paulo'),
    active: booleanColumn('active').notNull().default(true),
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
    /** Rises with each change of what a request needs of the store (triggers), so that no copy becomes older. */
    version: integer('version').notNull().default(0),
    ...timestamps(),
  },
  (table) => [index('stores_owner').on(table.owner_id)],
);

/** `shards.state`. Closed shards get no more stores. */
export const ShardState = { open: 0, closed: 1 } as const;

/** The shards. The deployment adds them, the sweep of each keeps its size. A row is never deleted: `block` must not come again. */
export const shards = sqliteTable('shards', {
  number: integer('number').primaryKey(),
  /** Where the database is, such as `weur`. Stores move only within a region. */
  region: text('region').notNull(),
  state: integer('state').notNull().default(ShardState.open),
  bytes: integer('bytes').notNull().default(0),
  /** Stores that are here. */
  stores: integer('stores').notNull().default(0),
  /** The block of ids that the shard took last (`core/id-blocks.ts`), unless it still counts from its number. */
  block: integer('block'),
  /** When the sweep last wrote this row. */
  seen_at: epochMs('seen_at').notNull().default(0),
});

/**
 * What a shard must hear of the directory: a store has a new version, or `user_id` may no longer manage it. Triggers write
 * it, and the sweep of the shard applies and deletes it.
 */
export const storeChanges = sqliteTable(
  'store_changes',
  {
    id: id(),
    shard: integer('shard').notNull(),
    store_id: integer('store_id').notNull(),
    user_id: integer('user_id'),
  },
  (table) => [index('store_changes_shard').on(table.shard)],
);

/** Which user may manage which store. */
export const memberships = sqliteTable(
  'memberships',
  {
    user_id: integer('user_id')
      .notNull()
      .references(() => users.id),
    store_id: integer('store_id')
      .notNull()
      .references(() => stores.id),
    role: text('role', { enum: ['owner', 'manager'] }).notNull(),
    created_at: epochMs('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.store_id] })],
);

/** API keys (`User-Token` and `User-Secret-Key`). Only SHA-256 digests (base64url) of the two parts are stored. */
export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: id(),
    user_id: integer('user_id')
      .notNull()
      .references(() => users.id),
    name: text('name').notNull(),
    token_hash: text('token_hash').notNull().unique(),
    secret_hash: text('secret_hash').notNull(),
    last_four: text('last_four').notNull(),
    created_at: epochMs('created_at').notNull(),
    /** Updated at most once an hour, so that few requests write. */
    last_used_at: epochMs('last_used_at'),
    revoked_at: epochMs('revoked_at'),
  },
  (table) => [index('api_keys_user').on(table.user_id)],
);

/** Passwords for signing in with a browser: encoded scrypt hashes with their salts and costs. */
export const passwords = sqliteTable('passwords', {
  user_id: integer('user_id')
    .primaryKey()
    .references(() => users.id),
  hash: text('hash').notNull(),
  changed_at: epochMs('changed_at').notNull(),
});

/** Sessions of browsers. Only the SHA-256 digest (base64url) of the cookie is stored. */
export const sessions = sqliteTable(
  'sessions',
  {
    id_hash: text('id_hash').primaryKey(),
    user_id: integer('user_id')
      .notNull()
      .references(() => users.id),
    created_at: epochMs('created_at').notNull(),
    /** Updated at most once every few minutes, so that few page views write. */
    seen_at: epochMs('seen_at').notNull(),
    expires_at: epochMs('expires_at').notNull(),
  },
  (table) => [
    index('sessions_user').on(table.user_id),
    index('sessions_expires').on(table.expires_at),
  ],
);

/** Failed sign-ins, counted by account and by network. `key` is a MAC, so that the table holds no addresses. */
export const signInFailures = sqliteTable(
  'sign_in_failures',
  {
    key: text('key').primaryKey(),
    failures: integer('failures').notNull(),
    first_at: epochMs('first_at').notNull(),
    blocked_until: epochMs('blocked_until').notNull().default(0),
  },
  (table) => [index('sign_in_failures_first').on(table.first_at)],
);

/** `apps.state`. A draft works only for stores of its own partner; a disabled app works for no store. */
const appStates = ['draft', 'published', 'disabled'] as const;

/** Apps that partners register in the partner panel. */
export const apps = sqliteTable(
  'apps',
  {
    id: id(),
    client_id: text('client_id').notNull().unique(),
    /** The partner who registered it. */
    owner_id: integer('owner_id')
      .notNull()
      .references(() => users.id),
    name: text('name').notNull(),
    publisher: text('publisher').notNull(),
    redirect_uris: json<string[]>('redirect_uris').notNull(),
    /** The scopes that the app may request, as bits (`access/scopes.ts`). */
    scopes: integer('scopes').notNull(),
    state: text('state', { enum: appStates }).notNull().default('draft'),
    /**
     * When the app was last disabled or returned to draft: the grants that it had then end in every shard. No two apps have
     * the same time, and a later withdrawal has a later one, so each shard remembers how far it is.
     */
    withdrawn_at: epochMs('withdrawn_at'),
    ...timestamps(),
  },
  (table) => [
    index('apps_owner').on(table.owner_id),
    index('apps_withdrawn')
      .on(table.withdrawn_at)
      .where(sql`${table.withdrawn_at} is not null`),
  ],
);

/** How many stores of a shard an app is connected to, as the sweep of the shard last counted. */
export const appInstalls = sqliteTable(
  'app_installs',
  {
    client_id: text('client_id').notNull(),
    shard: integer('shard').notNull(),
    installs: integer('installs').notNull(),
    /** The time of the latest event of a grant of the app there. */
    last_event_at: epochMs('last_event_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.client_id, table.shard] }),
    index('app_installs_shard').on(table.shard),
  ],
);
