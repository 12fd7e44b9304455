import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { flag, id, json, moment, timestamps } from './columns.ts';

/** People who sign in. One may own or manage several stores. */
export const users = sqliteTable('users', {
  id: id(),
  email: text('email').notNull().unique(),
  name: text('name').notNull(),
  active: flag('active').notNull().default(true),
  agree: flag('agree').notNull().default(false),
  allow_notifications: flag('allow_notifications').notNull().default(false),
  mfa_enabled: flag('mfa_enabled').notNull().default(false),
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
  last_login_at: moment('last_login_at'),
  confirmed_at: moment('confirmed_at'),
  ...timestamps(),
});

/** Stores and the shard that holds their data. */
export const stores = sqliteTable(
  'stores',
  {
    id: id(),
    alias: text('alias').notNull().unique(),
    name: text('name').notNull(),
    owner_id: integer('owner_id')
      .notNull()
      .references(() => users.id),
    shard: integer('shard').notNull().default(0),
    zone: text('zone').notNull().default('America/Sao_Paulo'),
    active: flag('active').notNull().default(true),
    // Payments of a test store may be simulated.
    test: flag('test').notNull().default(false),
    base_url: text('base_url').notNull(),
    domain: text('domain'),
    icon_url: text('icon_url'),
    logo_url: text('logo_url'),
    domains_list: json<string[]>('domains_list').notNull().default([]),
    tags: json<string[]>('tags').notNull().default([]),
    has_affiliations: flag('has_affiliations').notNull().default(true),
    has_credit_card: flag('has_credit_card').notNull().default(false),
    ...timestamps(),
  },
  (table) => [index('stores_owner').on(table.owner_id)],
);

/** Who may manage which store. */
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
    created_at: moment('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.store_id] })],
);

/** Header pairs: only SHA-256 digests (base64url) of the two parts are kept. */
export const credentials = sqliteTable(
  'credentials',
  {
    id: id(),
    user_id: integer('user_id')
      .notNull()
      .references(() => users.id),
    name: text('name').notNull(),
    token_hash: text('token_hash').notNull().unique(),
    secret_hash: text('secret_hash').notNull(),
    last_four: text('last_four').notNull(),
    created_at: moment('created_at').notNull(),
    /** Moved at most once an hour, so that a call seldom writes. */
    last_used_at: moment('last_used_at'),
    revoked_at: moment('revoked_at'),
  },
  (table) => [index('credentials_user').on(table.user_id)],
);

/** What people sign in with in a browser: the encoded scrypt hash with its salt and costs. */
export const passwords = sqliteTable('passwords', {
  user_id: integer('user_id')
    .primaryKey()
    .references(() => users.id),
  hash: text('hash').notNull(),
  changed_at: moment('changed_at').notNull(),
});

/** Signed-in browsers. Only the SHA-256 digest (base64url) of the cookie is kept. */
export const sessions = sqliteTable(
  'sessions',
  {
    id_hash: text('id_hash').primaryKey(),
    user_id: integer('user_id')
      .notNull()
      .references(() => users.id),
    created_at: moment('created_at').notNull(),
    /** Moved at most once in some minutes, so that a page view seldom writes. */
    seen_at: moment('seen_at').notNull(),
    expires_at: moment('expires_at').notNull(),
  },
  (table) => [
    index('sessions_user').on(table.user_id),
    index('sessions_expires').on(table.expires_at),
  ],
);

/**
 * Refused sign-ins, counted by account and by network; `key` is a keyed digest, so that the table tells
 * nobody's address.
 */
export const signInFailures = sqliteTable(
  'sign_in_failures',
  {
    key: text('key').primaryKey(),
    failures: integer('failures').notNull(),
    first_at: moment('first_at').notNull(),
    blocked_until: moment('blocked_until').notNull().default(0),
  },
  (table) => [index('sign_in_failures_first').on(table.first_at)],
);

/** `apps.state`: a draft works for its partner's own stores only, a disabled app for nobody. */
export const appStates = ['draft', 'published', 'disabled'] as const;

/** Partner apps, registered in the partner panel (specification, "Authentication"). */
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
    /** The most it may ask a merchant for, as bits (contract, section 5). */
    scopes: integer('scopes').notNull(),
    state: text('state', { enum: appStates }).notNull().default('draft'),
    ...timestamps(),
  },
  (table) => [index('apps_owner').on(table.owner_id)],
);
