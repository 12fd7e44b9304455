import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { id, moment } from './columns.ts';

/**
 * What merchants allowed apps, one row each: a chain of tokens of which generation 0 is the authorization
 * code and generation n the n-th refresh token. `generation` never falls, and one statement alone raises it,
 * which is why a code or token can be used once. The indexed columns never change, so a refresh writes one row.
 */
export const oauthGrants = sqliteTable(
  'oauth_grants',
  {
    /** 16 random bytes as base64url, chosen when the consent page is rendered. */
    id: text('id').primaryKey(),
    store_id: integer('store_id').notNull(),
    /** Alias of the store, for token answers: stores are in another database. */
    merchant: text('merchant').notNull(),
    client_id: text('client_id').notNull(),
    user_id: integer('user_id').notNull(),
    /** Bits (contract, section 5). */
    scopes: integer('scopes').notNull(),
    /** PKCE: base64url of the verifier's SHA-256. */
    challenge: text('challenge').notNull(),
    redirect_hash: text('redirect_hash').notNull(),
    code_expires_at: moment('code_expires_at').notNull(),
    generation: integer('generation').notNull().default(0),
    /** SHA-256 of the one token that may advance the chain. */
    current_hash: text('current_hash').notNull(),
    previous_hash: text('previous_hash'),
    /** The successor, encrypted under the token it followed. */
    sealed: text('sealed'),
    rotated_at: moment('rotated_at'),
    /** Late retries that are left today. */
    budget: integer('budget').notNull().default(3),
    created_at: moment('created_at').notNull(),
    expires_at: moment('expires_at').notNull(),
    revoked_at: moment('revoked_at'),
    /** After a restore: until then a later token brings the grant up to it, once (`db/grants/forward`). */
    forward_until: moment('forward_until'),
    reason: text('reason'),
  },
  (table) => [
    index('oauth_grants_store').on(table.store_id, table.client_id),
    index('oauth_grants_client').on(table.client_id),
  ],
);

/** What a merchant or partner should know of a grant: recoveries, replays, revocations. */
export const oauthEvents = sqliteTable(
  'oauth_events',
  {
    id: id(),
    grant_id: text('grant_id').notNull(),
    store_id: integer('store_id').notNull(),
    client_id: text('client_id').notNull(),
    kind: text('kind').notNull(),
    at: moment('at').notNull(),
  },
  (table) => [
    index('oauth_events_client').on(table.client_id, table.at),
    index('oauth_events_store').on(table.store_id, table.at),
    index('oauth_events_at').on(table.at),
  ],
);
