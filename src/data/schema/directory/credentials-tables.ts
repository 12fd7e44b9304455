import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { booleanColumn, id, json, epochMs } from '../columns.ts';
import { users } from './directory-tables.ts';

/**
 * API keys (`User-Token` and `User-Secret-Key`). Only SHA-256 digests (base64url) of the two parts
 * are stored.
 */
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
    /** Scopes as bits (`data/grants/scopes.ts`); null for all powers of the user. */
    scopes: integer('scopes'),
    /** Ids of the stores that the key reaches; null for all stores of the user. */
    store_ids: json<number[]>('store_ids'),
    /**
     * Whether the key may call the operations of operators. It counts only while its user is an
     * operator.
     */
    for_operator: booleanColumn('for_operator').notNull().default(false),
    expires_at: epochMs('expires_at'),
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
    /** When the user last proved who they are, by password or second factor. */
    proved_at: epochMs('proved_at').notNull().default(0),
    /**
     * When they last showed a code of the second factor; null if never. It says nothing about a
     * later factor.
     */
    factor_at: epochMs('factor_at'),
    /** Browser and system in words, such as `Firefox, Linux`; never the whole header. */
    device: text('device').notNull().default(''),
    /** ISO 3166-1 alpha-2 of the address that signed in; null if unknown. */
    country: text('country'),
  },
  (table) => [
    index('sessions_user').on(table.user_id),
    index('sessions_expires').on(table.expires_at),
  ],
);

/**
 * Failed sign-ins, counted by account and by network. `key` is a MAC, so that the table holds no
 * addresses.
 */
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

/** The authenticator app of a user, as a second factor: a TOTP secret (RFC 6238). */
export const secondFactors = sqliteTable(
  'second_factors',
  {
    user_id: integer('user_id')
      .primaryKey()
      .references(() => users.id),
    /** Sealed. A row is written once a code proved that the user has the secret. */
    secret: text('secret').notNull(),
    /** The time step of the last accepted code: none is accepted twice. */
    last_step: integer('last_step').notNull(),
    created_at: epochMs('created_at').notNull(),
  },
  // By the name of the sealing key, to find what must be sealed again.
  (table) => [index('second_factors_secret').on(table.secret)],
);

/** Recovery codes, each good once in place of a TOTP code. Only SHA-256 digests are stored. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    user_id: integer('user_id')
      .notNull()
      .references(() => users.id),
    code_hash: text('code_hash').notNull(),
    created_at: epochMs('created_at').notNull(),
    used_at: epochMs('used_at'),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.code_hash] })],
);

/**
 * Browsers that need no second step to sign in, for 30 days. Only the SHA-256 digest (base64url) of
 * the cookie is stored. A row counts for the password and the second factor that the user had when
 * it was made.
 */
export const rememberedDevices = sqliteTable(
  'remembered_devices',
  {
    id: id(),
    user_id: integer('user_id')
      .notNull()
      .references(() => users.id),
    token_hash: text('token_hash').notNull().unique(),
    /** Browser and system in words, such as `Firefox, Linux`; never the whole header. */
    device: text('device').notNull(),
    created_at: epochMs('created_at').notNull(),
    /**
     * The beginning of the day (UTC) of the last use, so that the table says no more than a user
     * needs.
     */
    used_day: epochMs('used_day').notNull(),
    expires_at: epochMs('expires_at').notNull(),
  },
  (table) => [
    index('remembered_devices_user').on(table.user_id),
    index('remembered_devices_expires').on(table.expires_at),
  ],
);

/**
 * Passkeys (WebAuthn), which are a second factor each. A private key never leaves its
 * authenticator.
 */
export const passkeys = sqliteTable(
  'passkeys',
  {
    id: id(),
    user_id: integer('user_id')
      .notNull()
      .references(() => users.id),
    /** Base64url, chosen by the authenticator. */
    credential_id: text('credential_id').notNull().unique(),
    /** SubjectPublicKeyInfo as base64url: P-256 or RSA. */
    public_key: text('public_key').notNull(),
    /**
     * The highest count of signatures that was shown. Passkeys that are kept on several devices
     * always show 0.
     */
    sign_count: integer('sign_count').notNull(),
    /**
     * When the challenge of the last accepted answer was made. Answers to it and to older ones no
     * longer count.
     */
    challenged_at: epochMs('challenged_at').notNull(),
    name: text('name').notNull(),
    created_at: epochMs('created_at').notNull(),
    used_at: epochMs('used_at'),
    /**
     * When it showed a count that is not higher than the last one, as a copy does. It opens nothing
     * from then on.
     */
    blocked_at: epochMs('blocked_at'),
    /**
     * Whether it signs in without the password. A new password takes that away (`endTrust`), until
     * the passkey is used as the second step after it.
     */
    replaces_password: integer('replaces_password', { mode: 'boolean' }).notNull().default(false),
  },
  (table) => [index('passkeys_user').on(table.user_id)],
);

/** `one_use_links.kind`. */
export const linkKinds = [
  'sign_up',
  'password_reset',
  'confirm_email',
  'undo_email',
  'keep_second_factor',
] as const;

/**
 * Actions that the link of a mail allows once. Only the SHA-256 digest (base64url) of its token is
 * stored.
 */
export const oneUseLinks = sqliteTable(
  'one_use_links',
  {
    token_hash: text('token_hash').primaryKey(),
    kind: text('kind', { enum: linkKinds }).notNull(),
    /** Null for a sign-up, whose user does not exist yet. */
    user_id: integer('user_id').references(() => users.id),
    /** The address that the link was sent to, or that it restores. */
    email: text('email').notNull(),
    created_at: epochMs('created_at').notNull(),
    expires_at: epochMs('expires_at').notNull(),
    used_at: epochMs('used_at'),
    /** A random mark of the use: the other statements of its batch recognise the winner by it. */
    claim: text('claim'),
  },
  (table) => [
    index('one_use_links_user').on(table.user_id),
    index('one_use_links_expires').on(table.expires_at),
  ],
);

/** The countries that a user has signed in from: a sign-in from a new one is reported by mail. */
export const signInCountries = sqliteTable(
  'sign_in_countries',
  {
    user_id: integer('user_id')
      .notNull()
      .references(() => users.id),
    /** ISO 3166-1 alpha-2. */
    country: text('country').notNull(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.country] })],
);

/** The context in which the secret of a user's second factor is sealed. */
export const factorSealContext = (userId: number) => `second-factor:${userId}`;
