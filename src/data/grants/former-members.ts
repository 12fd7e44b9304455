import { sql } from 'drizzle-orm';
import { systemDoer } from '../audit/action.ts';
import { shardAuditStatement } from '../audit/audit-lines.ts';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { retryTransient } from '../core/retry-contention.ts';
import { storeAudit } from '../schema/store/audit-tables.ts';
import { oauthGrants } from '../schema/store/grants-tables.ts';
import { isHereSql } from '../schema/store/placement-tables.ts';
import { EndpointStatus, webhookEndpoints } from '../schema/store/webhooks-tables.ts';
import { revokeStatements } from './add-and-revoke.ts';
import { isInRange, type GrantIdRange } from './clean-up.ts';
import { isConnectedGrant, isGrantPlaced } from './grant-conditions.ts';

/**
 * A user who is not trusted for a store since a time, in epoch milliseconds; 0 for their grants
 * alone, whenever given.
 */
export interface GivenSince extends Grantor {
  since: number;
  /** The API keys by which they did. */
  keyIds: readonly number[];
}

/** A user, and a store that the user has connected apps to. */
export interface Grantor {
  userId: number;
  storeId: number;
}

/** Lists who gave the live grants in a range of ids. One round trip. */
export async function listGrantors(
  shard: Database,
  range: GrantIdRange,
  now: number,
): Promise<Grantor[]> {
  const [grantors] = await shard.batch([
    rawDatabaseStatement<Grantor>(
      shard,
      sql`select distinct user_id as "userId", store_id as "storeId" from ${oauthGrants}
          where ${isInRange(range)} and revoked_at is null and expires_at > ${now}`,
    ),
  ]);
  return grantors;
}

/**
 * Revokes the grants of users who no longer manage the store, and pauses the webhooks that lose
 * their consent. A user cannot consent for a store of others. One batch, which is safe to repeat.
 */
export async function revokeGrantsOfFormerMembers(
  shard: Database,
  former: readonly Grantor[],
  now: number,
): Promise<void> {
  const pairs = JSON.stringify(former.map(({ userId, storeId }) => [storeId, userId]));
  const isTheirs = sql`store_id in (select value ->> 0 from json_each(${pairs}))
    and (store_id, user_id) in (select value ->> 0, value ->> 1 from json_each(${pairs}))`;
  await retryTransient(() => shard.batch(revokeStatements(shard, isTheirs, 'member_removed', now)));
}

/**
 * Ends what users gave for stores since a time, though they may still manage them: revokes the
 * grants, and pauses webhooks. Those are the ones that they or their API keys set up or gave a
 * secret: they know where it sends or how it signs. The sweep then holds the open deliveries. One
 * batch, which is safe to repeat.
 */
export async function endGivenSince(
  shard: Database,
  given: readonly GivenSince[],
  now: number,
): Promise<void> {
  const { isTheirs, setUp } = conditionsOf(given);
  const isSetUp = sql`${isRunning} and (webhook_endpoints.store_id, webhook_endpoints.id) in (select store_id, id from ${setUp})`;
  await retryTransient(() =>
    shard.batch([
      shardAuditStatement(
        shard,
        { storeId: sql`webhook_endpoints.store_id`, at: now, by: systemDoer },
        {
          action: 'webhook.disabled',
          target: { kind: 'webhook', id: sql`webhook_endpoints.id` },
          reason: 'address_taken_back',
        },
        sql`from ${webhookEndpoints} where ${isSetUp}`,
      ),
      rawDatabaseStatement(
        shard,
        sql`update ${webhookEndpoints} set status = ${EndpointStatus.paused}, updated_at = ${now} where ${isSetUp}`,
      ),
      ...revokeStatements(shard, isTheirs, 'consent_ended', now),
    ]),
  );
}

/**
 * Counts the connections of apps that {@link endGivenSince} would end, and says when each webhook
 * was set up that it would pause.
 */
export async function readGivenSince(
  shard: Database,
  given: readonly GivenSince[],
  now: number,
): Promise<{ apps: number; webhooksSetUpAt: number[] }> {
  const { isTheirs, setUp } = conditionsOf(given);
  const [[apps], webhooks]: [{ count: number }[], { at: number }[]] = await shard.batch([
    rawDatabaseStatement<{ count: number }>(
      shard,
      sql`select count(distinct store_id || ' ' || client_id) as count from ${oauthGrants}
        where ${isTheirs} and ${isConnectedGrant(now)} and ${isGrantPlaced}`,
    ),
    rawDatabaseStatement<{ at: number }>(
      shard,
      sql`select webhook.at from ${setUp} webhook join ${webhookEndpoints} on webhook_endpoints.id = webhook.id and webhook_endpoints.store_id = webhook.store_id
        where ${isRunning}`,
    ),
  ]);
  return { apps: apps?.count ?? 0, webhooksSetUpAt: webhooks.map(({ at }) => at) };
}

/** The condition that an endpoint is active and in this shard. */
const isRunning = sql`webhook_endpoints.status = ${EndpointStatus.active} and ${isHereSql('webhook_endpoints.store_id')}`;

/**
 * The condition of grants that were given, and a query of the webhooks that were set up, with the
 * last time.
 */
function conditionsOf(given: readonly GivenSince[]) {
  const rows = JSON.stringify(given.map(({ userId, storeId, since }) => [storeId, userId, since]));
  const isTheirs = sql`store_id in (select value ->> 0 from json_each(${rows}))
    and exists (select 1 from json_each(${rows})
      where value ->> 0 = store_id and value ->> 1 = user_id and created_at >= value ->> 2)`;
  const doers = JSON.stringify(
    given.flatMap(({ userId, storeId, since, keyIds }) =>
      since === 0
        ? []
        : [
            [storeId, since, 'user', String(userId)],
            ...keyIds.map((keyId) => [storeId, since, 'api_key', String(keyId)]),
          ],
    ),
  );
  const setUp = sql`(select line.store_id, cast(line.target_id as integer) as id, max(line.at) as at from json_each(${doers}) doer
    join ${storeAudit} line on line.store_id = doer.value ->> 0 and line.at >= doer.value ->> 1
      and line.actor_kind = doer.value ->> 2 and line.actor_id = doer.value ->> 3
    where line.target_kind = 'webhook' and line.action in (select value from json_each(${JSON.stringify(settingUp)}))
    group by line.store_id, line.target_id)`;
  return { isTheirs, setUp };
}

/** The actions on a webhook by which somebody chooses where it sends, or learns its secret. */
const settingUp = [
  'webhook.created',
  'webhook.edited',
  'webhook.enabled',
  'webhook.resumed',
  'webhook.secret_rotated',
  'webhook.secret_committed',
];
