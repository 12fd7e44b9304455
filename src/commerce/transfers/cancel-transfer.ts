import { and, eq, isNotNull } from 'drizzle-orm';
import type { StoreDb } from '../../data/core/store-db.ts';
import { transfers } from '../../data/schema/store/transfers-tables.ts';
import { ending, selectTransfer, type Transfer, type TransferKind } from './transfer-job.ts';

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
