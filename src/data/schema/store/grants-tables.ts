import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { id, epochMs } from '../columns.ts';

/**
 * Grants: the consent of a merchant for an app, with its chain of tokens. Generation 0 is the
 * authorization code, generation n the n-th refresh token. Only one statement increments
 * `generation`, and nothing that left the server lowers it (`grants/rotate.ts`), so that a code or
 * token can be used once. Indexed columns never change, so that a refresh writes one row.
 */
export const oauthGrants = sqliteTable(
  'oauth_grants',
  {
    /** 16 random bytes as base64url, generated when the consent page is rendered. */
    id: text('id').primaryKey(),
    store_id: integer('store_id').notNull(),
    /** Alias of the store for token responses, because stores are in the directory. */
    store_alias: text('store_alias').notNull(),
    client_id: text('client_id').notNull(),
    user_id: integer('user_id').notNull(),
    /** Bits (`data/grants/scopes.ts`). */
    scopes: integer('scopes').notNull(),
    /** The resource that its tokens open, if that is not the API (`http/access/principal.ts`). */
    resource: text('resource', { enum: ['mcp'] }),
    /**
     * Of an assistant: the host that got its answer, as consent showed it; null if a program of a
     * device did.
     */
    host: text('host'),
    /** PKCE: base64url of the verifier's SHA-256. */
    challenge: text('challenge').notNull(),
    redirect_hash: text('redirect_hash').notNull(),
    code_expires_at: epochMs('code_expires_at').notNull(),
    generation: integer('generation').notNull().default(0),
    /** SHA-256 of the current token, the only one that may rotate the grant. */
    current_hash: text('current_hash').notNull(),
    previous_hash: text('previous_hash'),
    /** The current token, encrypted under the previous one, for retries. */
    encrypted_successor: text('encrypted_successor'),
    rotated_at: epochMs('rotated_at'),
    /** The remaining late retries of today. */
    late_retries_left: integer('late_retries_left').notNull().default(3),
    created_at: epochMs('created_at').notNull(),
    expires_at: epochMs('expires_at').notNull(),
    revoked_at: epochMs('revoked_at'),
    /**
     * After a restore: until then a token of a later generation may fast-forward the grant, once.
     */
    fast_forward_until: epochMs('fast_forward_until'),
    reason: text('reason'),
  },
  (table) => [
    index('oauth_grants_store').on(table.store_id, table.client_id),
    index('oauth_grants_client').on(table.client_id, table.store_id),
  ],
);

/** Events of grants that merchants and partners see: recoveries, replays, revocations. */
export const oauthEvents = sqliteTable(
  'oauth_events',
  {
    id: id(),
    grant_id: text('grant_id').notNull(),
    store_id: integer('store_id').notNull(),
    client_id: text('client_id').notNull(),
    kind: text('kind').notNull(),
    at: epochMs('at').notNull(),
  },
  (table) => [
    index('oauth_events_client').on(table.client_id, table.at),
    index('oauth_events_store').on(table.store_id, table.at),
    index('oauth_events_at').on(table.at),
  ],
);
