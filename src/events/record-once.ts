import { sql } from 'drizzle-orm';
import { rawStatement } from '../db/raw.ts';
import { webhookEvents } from '../db/schema/webhooks.ts';
import type { StoreDb } from '../db/store.ts';
import { publish, type StoreEvent } from './publish.ts';

/**
 * Records an event that has no change of ours beside it, once per key: a key that the store knows already writes and
 * delivers nothing. Answers with the id of the event of that key, or `null` when no webhook is subscribed to it and so
 * nothing is kept. Two round trips.
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
