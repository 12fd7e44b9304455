import { sql, type SQL } from 'drizzle-orm';
import { daySeconds } from '../../base/durations.ts';
import { clockPolicy, HttpError } from '../../base/errors.ts';
import { abortUnless, abortWith } from '../core/data-errors.ts';
import { rawStatement } from '../core/raw.ts';
import type { StoreDb } from '../core/store-db.ts';
import type { Store } from '../core/store.ts';
import { carts } from '../schema/store/carts-tables.ts';
import { testClocks } from '../schema/store/internal-tables.ts';
import { transactions } from '../schema/store/transactions-tables.ts';
import { unverifiedEndpoints } from '../schema/store/webhook-operations-tables.ts';
import {
  DeliveryState,
  EndpointStatus,
  webhookDeliveries,
  webhookEndpoints,
} from '../schema/store/webhooks-tables.ts';

/** The most that the clock advances at once: a cart expires after 30 days. */
export const maxAdvanceSeconds = 31 * daySeconds;

/** The most records that one advance brings forward, so that its batch is bounded. */
export const maxWaiting = 500;

/** The numbers of records that were brought forward. */
export interface ClockAdvance {
  advanced_seconds: number;
  /** Open and abandoned carts. */
  carts: number;
  /** Transactions that wait for a capture or for a payment. */
  transactions: number;
  /** Webhooks that wait for their next attempt. */
  webhooks: number;
}

/** Selects a row for each record that an advance changes. */
const waitingRecords = (storeId: number, isIdle: SQL) =>
  sql`select 1 from ${carts} where store_id = ${storeId} and due_at is not null
    union all select 1 from ${transactions} where store_id = ${storeId} and due_at is not null
    union all select 1 from ${webhookDeliveries}
      where endpoint_id in (select id from ${webhookEndpoints} where ${isIdle})
        and state = ${DeliveryState.open} and due_at > 0
    union all select 1 from ${webhookEndpoints}
      where ${isIdle} and coalesce(next_attempt_at, first_failure_at) is not null
    union all select 1 from ${unverifiedEndpoints} where store_id = ${storeId}`;

/**
 * Advances the clock of a test store: everything in it that waits for a time is brought forward by
 * that much, in one batch. Times that records show stay as they are. The sweep of the shard then
 * does the work that has become due. Throws 403 for any other store, 429 within ten seconds of the
 * last advance, and 409 if more than {@link maxWaiting} records wait. Then nothing has moved. Of
 * advances at once, one succeeds. One round trip.
 */
export async function advanceClock(db: StoreDb, seconds: number): Promise<ClockAdvance> {
  assertTestStore(db.store, 'advance_seconds');
  const { store, now } = db;
  const ms = seconds * 1000;
  // Without the rows that triggers change.
  const count = () => rawStatement<{ count: number }>(db, sql`select changes() as count`);
  // A worker that sends now writes the times of its endpoint itself.
  const isIdle = sql`store_id = ${store.id} and status = ${EndpointStatus.active} and lease_until <= ${now}`;
  const [, , , movedCarts, , movedTransactions, , movedWebhooks] = await db.batch([
    rawStatement(
      db,
      sql`insert into ${testClocks} (store_id, advanced_at) values (${store.id}, ${now})
        on conflict do update set advanced_at = iif(
          ${testClocks.advanced_at} <= ${now - clockPolicy.seconds * 1000},
          excluded.advanced_at, ${sql.raw(abortWith('test_clock'))})`,
    ),
    rawStatement(
      db,
      abortUnless(
        sql`(select count(*) from (${waitingRecords(store.id, isIdle)} limit ${maxWaiting + 1})) <= ${maxWaiting}`,
        'test_store_full',
      ),
    ),
    // A new revision, so that a writer who read the old times decides again.
    rawStatement(
      db,
      sql`update ${carts} set due_at = due_at - ${ms}, edited_at = edited_at - ${ms},
          abandoned_at = abandoned_at - ${ms}, revision = revision + 1
        where store_id = ${store.id} and due_at is not null`,
    ),
    count(),
    rawStatement(
      db,
      sql`update ${transactions} set due_at = due_at - ${ms}
        where store_id = ${store.id} and due_at is not null`,
    ),
    count(),
    rawStatement(
      db,
      sql`update ${webhookEndpoints} set next_attempt_at = next_attempt_at - ${ms}
        where ${isIdle} and next_attempt_at is not null`,
    ),
    count(),
    rawStatement(
      db,
      sql`update ${webhookEndpoints} set first_failure_at = first_failure_at - ${ms}
        where ${isIdle} and first_failure_at is not null`,
    ),
    rawStatement(
      db,
      sql`update ${webhookDeliveries} set due_at = max(1, due_at - ${ms})
        where endpoint_id in (select id from ${webhookEndpoints} where ${isIdle})
          and state = ${DeliveryState.open} and due_at > 0`,
    ),
    rawStatement(
      db,
      sql`update ${unverifiedEndpoints} set next_at = next_at - ${ms} where store_id = ${store.id}`,
    ),
  ]);
  return {
    advanced_seconds: seconds,
    carts: movedCarts[0]?.count ?? 0,
    transactions: movedTransactions[0]?.count ?? 0,
    webhooks: movedWebhooks[0]?.count ?? 0,
  };
}

/** Throws 403 unless the store is a test store. `field` names what only such a store allows. */
export function assertTestStore({ test }: Pick<Store, 'test'>, field: string): void {
  if (test) return;
  throw new HttpError('test_store_only', {
    errors: { [field]: ['Only allowed in a test store.'] },
  });
}
