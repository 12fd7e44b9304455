import { sql } from 'drizzle-orm';
import { budgetDay, hourMs } from '../../base/durations.ts';
import type { AuditActor } from '../../data/audit/action.ts';
import { openDatabase, shardBinding } from '../../data/core/open-database.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import type { Store } from '../../data/core/store.ts';
import { type EventName, withSortedEvents } from '../../data/grants/event-catalogue.ts';
import { storeAudit } from '../../data/schema/store/audit-tables.ts';
import { eventBudgets } from '../../data/schema/store/internal-tables.ts';
import { webhookNotices } from '../../data/schema/store/webhook-operations-tables.ts';
import {
  EndpointStatus,
  webhookEndpoints,
  webhookSubscriptions,
} from '../../data/schema/store/webhooks-tables.ts';
import { lastSuccessSql, nextAttemptSql } from '../events/fan-out.ts';
import { firstSeqsAt } from '../log/seq-range.ts';
import { rotationAt } from '../signing-keys.ts';
import { findDuplicate, rivalsSql } from './duplicates.ts';
import { rotationStates, type RotationState } from './rotate-secret.ts';

/** A notice to the owner of an endpoint. */
interface OwnerNotice {
  /** `NoticeKind` */
  kind: string;
  /** Epoch milliseconds. */
  at: number;
}

/** An actor of the audit. */
interface EndpointCreator {
  kind: AuditActor['kind'];
  id: string;
  name: string;
}

/** An endpoint, as the merchant's pages show it. Times are epoch milliseconds. */
export interface MerchantEndpoint {
  id: number;
  storeId: number;
  /** The app that it belongs to, or `null`. */
  clientId: string | null;
  /** The one who created it, as the audit names them; `null` once the audit has no line of it. */
  creator: EndpointCreator | null;
  /** The change of its secret, which ends by itself at `until`. */
  rotation: { state: RotationState; until: number | null };
  name: string;
  url: string;
  /** `EndpointStatus` */
  status: number;
  ordered: boolean;
  /** Another one of its owner that gets the same events at the same address. */
  duplicate: { id: number; name: string } | undefined;
  events: EventName[];
  lastSuccessAt: number | null;
  /** No delivery has succeeded since. */
  failingSince: number | null;
  /** `null` when nothing is due. */
  nextAttemptAt: number | null;
  createdAt: number;
  /**
   * Writes of today to its store were refused, because the store recorded too many bytes of events.
   */
  hasRefusedEvents: boolean;
  /** The latest five, newest first. */
  notices: OwnerNotice[];
  /** How many deliveries came between two of the moments that were asked for. */
  recent: number[];
}

/** A store has at most 20 endpoints, so this is reached by merchants of a hundred stores only. */
const maxListed = 2_000;

const maxNotices = 5;

/** The begin of each two of the last 24 hours, and their end. */
export const lastDay = (now: number) => [
  ...Array.from({ length: 12 }, (_, index) => now - (12 - index) * 2 * hourMs),
  // Later than what is being recorded.
  now + hourMs,
];

/**
 * Lists the endpoints of stores by name, as of `now` (epoch milliseconds). One round trip per
 * shard, all at the same time. Between `moments` it counts their deliveries, by some thirty rows
 * for each.
 */
export async function listEndpointsOfStores(
  env: Env,
  stores: readonly Pick<Store, 'id' | 'shard'>[],
  now: number,
  moments: readonly number[] = [],
): Promise<MerchantEndpoint[]> {
  const byShard = Map.groupBy(stores, ({ shard }) => shard);
  const found = await Promise.all(
    [...byShard].map(([shard, ofShard]) => {
      const database = openDatabase(shardBinding(env, shard));
      const ids = JSON.stringify(ofShard.map(({ id }) => id));
      return database.batch([
        rawDatabaseStatement<Row>(database, endpointsQuery(ids, now, moments)),
      ]);
    }),
  );
  return found.flat(2).map(({ secretMode, secretUntil, secretOverlapMs, rivals, ...row }) =>
    withSortedEvents({
      ...row,
      duplicate: findDuplicate(rivals),
      creator: row.creator === null ? null : (JSON.parse(row.creator) as EndpointCreator),
      rotation: rotationOf({ secretMode, secretUntil, secretOverlapMs }, now),
      hasRefusedEvents: row.hasRefusedEvents === 1,
      ordered: row.ordered === 1,
      events: JSON.parse(row.events) as EventName[],
      notices: JSON.parse(row.notices) as OwnerNotice[],
      recent: differences(JSON.parse(row.recent) as number[]),
    }),
  );
}

const differences = (values: readonly number[]) =>
  values.slice(1).map((value, index) => value - (values[index] ?? value));

interface SecretState {
  secretMode: number;
  secretUntil: number | null;
  secretOverlapMs: number;
}

function rotationOf({ secretMode, secretUntil, secretOverlapMs }: SecretState, now: number) {
  const columns = {
    secret_mode: secretMode,
    secret_previous: null,
    secret_previous_until: secretUntil,
    secret_overlap_ms: secretOverlapMs,
  };
  const { secret_mode: mode, secret_previous_until: until } = rotationAt(columns, now);
  return { state: rotationStates[mode] ?? 'single', until };
}

type Parsed =
  | 'events'
  | 'notices'
  | 'recent'
  | 'hasRefusedEvents'
  | 'ordered'
  | 'duplicate'
  | 'creator'
  | 'rotation';

type Row = Omit<MerchantEndpoint, Parsed> &
  SecretState & {
    creator: string | null;
    events: string;
    notices: string;
    recent: string;
    hasRefusedEvents: 0 | 1;
    ordered: 0 | 1;
    rivals: string;
  };

const endpointsQuery = (storeIds: string, now: number, moments: readonly number[]) => sql`
  select id, store_id as "storeId", client_id as "clientId", name, url, status, ordered,
    ${lastSuccessSql} as "lastSuccessAt", first_failure_at as "failingSince", ${nextAttemptSql} as "nextAttemptAt",
    created_at as "createdAt", secret_mode as "secretMode", secret_previous_until as "secretUntil",
    secret_overlap_ms as "secretOverlapMs",
    (select json_object('kind', actor_kind, 'id', actor_id, 'name', actor_name) from ${storeAudit}
      where store_id = webhook_endpoints.store_id and at = webhook_endpoints.created_at and action = 'webhook.created'
        and target_id = cast(webhook_endpoints.id as text) limit 1) as creator,
    exists (select 1 from ${eventBudgets}
      where store_id = webhook_endpoints.store_id and refused_day = ${budgetDay(now)}) as "hasRefusedEvents",
    ${rivalsSql} as rivals,
    (select json_group_array(event) from ${webhookSubscriptions} where endpoint_id = webhook_endpoints.id) as events,
    (select json_group_array(json_object('kind', kind, 'at', at)) from (
      select kind, at from ${webhookNotices} where endpoint_id = webhook_endpoints.id
      order by id desc limit ${maxNotices})) as notices,
    ${firstSeqsAt(sql`webhook_endpoints.id`, moments)} as recent
  from ${webhookEndpoints}
  where store_id in (select value from json_each(${storeIds}))
    and status <> ${EndpointStatus.deleted}
  order by name_folded, id limit ${maxListed}`;
