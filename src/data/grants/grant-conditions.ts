import { sql, type SQL, type Column } from 'drizzle-orm';
import { abortUnless } from '../core/data-errors.ts';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement, toSqlText } from '../core/raw.ts';
import { oauthGrants } from '../schema/store/grants-tables.ts';
import { isHereSql } from '../schema/store/placement-tables.ts';
import {
  EndpointStatus,
  webhookEndpoints,
  webhookSubscriptions,
} from '../schema/store/webhooks-tables.ts';
import type { GuardCondition } from '../shards/guard.ts';
import { eventNames, requiredScopes, type EventName } from './event-catalogue.ts';
import { coversScope, scopesFromBits, scopesToBits, type Scope } from './scopes.ts';

// Bit 2n is a read scope, bit 2n + 1 the write scope that includes it (`data/grants/scopes.ts`).
const allReadScopes = sql.raw(String(0x155555));

/** The condition that the scopes of a grant include all these. */
export const coversScopeBits = (bits: number | SQL) =>
  sql`(${bits} & ~(${oauthGrants.scopes} | ((${oauthGrants.scopes} >> 1) & ${allReadScopes}))) = 0`;

/**
 * The condition that a grant has working tokens: its code was redeemed, and it is neither revoked
 * nor expired. `now` is in epoch milliseconds.
 */
export const isConnectedGrant = (now: number | SQL) =>
  sql`generation > 0 and revoked_at is null and expires_at > ${now}`;

/** The claims of an access token about its grant. */
interface ClaimedGrant {
  grantId: string;
  clientId: string;
  userId: number;
  storeId: number;
  /** Bits (`data/grants/scopes.ts`). */
  scopes: number;
  resource?: 'mcp' | undefined;
}

const parameter = sql.raw('?');

// Written once: every request of an app runs it.
const isLiveSql = toSqlText(sql`exists (select 1 from ${oauthGrants}
  where id = ${parameter} and store_id = ${parameter} and client_id = ${parameter} and user_id = ${parameter}
    and resource is ${parameter}
    and ${coversScopeBits(parameter)} and ${isConnectedGrant(parameter)})`);

/**
 * The condition that the grant is connected and matches the claims of the token: a MAC proves only
 * that the caller knows the key. In the guard of every batch it keeps a revoked token from reading
 * or changing anything, from the commit of the revocation on. Reads one row.
 */
export const isGrantLive = (claimed: ClaimedGrant, now: number): GuardCondition => ({
  sql: isLiveSql,
  params: [
    claimed.grantId,
    claimed.storeId,
    claimed.clientId,
    claimed.userId,
    claimed.resource ?? null,
    claimed.scopes,
    now,
  ],
});

/**
 * Aborts a batch that changes a grant if the store of the grant is not in this shard
 * (`StoreElsewhere`). Only one shard may decide about a grant. An unknown grant passes.
 */
export const assertGrantPlaced = (shard: Database, grantId: string) =>
  rawDatabaseStatement(
    shard,
    abortUnless(
      sql`not exists (select 1 from ${oauthGrants} where id = ${grantId} and not ${isGrantPlaced})`,
      'placement',
    ),
  );

/** The condition over `oauth_grants` that the store of the grant is in this shard. */
export const isGrantPlaced = isHereSql('oauth_grants.store_id');

const requiredBits = (event: EventName) => scopesToBits(new Set(requiredScopes(event)));

// A number that no grant covers stands for an unknown event.
const requiredBitsSql = (event: SQL | Column) =>
  sql`case ${event} ${sql.raw(
    eventNames.map((name) => `when '${name}' then ${requiredBits(name)}`).join(' '),
  )} else -1 end`;

/**
 * An app, and an event that it may or may not receive. SQL names columns of the statement around
 * the condition.
 */
interface Subscription {
  storeId: number | SQL | Column;
  /** Null for a webhook that was created with an API key: it receives everything. */
  clientId: string | SQL | Column;
  event: EventName | SQL | Column;
  /** Epoch milliseconds. */
  now: number | SQL;
  /** A condition on grants that end in this batch and do not count any more. */
  ending?: SQL | undefined;
}

