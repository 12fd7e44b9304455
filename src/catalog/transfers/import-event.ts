import { sql } from 'drizzle-orm';
import { runInZone } from '../../base/codecs/fields/zone.ts';
import { compileSerializer } from '../../base/codecs/serializer.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { transfers } from '../../data/schema/store/transfers-tables.ts';
import type { EventSet } from '../../webhooks/events/publish-set.ts';
import type { StoreEvent } from '../../webhooks/events/publish.ts';
import { ImportEventSchema } from './schema.ts';
import type { Transfer } from './transfer-job.ts';

const serializeEvent = compileSerializer(ImportEventSchema);

/** Columns that each chunk changes. */
const counters = [
  'done',
  'created',
  'updated',
  'unchanged',
  'skipped',
  'failed',
  'stocks_set',
  'stocks_left',
  'errors_left_out',
] as const satisfies readonly (keyof Transfer)[];

/** The event of an import that ends now. `ended` has the columns of its end. */
export function toImportEvent(db: StoreDb, ended: Transfer): StoreEvent {
  const given = {
    ...ended,
    finished_at: db.now,
    updated_at: db.now,
    begun_by: callerOf(ended),
  };
  const resource = runInZone(db.store.zone, () => serializeEvent(given));
  return { name: 'catalog.import_completed', resource };
}

/** The same for a batch that records sets of events. */
export function toImportEventSet(db: StoreDb, ended: Transfer): EventSet {
  const { name, resource } = toImportEvent(db, ended);
  return { name, events: [{ key: ended.id, resource }] };
}

/** The same with counts that the transaction reads, since a chunk may be committed meanwhile. */
export const toStoredImportEvent = (db: StoreDb, ended: Transfer): StoreEvent => ({
  ...toImportEvent(db, ended),
  stored: Object.fromEntries(
    counters.map((name) => [
      name,
      sql`select ${transfers[name]} from ${transfers} where ${transfers.id} = ${ended.id}`,
    ]),
  ),
});

/** Who began an import, as the activity of a store names actors. */
function callerOf({ actor, client_id: clientId, user_id: userId }: Transfer) {
  if (clientId !== null) return { kind: 'app' as const, id: clientId };
  const keyId = /^api_key:(\d+)$/.exec(actor)?.[1];
  return keyId === undefined
    ? { kind: 'user' as const, id: String(userId) }
    : { kind: 'api_key' as const, id: keyId };
}
