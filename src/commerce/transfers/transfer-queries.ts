import { and, asc, desc, eq, isNotNull } from 'drizzle-orm';
import type { Listing } from '../../base/codecs/listing/options.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { transferErrors, transfers } from '../../data/schema/store/transfers-tables.ts';
import { selectTransfer, type Transfer, type TransferKind, ending } from './transfer-job.ts';
import { standingExtras, type RankedTransfer } from './transfer-standing.ts';

/** Finds an import or an export. One round trip. */
export const findTransfer = (
  db: StoreDb,
  kind: TransferKind,
  id: number,
): Promise<RankedTransfer | undefined> =>
  db.find(transfers, id, standingExtras, eq(transfers.kind, kind));

/** Returns a page of the errors of an import; `undefined` if there is no such import. One round trip. */
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
 * Cancels a transfer between two chunks, and returns it; one that has ended stays as it is. `undefined` if the store
 * has none with this id. One round trip.
 */
export async function cancelTransfer(
  db: StoreDb,
  kind: TransferKind,
  id: number,
): Promise<Transfer | undefined> {
  const isOpen = and(eq(transfers.id, id), eq(transfers.kind, kind), isNotNull(transfers.due_at));
  const [, [found]] = await db.batch([
    db.updateStatement(transfers, isOpen, { ...ending(db, 'cancelled'), reason: 'requested' }),
    selectTransfer(db, kind, id),
  ]);
  return found;
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

/** The errors of an import, in the order of its lines. One round trip. */
export async function firstErrors(db: StoreDb, id: number, limit: number) {
  const where = eq(transferErrors.transfer_id, id);
  const first = { orderBy: asc(transferErrors.id), limit };
  const [found] = await db.batch([db.select(transferErrors, { where, first })]);
  return found;
}
