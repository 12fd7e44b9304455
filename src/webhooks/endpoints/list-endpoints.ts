import { sql } from 'drizzle-orm';
import { budgetDay } from '../../data/core/budget-day.ts';
import { openDatabase } from '../../data/core/open-database.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import type { Store } from '../../data/core/store.ts';
import { type EventName, withSortedEvents } from '../../data/grants/event-catalogue.ts';
import { eventBudgets } from '../../data/schema/store/internal-tables.ts';
import { webhookNotices } from '../../data/schema/store/webhook-operations-tables.ts';
import {
  EndpointStatus,
  webhookEndpoints,
  webhookSubscriptions,
} from '../../data/schema/store/webhooks-tables.ts';
import { shardBinding } from '../../data/shards/shards.ts';

/** A notice to the owner of an endpoint. */
interface OwnerNotice {
  /** `NoticeKind` */
  kind: string;
  /** Epoch milliseconds. */
  at: number;
}

/** An endpoint, as the merchant's pages show it. Times are epoch milliseconds. */
export interface MerchantEndpoint {
  id: number;
  storeId: number;
  /** The app that created it, or `null` for an API key. */
  clientId: string | null;
  name: string;
  url: string;
  /** `EndpointStatus` */
  status: number;
  events: EventName[];
  lastSuccessAt: number | null;
  /** No delivery has succeeded since. */
  failingSince: number | null;
  /** `null` when nothing is due. */
  nextAttemptAt: number | null;
  createdAt: number;
  /** Writes of today to its store were refused, because the store recorded too many bytes of events. */
  hasRefusedEvents: boolean;
  /** The latest five, newest first. */
  notices: OwnerNotice[];
}

/** A store has at most 20 endpoints, so this is reached by merchants of a hundred stores only. */
const maxListed = 2_000;

const maxNotices = 5;

/** Lists the endpoints of stores by name, as of `now` (epoch milliseconds). One round trip per shard, all at the same time. */
export async function listEndpointsOfStores(
  env: Env,
  stores: readonly Pick<Store, 'id' | 'shard'>[],
  now: number,
): Promise<MerchantEndpoint[]> {
  const byShard = Map.groupBy(stores, ({ shard }) => shard);
  const found = await Promise.all(
    [...byShard].map(([shard, ofShard]) => {
      const database = openDatabase(shardBinding(env, shard));
      const ids = JSON.stringify(ofShard.map(({ id }) => id));
      return database.batch([rawDatabaseStatement<Row>(database, endpointsQuery(ids, now))]);
    }),
  );
  return found.flat(2).map((row) =>
    withSortedEvents({
      ...row,
      hasRefusedEvents: row.hasRefusedEvents === 1,
      events: JSON.parse(row.events) as EventName[],
      notices: JSON.parse(row.notices) as OwnerNotice[],
    }),
  );
}

type Row = Omit<MerchantEndpoint, 'events' | 'notices' | 'hasRefusedEvents'> & {
  events: string;
  notices: string;
  hasRefusedEvents: 0 | 1;
};

const endpointsQuery = (storeIds: string, now: number) => sql`
  select e.id, e.store_id as "storeId", e.client_id as "clientId", e.name, e.url, e.status,
    e.last_success_at as "lastSuccessAt", e.first_failure_at as "failingSince", e.next_attempt_at as "nextAttemptAt",
    e.created_at as "createdAt",
    exists (select 1 from ${eventBudgets} b
      where b.store_id = e.store_id and b.refused_day = ${budgetDay(now)}) as "hasRefusedEvents",
    (select json_group_array(event) from ${webhookSubscriptions} where endpoint_id = e.id) as events,
    (select json_group_array(json_object('kind', kind, 'at', at)) from (
      select kind, at from ${webhookNotices} where endpoint_id = e.id
      order by id desc limit ${maxNotices})) as notices
  from ${webhookEndpoints} e
  where e.store_id in (select value from json_each(${storeIds}))
    and e.status <> ${EndpointStatus.deleted}
  order by e.name_folded, e.id limit ${maxListed}`;
