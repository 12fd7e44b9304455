import { hourMs } from '../../base/durations.ts';
import type { Database } from '../../data/core/open-database.ts';
import type { Store } from '../../data/core/store.ts';
import { transferErrors, transfers } from '../../data/schema/store/transfers-tables.ts';
import { createSeedDb } from '../../stores/test-stores/insert-missing.ts';

/** Creates an import with an error and an export, both ended, unless the store has any. */
export async function seedTransfers(
  store: Store,
  ownerId: number,
  database: Database,
  now: number,
): Promise<void> {
  const db = createSeedDb(store, database, now);
  const [existing] = await db.batch([db.select(transfers).limit(1)]);
  if (existing.length > 0) return;
  const ended = {
    parts: [],
    actor: 'demo',
    user_id: ownerId,
    client_id: null,
    due_at: null,
    finished_at: now - hourMs,
  };
  await db.batch([
    db.insertStatement(transfers, {
      ...ended,
      kind: 'import',
      state: 'done',
      file: `imports/${store.id}/demo`,
      bytes: 5_120,
      position: 5_120,
      line: 11,
      total: 11,
      done: 11,
      created: 2,
      updated: 5,
      unchanged: 3,
      failed: 1,
      errors_listed: 1,
    }),
    db.insertStatement(transferErrors, {
      transfer_id: db.lastInsertedId(transfers),
      line: 7,
      from_line: 7,
      to_line: 7,
      field: 'skus.0.price_sale',
      sent: '12.345',
      message: 'Must be a number from 0 to 99,999,999.99 with at most two decimals.',
    }),
    db.insertStatement(transfers, {
      ...ended,
      kind: 'export',
      state: 'cancelled',
      reason: 'access_ended',
      file: `exports/${store.id}/demo`,
      bytes: 0,
      total: 10,
    }),
  ]);
}
