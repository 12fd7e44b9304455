import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { dayMs } from '../../../base/durations.ts';
import type { Language } from '../../../base/languages.ts';
import { booleanColumn, epochMs, id, json, timestamps } from '../columns.ts';
import { users } from './directory-tables.ts';

/**
 * `apps.state`. A draft works only for stores of its own partner; a disabled app works for no
 * store.
 */
const appStates = ['draft', 'published', 'disabled'] as const;

/**
 * Apps that partners register in the partner panel, and agents: clients without such a
 * registration.
 */
export const apps = sqliteTable(
  'apps',
  {
    id: id(),
    client_id: text('client_id').notNull().unique(),
    /** The partner who registered it; null for an agent. */
    owner_id: integer('owner_id').references(() => users.id),
    /** Where an agent comes from, as `hostOf` gives it; null for the app of a partner. */
    host: text('host'),
    /** The same, and the hosts of its redirect URIs: blocks of hosts are compared with them. */
    hosts: json<string[]>('hosts'),
    /**
     * When an agent last got a consent or a token, at most a week too early. It is null before its
     * first consent, and for the app of a partner.
     */
    used_at: epochMs('used_at'),
    /** From where an agent registered, as the audit names networks, until its first consent. */
    network: text('network'),
    name: text('name').notNull(),
    /** The names of an agent in languages of this service, besides `name`; null without any. */
    names: json<Partial<Record<Language, string>>>('names'),
    publisher: text('publisher').notNull(),
    /**
     * Pages for merchants, which the partner may leave out: the site, help (or an e-mail address),
     * the privacy policy.
     */
    site_url: text('site_url'),
    support: text('support'),
    privacy_url: text('privacy_url'),
    /**
     * The file of its logo, named by its content (`accounts/partners/app-logo.ts`); null without
     * one.
     */
    logo: text('logo'),
    /**
     * The domain that the publisher proved last, and when (`verifiedHost` in
     * `data/directory/apps.ts`).
     */
    verified_host: text('verified_host'),
    verified_at: epochMs('verified_at'),
    /** How its name looked then (`skeletonOf`): others may not be called so. */
    verified_name: text('verified_name'),
    redirect_uris: json<string[]>('redirect_uris').notNull(),
    /** The scopes that the app may request, as bits (`data/grants/scopes.ts`). */
    scopes: integer('scopes').notNull(),
    state: text('state', { enum: appStates }).notNull().default('draft'),
    /**
     * Why an operator disabled it; null unless one did. Its partner then cannot change the state.
     */
    disabled_reason: text('disabled_reason'),
    /**
     * When the app was last disabled or returned to draft: the grants that it had then end in every
     * shard. No two apps have the same time, and a later withdrawal has a later one, so each shard
     * remembers how far it is.
     */
    withdrawn_at: epochMs('withdrawn_at'),
    ...timestamps(),
  },
  (table) => [
    index('apps_owner').on(table.owner_id),
    index('apps_host')
      .on(table.host)
      .where(sql`${table.host} is not null`),
    index('apps_used')
      .on(table.used_at, table.created_at)
      .where(sql`${table.host} is not null`),
    // Finds those of a network that wait for their first consent.
    index('apps_unused')
      .on(table.network, table.id)
      .where(sql`${table.host} is not null and ${table.used_at} is null`),
    index('apps_verified_name')
      .on(table.verified_name)
      .where(sql`${table.verified_name} is not null`),
    index('apps_withdrawn')
      .on(table.withdrawn_at)
      .where(sql`${table.withdrawn_at} is not null`),
  ],
);

/** Hosts whose agents an operator has blocked. */
export const blockedHosts = sqliteTable('blocked_hosts', {
  id: id(),
  host: text('host').notNull().unique(),
  reason: text('reason').notNull(),
  created_at: epochMs('created_at').notNull(),
});

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

/**
 * The webhook of an app itself, which receives events about the app as a whole. Its secrets have
 * the columns of any webhook (`webhooks/signing-keys.ts`). A run leases the webhook, not single
 * deliveries.
 */
export const appWebhooks = sqliteTable(
  'app_webhooks',
  {
    client_id: text('client_id').primaryKey(),
    url: text('url').notNull(),
    /** False after it was switched off. Its events wait. */
    active: booleanColumn('active').notNull().default(true),
    /** Sealed. */
    secret_current: text('secret_current').notNull(),
    secret_previous: text('secret_previous'),
    secret_previous_until: epochMs('secret_previous_until'),
    secret_mode: integer('secret_mode').notNull().default(0),
    secret_overlap_ms: integer('secret_overlap_ms').notNull().default(dayMs),
    /** Failures in a row; each lengthens the backoff. */
    failures: integer('failures').notNull().default(0),
    failing_since: epochMs('failing_since'),
    /** When the URL first accepted an event; until then it gets one at a time. */
    proven_at: epochMs('proven_at'),
    /** When to look at its deliveries next; null if none waits. */
    next_at: epochMs('next_at'),
    leased_until: epochMs('leased_until').notNull().default(0),
    ...timestamps(),
  },
  (table) => [
    index('app_webhooks_due')
      .on(table.next_at)
      .where(sql`${table.active} = 1 and ${table.next_at} is not null`),
  ],
);

/** The events for the webhook of an app, each with its delivery. Kept for 30 days. */
export const appDeliveries = sqliteTable(
  'app_deliveries',
  {
    id: id(),
    /** Unique: a cause that is read twice is one event. */
    key: text('key').notNull().unique(),
    event_id: text('event_id').notNull(),
    client_id: text('client_id').notNull(),
    store_id: integer('store_id').notNull(),
    event: text('event').notNull(),
    body: text('body').notNull(),
    created_at: epochMs('created_at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** When to send it next; null once it has arrived or is given up. */
    due_at: epochMs('due_at'),
    delivered_at: epochMs('delivered_at'),
    /** Of the latest response; null without one. */
    response_status: integer('response_status'),
    error: text('error'),
  },
  (table) => [
    index('app_deliveries_due')
      .on(table.client_id, table.due_at)
      .where(sql`${table.due_at} is not null`),
    index('app_deliveries_app').on(table.client_id, table.id),
    index('app_deliveries_created').on(table.created_at),
  ],
);

/**
 * Requests of apps and API keys, kept for 7 days, for partners and members: failures whole,
 * successes as a sample. No row holds a value that was sent. Each row costs two writes, so there is
 * one index and none by time.
 */
export const requestLog = sqliteTable(
  'request_log',
  {
    /** Without AUTOINCREMENT, which writes a further row. */
    id: integer('id').primaryKey(),
    /** `app:` and the client id, or `key:` and the number of the API key. */
    caller: text('caller').notNull(),
    /** For the erasure of the store; null where the caller reached none. */
    store_id: integer('store_id'),
    at: epochMs('at').notNull(),
    method: text('method').notNull(),
    operation: text('operation').notNull(),
    status: integer('status').notNull(),
    /** Empty if the response had none. */
    code: text('code').notNull(),
    /** How long it took, in milliseconds. */
    ms: integer('ms').notNull(),
    request_id: text('request_id').notNull(),
    /** Names of declared parameters (with `?`) and fields that were sent, separated by blanks. */
    sent: text('sent').notNull(),
    /** Of how many such requests this is one: 1 if all are stored. */
    one_in: integer('one_in').notNull(),
  },
  (table) => [index('request_log_caller').on(table.caller, table.id)],
);
