import { and, asc, desc, eq, isNotNull, sql } from 'drizzle-orm';
import { runInZone } from '../../base/codecs/fields/zone.ts';
import type { Listing } from '../../base/codecs/listing/options.ts';
import { compileSerializer } from '../../base/codecs/serializer.ts';
import { ConflictError } from '../../base/errors.ts';
import { rawStatement } from '../../data/core/raw.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { transferErrors, transfers } from '../../data/schema/store/transfers-tables.ts';
import type { EventSet } from '../../webhooks/events/publish-set.ts';
import { publish, type StoreEvent } from '../../webhooks/events/publish.ts';
import { ImportEventSchema } from './schema.ts';
import { earlierExtras, type RankedTransfer } from './transfer-forecast.ts';
import {
  ending,
  isFinished,
  selectTransfer,
  type Transfer,
  type TransferKind,
} from './transfer-job.ts';

/** Finds an import or an export. One round trip. */
export const findTransfer = (
  db: StoreDb,
  kind: TransferKind,
  id: number,
): Promise<RankedTransfer | undefined> =>
  db.find(transfers, id, earlierExtras, eq(transfers.kind, kind));

/**
 * Returns a page of the errors of an import; `undefined` if there is no such import. One round
 * trip.
 */
export const pageOfErrors = (
  db: StoreDb,
  id: number,
  query: Listing<'id' | 'created_at' | 'updated_at'>,
) =>
  db.pageOfParent(
    transfers,
    id,
    transferErrors,
    query,
    { where: eq(transferErrors.transfer_id, id) },
    eq(transfers.kind, 'import'),
  );

/**
 * Cancels a transfer between two chunks, and returns it; one that has ended stays as it is. Records
 * the event of an import. `undefined` if the store has none with this id. Two round trips.
 */
export async function cancelTransfer(
  db: StoreDb,
  kind: TransferKind,
  id: number,
): Promise<Transfer | undefined> {
  const find = async () => (await db.batch([selectTransfer(db, kind, id)]))[0][0];
  const found = await find();
  if (!found || isFinished(found)) return found;
  const end = { ...ending(db, 'cancelled'), reason: 'requested' as const };
  const isOpen = and(eq(transfers.id, id), isNotNull(transfers.due_at));
  try {
    const [[cancelled]] = await publish(
      db,
      [db.updateStatement(transfers, isOpen, end), db.assertChanged()],
      kind === 'import' ? [toStoredImportEvent(db, { ...found, ...end })] : [],
      { eventPace: 'free' },
    );
    return cancelled;
  } catch (error) {
    // It has ended meanwhile.
    if (error instanceof ConflictError) return find();
    throw error;
  }
}

/** The latest imports or exports of a store. One round trip. */
export async function latestTransfers(
  db: StoreDb,
  kind: TransferKind,
  limit: number,
): Promise<Transfer[]> {
  const where = eq(transfers.kind, kind);
  const first = { orderBy: desc(transfers.id), limit };
  const [found] = await db.batch([db.select(transfers, { where, first })]);
  return found;
}

/**
 * Errors with the same field and message: their number, their lines, and what the first one has in
 * the file.
 */
export interface FoldedError {
  field: string;
  message: string;
  sent: string | null;
  /** Whether the others have something else there. */
  differs: boolean;
  lines: readonly number[];
}

/**
 * The first errors of an import, equal ones together; the SKUs of a product count as one field. One
 * round trip.
 */
export async function foldedErrors(db: StoreDb, id: number, limit: number): Promise<FoldedError[]> {
  const { field, message, sent, line } = transferErrors;
  const behind = sql`substr(${field}, 6)`;
  const ofSkus = sql`case when ${field} glob 'skus.[0-9]*.*'
    then 'skus.0' || substr(${behind}, instr(${behind}, '.')) else ${field} end`;
  const [found] = await db.batch([
    rawStatement<Omit<FoldedError, 'lines' | 'differs'> & { differs: number; lines: string }>(
      db,
      sql`select ${ofSkus} as field, ${message} as message, ${sent} as sent, min(${transferErrors.id}) as first,
          count(distinct coalesce(${sent}, '')) > 1 as differs, json_group_array(${line}) as lines
        from ${transferErrors}
        where ${transferErrors.transfer_id} = ${id} and ${transferErrors.store_id} = ${db.store.id}
        group by 1, 2 order by first limit ${limit}`,
    ),
  ]);
  return found.map(({ lines, differs, ...error }) => ({
    ...error,
    differs: differs !== 0,
    lines: JSON.parse(lines) as number[],
  }));
}

/** The errors of an import, in the order of its lines. One round trip. */
export async function firstErrors(db: StoreDb, id: number, limit: number) {
  const where = eq(transferErrors.transfer_id, id);
  const first = { orderBy: asc(transferErrors.id), limit };
  const [found] = await db.batch([db.select(transferErrors, { where, first })]);
  return found;
}

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
const toStoredImportEvent = (db: StoreDb, ended: Transfer): StoreEvent => ({
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
