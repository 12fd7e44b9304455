import { sql } from 'drizzle-orm';
import { answered } from '../db/answered.ts';
import { openShard } from '../db/open.ts';
import { plainStatement } from '../db/raw.ts';
import { webhookNotices } from '../db/schema/webhook-alarms.ts';
import { EndpointStatus, webhookEndpoints, webhookSubscriptions } from '../db/schema/webhooks.ts';
import { shardBinding } from '../db/shards.ts';
import type { Store } from '../db/store.ts';
import type { EventName } from './catalogue.ts';
import { inOrder } from './in-order.ts';

/** What an owner was told of an endpoint (`NoticeKind`), in epoch milliseconds. */
export interface Notice {
  kind: string;
  at: number;
}

/** An endpoint as its merchant looks at it; moments are epoch milliseconds. */
export interface MerchantEndpoint {
  id: number;
  storeId: number;
  /** The app that made it, or `null` for a header pair. */
  clientId: string | null;
  name: string;
  url: string;
  /** `EndpointStatus` */
  status: number;
  events: EventName[];
  lastOkAt: number | null;
  /** Nothing has arrived since. */
  failingSince: number | null;
  /** When its lane is looked at next; `null` when nothing is to be sent. */
  wakeAt: number | null;
  createdAt: number;
  /** The latest ones, newest first. */
  notices: Notice[];
}

/** More endpoints than this are not shown: a store has at most 20. */
const most = 2_000;

const latestNotices = 5;

/** The endpoints of these stores, by name. One round trip to each of their shards, all at once. */
export async function endpointsOfStores(
  env: Env,
  stores: readonly Pick<Store, 'id' | 'shard'>[],
): Promise<MerchantEndpoint[]> {
  const byShard = Map.groupBy(stores, ({ shard }) => shard);
  const found = await Promise.all(
    [...byShard].map(([number, ofShard]) => {
      const shard = openShard(shardBinding(env, number));
      const ids = JSON.stringify(ofShard.map(({ id }) => id));
      return answered(shard.batch([plainStatement<Row>(shard, endpointsSql(ids))]));
    }),
  );
  return found.flat(2).map((row) =>
    inOrder({
      ...row,
      events: JSON.parse(row.events) as EventName[],
      notices: JSON.parse(row.notices) as Notice[],
    }),
  );
}

type Row = Omit<MerchantEndpoint, 'events' | 'notices'> & { events: string; notices: string };

const endpointsSql = (storeIds: string) => sql`
  select e.id, e.store_id as "storeId", e.client_id as "clientId", e.name, e.url, e.status,
    e.last_ok_at as "lastOkAt", e.first_fail_at as "failingSince", e.wake_at as "wakeAt",
    e.created_at as "createdAt",
    (select json_group_array(event) from ${webhookSubscriptions} where endpoint_id = e.id) as events,
    (select json_group_array(json_object('kind', kind, 'at', at)) from (
      select kind, at from ${webhookNotices} where endpoint_id = e.id
      order by id desc limit ${latestNotices})) as notices
  from ${webhookEndpoints} e
  where e.store_id in (select value from json_each(${storeIds}))
    and e.status <> ${EndpointStatus.deleted}
  order by e.name_folded, e.id limit ${most}`;
