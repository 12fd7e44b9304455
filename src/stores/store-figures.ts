import { sql } from 'drizzle-orm';
import { openDatabase, shardBinding } from '../data/core/open-database.ts';
import { rawDatabaseStatement } from '../data/core/raw.ts';
import type { Store } from '../data/core/store.ts';
import { totals } from '../data/schema/store/internal-tables.ts';
import {
  failingWebhooksQuery,
  toFailingWebhook,
  type FailingWebhook,
} from '../webhooks/log/failing-webhooks.ts';

/** Counts of a store, for the page that lists stores. */
export interface StoreFigures {
  products: number;
  orders: number;
  customers: number;
  /** How many webhooks fail or were switched off. */
  failingWebhooks: number;
  /** Three of them at most, longest without success first. */
  longestFailing: readonly FailingWebhook[];
}

const none: StoreFigures = {
  products: 0,
  orders: 0,
  customers: 0,
  failingWebhooks: 0,
  longestFailing: [],
};

/**
 * Finds the figures of stores, by the id of the store. One round trip per shard, all at the same
 * time. Stores of a shard that does not answer are absent.
 */
export async function findStoreFigures(
  env: Env,
  stores: readonly Pick<Store, 'id' | 'shard'>[],
): Promise<Map<number, StoreFigures>> {
  const found = await Promise.all(
    [...Map.groupBy(stores, ({ shard }) => shard)].map(([shard, ofShard]) =>
      readFigures(env, shard, ofShard).catch(() => []),
    ),
  );
  return new Map(found.flat());
}

async function readFigures(
  env: Env,
  shard: number,
  stores: readonly Pick<Store, 'id'>[],
): Promise<[storeId: number, StoreFigures][]> {
  const database = openDatabase(shardBinding(env, shard));
  const ids = stores.map(({ id }) => id);
  const batch = await database.batch([
    rawDatabaseStatement<Row>(database, figuresQuery(JSON.stringify(ids))),
  ]);
  const byStore = Map.groupBy(batch.flat(), ({ id }) => id);
  return ids.map((id) => {
    const found = byStore.get(id) ?? [];
    return [
      id,
      {
        ...none,
        ...Object.fromEntries(found.map(({ kind, total }) => [kind, total] as const)),
        longestFailing: found.flatMap(({ webhook, url, status }) =>
          webhook === null ? [] : [toFailingWebhook({ id: webhook, url, status })],
        ),
      },
    ];
  });
}

/**
 * A figure of a store. The number of failing webhooks comes once with each of those that are shown.
 */
type Row = { id: number; kind: keyof StoreFigures; total: number } & (
  | { webhook: null; url: null; status: null }
  | { webhook: number; url: string; status: number }
);

const figuresQuery = (storeIds: string) => sql`
  select store_id as id, kind, total, null as webhook, null as url, null as status from ${totals}
  where store_id in (select value from json_each(${storeIds}))
    and kind in ('products', 'orders', 'customers')
  union all
  select store_id, 'failingWebhooks', total, id, url, status from (${failingWebhooksQuery(storeIds)})`;