/**
 * The condition that an app may receive an event: one connected grant of the app in the store holds
 * every scope of the event. All code that shows or sends the body of an event relies on this. Reads
 * the grants of the app in the store.
 */
export function mayReceive({ storeId, clientId, event, now, ending }: Subscription): SQL {
  const bits = typeof event === 'string' ? requiredBits(event) : requiredBitsSql(event);
  return sql`(${clientId} is null or exists (select 1 from ${oauthGrants}
    where ${ofApp(storeId, clientId, now)} and ${coversScopeBits(bits)}
      ${ending ? sql`and (${ending}) is not true` : sql``}))`;
}

const ofApp = (
  storeId: Subscription['storeId'],
  clientId: Subscription['clientId'],
  now: Subscription['now'],
) =>
  sql`${oauthGrants.store_id} = ${storeId} and ${oauthGrants.client_id} = ${clientId} and ${isConnectedGrant(now)}`;

/** The condition over `webhook_endpoints` that a webhook may receive this event. */
export const endpointMayReceive = (
  event: Subscription['event'],
  now: Subscription['now'],
  ending?: SQL,
): SQL =>
  mayReceive({
    storeId: webhookEndpoints.store_id,
    clientId: webhookEndpoints.client_id,
    event,
    now,
    ending,
  });

/**
 * The condition that the webhook with this id may receive an event, or that the event has been
 * purged (`event` is null).
 */
export function endpointWithIdMayReceive(id: number | SQL, event: SQL, now: number | SQL): SQL {
  // Subqueries that name no column of the statement run once for all its rows.
  const column = (name: string) =>
    sql`(select ${sql.raw(name)} from ${webhookEndpoints} where id = ${id})`;
  const [storeId, clientId] = [column('store_id'), column('client_id')];
  return sql`(${clientId} is null or ${event} is null or ${mayReceive({ storeId, clientId, event, now })})`;
}

/**
 * The condition over `webhook_endpoints` that a webhook may receive every event that it is
 * subscribed to.
 */
export const endpointIsCovered = (now: number, ending?: SQL): SQL =>
  sql`(${webhookEndpoints.client_id} is null or not exists (select 1 from ${webhookSubscriptions}
    where ${webhookSubscriptions.endpoint_id} = ${webhookEndpoints.id}
      and not ${endpointMayReceive(webhookSubscriptions.event, now, ending)}))`;

/**
 * Pauses the webhooks that lose the consent for one of their events when these grants end; the
 * sweep then holds their open deliveries. Must run before the statement that ends the grants, or
 * after they have expired.
 */
export const pauseUncoveredStatement = (shard: Database, ending: SQL, now: number) =>
  rawDatabaseStatement(
    shard,
    sql`update ${webhookEndpoints} set status = ${EndpointStatus.paused}, updated_at = ${now}
      where status = ${EndpointStatus.active}
        and store_id in (select store_id from ${oauthGrants} where ${ending})
        and not ${endpointIsCovered(now, ending)}`,
  );

/**
 * A scalar over `webhook_endpoints`: the scopes of each connected grant of its app, as a JSON array
 * of bits. With it, {@link findMissingScopes} finds why a webhook may not receive an event.
 */
export const grantedScopes = (now: number): SQL =>
  sql`(select json_group_array(scopes) from ${oauthGrants}
    where ${ofApp(webhookEndpoints.store_id, webhookEndpoints.client_id, now)})`;

/**
 * Returns the scopes that the grants lack for the events; none if each event is covered by one of
 * them. Of several grants, the one that lacks the least decides.
 */
export function findMissingScopes(
  events: readonly EventName[],
  grants: readonly number[],
): readonly Scope[] {
  const granted = grants.map(scopesFromBits);
  return events.flatMap((event) => {
    const required: readonly Scope[] = requiredScopes(event);
    const lacks = granted.map((held) => required.filter((scope) => !coversScope(held, scope)));
    return lacks.toSorted((one, other) => one.length - other.length)[0] ?? required;
  });
}
