import { sql } from 'drizzle-orm';
import { rawStatement } from '../../data/core/raw.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { webhookEvents } from '../../data/schema/store/webhooks-tables.ts';
import { publish, type StoreEvent } from './publish.ts';

/**
 * Records an event without a change, once per key: if the key is already recorded, nothing is
 * written or delivered. Returns the id of the event with that key, or `null` when no endpoint
 * receives it, so that nothing is stored. Two round trips.
 */
export async function recordOnce(
  db: StoreDb,
  event: StoreEvent & { idempotencyKey: string },
): Promise<string | null> {
  await publish(db, [], [event]);
  const [known] = await db.batch([
    rawStatement<{ id: string }>(
      db,
      sql`select id from ${webhookEvents}
        where store_id = ${db.store.id} and idempotency_key = ${event.idempotencyKey}`,
    ),
  ]);
  return known[0]?.id ?? null;
}
