import { sql } from 'drizzle-orm';
import { storeAuditStatement } from '../../data/audit/audit-lines.ts';
import { anyChanges, changesInBatch } from '../../data/audit/changes.ts';
import { rawStatement } from '../../data/core/raw.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { storeSettings } from '../../data/schema/store/settings-tables.ts';

/**
 * Minutes without an edit after which a cart is abandoned, in a store that has not set its own
 * number.
 */
export const defaultCartIdleMinutes = 60;

/** Selects that number for this store; always returns one row. */
export const selectCartIdleMinutes = (db: StoreDb) =>
  rawStatement<{ minutes: number }>(
    db,
    sql`select coalesce((select cart_idle_minutes from ${storeSettings} where store_id = ${db.store.id}),
      ${defaultCartIdleMinutes}) as minutes`,
  );

/**
 * Sets that number for this store, and records the change; it applies to a cart from its next edit
 * on.
 */
export function changeCartIdleMinutes(db: StoreDb, minutes: number) {
  const before = sql`coalesce((select cart_idle_minutes from ${storeSettings}
    where store_id = ${db.store.id}), ${defaultCartIdleMinutes})`;
  const fields = [{ name: 'cart_idle_minutes', before, after: sql`${minutes}` }];
  return [
    storeAuditStatement(
      db,
      {
        action: 'settings.changed',
        target: { kind: 'settings', id: db.store.id },
        changes: changesInBatch(fields),
      },
      anyChanges(fields),
    ),
    rawStatement(
      db,
      sql`insert into ${storeSettings} (store_id, cart_idle_minutes) values (${db.store.id}, ${minutes})
        on conflict do update set cart_idle_minutes = excluded.cart_idle_minutes`,
    ),
  ];
}
