import { conflict } from '../../base/errors.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { UpdateValues } from '../../data/core/store-table.ts';
import { hasRevision } from '../../data/queries/revision.ts';
import { carts, type CartStatus } from '../../data/schema/store/carts-tables.ts';

/**
 * Statements that change a cart if it still has the revision that was read; otherwise the batch
 * fails with a `ConflictError`.
 */
export function updateCartStatements(
  db: StoreDb,
  { id, revision }: { id: number; revision: number },
  changes: UpdateValues<typeof carts>,
) {
  const isUnchanged = hasRevision(carts, { id, revision });
  return [
    // The next revision is a change by itself, since `changes` may be what the cart has already.
    db.updateStatement(carts, isUnchanged, { ...changes, revision: revision + 1 }),
    db.assertChanged(),
  ];
}

/** Throws 409 for a converted or expired cart. */
export function assertCartNotClosed({ status }: { status: CartStatus }) {
  if (status !== 'converted' && status !== 'expired') return;
  throw conflict(`cart_${status}`, {
    status: [status === 'converted' ? 'The cart is already an order.' : 'The cart has expired.'],
  });
}

/** Throws 409 for a cart without items. */
export function assertCartNotEmpty({ total_items }: { total_items: number }) {
  if (total_items === 0) throw conflict('cart_empty', { items: ['Must not be empty.'] });
}
